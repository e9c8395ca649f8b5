"""Biographies with profession and gender, as rows of the sentence encoder: the texts as they are, and neutralised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evenhand.corpora.sets.full_biographies import read_full_biographies
from evenhand.corpora.sets.groups_biographies import read_biography_groups
from evenhand.corpora.sets.groups_full_biographies import read_full_biography_groups
from evenhand.corpora.sets.occupations import read_biographies
from evenhand.debias.samples import Floats, Samples, make_samples, variable
from evenhand.debias.texts.neutral import Neutraliser
from evenhand.errors import UsageError
from evenhand.text.names import doubtful_names, first_names

SAMPLES = "biasbios-samples"
COMBINED = ("combined.csv", "combined.csv.gz")
LEAST_TEXTS = 100  # of a profession; with fewer a head learns nothing of it
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
    if any((folder / name).is_file() for name in COMBINED):
        texts = [(each.text, each.labels[0]) for each in read_biographies(folder)]
        genders = [each.gender for each in read_biography_groups(folder)]
    else:
        texts = [(each.text, each.labels[0]) for each in read_full_biographies(folder)]
        genders = [each.gender for each in read_full_biography_groups(folder)]
    known = [
        (text, job, gender) for (text, job), gender in zip(texts, genders, strict=True) if gender and text
    ]
    return _with_volume(known, n)


def _with_volume(rows: Sequence[tuple[str, str, str]], n: int | None) -> Biographies:
    counts = Counter(job for _, job, _ in rows)
    kept = [row for row in rows if counts[row[1]] >= LEAST_TEXTS]
    if not kept:
        raise UsageError(f"No profession has {LEAST_TEXTS} biographies there.")
    if n is not None and n < len(kept):
        kept = [kept[place] for place in np.linspace(0, len(kept) - 1, n).astype(int)]
    texts, jobs, genders = zip(*kept, strict=True)
    return Biographies(tuple(texts), tuple(jobs), tuple(genders))
