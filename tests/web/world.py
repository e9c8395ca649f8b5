"""Two recruiters with a job each, whose applicants, notes and ids nobody else is to learn of; for tests of access."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from evenhand.applicants.corrections import correct
from evenhand.mining.corrections import CorrectionInput
from evenhand.records import Demand, Job, content_hash
from evenhand.records.event import LedgerEvent
from evenhand.screening import ingest
from evenhand.screening.imports import keep_upload, run_import
from evenhand.screening.service import ingest_files
from evenhand.settings import Settings
from evenhand.store.accounts import UserAccount
from evenhand.store.store import Store
from evenhand.web.access import SESSION
from evenhand.web.app import make_app, open_context
from evenhand.web.context import Context
from tests.screening.service_fixtures import mine_here
from tests.web.house import OWN_SITE

STAFF = {
    "admin": ("admin", "Ada Brent"),
    "owner": ("recruiter", "Bo Carden"),
    "stranger": ("recruiter", "Cy Dunmore"),
    "auditor": ("auditor", "Di Eames"),
}
ROLES = ("anonymous", *STAFF)
EMPLOYER = "Brackenmoor Ltd"


@dataclass(frozen=True)
class Person:
    first: str
    last: str
    phone: str
    street: str

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"

    @property
    def mail(self) -> str:
        return f"{self.first}.{self.last}@example.com".lower()

    @property
    def file(self) -> str:
        return f"{self.first}_{self.last}_CV.txt"

    @property
    def link(self) -> str:
        return f"https://www.linkedin.com/in/{self.first}-{self.last}".lower()

    @property
    def contact(self) -> tuple[str, ...]:
        return self.mail, self.phone, self.street, self.link

    @property
    def text(self) -> str:
        return (
            f"{self.name}\n{self.street}, Leeds\n{self.mail} | {self.phone}\n{self.link}\n\n"
            f"EXPERIENCE\n\nSoftware Developer, {EMPLOYER}\nJan 2018 - Apr 2023\n"
            f"- {self.first} developed payroll reports with Java for the finance department\n\n"
            f"Freelance Developer, {self.name} Consulting\nMay 2015 - Dec 2017\n- Java and SQL, as {self.name}\n\n"
            "EDUCATION\n\nBachelor of Science in Computer Science, Anna University, 2012\n\n"
            "SKILLS\n\nJava, SQL\n"
        )


ZEBULON = Person("Zebulon", "Quillfeather", "+44 20 7946 0101", "12 Marrowbone Lane")
OTTOLINE = Person("Ottoline", "Vandersnipe", "+44 20 7946 0102", "34 Tallowgate Street")
BARNABY = Person("Barnaby", "Crumplethwaite", "+44 20 7946 0103", "56 Pepperhill Road")
PERSEPHONE = Person("Persephone", "Inkblotter", "+44 20 7946 0104", "78 Gooseferry Avenue")
MARIGOLD = Person("Marigold", "Undertow", "+44 20 7946 0105", "90 Larkspindle Road")  # applied for both


@dataclass(frozen=True)
class Place:
    """A job and one of each thing that belongs to it. `secrets` are words that only those who see the job may read."""

    job: str
    title: str
    application: str
    other: str
    note: str
    tag: str
    tag_key: str
    flag: str
    batch: str
    import_: str
    search: str
    correction: str
    secrets: tuple[str, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        return (
            self.job,
            self.application,
            self.other,
            self.note,
            self.tag_key,
            self.batch,
            self.import_,
            self.search,
            self.correction,
        )


@dataclass
class World:
    context: Context
    app: FastAPI
    people: dict[str, UserAccount]
    own: Place
    foreign: Place
    folder: Path
    events: int  # of the ledger when all this was made
    guests: int = field(default=0)

    @property
    def store(self) -> Store:
        return self.context.store

    def client(self, role: str, **headers: str) -> TestClient:
        """A browser of its own, with a session of its own; nobody's for "anonymous"."""
        client = TestClient(self.app, headers={**OWN_SITE, **headers}, follow_redirects=False)
        if role in self.people:
            client.cookies.set(SESSION, self.store.sessions.open(self.people[role].id))
        return client

    def guest(self) -> UserAccount:
        """A recruiter without jobs, to try things on."""
        self.guests += 1
        return self.store.accounts.add(f"guest{self.guests}", "Guest", "recruiter", actor="test")

    def newest(self) -> LedgerEvent:
        return self.store.ledger.get(self.store.ledger.head()[0])

    def take_in(self, person: Person, job: str) -> str:
        return take_in(self.context, person, job, self.folder)


