"""Two to four candidates of one job side by side: what differs between them, and why one stands above the next."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from evenhand.errors import NotFound, UsageError
from evenhand.ledger.recording import Recorder, view_draft
from evenhand.records import Demand, Profile, Result
from evenhand.screening.candidate_career import (
    DemandRow,
    TimelineEntry,
    demand_rows,
    in_order,
    longest_months,
    make_timeline,
)
from evenhand.screening.candidate_history import FlagRow, findings_of
from evenhand.screening.candidate_list import Viewer, redact_score
from evenhand.screening.candidate_page import clean_findings
from evenhand.screening.candidate_rank import CandidateRank, ScoreView, find_ranks, view_score
from evenhand.screening.redaction import Clean, redact_application
from evenhand.search.criteria import Criteria
from evenhand.search.duplicates.index import DiffSegment, diff
from evenhand.search.matching import CandidateFacts, StatedFacts, facts_of, match_job
from evenhand.search.rankers.base import LargestDifferences, compare
from evenhand.search.service import Service
from evenhand.search.visibility import Visibility, pseudonym
from evenhand.store.applications import Application
from evenhand.store.jobs import StoredJob
from evenhand.store.store import Store
from evenhand.text.wording import TextPiece, pieces

LEAST, MOST = 2, 4
LATEST_JOBS = 3
SNIPPETS = 2
PARTS = 12  # of a score; term rankers have one for every word
TELLING = 4  # differences named between two candidates


@dataclass(frozen=True, slots=True)
class ComparedCandidate:
    """One candidate."""

    application: Application
    name: str
    standing: CandidateRank
    score: ScoreView
    facts: CandidateFacts
    demands: tuple[DemandRow, ...]
    jobs: tuple[TimelineEntry, ...]  # the latest first
    studies: tuple[TimelineEntry, ...]
    skills: tuple[str, ...]
    only: tuple[str, ...]  # skills that none of the others has
    flags: tuple[FlagRow, ...]
    snippets: tuple[tuple[TextPiece, ...], ...]


@dataclass(frozen=True, slots=True)
class ComparisonCell:
    """A number of one candidate; None where there is none. `is_most` where it is more than somebody else's."""

    value: float | None
    share: float = 0.0
    is_most: bool = False


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    name: str
    cells: tuple[ComparisonCell, ...]
    reasons: tuple[str, ...] = ()

    @property
    def differs(self) -> bool:
        return len({_as_shown(cell.value) for cell in self.cells}) > 1


@dataclass(frozen=True, slots=True)
class ComparisonStep:
    """Why one candidate stands above the next of those compared."""

    above: str
    below: str
    value: float
    largest: LargestDifferences


@dataclass(frozen=True, slots=True)
class SideBySide:
    job: StoredJob
    criteria: Criteria
    columns: tuple[ComparedCandidate, ...]  # the best first
    parts: tuple[ComparisonRow, ...]
    experience: tuple[ComparisonRow, ...]
    common: tuple[str, ...]  # skills that all have
    steps: tuple[ComparisonStep, ...]
    total: int  # candidates on the list

    @property
    def demands(self) -> tuple[Demand, ...]:
        """In the order of the rows of every column."""
        return in_order(self.job.requirements)


def compare_candidates(
    service: Service, recorder: Recorder, viewer: Viewer, job: StoredJob, ids: Sequence[str], *, criteria: Criteria
) -> SideBySide:
    """Raises UsageError for too few or too many, NotFound for one who did not apply for the job.

    On record: the ranks that are shown, and that somebody looked at each.
    """
    applications = chosen(service.store, job.id, ids)
    _, ranks = find_ranks(
        service, recorder, criteria, [application.id for application in applications], actor=viewer.user
    )
    columns = [_draft(service, viewer, application, ranks[application.id]) for application in applications]
    recorder.record(
        [view_draft(viewer.user, job.id, id, what="comparison", seen=rank.sequence) for id, rank in ranks.items()]
    )
    columns.sort(key=lambda column: column.standing.rank or math.inf)
    profiles = [column.profile for column in columns]
    longest = longest_months(
        job.requirements,
        [
            match.months
            for candidate_profile in profiles
            for match in match_job(job.requirements, candidate_profile).matched
        ],
    )
    done = tuple(_column(drafted, columns, job, longest) for drafted in columns)
    return SideBySide(
        job,
        columns[0].standing.criteria,
        done,
        tuple(part_rows(done)),
        tuple(_experience(done)),
        tuple(sorted(set.intersection(*(_skills(candidate_profile) for candidate_profile in profiles)))),
        tuple(_step(above, below) for above, below in pairwise(columns)),
        columns[0].standing.total,
    )


