"""`evenhand reproduce demands`: what is understood of real ads, beside what a recruiter says they ask for.

A requirement that was understood is a must-have, the degree, or the years. It is right when at least half of its
content words stand in one of the recruiter's essentials. An essential is found when the right requirements together
have at least half of its content words. Content words are stemmed, without the words of every ad ("experience",
"strong"), and synonyms of `demands.toml` count as one.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from evenhand.audit.statistics import wilson_rate
from evenhand.errors import UsageError
from evenhand.mining.pipeline import understand_text
from evenhand.progress import Progress, no_progress
from evenhand.records.job import Job
from evenhand.search.analysis import terms
from evenhand.settings import Settings
from evenhand_lab.benchmarks.kit import Measurement

SHARE = 0.5  # of the content words
DEVELOPMENT = frozenset(f"job{number}" for number in range(9))
DRAWS = 2_000
_LABELS: dict[str, Any] = tomllib.loads(resources.files(__package__).joinpath("demands.toml").read_text("utf-8"))
_IGNORED = frozenset(_LABELS["ignored"]["words"].split())
_WORD = re.compile(r"[\w+#.]+")
_SAME = re.compile(
    rf"(?<![\w&])(?:{'|'.join(sorted(map(re.escape, _LABELS['same']), key=len, reverse=True))})(?![\w&])", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Tally:
    """`right` of `found` are in the truth, which has `known` things, `recalled` of them found."""

    recalled: int = 0
    known: int = 0
    right: int = 0
    found: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.recalled + other.recalled, self.known + other.known, self.right + other.right, self.found + other.found
        )


@dataclass(frozen=True, slots=True)
class AdFigures:
    """One ad; `wrong` and `missed` are for whoever improves the rules."""

    job: str
    essentials: Tally
    years: Tally
    degree: Tally
    licences: Tally
    wrong: tuple[str, ...]
    missed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DemandFigures(Measurement):
    title: ClassVar[str] = "requirements understood of real ads, and a recruiter's essentials"
    ads: list[AdFigures]

    def rows(self) -> list[tuple[str, str]]:
        rows: list[tuple[str, str]] = []
        parts = {
            "jobs 0-8, with which rules were made": [ad for ad in self.ads if ad.job in DEVELOPMENT],
            "jobs 9-16, held out": [ad for ad in self.ads if ad.job not in DEVELOPMENT],
            "all": self.ads,
        }
        for part, ads in parts.items():
            rows.append((f"ads, {part}", str(len(ads))))
            for kind in ("essentials", "years", "degree", "licences"):
                tallies = [getattr(ad, kind) for ad in ads]
                rows.append((f"{part}: {kind}, recall", _share([(one.recalled, one.known) for one in tallies])))
                rows.append((f"{part}: {kind}, precision", _share([(one.right, one.found) for one in tallies])))
        for ad in self.ads:
            one = ad.essentials
            rows.append(
                (
                    f"{ad.job}: essentials found; right of understood",
                    f"{one.recalled} of {one.known}; {one.right} of {one.found}",
                )
            )
        return rows


def run(data: Path | None = None, *, progress: Progress = no_progress) -> DemandFigures:
    """On the folder `judged` of `data`. UsageError without it."""
    folder = data / "judged" if data else None
    if folder is None or not folder.is_dir():
        raise UsageError("Name a folder with judged ads: --data DIR, with DIR/judged/job0.json and its like.")
    paths = sorted(folder.glob("job*.json"), key=lambda path: int(path.stem.removeprefix("job")))
    ads = []
    with progress("ads", len(paths)) as bar:
        for path in paths:
            job = understand_text(path.with_suffix(".txt").read_text("utf-8"), Settings())
            ads.append(measure_ad(path.stem, job, json.loads(path.read_text("utf-8"))))
            bar.advance()
    return DemandFigures(ads)


def measure_ad(id: str, job: Job, judged: dict[str, Any]) -> AdFigures:
    wanted = [content_words([essential]) for essential in judged["essentials"]]
    covered: list[set[str]] = [set() for _ in wanted]
    right, wrong = 0, []
    units = understood(job)
    for name, words in units:
        # What only the ad's own words or only the canonical name says is enough: either may be the recruiter's.
        hits = [
            at
            for at, essential in enumerate(wanted)
            if any(form and len(form & essential) >= SHARE * len(form) for form in words)
        ]
        for at in hits:
            covered[at] |= set().union(*words)
        right += bool(hits)
        wrong += [] if hits else [name]
    missed = [
        essential
        for essential, words, has in zip(judged["essentials"], wanted, covered, strict=True)
        if not words or len(words & has) < SHARE * len(words)
    ]
    essentials = Tally(len(wanted) - len(missed), len(wanted), right, len(units))
    return AdFigures(id, essentials, *_facts(id, job, judged), tuple(wrong), tuple(missed))


def understood(job: Job) -> list[tuple[str, list[frozenset[str]]]]:
    """Must-haves, degree and years, each with its words: the canonical names, and what stands in the ad."""
    units = []
    for demand in job.demands:
        if demand.must:
            written = [job.text[place.start : place.end] for place in demand.places]
            time = [f"{demand.months // 12}"] if demand.months else []
            forms = [content_words([name, *time]) for name in (*demand.skills, *written)]
            units.append((" or ".join(demand.skills), forms))
    if job.degree:
        units.append((job.degree, [content_words([job.degree]), content_words([job.degree, *job.fields])]))
    # The years of one demand are understood with it; years in general are a requirement of their own.
    if job.months and not any(demand.must and demand.months == job.months for demand in job.demands):
        units.append((f"{job.months} months", [content_words([f"{job.years:g}"])]))
    return units


def content_words(texts: Iterable[str]) -> frozenset[str]:
    same = _LABELS["same"]
    text = " ".join(texts).replace("’", "'")
    plain = _SAME.sub(lambda match: f" {same[match[0].lower()]} ", text)
    # Before stemming: "excel" is the stem of "excellent".
    return frozenset(terms(" ".join(word for word in _WORD.findall(plain.lower()) if word not in _IGNORED)))


def _facts(id: str, job: Job, judged: dict[str, Any]) -> tuple[Tally, Tally, Tally]:
    """Years, degree and licences."""
    truth = {round(entry["years"] * 12) for entry in judged["required_years"]}
    times = {months for months in (job.months, *(demand.months for demand in job.demands if demand.must)) if months}
    years = Tally(len(truth & times), len(truth), len(truth & times), len(times))
    level = _LABELS["degrees"].get(id)
    degree = Tally(
        int(level is not None and job.degree == level),
        int(level is not None),
        int(job.degree == level and level is not None),
        int(job.degree is not None),
    )
    named = set(_LABELS["licences"].get(id, ()))
    licences = {name for demand in job.demands if demand.kind == "licence" for name in demand.skills}
    return years, degree, Tally(len(named & licences), len(named), len(named & licences), len(licences))


def _share(pairs: Sequence[tuple[int, int]]) -> str:
    """Pooled, with Wilson's interval, and one that draws whole ads: requirements of one ad are not independent."""
    part, whole = (sum(column) for column in zip(*pairs, strict=True))
    rate = wilson_rate(part, whole)
    if rate.value is None or rate.low is None or rate.high is None:
        return "none to count"
    counts = np.array(pairs)
    drawn = counts[np.random.default_rng(1).integers(len(pairs), size=(DRAWS, len(pairs)))].sum(axis=1)
    shares = drawn[:, 0] / np.maximum(drawn[:, 1], 1)
    low, high = np.quantile(shares[drawn[:, 1] > 0], (0.025, 0.975))
    return (
        f"{rate.value:.2f}, {part} of {whole} (Wilson {rate.low:.2f} to {rate.high:.2f}; "
        f"drawing ads {low:.2f} to {high:.2f})"
    )
