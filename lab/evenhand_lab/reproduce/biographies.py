"""Biographies with profession and gender, as rows of the sentence encoder: the texts as they are, and neutralised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evenhand.audit.statistics import Floats as EffectsFloats
from evenhand.audit.swaps.edits import reword, turn_gender
from evenhand.audit.swaps.effects import measure_effect
from evenhand.debias.fitting import FittedRemoval
from evenhand.debias.heads import Head
from evenhand.debias.neutral_text import Neutraliser
from evenhand.debias.probes import tpr_gap
from evenhand.debias.run import retrain_head
from evenhand.debias.samples import Floats, Samples, make_samples, variable
from evenhand.errors import UsageError
from evenhand.models.concept_removal import LinearMap, identity
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.conversion import JsonRecord
from evenhand.text.names import doubtful_names, first_names
from evenhand_lab.corpora.generate import CorpusRequest, draft_plain
from evenhand_lab.corpora.manuscript import to_plain
from evenhand_lab.corpora.sets.biographies import read_full_biographies
from evenhand_lab.corpora.sets.groups_biographies import read_biography_groups, read_full_biography_groups
from evenhand_lab.corpora.sets.occupations import read_biographies

SAMPLES = "biasbios-samples"
COMBINED = ("combined.csv", "combined.csv.gz")
MIN_TEXTS = 100  # of a profession; with fewer a head learns nothing of it
TASK, GENDER = "occupation", "gender"


@dataclass(frozen=True, slots=True)
class Biographies:
    """In one order: texts, professions, genders."""

    texts: tuple[str, ...]
    professions: tuple[str, ...]
    genders: tuple[str, ...]

    def samples(self, rows: Floats) -> Samples:
        return make_samples(rows, variable(TASK, self.professions), [variable(GENDER, self.genders)])

    def neutralised(self) -> tuple[str, ...]:
        """Without gender words and first names."""
        write = Neutraliser.of(first_names(), doubtful=doubtful_names())
        return tuple(write(text) for text in self.texts)


def read_all(data: Path, *, n: int | None = None) -> Biographies:
    """The sample, in `data` or below it, or the full set by its path; professions with volume only.

    `n` are drawn evenly from beginning to end.
    """
    folder = data / SAMPLES if (data / SAMPLES).is_dir() else data
    is_sample = any((folder / name).is_file() for name in COMBINED)
    read, read_groups = (
        (read_biographies, read_biography_groups) if is_sample else (read_full_biographies, read_full_biography_groups)
    )
    rows = [
        (text.text, text.labels[0], group.gender)
        for text, group in zip(list(read(folder)), list(read_groups(folder)), strict=True)
        if group.gender and text.text
    ]
    counts = Counter(job for _, job, _ in rows)
    rows = [row for row in rows if counts[row[1]] >= MIN_TEXTS]
    if not rows:
        raise UsageError(f"No profession has {MIN_TEXTS} biographies there.")
    if n is not None and n < len(rows):
        rows = [rows[place] for place in np.linspace(0, len(rows) - 1, n).astype(int)]
    texts, jobs, genders = zip(*rows, strict=True)
    return Biographies(tuple(texts), tuple(jobs), tuple(genders))


# Biographies told of a woman and of a man: how far that moves an occupation model, before and after removal. Only
# pronouns, salutations and family words are turned; what else tells of a person stays. The placebo are phrases said
# otherwise in the same texts.

Embed = Callable[[Sequence[str]], EffectsFloats]


@dataclass(frozen=True, slots=True)
class Turned(JsonRecord):
    """One model. `effect` is of the logit of the label it gives the text as it is, a woman's text less a man's."""

    name: str
    texts: int
    effect: float
    low: float
    high: float
    spread: float  # what that logit differs by from text to text
    size: float  # mean size of the change, whatever its sign
    placebo_size: float
    flips: float  # share of texts whose label changes
    placebo_flips: float
    gap: float | None  # in true positive rates by gender, on the texts as they are; None: nothing to compare

    def row(self) -> tuple[str, str]:
        return (
            f"  {self.name}",
            f"woman less man {self.effect:+.3f} logits ({self.low:+.3f} to {self.high:+.3f}; logits differ by "
            f"{self.spread:.2f}), size of the change {self.size:.3f} (phrases said otherwise "
            f"{self.placebo_size:.3f}), label changes {self.flips:.1%} ({self.placebo_flips:.1%}), gap by "
            f"gender {'-' if self.gap is None else f'{self.gap:.3f}'}",
        )


def turn_biographies(
    texts: Sequence[str], fitted: FittedRemoval, embed: Embed, *, seed: int = 0
) -> tuple[Turned, Turned]:
    """`texts` are in the order of the rows; those of test rows are turned. As it is, then without the concept."""
    chosen = [texts[place] for place in fitted.parts.test.tolist()]
    woman, man, other = (
        embed([turn(text) for text in chosen])
        for turn in (lambda text: turn_gender(text, female=True), lambda text: turn_gender(text, female=False), reword)
    )
    rows = (fitted.divided.test.rows, woman, man, other)
    change, name = fitted.removal.change, f"without gender ({fitted.removal.recipe.name})"
    return (
        _turned("as it is", fitted.heads.task, identity(change.dimension), rows, fitted),
        _turned(name, retrain_head(fitted, seed=seed), change, rows, fitted),
    )


def _turned(name: str, head: Head, change: LinearMap, rows: Sequence[EffectsFloats], fitted: FittedRemoval) -> Turned:
    logits = [np.asarray(head.logits(change.apply(row)), np.float64) for row in rows]
    base, woman, man, other = (logit - logit.mean(axis=1, keepdims=True) for logit in logits)
    target = base.argmax(axis=1)
    places = np.arange(len(target))
    own, as_woman, as_man, reworded = (scores[places, target] for scores in (base, woman, man, other))
    effect = measure_effect(as_woman - as_man, reworded - own, unit=float(own.std()))
    test = fitted.divided.test
    return Turned(
        name,
        len(target),
        effect.effect.mean,
        effect.effect.interval.low,
        effect.effect.interval.high,
        effect.unit,
        float(np.abs(as_woman - as_man).mean()),
        float(np.abs(reworded - own).mean()),
        float((woman.argmax(axis=1) != man.argmax(axis=1)).mean()),
        float((other.argmax(axis=1) != target).mean()),
        tpr_gap(target, test.task, test.sensitive[0]),
    )


# Generated resumes with group truth: texts, occupations, and groups to remove from what an encoder makes of them.

GROUPS = ("gender", "origin")
MIN_GROUP_SHARE = 0.04  # of all; a smaller group is too few to learn, and counts as not known


@dataclass(frozen=True, slots=True)
class ResumeSample:
    """In one order; `groups` by variable, None where the group is too small."""

    texts: tuple[str, ...]
    occupations: tuple[str, ...]
    groups: dict[str, tuple[str | None, ...]]

    def samples(self, rows: Floats) -> Samples:
        sensitive = [variable(name, values) for name, values in self.groups.items()]
        return make_samples(rows, variable(TASK, self.occupations), sensitive)


def generate(
    n: int, *, seed: int = 0, variables: tuple[str, ...] = GROUPS, progress: Progress = no_progress
) -> ResumeSample:
    """Whole resumes, names and all: what tells of groups is what a screener would send."""
    order = CorpusRequest(seed, "mixed", ("txt",))
    drafts = [draft_plain(order, number) for number in with_progress(range(n), progress, "writing resumes", n)]
    groups: dict[str, tuple[str | None, ...]] = {}
    for name in variables:
        values = [str(getattr(draft.groups, name)) for draft in drafts]
        counts = Counter(values)
        groups[name] = tuple(value if counts[value] >= MIN_GROUP_SHARE * n else None for value in values)
    texts = tuple(to_plain(draft.manuscript).text for draft in drafts)
    return ResumeSample(texts, tuple(draft.career.occupation for draft in drafts), groups)