def chosen(store: Store, job: str, ids: Sequence[str]) -> list[Application]:
    unique = list(dict.fromkeys(ids))
    if not LEAST <= len(unique) <= MOST:
        raise UsageError(f"Choose {LEAST} to {MOST} candidates to compare; these are {len(unique)}.")
    applications = store.applications.get_many(unique)
    if any(application.job != job for application in applications):
        raise NotFound("There is no such application for this job.")
    return applications


@dataclass(frozen=True, slots=True)
class _Draft:
    application: Application
    standing: CandidateRank
    result: Result
    profile: Profile
    name: str
    flags: tuple[FlagRow, ...]
    clean: Clean
    stated: StatedFacts


def _draft(service: Service, viewer: Viewer, application: Application, rank: CandidateRank) -> _Draft:
    store, visibility = service.store, viewer.visibility
    seen = redact_application(service, application, visibility)
    if rank.listed is None or seen is None:
        raise UsageError("One of these applications has not been read yet and cannot be compared.")
    findings = findings_of(store, application.id, rank.listed.result.flags, may_see=viewer.may_see)
    listed = visibility.listed(rank.listed, service.masks.of)
    result = listed.result
    return _Draft(
        replace(application, file=None),
        replace(rank, listed=listed),
        result,
        seen.profile,
        result.candidate or pseudonym(application.id),
        clean_findings(findings, seen.clean).flags,
        seen.clean,
        seen.stated,
    )


def _column(draft: _Draft, everyone: Sequence[_Draft], job: StoredJob, longest: int) -> ComparedCandidate:
    profile, requirements = draft.profile, job.requirements
    line = make_timeline(profile)
    stretches = [*line.dated, *line.undated]
    others = set().union(*(_skills(other.profile) for other in everyone if other is not draft))
    rank = draft.standing
    return ComparedCandidate(
        application=draft.application,
        name=draft.name,
        standing=draft.standing,
        score=view_score(draft.result.score, rank.criteria.ranker, best=rank.best, clean=draft.clean),
        facts=facts_of(profile, requirements, match_job(requirements, profile).matched, draft.stated),
        demands=demand_rows(profile, requirements, longest=longest),
        jobs=tuple(stretch for stretch in stretches if stretch.kind == "job")[:LATEST_JOBS],
        studies=tuple(stretch for stretch in stretches if stretch.kind == "study")[:LATEST_JOBS],
        skills=tuple(sorted(_skills(profile))),
        only=tuple(sorted(_skills(profile) - others)),
        flags=tuple(flag for flag in draft.flags if not flag.set_aside),
        snippets=tuple(tuple(pieces(snippet.text, snippet.highlights)) for snippet in draft.result.snippets[:SNIPPETS]),
    )


def _skills(profile: Profile) -> set[str]:
    return {skill.name for skill in profile.skills}


def part_rows(columns: Sequence[ComparedCandidate]) -> list[ComparisonRow]:
    """Every part of every score on a line of its own; of very many those that differ most."""
    parts_by_name = [{part.name: part for part in drafted.score.all_parts} for drafted in columns]
    names = list(dict.fromkeys(name for parts in parts_by_name for name in parts))
    rows = []
    for name in names:
        held = [parts.get(name) for parts in parts_by_name]
        cells = _cells(
            [part.value if part else None for part in held], [(part.width or 0) if part else 0 for part in held]
        )
        rows.append(ComparisonRow(name, cells, tuple(part.reason if part else "" for part in held)))
    if len(rows) <= PARTS:
        return rows
    return sorted(rows, key=lambda row: (-_spread(row), row.name))[:PARTS]


