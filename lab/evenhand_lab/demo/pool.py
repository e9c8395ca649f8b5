"""The demo: a pool of generated applicants in a folder of its own, built once, continued if it was cut off."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evenhand.accounts.sign_in import SIGN_IN, SIGN_IN_HOURS, link_address
from evenhand.errors import StoreError, UsageError
from evenhand.mining.pipeline import read_job, vocabulary_for
from evenhand.progress import Progress, no_progress
from evenhand.records import canonical_json
from evenhand.records.event import SYSTEM
from evenhand.screening.jobs import Edits, edit_job
from evenhand.screening.service import ingest_files, open_service
from evenhand.search.matching import NO_HIRE, NOT_ACCREDITED
from evenhand.search.service import Service
from evenhand.settings import SETTINGS, Settings
from evenhand.store.accounts import ADMIN, AUDITOR, RECRUITER
from evenhand_lab.corpora.kinds.kinds import sample_career
from evenhand_lab.corpora.planting import company_entry, lookalike_entry, school_entry, unused_companies, unused_schools
from evenhand_lab.demo.applicants import (
    MONTH,
    PORTAL,
    SEED,
    DemoFile,
    DemoPlan,
    DemoResume,
    broken_letter,
    make_letters,
    make_plan,
)
from evenhand_lab.demo.history import make_history

# Who works in the demo. Nobody has a password: a one-time link, made on the command line, lets one in.


STAFF = (
    ("admin", "Dana Okafor", ADMIN),
    ("robin", "Robin Hale", RECRUITER),
    ("lena", "Lena Brandt", RECRUITER),
    ("auditor", "Ines Duarte", AUDITOR),
)
LENAS = ("electrician", "data-warehouse-engineer")  # the other jobs are Robin's: each sees their own only


def hire(service: Service) -> dict[str, str]:
    """Ids by login."""
    ids = {}
    for login, name, role in STAFF:
        known = service.store.accounts.by_login(login)
        ids[login] = (known or service.store.accounts.add(login, name, role, actor=SYSTEM)).id
    return ids


VERSION = 1  # raised whenever the pool would become another one: those who have the old one get it anew
STATE = "demo.json"
INBOX = "inbox"
OWN = (
    "database",
    "lexicon",
    "miner_models",
    "checkpoint_file",
    "checkpoint_folder",
    "checkpoint_command",
    "erasure_file",
    "oidc_issuer",
)
"""Settings that name something of the user's own, which the demo must neither read nor write nor let in."""


@dataclass(frozen=True, slots=True)
class Demo:
    settings: Settings  # of the demo's own folder
    jobs: list[str]  # ids, the oldest first
    applications: int
    staff: dict[str, str]  # ids of its users by login: admin, robin, lena, auditor
    seconds: float  # that this call took


def build_demo(settings: Settings, *, progress: Progress = no_progress, size: str = "full") -> Demo:
    """The demo's pool under the data folder: there already, continued, or built."""
    began = time.monotonic()
    own = demo_settings(settings)
    with _alone(own.data_path):
        state = _state(own.data_path)
        is_ready = _is_same(state, size) and "jobs" in state and (own.data_path / "evenhand.db").exists()
        if not is_ready:
            state = _build(own, state, size=size, progress=progress)
        shutil.rmtree(own.data_path / INBOX, ignore_errors=True)
    return Demo(own, state["jobs"], state["applications"], state["staff"], time.monotonic() - began)


def demo_settings(settings: Settings) -> Settings:
    """As given, but for a folder and a database of the demo's own."""
    own: dict[str, Any] = {name: SETTINGS[name].default for name in OWN}
    return replace(settings, **own, data=str(settings.data_path / "demo"))


def _build(settings: Settings, before: dict[str, Any], *, size: str, progress: Progress) -> dict[str, Any]:
    folder = settings.data_path
    plan = make_plan(size)
    state: dict[str, Any] = {"version": VERSION, "size": size}
    if before and not _is_same(before, size):
        _clear(folder)
    _put_state(folder, state)
    with open_service(settings) as service:
        staff = hire(service)
        actors = {opening.ad: staff["lena" if opening.ad in LENAS else "robin"] for opening in plan.openings}
        jobs = _add_jobs(service, plan, actors)
        for ad, job in jobs.items():
            service.store.jobs.grant_access(job, actors[ad], actor=staff["admin"])
        _fill_lists(service, plan, actor=staff["admin"])
        workers = settings.workers or os.cpu_count() or 1
        letters = make_letters(plan, folder / INBOX, workers=workers, progress=progress)
        _take_in(service, plan, letters, jobs, progress)
        make_history(service, jobs, actors=actors)
        ids = list(jobs.values())
        applications = sum(map(service.store.applications.count, ids))
    state |= {"jobs": ids, "applications": applications, "staff": staff}
    _put_state(folder, state)
    return state


