"""What a joined model's scores are measured against: nothing, an average, those without the label, or chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from evenhand.errors import UnknownBaseline
from evenhand.explain.linear import Floats, Points
from evenhand.explain.reference import DRAWS, Reference, lacks_label, negatives_warnings
from evenhand.models.inputs import ResumeInput, SectionText
from evenhand.models.joined import Joined, JoinedJudge

BASELINES = ("pad", "average", "negatives", "random")
MEAN = "The baseline is the mean of {about}, which is no resume that anybody wrote."
CHANCE = "The baseline is chance: {draws} texts as long as this one, of words drawn from {about}."
Find = Callable[[], Reference]
"""Gives the resumes to compare with; only baselines that need them ask for them."""


@dataclass(frozen=True, slots=True, eq=False)
class LinearBaseline:
    """`points` as `attribute_linear` takes them."""

    name: str
    points: tuple[Floats, ...] = ()
    warnings: tuple[str, ...] = ()


def make_baseline(
    name: str,
    judge: JoinedJudge,
    resume: ResumeInput,
    target: int,
    *,
    find: Find,
    draws: int = DRAWS,
    seed: int = 0,
) -> LinearBaseline:
    points = Points(judge.model, target)
    match name:
        case "pad":
            return LinearBaseline(name)
        case "average":
            reference = find()
            mean = _rows(judge.model, reference).mean(axis=0)
            return LinearBaseline(name, (mean,), (MEAN.format(about=reference.about),))
        case "negatives":
            return _negatives(judge, points, find())
        case "random":
            reference = find()
            rng = np.random.default_rng(seed)
            rows = tuple(points.row(random_resume(resume, reference, rng)) for _ in range(draws))
            return LinearBaseline(name, rows, (CHANCE.format(draws=draws, about=reference.about),))
    raise UnknownBaseline(f"There is no baseline {name!r}; there are {', '.join(BASELINES)}.")


def _negatives(judge: JoinedJudge, points: Points, reference: Reference) -> LinearBaseline:
    manifest, label = judge.manifest, judge.manifest.labels[points.target]
    probabilities = _predictions(judge, reference)
    lacking = np.flatnonzero(lacks_label(probabilities, points.target, manifest)).tolist()
    if not lacking:
        raise UnknownBaseline(
            f"The model gives {label} to all {reference.about}: there are no negative ones."
        )
    mean = _rows(judge.model, reference)[lacking].mean(axis=0)
    output = points.bias + float(mean @ points.coefficients())
    given = [manifest.labels[at] for at in probabilities[lacking].argmax(axis=1).tolist()]
    warnings = negatives_warnings(output, given, len(lacking), manifest, label)
    return LinearBaseline("negatives", (mean,), warnings)


@lru_cache(maxsize=4)  # the same for every resume that is explained
def _rows(model: Joined, reference: Reference) -> Floats:
    points = Points(model, 0)
    return np.array([points.row(resume) for resume in reference.inputs])


@lru_cache(maxsize=4)
def _predictions(judge: JoinedJudge, reference: Reference) -> Floats:
    return judge.predict(reference.inputs)


def random_resume(resume: ResumeInput, reference: Reference, rng: np.random.Generator) -> ResumeInput:
    """As many words in every section and title as the resume has."""

    def drawn(text: str) -> str:
        return " ".join(reference.draw(len(text.split()), rng))

    sections = tuple(SectionText(section.kind, drawn(section.text)) for section in resume.sections)
    return replace(resume, sections=sections, titles=tuple(map(drawn, resume.titles)))
