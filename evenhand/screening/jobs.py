"""Jobs as people keep them: the list, a new one from its ad, and what it asks for, put right by a person."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial

from evenhand.documents.reading import read
from evenhand.errors import UsageError
from evenhand.mining.lexicon.licences import PROOF, licences
from evenhand.mining.pipeline import understand_document, understand_text
from evenhand.records import Demand, Job, Place, content_hash
from evenhand.records.event import EventDraft
from evenhand.records.profile import DEGREE_LEVELS
from evenhand.search.criteria import Criteria
from evenhand.search.rankers.best import Best
from evenhand.search.screener import OrderedCandidates, Screener
from evenhand.search.service import Service
from evenhand.search.visibility import Visibility
from evenhand.settings import Settings
from evenhand.store.accounts import ADMIN, SEES_ALL_JOBS, UserAccount
from evenhand.store.jobs import JobSettings, StoredJob
from evenhand.store.store import Store

# How candidates are shown. Anybody who screens a job may hide more; to show more takes two, or an administrator.

MAX_REASON = 2_000


def change_shown(store: Store, job: str, wanted: JobSettings, *, user: UserAccount, reason: str = "") -> bool:
    """Whether it is in force now; otherwise it is a request, to which somebody else has to agree.

    Raises UsageError where more would be shown and no reason is given. Both are on record.
    """
    now, reason = store.job_settings.get(job), reason.strip()
    if wanted == now:
        return True
    shows_more = now.blind and (not wanted.blind or (now.hide_schools and not wanted.hide_schools))
    if not shows_more:
        store.job_settings.change(job, wanted, actor=user.id, seen=now)
        return True
    if not reason or len(reason) > MAX_REASON:
        raise UsageError(f"Say why more of the candidates is to be shown, in at most {MAX_REASON:,} characters.")
    if user.role == ADMIN:
        store.job_settings.change(job, wanted, actor=user.id, reason=reason, seen=now)
        return True
    store.job_settings.ask(job, wanted, actor=user.id, reason=reason)
    return False


# What a screener puts right in the understanding of a job: skills, months, years, degree.

NONE = "none"
MONTHS = re.compile(r"(?P<skill>.*\S)\s*+:\s*+(?P<months>[0-9]+)")
MAX_MONTHS = 720
MAX_YEARS = MAX_MONTHS / 12


@dataclass(frozen=True, slots=True)
class Edits:
    """As typed. A skill may have months behind a colon ("java:36"); years 0 and degree "none" ask for none."""

    musts: tuple[str, ...] = ()
    wishes: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    years: float | None = None
    degree: str | None = None


def edit_job(job: Job, edits: Edits, *, canonical: Callable[[str], str]) -> Job:
    """`canonical` gives a skill's name for any form of it. What was wrongly typed raises UsageError."""
    demands = list(job.demands)
    for typed in edits.dropped:
        # Of alternatives ("Java or .NET") the others stay.
        name, _ = _kind_of(typed, demands, canonical)
        if not any(name in demand.skills for demand in demands):
            required = ", ".join(dict.fromkeys(skill for demand in demands for skill in demand.skills))
            raise UsageError(f"{name!r} cannot be dropped; the job asks for {required or 'no skills'}.")
        fewer = [replace(demand, skills=tuple(skill for skill in demand.skills if skill != name)) for demand in demands]
        demands = [demand for demand in fewer if demand.skills]
    for must, skills in ((True, edits.musts), (False, edits.wishes)):
        for typed in skills:
            name, months = _parsed(typed)
            known, kind = _kind_of(name, demands, canonical)
            demands = _with(demands, Demand((known,), must, months, kind=kind))
    edited = replace(job, demands=tuple(demands))
    if edits.years is not None:
        if not 0 <= edits.years <= MAX_YEARS:
            raise UsageError(f"Years of experience lie between 0 and {MAX_YEARS:g}, not at {edits.years:g}.")
        edited = replace(edited, months=round(edits.years * 12) or None, most_months=None)
    if edits.degree is not None:
        edited = replace(edited, degree=_level(edits.degree))
    return edited


def _parsed(typed: str) -> tuple[str, int | None]:
    if not typed.strip():
        raise UsageError("A skill without a name cannot be asked for.")
    match = MONTHS.fullmatch(typed.strip())
    if not match:
        if ":" in typed:  # a skill by the name "excel:abc" would be one that nobody has
            raise UsageError(f"Months stand behind the colon as a whole number, as in java:36, not as in {typed!r}.")
        return typed.strip(), None
    months = int(match["months"])
    if months > MAX_MONTHS:
        raise UsageError(f"{typed!r} asks for {months:,} months, which is longer than a working life.")
    return match["skill"], months or None


def _kind_of(typed: str, demands: Iterable[Demand], canonical: Callable[[str], str]) -> tuple[str, str]:
    """The name and kind of what was typed: as the job has it, a licence by any form of it, or else a skill."""
    for demand in demands:
        for name in demand.skills:
            if name == typed.strip().casefold():
                return name, demand.kind
    skill, licence = canonical(typed), licences().get(typed)
    is_skill = any(skill in demand.skills for demand in demands)
    return (licence, "licence") if licence and not is_skill else (skill, "skill")