@contextmanager
def open_world(folder: Path, *, database: str = "") -> Iterator[World]:
    """Resumes are mined in this process: the same facts, without starting others."""
    settings = Settings(data=str(folder / "data"), **({"database": database} if database else {}))  # type: ignore[arg-type]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ingest, "mine_with_documents", mine_here)
        with open_context(settings) as context:
            store = context.store
            people = {
                key: store.accounts.add(f"{key}.login", name, role, actor="test") for key, (role, name) in STAFF.items()
            }
            store.watchlist.add("no_hire", EMPLOYER, note="Seldom pays", actor="test")
            own = make_place(context, people["owner"], "Zinnia Glassblower", (ZEBULON, OTTOLINE, MARIGOLD), folder)
            foreign = make_place(
                context, people["stranger"], "Ochre Lamplighter", (BARNABY, PERSEPHONE, MARIGOLD), folder
            )
            app = make_app(context)
            with TestClient(app):
                yield World(context, app, people, own, foreign, folder, store.ledger.head()[0])


def take_in(context: Context, person: Person, job: str, folder: Path) -> str:
    """The id of the application."""
    known = {each.id for each in context.store.applications.of_job(job)}
    path = folder / person.file
    path.write_text(person.text)
    form = {"name": person.name, "email": person.mail, "phone": person.phone, "salary": "as agreed"}
    ingest_files(
        context.service, [path], job, total=1, source=f"{job[:4]} fair", as_of="2026-01", forms={path.name: form}
    )
    [new] = [each.id for each in context.store.applications.of_job(job) if each.id not in known]
    return new


def make_place(context: Context, owner: UserAccount, title: str, people: tuple[Person, ...], folder: Path) -> Place:
    """Everything in it names the first of the people, or says how to reach that one."""
    store, by, first = context.store, owner.id, people[0]
    job = store.jobs.add(
        Job(text=f"{title} for our finance department", title=title, demands=(Demand(("java",), True, 36),)), actor=by
    )
    store.jobs.grant_access(job, by, actor=by)
    application, other, *_ = [take_in(context, person, job, folder) for person in people]
    import_ = store.imports.begin(job, actor=by, source=f"{title} fair")
    keep_upload(context.service, import_, first.file, first.text.encode())
    keep_upload(context.service, import_, f"broken {first.file}.pdf", b"%PDF-1.7 broken " + first.name.encode())
    store.imports.seal(import_)
    run_import(context.service, import_)
    about = f"{first.name}, {first.mail}, {first.phone}, {first.street}"
    note = store.notes.add(application, f"Called {about}", actor=by)
    tag = f"{first.last} {first.mail}"[:60]
    store.notes.add_tag(application, tag, actor=by)
    wanted = CorrectionInput("position.employer", f"{first.name} and Sons", entry=1)
    correction = correct(context.service, store.applications.get(application), wanted, actor=by, reason=about)
    batch = store.decisions.decide([application], "screen", actor=by, reason=f"Spoke to {about}").batch
    search = store.searches.save(job, f"Only for {title}", "q=payroll", actor=by)
    context.service.follow()
    flag = flag_of(context, application)
    secrets = [title, note, batch, import_, search, tag, *(each.file for each in people[:2])]
    for person in people[:2]:
        secrets += [person.first, person.last, *person.contact]
    return Place(
        job,
        title,
        application,
        other,
        note,
        tag,
        content_hash(tag),
        flag,
        batch,
        import_,
        search,
        correction.correction,
        tuple(secrets),
    )


def flag_of(context: Context, application: str) -> str:
    """The key of what the watch list says of it."""
    snapshot = context.service.snapshot()
    address = snapshot.find(application)
    assert address
    entry = snapshot.entry(address)
    [found] = context.service.watch_lists().flags_of(entry.employers, entry.universities, {})
    return content_hash([found.code, found.message])
