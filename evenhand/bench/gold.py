"""`evenhand bench gold`: facts mined from annotated real resumes against the annotations, beside what is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz

from evenhand.corpora.sets.gold import GoldResume, read_gold
from evenhand.mining.evaluation import Count, count_values, plain
from evenhand.records.profile import Profile

ALIKE = 85  # of 100: "Acme India Pvt Ltd" and "Acme India Pvt. Ltd. (Pune)" are the same name to a reader
CLOSE = 0.10  # months within a tenth
GOALS = {
    "name": 0.93, "email": 0.98, "phone": 0.98, "heading": 0.85, "employer": 0.80, "title": 0.80, "university": 0.85,
    "degree": 0.85, "skill": 0.70, "position dates": 0.85, "total months": 0.80, "skill months": 0.65,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Score:
    """Of one resume: a count per kind of fact."""

    id: str
    counts: dict[str, Count]
    misses: dict[str, tuple[list[str], list[str]]]  # expected but not found; found but not expected


def score(gold: GoldResume, profile: Profile) -> Score:
    wanted: dict[str, tuple[list[str], list[str], Callable[[str, str], bool]]] = {
        "name": (_given([gold.name]), _given([profile.name.value if profile.name else None]), alike),
        "email": (list(gold.emails), [fact.value for fact in profile.emails], alike),
        "phone": (list(gold.phones), [fact.value for fact in profile.phones], same_digits),
        "heading": (
            [heading for heading, _ in gold.sections],
            _given([section.heading for section in profile.sections]),
            alike,
        ),
        "employer": (
            _unique([entry.employer for entry in gold.positions]),
            _unique([fact.value for entry in profile.positions if (fact := entry.employer)]),
            alike,
        ),
        "title": (
            _given([entry.title for entry in gold.positions]),
            [fact.value for entry in profile.positions if (fact := entry.title)],
            alike,
        ),
        "university": (
            _unique([entry.university for entry in gold.education]),
            _unique([fact.value for entry in profile.education if (fact := entry.university)]),
            alike,
        ),
        "degree": (
            _given([entry.degree for entry in gold.education]),
            [fact.value for entry in profile.education if (fact := entry.degree)],
            alike,
        ),
        "skill": (_unique(gold.skills), _unique(_skill_names(profile)), alike),
        "position dates": (
            [f"{entry.start}..{entry.end}" for entry in gold.positions if entry.start],
            [
                f"{entry.period.start}..{entry.period.end}"
                for entry in profile.positions
                if entry.period.start
            ],
            str.__eq__,
        ),
    }
    counts = {kind: count_values(expected, found, same) for kind, (expected, found, same) in wanted.items()}
    counts["total months"] = _close([(gold.total_months, profile.total_months)])
    counts["skill months"] = _close(_skill_months(gold, profile))
    return Score(gold.id, counts, {kind: _missed(*values) for kind, values in wanted.items()})


def alike(one: str, other: str) -> bool:
    first, second = plain(one), plain(other)
    return first == second or fuzz.ratio(first, second) >= ALIKE


def same_digits(one: str, other: str) -> bool:
    first, second = re.sub(r"\D", "", one), re.sub(r"\D", "", other)
    return first == second or (len(first) > 6 and (first.endswith(second) or second.endswith(first)))


def _given(values: Sequence[str | None]) -> list[str]:
    return [value for value in values if value]


def _unique(values: Sequence[str | None]) -> list[str]:
    return list({plain(value): value for value in values if value}.values())


def _skill_names(profile: Profile) -> list[str]:
    """A skill counts once; where the resume writes it in one way only, that is the name to compare."""
    return [skill.surfaces[0] for skill in profile.skills]


def _skill_months(gold: GoldResume, profile: Profile) -> list[tuple[int | None, int | None]]:
    months = []
    for name, expected in gold.skill_months:
        found = [
            skill.months
            for skill in profile.skills
            if any(alike(name, form) for form in (skill.name, *skill.surfaces))
        ]
        months.append((expected, found[0] if found else None))
    return months


def _close(values: Sequence[tuple[int | None, int | None]]) -> Count:
    known = [(expected, found) for expected, found in values if expected is not None]
    right = sum(
        found is not None and abs(found - expected) <= max(CLOSE * expected, 1e-9)
        for expected, found in known
    )
    return Count(right, len(known), len(known))


def _missed(
    expected: list[str], found: list[str], same: Callable[[str, str], bool]
) -> tuple[list[str], list[str]]:
    return (
        [value for value in expected if not any(same(value, other) for other in found)],
        [value for value in found if not any(same(other, value) for other in expected)],
    )


def total(scores: Sequence[Score]) -> dict[str, Count]:
    kinds = scores[0].counts if scores else {}
    return {kind: sum((each.counts[kind] for each in scores), Count()) for kind in kinds}


def is_it(gold: GoldResume) -> bool:
    """An IT resume: many of its skills are technologies that job seekers elsewhere do not name."""
    words = {plain(skill) for skill in gold.skills}
    return len(words & IT_WORDS) >= IT_SKILLS


IT_WORDS = frozenset(
    [
        "java",
        "javascript",
        "sql",
        "python",
        "html",
        "html5",
        "css",
        "css3",
        "c",
        "c++",
        "linux",
        "unix",
        "oracle",
        "peoplesoft",
        "aws",
        "react",
        "js",
        "react",
        "reactjs",
        "php",
        "git",
        "docker",
        "mysql",
        "jquery",
        "node",
        "js",
        "ruby",
        "perl",
        "windows",
        "jenkins",
        "xml",
        "ajax",
    ]
)
IT_SKILLS = 3


def measure(data: Path, mine: Callable[[GoldResume], Profile]) -> dict[str, Any]:
    golds = list(read_gold(data / "gold"))
    scores = [score(gold, mine(gold)) for gold in golds]
    it = [each for each, gold in zip(scores, golds, strict=True) if is_it(gold)]
    return {"scores": scores, "total": total(scores), "it": total(it)}
