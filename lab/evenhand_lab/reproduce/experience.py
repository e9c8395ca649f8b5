"""`evenhand reproduce experience`: months per skill against the truth, by size of the error, as in Figure 11."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from evenhand.documents.reading import read_many
from evenhand.mining.miner import MODELS, Miner, load_miner
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.conversion import to_json
from evenhand.records.profile import Profile
from evenhand_lab.benchmarks.fact_scores import plain
from evenhand_lab.benchmarks.kit import Measurement
from evenhand_lab.corpora.sets.resumes import read_gold
from evenhand_lab.reproduce.miner_inputs import FORMATS, GENERATED, RESUMES, SEED
from evenhand_lab.training.examples import generated

PUBLISHED_PAIRS = 148  # skills in resumes that persons judged; the bars of the figure were not published as numbers
BOUNDS = tuple(tenth / 10 for tenth in range(1, 11))
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

    def share(self, place: int) -> float:
        return self.within[place] / self.pairs if self.pairs else 0.0


@dataclass(frozen=True, slots=True)
class Histograms(Measurement):
    title: ClassVar[str] = "months per skill: skills within each relative error (published: 148 judged pairs)"
    histograms: list[Histogram]

    def to_json(self) -> dict[str, Any]:
        return {"bounds": list(BOUNDS), "published_pairs": PUBLISHED_PAIRS, **to_json(self)}

    def rows(self) -> list[tuple[str, str]]:
        return [row for each in self.histograms for row in _rows(each)]


def _rows(each: Histogram) -> Iterator[tuple[str, str]]:
    yield f"{each.material}: resumes, judged skills", f"{each.resumes}, {each.pairs}"
    yield f"{each.material}: exact to the month", str(each.exact)
    for place, bound in enumerate(BOUNDS):
        yield f"{each.material}: within {bound:.0%}", f"{each.within[place]} ({each.share(place):.3f})"
    yield f"{each.material}: further off, not found", f"{each.beyond}, {each.missing}"


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
    materials = [(GENERATED, list(judge_generated(miner, n, seed, progress)))]
    if data and (data / "gold").is_dir():
        materials.append((GOLD, list(judge_gold(miner, data / "gold", progress))))
    return Histograms([histogram(name, judged) for name, judged in materials])


def judge_generated(miner: Miner, n: int, seed: int, progress: Progress) -> Iterator[SkillEstimate]:
    made = generated("it", n, seed, FORMATS, progress=progress)
    for each in with_progress(made, progress, "mining", len(made)):
        profile = miner.mine(each.document, each.truth.as_of)
        for skill in each.truth.skills:
            if skill.months_union:
                found = found_months(profile, (skill.name, *skill.surfaces))
                yield SkillEstimate(each.id, skill.name, skill.months_union, found)


def judge_gold(miner: Miner, folder: Path, progress: Progress) -> Iterator[SkillEstimate]:
    golds = list(read_gold(folder))
    documents = read_many([gold.file for gold in golds])
    for gold, document in with_progress(zip(golds, documents, strict=True), progress, "mining", len(golds)):
        profile = miner.mine(document, gold.as_of)
        for name, months in gold.skill_months:
            if months:
                yield SkillEstimate(gold.id, name, months, found_months(profile, (name,)))


def found_months(profile: Profile, names: Iterable[str]) -> int | None:
    """Of the first skill that has one of the names among its own."""
    wanted = {plain(name) for name in names}
    for skill in profile.skills:
        if not wanted.isdisjoint(plain(form) for form in (skill.name, *skill.surfaces)):
            return skill.months
    return None


def histogram(material: str, judged: Sequence[SkillEstimate]) -> Histogram:
    errors = [each.error for each in judged if each.error is not None]
    return Histogram(
        material,
        len({each.resume for each in judged}),
        len(judged),
        sum(error == 0 for error in errors),
        [sum(error <= bound for error in errors) for bound in BOUNDS],
        sum(error > BOUNDS[-1] for error in errors),
        len(judged) - len(errors),
    )
