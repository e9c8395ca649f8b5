"""Jobs as people keep them: the list, a new one from its ad, and what it asks for, put right by a person."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from evenhand.errors import UsageError
from evenhand.records import Demand, Job, Place, content_hash
from evenhand.settings import Settings
from evenhand.store import KeptJob, Store, User
from evenhand.store.account_rows import SEES_ALL_JOBS
from evenhand.workflows.job_editing import MOST_MONTHS, NONE, Edits, edit_job
from evenhand.workflows.job_reading import understand_text
from evenhand.workflows.reading import read

TITLE_LENGTH = 200
SKILL_LENGTH = 100
MOST_DEMANDS = 100


@dataclass(frozen=True, slots=True)
class JobLine:
    """One line of the list of jobs."""

    job: KeptJob
    counts: Mapping[str, int]  # by status
    members: tuple[User, ...]

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def list_jobs(store: Store, user: User) -> list[JobLine]:
    """Those the user may see, the newest first; closed ones are among them."""
    everyone = store.members_by_job()
    seen = None if user.role in SEES_ALL_JOBS else store.jobs_of(user.id)
    jobs = [job for job in store.jobs(closed=True) if seen is None or job.id in seen]
    counts = store.status_counts([job.id for job in jobs])
    return [JobLine(job, counts[job.id], tuple(everyone.get(job.id, ()))) for job in reversed(jobs)]


def understand_pasted(text: str, settings: Settings) -> Job:
    if not text.strip():
        raise UsageError("Paste the text of the job, or choose a file with it.")
    return understand_text(text.replace("\r\n", "\n"), settings)


def understand_upload(data: bytes, name: str, settings: Settings) -> Job:
    """From a file of any readable format; UsageError with the reason when it cannot be read."""
    document = read(data, name=name, settings=settings)
    if document.error:
        raise UsageError(f"{name}: {document.error.message}")
    return understand_text(document.text, settings)


def create_job(store: Store, requirements: Job, user: User) -> str:
    """Its id. Who makes a job has it."""
    id = store.add_job(requirements, actor=user.id)
    store.give_job(id, user.id, actor=user.id)
    return id


@dataclass(frozen=True, slots=True)
class Asked:
    """A skill, or alternatives, as a person typed them."""

    skills: tuple[str, ...]
    must: bool
    months: int | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """All that a job asks for, as a person typed it; an empty text and None ask for nothing."""

    title: str
    asked: tuple[Asked, ...]
    years: float | None = None
    degree: str = ""
    city: str = ""


def wanted_of(job: Job) -> Wanted:
    """What a form begins with."""
    asked = tuple(Asked(demand.skills, demand.must, demand.months) for demand in job.demands)
    return Wanted(job.title or "", asked, job.years, job.degree or "", job.city or "")


def revise(job: Job, wanted: Wanted, *, canonical: Callable[[str], str]) -> Job:
    """The job as it is wanted. What stays keeps its places in the ad; what was wrongly typed raises UsageError."""
    title, city = " ".join(wanted.title.split()), " ".join(wanted.city.split())
    if max(len(title), len(city)) > TITLE_LENGTH:
        raise UsageError(f"A title or a place has at most {TITLE_LENGTH} characters.")
    if len(wanted.asked) > MOST_DEMANDS:
        raise UsageError(f"A job asks for at most {MOST_DEMANDS} skills.")
    edits = Edits(
        years=None if wanted.years == job.years else wanted.years or 0,
        degree=None if wanted.degree == (job.degree or "") else wanted.degree or NONE,
    )
    same_place = city == (job.city or "")
    return replace(
        edit_job(job, edits, canonical=canonical),
        title=title or None,
        demands=tuple(_merged(_demand(job, asked, canonical) for asked in wanted.asked)),
        city=city or None,
        country=job.country if same_place else None,
    )


def version_of(job: KeptJob) -> str:
    """By which an editor notices that somebody else has saved meanwhile."""
    return content_hash(job.requirements.to_json())


def change_requirements(store: Store, id: str, changed: Job, *, version: str, actor: str) -> bool:
    """Whether there was anything to change. What somebody else saved meanwhile is not overwritten unseen."""
    kept = store.job(id)
    if version_of(kept) != version:
        raise UsageError("Somebody else has changed this job meanwhile. Look at it again before you save.")
    if changed == kept.requirements:
        return False
    store.change_job(id, changed, actor=actor)
    return True


def _demand(job: Job, asked: Asked, canonical: Callable[[str], str]) -> Demand:
    skills = tuple(dict.fromkeys(canonical(name) for name in map(_name, asked.skills)))
    if not skills:
        raise UsageError("A skill without a name cannot be asked for.")
    if asked.months is not None and not 0 <= asked.months <= MOST_MONTHS:
        raise UsageError(f"Months with {skills[0]} lie between 0 and {MOST_MONTHS}, not at {asked.months:,}.")
    months = asked.months or None
    before = next((demand for demand in job.demands if demand.skills == skills), None)
    if before:
        most = before.most_months if before.months == months else None
        return replace(before, must=asked.must, months=months, most_months=most)
    return Demand(skills, asked.must, months, places=tuple(_places(job, skills)))


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
    found: dict[tuple[str, ...], Demand] = {}
    for demand in demands:
        before = found.get(demand.skills, demand)
        months = max(before.months or 0, demand.months or 0) or None
        found[demand.skills] = replace(before, must=before.must or demand.must, months=months)
    yield from found.values()