def names_licence(name: str) -> bool:
    """By a form that is known, or by a word such as "license" in it."""
    return licences().get(name) is not None or PROOF.search(name) is not None


def _with(demands: list[Demand], wanted: Demand) -> list[Demand]:
    """A skill that is asked for already keeps its place and, unless others are given, its months."""
    if not any(demand.skills == wanted.skills for demand in demands):
        return [*demands, wanted]
    is_timed = wanted.months is not None
    changes = partial(replace, months=wanted.months, most_months=None) if is_timed else replace
    return [changes(one, must=wanted.must) if one.skills == wanted.skills else one for one in demands]


def _level(typed: str) -> str | None:
    level = typed.strip().lower()
    if level == NONE:
        return None
    if level not in DEGREE_LEVELS:
        close = get_close_matches(level, DEGREE_LEVELS, n=1)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join((*DEGREE_LEVELS, NONE))}."
        raise UsageError(f"There is no degree {typed!r}; {hint}")
    return level


TITLE_LENGTH = 200
SKILL_LENGTH = 100
MAX_DEMANDS = 100


@dataclass(frozen=True, slots=True)
class JobSummary:
    """One line of the list of jobs."""

    job: StoredJob
    counts: Mapping[str, int]  # by status
    members: tuple[UserAccount, ...]

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def list_jobs(store: Store, user: UserAccount) -> list[JobSummary]:
    """Those the user may see, the newest first; closed ones are among them."""
    everyone = store.jobs.members_by_job()
    seen = None if user.role in SEES_ALL_JOBS else store.jobs.visible_to(user.id)
    jobs = [job for job in store.jobs.all(closed=True) if seen is None or job.id in seen]
    counts = store.jobs.status_counts([job.id for job in jobs])
    return [JobSummary(job, counts[job.id], tuple(everyone.get(job.id, ()))) for job in reversed(jobs)]


_MARKUP = re.compile(r"</?(?:p|div|li|ul|br|span|td|h[1-6]|script|strong|b)\b[^<>]{0,300}>", re.IGNORECASE)
MIN_MARKUP = 3  # tags


def understand_pasted(text: str, settings: Settings) -> Job:
    if not text.strip():
        raise UsageError("Paste the text of the job, or choose a file with it.")
    if len(_MARKUP.findall(text)) >= MIN_MARKUP:  # the source of a page: its text is what a reader of the page sees
        page = text if "<html" in text.lower() else f"<!doctype html><html><body>{text}</body></html>"
        return understand_upload(page.encode("utf-8", "replace"), "pasted.html", settings)
    return understand_text(text.replace("\r\n", "\n"), settings)


def understand_upload(data: bytes, name: str, settings: Settings) -> Job:
    """From a file of any readable format; UsageError with the reason when it cannot be read."""
    document = read(data, name=name, settings=settings)
    if document.error:
        raise UsageError(f"{name}: {document.error.message}")
    return understand_document(document, settings)


def create_job(store: Store, requirements: Job, user: UserAccount, *, external_id: str | None = None) -> str:
    """Its id. Who makes a job has it."""
    id = store.jobs.add(requirements, actor=user.id, external_id=external_id)
    store.jobs.grant_access(id, user.id, actor=user.id)
    return id


@dataclass(frozen=True, slots=True)
class SkillRequirement:
    """A skill, or alternatives, as a person typed them."""

    skills: tuple[str, ...]
    must: bool
    months: int | None = None


@dataclass(frozen=True, slots=True)
class JobRequirements:
    """All that a job asks for, as a person typed it; an empty text and None ask for nothing."""

    title: str
    asked: tuple[SkillRequirement, ...]
    years: float | None = None
    degree: str = ""
    city: str = ""


def requirements_of(job: Job) -> JobRequirements:
    """What a form begins with."""
    skills = tuple(SkillRequirement(demand.skills, demand.must, demand.months) for demand in job.demands)
    return JobRequirements(job.title or "", skills, job.years, job.degree or "", job.city or "")


def revise(job: Job, wanted: JobRequirements, *, canonical: Callable[[str], str]) -> Job:
    """The job as it is wanted. What stays keeps its places in the ad; what was wrongly typed raises UsageError."""
    title, city = " ".join(wanted.title.split()), " ".join(wanted.city.split())
    if max(len(title), len(city)) > TITLE_LENGTH:
        raise UsageError(f"A title or a place has at most {TITLE_LENGTH} characters.")
    if len(wanted.asked) > MAX_DEMANDS:
        raise UsageError(f"A job asks for at most {MAX_DEMANDS} skills.")
    edits = Edits(
        years=None if wanted.years == job.years else wanted.years or 0,
        degree=None if wanted.degree == (job.degree or "") else wanted.degree or NONE,
    )
    same_place = city == (job.city or "")
    return replace(
        edit_job(job, edits, canonical=canonical),
        title=title or None,
        demands=tuple(_merged(_demand(job, skill, canonical) for skill in wanted.asked)),
        city=city or None,
        country=job.country if same_place else None,
    )


