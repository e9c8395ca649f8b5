"""`evenhand reproduce experience`: months per skill against the truth, by size of the error, as in Figure 11."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from evenhand.audit.statistics import ConfidenceInterval, Floats
from evenhand.documents.reading import read_many
from evenhand.mining.miner import MODELS, load_miner
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.profile import Profile
from evenhand_lab.benchmarks.fact_scores import plain
from evenhand_lab.benchmarks.kit import Measurement, bootstrap, in_brackets
from evenhand_lab.corpora.sets.resumes import read_gold
from evenhand_lab.reproduce.miner_inputs import FORMATS, GENERATED, RESUMES, SEED
from evenhand_lab.reproduce.results import Check, check_rows
from evenhand_lab.training.examples import generated

PUBLISHED_PAIRS = 148  # skills in resumes that persons judged; the bars of the figure were not published as numbers
BOUNDS = tuple(tenth / 10 for tenth in range(1, 11))
CHECKED = 0.2  # the bound within which at least half must lie
GOLD = "annotated"


@dataclass(frozen=True, slots=True)
class SkillEstimate:
    """A skill of a resume with its true months and those that were mined; None where nothing dated names it."""

    resume: str
    skill: str
    months: int
    found: int | None

    @property
    def error(self) -> float | None:
        """Relative to the truth; None where no months were found."""
        return None if self.found is None else abs(self.found - self.months) / self.months


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many pairs lie within each bound of relative error."""

    material: str
    resumes: int
    pairs: int
    exact: int
    within: list[int]  # as BOUNDS, each with those before
    beyond: int  # more than the last bound
    missing: int  # skill or months not found
    intervals: list[ConfidenceInterval | None]  # of the shares within each bound, drawing resumes


@dataclass(frozen=True, slots=True)
class Histograms(Measurement):
    title: ClassVar[str] = "months per skill: skills within each relative error (published: 148 judged pairs)"
    histograms: list[Histogram]

    @property
    def checks(self) -> list[Check]:
        """The published bars are only in a picture: what is asked of ours is our own claim."""
        return [
            Check(
                f"{one.material}: half of the judged skills within {CHECKED:.0%}, also at the interval's lower end",
                any(
                    bound == CHECKED and interval is not None and interval.low >= 0.5
                    for bound, interval in zip(BOUNDS, one.intervals, strict=True)
                ),
            )
            for one in self.histograms
        ]

    def to_json(self) -> dict[str, Any]:
        return {"bounds": list(BOUNDS), "published_pairs": PUBLISHED_PAIRS, **asdict(self)}

    def rows(self) -> list[tuple[str, str]]:
        rows = [
            (f"{histogram.material}: {figure}", value)
            for histogram in self.histograms
            for figure, value in (
                ("resumes, judged skills", f"{histogram.resumes}, {histogram.pairs}"),
                ("exact to the month", str(histogram.exact)),
                *(
                    (f"within {bound:.0%}", f"{within} ({within / (histogram.pairs or 1):.3f}{in_brackets(interval)})")
                    for bound, within, interval in zip(BOUNDS, histogram.within, histogram.intervals, strict=True)
                ),
                ("further off, not found", f"{histogram.beyond}, {histogram.missing}"),
            )
        ]
        return [*rows, *check_rows(self.checks, "holds", "does not hold")]


def run(
    data: Path | None = None,
    *,
    n: int = RESUMES,
    seed: int = SEED,
    models: Path = MODELS,
    progress: Progress = no_progress,
) -> Histograms:
    """On `n` generated IT resumes and, with `data`, on the annotated files under data/gold.

    The shipped models have learned from generated resumes of another seed, and from none of these annotated files
    (a few of which share passages with others that they did learn from).
    """
    miner = load_miner(models=models)
    made = generated("it", n, seed, FORMATS, progress=progress)
    judged = []
    for resume in with_progress(made, progress, "mining", len(made)):
        profile = miner.mine(resume.document, resume.truth.as_of)
        for skill in resume.truth.skills:
            if skill.months_union:
                months = found_months(profile, (skill.name, *skill.surfaces))
                judged.append(SkillEstimate(resume.id, skill.name, skill.months_union, months))
    histograms = [histogram(GENERATED, judged)]
    if data and (data / "gold").is_dir():
        golds = list(read_gold(data / "gold"))
        pairs = zip(golds, read_many([gold.file for gold in golds]), strict=True)
        judged = []
        for gold, document in with_progress(pairs, progress, "mining", len(golds)):
            profile = miner.mine(document, gold.as_of)
            for name, true in gold.skill_months:
                if true:
                    judged.append(SkillEstimate(gold.id, name, true, found_months(profile, (name,))))
        histograms.append(histogram(GOLD, judged))
    return Histograms(histograms)


def found_months(profile: Profile, names: Iterable[str]) -> int | None:
    """Of the first skill that has one of the names among its own."""
    wanted = {plain(name) for name in names}
    for skill in profile.skills:
        if not wanted.isdisjoint(plain(form) for form in (skill.name, *skill.surfaces)):
            return skill.months
    return None


def histogram(material: str, judged: Sequence[SkillEstimate]) -> Histogram:
    errors = [estimate.error for estimate in judged if estimate.error is not None]
    units: dict[str, list[float]] = {}
    for one in judged:
        row = units.setdefault(one.resume, [0.0] * (len(BOUNDS) + 1))
        row[-1] += 1
        for place, bound in enumerate(BOUNDS):
            row[place] += one.error is not None and one.error <= bound
    return Histogram(
        material,
        len({estimate.resume for estimate in judged}),
        len(judged),
        sum(error == 0 for error in errors),
        [sum(error <= bound for error in errors) for bound in BOUNDS],
        sum(error > BOUNDS[-1] for error in errors),
        len(judged) - len(errors),
        [bootstrap(list(units.values()), partial(_share, place)) for place in range(len(BOUNDS))],
    )


def _share(place: int, sums: Floats) -> Floats:
    return sums[:, place] / sums[:, -1]