def _add_jobs(service: Service, plan: DemoPlan, actors: Mapping[str, str]) -> dict[str, str]:
    """Ids by ad. A job is known again by its text."""
    known = {job.text: job.id for job in service.store.jobs.all(closed=True)}
    canonical = vocabulary_for(service.settings).canonical_skill
    ids = {}
    for opening in plan.openings:
        job = read_job(opening.text(), service.settings)
        job = edit_job(job, Edits(dropped=opening.dropped), canonical=canonical)
        ids[opening.ad] = known.get(job.text) or service.store.jobs.add(job, actor=actors[opening.ad])
    return ids


def _fill_lists(service: Service, plan: DemoPlan, *, actor: str) -> None:
    """With the names that are planted, and with others that nobody has."""
    wanted = {NO_HIRE: set(unused_companies(SEED)), NOT_ACCREDITED: set(unused_schools(SEED))}
    for resume in plan.resumes:
        if resume.case and resume.case.kind in LISTED:
            wanted[LISTED[resume.case.kind]].add(_listed(resume))
    known = {(entry.list, entry.name) for entry in service.store.watchlist.entries()}
    for name, entries in wanted.items():
        for entry in sorted(entries):
            if (name, entry) not in known:
                service.store.watchlist.add(name, entry, actor=actor)


LISTED = {"no-hire": NO_HIRE, "lookalikes": NO_HIRE, "non-accredited": NOT_ACCREDITED}


def _listed(resume: DemoResume) -> str:
    """The name as the list has it, which is planted under another spelling."""
    if resume.case and resume.case.kind == "non-accredited":
        return school_entry(SEED, resume.person).listed
    order = resume.order
    career, _ = sample_career(order.kind, seed=SEED, number=resume.person, as_of=order.as_of)
    entry = company_entry if resume.case and resume.case.kind == "no-hire" else lookalike_entry
    return entry(SEED, resume.person, career.person.country).listed


def _take_in(
    service: Service, plan: DemoPlan, letters: Mapping[int, DemoFile], jobs: Mapping[str, str], progress: Progress
) -> None:
    inbox = service.settings.data_path / INBOX
    forms = {letter.name: letter.form for letter in letters.values() if letter.form}
    with progress("Taking in", len(plan.resumes) + len(plan.doubles) + len(plan.broken)) as bar:
        for number, opening in enumerate(plan.openings):
            came = [letters[resume].sent(source) for resume, source in plan.arrivals(number)]
            came += [broken_letter(inbox, broken).sent(PORTAL) for broken in plan.broken if broken.opening == number]
            ingest_files(
                service,
                came,
                jobs[opening.ad],
                total=len(came),
                forms=forms,
                as_of=MONTH,
                settle=lambda file, new, failure: bar.advance(),
            )


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Whoever starts the demo while another one builds it waits."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = (folder.parent / "demo.lock").open("w")
    except OSError as error:
        raise StoreError(f"The demo cannot be kept in {folder}: {error.strerror}.") from error
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _state(folder: Path) -> dict[str, Any]:
    """What an earlier build has noted; nothing where there was none."""
    try:
        state = json.loads((folder / STATE).read_bytes())
    except FileNotFoundError:
        if any(folder.iterdir()):
            raise UsageError(f"{folder} is not empty and holds no demo; move away what is in it.") from None
        return {}
    except ValueError:
        return {"version": None}  # damaged: to be built anew
    return dict(state) if isinstance(state, dict) else {"version": None}


def _is_same(state: Mapping[str, Any], size: str) -> bool:
    return state.get("version") == VERSION and state.get("size") == size


def _put_state(folder: Path, state: Mapping[str, Any]) -> None:
    temporary = folder / f"{STATE}.new"
    temporary.write_text(canonical_json(dict(state)) + "\n", encoding="utf-8")
    temporary.replace(folder / STATE)


def _clear(folder: Path) -> None:
    """The note stays until it is replaced: cut off here, the next run clears the rest."""
    for path in folder.iterdir():
        if path.name == STATE:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


# One-time links for those who work in the demo.


def make_sign_in_links(demo: Demo) -> dict[str, str]:
    """By login. New ones at each start; those of the start before no longer work."""
    with open_service(demo.settings) as service:
        return {
            login: link_address(demo.settings, service.store.links.make(SIGN_IN, user, SIGN_IN_HOURS))
            for login, user in demo.staff.items()
        }