def version_of(job: StoredJob) -> str:
    """By which an editor notices that somebody else has saved meanwhile."""
    return content_hash(job.requirements.to_json())


def change_requirements(store: Store, id: str, changed: Job, *, version: str, actor: str) -> bool:
    """Whether there was anything to change. What somebody else saved meanwhile is not overwritten unseen."""
    stored = store.jobs.get(id)
    if version_of(stored) != version:
        raise UsageError("Somebody else has changed this job meanwhile. Look at it again before you save.")
    if changed == stored.requirements:
        return False
    store.jobs.change(id, changed, actor=actor)
    return True


def _demand(job: Job, requirement: SkillRequirement, canonical: Callable[[str], str]) -> Demand:
    kinds = dict(_kind_of(name, job.demands, canonical) for name in map(_name, requirement.skills))
    skills = tuple(kinds)
    if not skills:
        raise UsageError("A skill without a name cannot be asked for.")
    if requirement.months is not None and not 0 <= requirement.months <= MAX_MONTHS:
        raise UsageError(f"Months with {skills[0]} lie between 0 and {MAX_MONTHS}, not at {requirement.months:,}.")
    months = requirement.months or None
    before = next((demand for demand in job.demands if demand.skills == skills), None)
    if before:
        most = before.most_months if before.months == months else None
        return replace(before, must=requirement.must, months=months, most_months=most)
    return Demand(skills, requirement.must, months, places=tuple(_places(job, skills)), kind=kinds[skills[0]])


def _name(typed: str) -> str:
    name = " ".join(typed.split())
    if not name:
        raise UsageError("A skill without a name cannot be asked for.")
    if len(name) > SKILL_LENGTH:
        raise UsageError(f"The name of a skill has at most {SKILL_LENGTH} characters.")
    return name


def _places(job: Job, skills: tuple[str, ...]) -> Iterator[Place]:
    """Where the ad names one of them: an alternative that was taken out is still found where it stood."""
    for demand in job.demands:
        if set(demand.skills) & set(skills):
            yield from demand.places


def _merged(demands: Iterable[Demand]) -> Iterator[Demand]:
    """A skill that was typed twice is asked for once, by the stricter of the two."""
    merged: dict[tuple[str, ...], Demand] = {}
    for demand in demands:
        before = merged.get(demand.skills, demand)
        months = max(before.months or 0, demand.months or 0) or None
        merged[demand.skills] = replace(before, must=before.must or demand.must, months=months)
    yield from merged.values()


# What a change of a job's requirements would do to the head of its list, before anybody saves it.

SHOWN = 10
NAMELESS = "without a name"


@dataclass(frozen=True, slots=True)
class Move:
    """One candidate among the first ten before or after. None: not among those that were put in order."""

    application: str
    name: str
    before: int | None
    after: int | None

    @property
    def change(self) -> int:
        """Ranks won; lost ones are negative."""
        return (self.before or 0) - (self.after or 0) if self.before and self.after else 0


@dataclass(frozen=True, slots=True)
class RankingChange:
    total: int
    moves: tuple[Move, ...]  # by the rank after, then those who drop out

    @property
    def moved(self) -> int:
        return sum(move.before != move.after for move in self.moves)


def preview_change(service: Service, job: str, changed: Job, *, visibility: Visibility, actor: str) -> RankingChange:
    """Nothing is changed, but that somebody has looked is on record."""
    with service.screener(job, ranker=Best.name) as before:
        after = replace(before, job=changed)
        old, new = _order(before, job), _order(after, job)
        names = _names(before, old, visibility) | _names(after, new, visibility)
    old_ranks, new_ranks = _ranks(old), _ranks(new)
    moves = [Move(id, name, old_ranks.get(id), new_ranks.get(id)) for id, name in names.items()]
    far = len(old_ranks) + len(new_ranks) + 1
    moves.sort(key=lambda move: (move.after or far, move.before or far))
    body = {"action": "preview", "requirements": content_hash(changed.to_json())}
    service.store.ledger.append([EventDraft("job", actor, job=job, body=body)])
    return RankingChange(len(old_ranks), tuple(moves))


def _order(screener: Screener, job: str) -> OrderedCandidates:
    return screener.order(screener.ask(Criteria(job=job)), depth=screener.depth)


def _ranks(ordered: OrderedCandidates) -> dict[str, int]:
    return {ordered.keys[row]: rank for rank, row in enumerate(ordered.rows, start=1)}


def _names(screener: Screener, ordered: OrderedCandidates, visibility: Visibility) -> dict[str, str]:
    """Of the first ones, as this person may see them."""
    entries = [screener.snapshot.entry(ordered.addresses[row]) for row in ordered.rows[:SHOWN]]
    return {entry.application: visibility.name(entry.application, entry.card.name) or NAMELESS for entry in entries}
