"""A composed candidate as the index takes it: an application for a job, from some source, with some status."""

from __future__ import annotations

from collections.abc import Set
from itertools import accumulate
from random import Random

from evenhand.bench.candidates.composing import Candidate
from evenhand.bench.candidates.digesting import Known, digest, gather, union
from evenhand.corpora.rng import stream
from evenhand.search.index import Entry

PLACES = 3  # of a skill, kept for display
SOURCES = (
    *("Job board", "Careers page", "Professional network", "Employee referral", "Campus", "Walk-in"),
    *(f"Agency {number}" for number in range(1, 195)),
)
_SOURCE_WEIGHTS = tuple(accumulate(1 / rank for rank in range(1, len(SOURCES) + 1)))  # Zipf
STATUSES = {"new": 62, "screened": 20, "rejected": 13, "shortlisted": 4, "offered": 1}
_STATUS_WEIGHTS = tuple(accumulate(STATUSES.values()))


def make_entry(candidate: Candidate, *, seed: int, job: str, revision: int, wanted: Set[str]) -> Entry:
    """`wanted`: the skills of the job; work that mentions one of them is relevant."""
    rng = stream(seed, candidate.number, "application")
    known = gather(candidate)
    return Entry(
        application=f"a{candidate.number:08d}",
        job=job,
        revision=revision,
        text=candidate.text,
        digest=digest(candidate, known).to_bytes(),
        source=_source(rng),
        status=rng.choices(tuple(STATUSES), cum_weights=_STATUS_WEIGHTS)[0],
        degree=known.degree,
        city=candidate.head.city,
        total_months=known.total_months,
        relevant_months=relevant_months(candidate, wanted),
        skills=tuple((name, skill.months) for name, skill in sorted(known.skills.items())),
        titles=tuple(dict.fromkeys(work.title for work in known.positions if work.title)),
        employers=tuple(dict.fromkeys(work.employer for work in known.positions if work.employer)),
        universities=tuple(dict.fromkeys(study.university for study in known.studies if study.university)),
        card=_card(candidate, known),
    )


def relevant_months(candidate: Candidate, wanted: Set[str]) -> int | None:
    """0 where there is dated work and none of it mentions a skill; None where what does has no dates."""
    works = [each.block for each in candidate.placed if each.block.work]
    relevant = [block.work for block in works if any(name in wanted for name, _ in block.skills)]
    if not relevant and any(block.work and block.work.months is not None for block in works):
        return 0
    return union([work for work in relevant if work])


def _source(rng: Random) -> str | None:
    """One in twenty came by a way that nobody noted."""
    return None if rng.random() < 0.05 else rng.choices(SOURCES, cum_weights=_SOURCE_WEIGHTS)[0]


def _card(candidate: Candidate, known: Known) -> dict[str, object]:
    latest = known.positions[0] if known.positions else None
    return {
        "name": candidate.identity.name,
        "file": f"resume-{candidate.number:08d}.pdf",
        "title": latest.title if latest else None,
        "employer": latest.employer if latest else None,
        "places": {
            name: [[start, end, 1, "lexicon", 1.0] for start, end in skill.places[:PLACES]]
            for name, skill in known.skills.items()
        },
    }