def _experience(columns: Sequence[ComparedCandidate]) -> list[ComparisonRow]:
    named = (
        ("Relevant experience", [column.facts.relevant_months for column in columns]),
        ("Experience", [column.facts.total_months for column in columns]),
    )
    rows = []
    for name, months in named:
        most = max((length or 0 for length in months), default=0) or 1
        rows.append(ComparisonRow(name, _cells(months, [100 * (length or 0) / most for length in months])))
    return rows


def _cells(values: Sequence[float | None], shares: Sequence[float]) -> tuple[ComparisonCell, ...]:
    known = [value for value in map(_as_shown, values) if value is not None]
    most = max(known, default=None)
    has_less = len(set(map(_as_shown, values))) > 1
    return tuple(
        ComparisonCell(value, round(share, 2), has_less and value is not None and _as_shown(value) == most)
        for value, share in zip(values, shares, strict=True)
    )


def _as_shown(value: float | None) -> float | None:
    """What reads alike is alike: nobody is marked for a lead that no digit shows."""
    return None if value is None else round(value, 1)


def _spread(row: ComparisonRow) -> float:
    values = [cell.value or 0.0 for cell in row.cells]
    return max(values) - min(values)


def _step(above: _Draft, below: _Draft) -> ComparisonStep:
    comparison = compare(*(redact_score(draft.result.score, draft.clean) for draft in (above, below)))
    return ComparisonStep(above.name, below.name, comparison.value, comparison.largest(TELLING))


# Two resumes that are nearly the same, word by word, as their viewer may see them.


@dataclass(frozen=True, slots=True)
class DiffSide:
    application: Application
    job: StoredJob
    name: str
    segments: tuple[DiffSegment, ...]  # what both have, and what only this one has


@dataclass(frozen=True, slots=True)
class ResumeDiff:
    first: DiffSide
    second: DiffSide
    resemblance: float | None  # of the texts as they are; None where they are not near duplicates
    words_only_first: int
    words_only_second: int


def diff_resumes(
    service: Service, recorder: Recorder, first: tuple[Viewer, Application], second: tuple[Viewer, Application]
) -> ResumeDiff:
    """Both as the rules of both jobs let them be seen: what one shows would tell what the other masks."""
    if first[1].id == second[1].id:
        raise UsageError("These are one and the same application.")
    kinds = Visibility(first[0].visibility.kinds | second[0].visibility.kinds)
    sides, texts = zip(*(_side(service, kinds, application) for _, application in (first, second)), strict=True)
    segments = diff(*texts)
    viewer = first[0].user
    recorder.record(
        [view_draft(viewer, application.job, application.id, what="difference") for _, application in (first, second)]
    )
    own_kinds = ("only_a", "only_b")
    left, right = (
        replace(side, segments=tuple(segment for segment in segments if segment.kind in ("same", own)))
        for side, own in zip(sides, own_kinds, strict=True)
    )
    only_a, only_b = (
        sum(len(segment.text.split()) for segment in segments if segment.kind == own) for own in own_kinds
    )
    resemblance = dict(service.store.duplicates.of_document(first[1].document)).get(second[1].document)
    return ResumeDiff(left, right, resemblance, only_a, only_b)


def _side(service: Service, visibility: Visibility, application: Application) -> tuple[DiffSide, str]:
    """Without segments yet, and the text to compare."""
    seen = redact_application(service, application, visibility)
    if seen is None:
        raise NotFound("One of these resumes has not been read yet.")
    stated = seen.profile.name.value if seen.profile.name else None
    name = visibility.name(application.id, stated) or pseudonym(application.id)
    return DiffSide(application, service.store.jobs.get(application.job), name, ()), seen.document.text
