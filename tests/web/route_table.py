"""Every route with the rule it goes by, and a request that whoever may use it is answered."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from evenhand.applicants.corrections import correct
from evenhand.applicants.erasure import erase
from evenhand.mining.corrections import CorrectionInput
from evenhand.screening.jobs import version_of
from evenhand.store.jobs import JobSettings
from tests.rendering.reports import swaps
from tests.web.world import Person, Place, World

Sent = dict[str, Any]
Make = Callable[[World, Place, str], Sent]
"""What a request carries, for a place and a role."""

V1 = "/api/v1"
AD = "Group Accountant\n\nRequirements:\n- Excel, 3 years or more\n"
DONE = (200, 201, 204, 303)
UNMASKED = {"auditor": (403,)}  # it would show what is masked for them
NOT_THEIRS = {"owner": (404,), "stranger": (404,)}  # somebody else's erasure


@dataclass(frozen=True)
class Route:
    rule: str
    form: Make | None = None
    json: Make | None = None
    query: Make | None = None
    content: bytes | None = None
    files: Make | None = None
    answers: tuple[int, ...] = DONE  # to whoever may use it
    special: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # by role, where it is another one
    also: str = ""  # a second rule, which is looked at first
    application: Callable[[World, Place], str] | None = None  # one that the request may use up


def route(rule: str, **more: Any) -> Route:
    return Route(rule, **more)


def fixed(**values: Any) -> Make:
    return lambda world, place, role: dict(values)


def of(**names: str) -> Make:
    """Values that are ids of the place."""
    return lambda world, place, role: {name: getattr(place, attribute) for name, attribute in names.items()}


def with_(make: Make, **values: Any) -> Make:
    return lambda world, place, role: {**make(world, place, role), **values}


def guest(**values: Any) -> Make:
    return lambda world, place, role: {**values, "user": world.guest().id}


def member(name: str) -> Make:
    def make(world: World, place: Place, role: str) -> Sent:
        user = world.guest().id
        world.store.jobs.grant_access(place.job, user, actor="test")
        return {name: user}

    return make


def unblind_request(world: World, place: Place, role: str) -> Sent:
    world.store.job_settings.ask(place.job, JobSettings(), actor="test", reason="because")
    request = world.store.job_settings.request(place.job)
    assert request
    return {"request": request.sequence}


def requirements(world: World, place: Place, role: str) -> Sent:
    return {
        "version": version_of(world.store.jobs.get(place.job)),
        "title": place.title,
        "skills": [{"skills": ["java"], "must": True, "months": 36}],
    }


def requirements_form(world: World, place: Place, role: str) -> Sent:
    version = version_of(world.store.jobs.get(place.job))
    rows = {"skill": ["java"], "kind": ["must"], "months": ["36"]}
    return {"version": version, "title": place.title, **rows}


def batch(world: World, place: Place, role: str) -> Sent:
    """One that can be undone; it is somebody else's."""
    made = world.store.decisions.decide([_undecided(world, place)], "shortlist", actor="test")
    return {"batch": made.batch, "confirmed": True}


def undone_batch(world: World, place: Place, role: str) -> Sent:
    """One that can be redone."""
    made = str(batch(world, place, role)["batch"])
    return {"batch": world.store.decisions.undo(made, actor="test").batch, "confirmed": True}


def many(world: World, place: Place, role: str) -> Sent:
    return {"action": "shortlist", "keep": 1}


def set_aside(world: World, place: Place, role: str) -> Sent:
    """The same flag, which is brought back next."""
    world.store.notes.dismiss_flag(place.application, "no_hire", _flag_message(world, place), actor="t", reason="x")
    return {"flag": place.flag}


def old_tag(world: World, place: Place, role: str) -> Sent:
    world.store.notes.add_tag(place.application, place.tag, actor="test")
    return {"tag": place.tag_key}


def misread(world: World, place: Place, role: str) -> Sent:
    world.guests += 1
    return {"name": f"{place.title} {world.guests}"}


def _misread_json(world: World, place: Place, role: str) -> Sent:
    return {"field": "name", "value": misread(world, place, role)["name"]}


def newcomer(world: World, place: Place) -> str:
    """Somebody who has just applied."""
    world.guests += 1
    person = Person(f"Guest{world.guests}", "Newcomer", f"+44 20 7946 0{world.guests:03}", "1 Any Street")
    return world.take_in(person, place.job)


def held(world: World, place: Place) -> str:
    id = newcomer(world, place)
    world.store.retention.hold(id, "a case", actor="test")
    return id


def old_token(world: World, place: Place, role: str) -> Sent:
    user = world.people.get(role, world.people["owner"])
    return {"id": world.store.tokens.make(user.id, "old", 5)[0]}


def old_session(world: World, place: Place, role: str) -> Sent:
    user = world.people.get(role, world.people["owner"])
    return {"id": world.store.sessions.id_of(world.store.sessions.open(user.id))}


def entry(world: World, place: Place, role: str) -> Sent:
    world.store.watchlist.add("no_hire", "Gone Ltd", actor="test")
    return {"list": "no_hire", "name": "Gone Ltd"}


def invitation(world: World, place: Place, role: str) -> Sent:
    world.guests += 1
    return {"login": f"guest{world.guests}", "name": "Guest", "role": "recruiter"}


def two(world: World, place: Place, role: str) -> Sent:
    return {"application": [place.application, place.other]}


def _undecided(world: World, place: Place) -> str:
    """Whatever was decided before is undone."""
    for each in reversed(world.store.decisions.recent_batches(place.job)):
        if each.standing and each.id != place.batch:
            world.store.decisions.undo(each.id, actor="test")
    return place.other


def _flag_message(world: World, place: Place) -> str:
    snapshot = world.context.service.snapshot()
    address = snapshot.find(place.application)
    assert address
    found = snapshot.entry(address)
    [flag] = world.context.service.watch_lists().flags_of(found.employers, found.universities, {})
    return flag.message


PAGES: dict[tuple[str, str], Route] = {
    ("GET", "/sign-in"): route("public"),
    ("POST", "/sign-in"): route("public", form=fixed(login="nobody", password="x"), answers=(401,)),
    ("POST", "/sign-out"): route("signed_in"),
    ("GET", "/enter/{token}"): route("public"),
    ("POST", "/enter/{token}"): route("public"),
    ("GET", "/sso"): route("public", answers=(404,)),  # no provider is set up
    ("POST", "/sso/connect"): route("signed_in", answers=(404,)),
    ("GET", "/sso/return"): route("public", answers=(404,)),
    ("GET", "/account"): route("signed_in"),
    ("POST", "/account/name"): route("signed_in", form=fixed(name="Another Name")),
    ("POST", "/account/password"): route("signed_in", form=fixed(new="short", again="short"), answers=(422,)),
    ("POST", "/account/sessions/end"): route("signed_in", form=old_session),
    ("POST", "/account/tokens"): route("signed_in", form=fixed(name="mine", days="30")),
    ("POST", "/account/tokens/revoke"): route("signed_in", form=old_token),
    ("POST", "/account/blind"): route("signed_in"),
    ("POST", "/preferences/blind"): route("signed_in"),
    ("GET", "/help"): route("signed_in"),
    ("GET", "/help/{role}"): route("signed_in"),
    ("GET", "/"): route("signed_in"),
    ("GET", "/jobs"): route("signed_in", answers=(307,)),
    ("GET", "/jobs/new"): route("screener"),
    ("POST", "/jobs/new/files"): route("screener", form=fixed(text=AD)),
    ("POST", "/jobs"): route("screener", form=fixed(text=AD, title="Group Accountant")),
    ("GET", "/jobs/{job}"): route("readable_job"),
    ("GET", "/jobs/{job}/requirements"): route("readable_job"),
    ("POST", "/jobs/{job}/requirements"): route("writable_job", form=requirements_form),
    ("POST", "/jobs/{job}/close"): route("writable_job"),
    ("POST", "/jobs/{job}/reopen"): route("writable_job"),
    ("POST", "/jobs/{job}/shown"): route("writable_job"),
    ("POST", "/jobs/{job}/shown/answer"): route("writable_job", form=unblind_request),
    ("POST", "/jobs/{job}/members"): route("writable_job", form=guest()),
    ("POST", "/jobs/{job}/members/remove"): route("writable_job", form=member("user")),
    ("GET", "/jobs/{job}/import"): route("writable_job"),
    ("POST", "/jobs/{job}/imports"): route("writable_job"),
    ("POST", "/jobs/{job}/imports/{id}/files"): route("writable_job", content=b"text"),
    ("POST", "/jobs/{job}/import/files"): route(
        "writable_job", files=fixed(files=("new.txt", b"New Person\n\nSKILLS\n\nJava\n"))
    ),
    ("POST", "/jobs/{job}/imports/{id}/seal"): route("writable_job"),
    ("GET", "/jobs/{job}/imports/{id}"): route("writable_job"),
    ("GET", "/jobs/{job}/imports/{id}/state"): route("writable_job"),
    ("POST", "/jobs/{job}/searches"): route("readable_job", form=fixed(name="mine", query="q=java")),
    ("POST", "/jobs/{job}/searches/{id}/remove"): route("readable_job"),
    ("POST", "/jobs/{job}/decisions"): route(
        "writable_job", form=with_(of(application="application"), action="screen")
    ),
    ("POST", "/jobs/{job}/undo"): route("writable_job", form=batch),
    ("POST", "/jobs/{job}/redo"): route("writable_job", form=undone_batch),
    ("GET", "/jobs/{job}/many"): route("writable_job"),
    ("POST", "/jobs/{job}/many"): route("writable_job", form=many, answers=(409,)),  # without its version
    ("GET", "/jobs/{job}/why"): route("readable_job", query=of(above="application", below="other")),
    ("GET", "/jobs/{job}/compare"): route("readable_job", query=two),
    ("GET", "/applications/{application}"): route("readable_application"),
    ("GET", "/applications/{application}/original"): route("readable_application", special=UNMASKED),
    ("GET", "/applications/{application}/masked-text"): route("readable_application"),
    ("GET", "/applications/{application}/predictions"): route("readable_application"),
    ("GET", "/applications/{application}/reasons"): route("readable_application"),
    ("GET", "/applications/{application}/difference/{other}"): route("readable_application"),
    ("POST", "/applications/{application}/tags"): route("writable_application", form=fixed(tag="call")),
    ("POST", "/applications/{application}/tags/remove"): route("writable_application", form=old_tag),
    ("POST", "/applications/{application}/notes"): route("writable_application", form=fixed(text="a note")),
    ("POST", "/applications/{application}/notes/{note}/remove"): route("writable_application"),
    ("POST", "/applications/{application}/flags/set-aside"): route(
        "writable_application", form=with_(of(flag="flag"), reason="another one")
    ),
    ("POST", "/applications/{application}/flags/bring-back"): route("writable_application", form=set_aside),
    ("GET", "/applications/{application}/receipt"): route("readable_application", special=UNMASKED),
    ("GET", "/applications/{application}/receipt.pdf"): route("readable_application", special=UNMASKED),
    ("GET", "/applications/{application}/receipt.html"): route("readable_application", special=UNMASKED),
    ("GET", "/applications/{application}/receipt.json"): route("readable_application", special=UNMASKED),
    ("GET", "/applications/{application}/export.zip"): route("readable_application", special=UNMASKED),
    ("GET", "/applications/{application}/correct"): route("writable_application"),
    ("POST", "/applications/{application}/correct"): route("writable_application", form=misread),
    ("POST", "/applications/{application}/correct/{correction}/undo"): route("writable_application"),
    # It is the application's own already, and not proposed.
    ("POST", "/applications/{application}/correct/{correction}/accept"): route("writable_application", answers=(404,)),
    ("POST", "/applications/{application}/correct/{correction}/decline"): route("writable_application", answers=(404,)),
    ("GET", "/applications/{application}/erase"): route("writable_application"),
    ("POST", "/applications/{application}/erase"): route(
        "writable_application", also="admin", application=newcomer, form=fixed(reason="asked for", confirmation="erase")
    ),
    ("POST", "/applications/{application}/hold"): route(
        "readable_application", also="admin", application=newcomer, form=fixed(reason="a case")
    ),
    ("POST", "/applications/{application}/hold/lift"): route("readable_application", also="admin", application=held),
    ("GET", "/erasures"): route("reviewer"),
    ("GET", "/erasures/{erasure}"): route("signed_in", special=NOT_THEIRS),
    ("GET", "/erasures/{erasure}/certificate.{form}"): route("signed_in", special=NOT_THEIRS),
    ("GET", "/jobs/{job}/export.csv"): route("readable_job"),
    ("GET", "/jobs/{job}/export.xlsx"): route("readable_job"),
    ("GET", "/retention"): route("admin"),
    ("POST", "/retention/rules"): route("admin", form=fixed(status="rejected", days="400")),
    ("POST", "/retention/run"): route("admin", answers=(422,)),  # without its confirmation
    ("POST", "/retention/backups"): route("admin", form=fixed(place="the vault")),
    ("POST", "/retention/backups/{backup}/done"): route("admin"),
    ("GET", "/watch-lists"): route("reviewer"),
    ("POST", "/watch-lists"): route("admin", form=fixed(list="no_hire", names="Some Ltd")),
    ("POST", "/watch-lists/remove"): route("admin", form=entry),
    ("GET", "/users"): route("admin"),
    ("POST", "/users"): route("admin", form=invitation),
    ("POST", "/users/{id}/link"): route("admin", form=fixed(kind="invitation")),
    ("POST", "/users/{id}/role"): route("admin", form=fixed(role="auditor")),
    ("POST", "/users/{id}/disable"): route("admin"),
    ("POST", "/users/{id}/enable"): route("admin"),
    ("GET", "/ledger"): route("reviewer"),
    ("GET", "/ledger/verify"): route("reviewer"),
    ("POST", "/ledger/verify"): route("reviewer"),
    ("GET", "/ledger/{sequence}"): route("reviewer"),
    ("POST", "/ledger/{sequence}/replay"): route("reviewer"),
    ("GET", "/audits"): route("auditing"),
    ("GET", "/audits/report.css"): route("public"),
    ("GET", "/audits/new"): route("auditing", query=of(job="job")),
    ("POST", "/audits"): route("auditing", form=with_(of(job="job"), kinds=["outcomes"])),
    ("GET", "/audits/{audit}"): route("auditing"),
    ("GET", "/audits/{audit}/state"): route("auditing"),
    ("GET", "/audits/{audit}/charts/{number}.svg"): route("auditing"),
    ("GET", "/audits/{audit}/report.{form}"): route("auditing"),
    ("POST", "/audits/schedules"): route("auditing", form=with_(of(job="job"), every="weekly", kinds=["swaps"])),
    ("GET", "/audits/notices"): route("auditing"),
    ("POST", "/audits/notices"): route("auditing", form=fixed(text="A tool is used.", channel="e-mail")),
    ("POST", "/audits/pack"): route("auditing", form=of(job="job")),
}

API: dict[tuple[str, str], Route] = {
    ("GET", "/openapi.json"): route("public"),
    ("GET", "/me"): route("signed_in"),
    ("GET", "/me/tokens"): route("signed_in"),
    ("POST", "/me/tokens"): route("signed_in", json=fixed(name="mine", days=30)),
    ("DELETE", "/me/tokens/{token}"): route("signed_in"),
    ("GET", "/jobs"): route("signed_in"),
    ("POST", "/jobs"): route("screener", json=fixed(text=AD)),
    ("GET", "/jobs/{job}"): route("readable_job"),
    ("PUT", "/jobs/{job}/requirements"): route("writable_job", json=requirements),
    ("GET", "/jobs/{job}/shown"): route("readable_job"),
    ("PUT", "/jobs/{job}/shown"): route("writable_job", json=fixed(blind=False)),
    ("POST", "/jobs/{job}/shown/answer"): route("writable_job", json=with_(unblind_request, agree=False)),
    ("POST", "/jobs/{job}/close"): route("writable_job"),
    ("POST", "/jobs/{job}/reopen"): route("writable_job"),
    ("GET", "/jobs/{job}/suggestions"): route("readable_job"),
    ("GET", "/jobs/{job}/members"): route("readable_job"),
    ("POST", "/jobs/{job}/members"): route("writable_job", json=guest()),
    ("DELETE", "/jobs/{job}/members/{user}"): route("writable_job"),
    ("GET", "/jobs/{job}/imports"): route("writable_job"),
    ("POST", "/jobs/{job}/imports"): route("writable_job", json=fixed(source="fair")),
    ("POST", "/jobs/{job}/imports/{id}/files"): route("writable_job", content=b"text"),
    ("POST", "/jobs/{job}/imports/{id}/seal"): route("writable_job"),
    ("GET", "/jobs/{job}/imports/{id}"): route("writable_job"),
    ("GET", "/jobs/{job}/applications"): route("readable_job"),
    ("GET", "/jobs/{job}/screen"): route("readable_job"),
    ("GET", "/jobs/{job}/why"): route("readable_job", query=of(above="application", below="other")),
    ("GET", "/jobs/{job}/compare"): route("readable_job", query=two),
    ("GET", "/jobs/{job}/searches"): route("readable_job"),
    ("POST", "/jobs/{job}/searches"): route("readable_job", json=fixed(name="mine", query="q=java")),
    ("DELETE", "/jobs/{job}/searches/{search}"): route("readable_job"),
    ("POST", "/jobs/{job}/decisions"): route(
        "writable_job", json=lambda world, place, role: {"action": "screen", "applications": [place.application]}
    ),
    ("POST", "/jobs/{job}/decisions/many"): route("writable_job", json=many),
    ("POST", "/jobs/{job}/decisions/undo"): route("writable_job", json=batch),
    ("POST", "/jobs/{job}/decisions/redo"): route("writable_job", json=undone_batch),
    ("GET", "/applications/{application}"): route("readable_application"),
    ("GET", "/applications/{application}/original"): route("readable_application", special=UNMASKED),
    ("GET", "/applications/{application}/masked-text"): route("readable_application"),
    ("GET", "/applications/{application}/predictions"): route("readable_application"),
    ("GET", "/applications/{application}/explanations"): route("readable_application"),
    ("GET", "/applications/{application}/difference/{other}"): route("readable_application"),
    ("GET", "/applications/{application}/notes"): route("readable_application"),
    ("POST", "/applications/{application}/notes"): route("writable_application", json=fixed(text="a note")),
    ("DELETE", "/applications/{application}/notes/{note}"): route("writable_application"),
    ("POST", "/applications/{application}/tags"): route("writable_application", json=fixed(tag="call")),
    ("DELETE", "/applications/{application}/tags/{key}"): route("writable_application"),
    ("PUT", "/applications/{application}/flags/{key}/aside"): route(
        "writable_application", json=fixed(reason="another one")
    ),
    ("DELETE", "/applications/{application}/flags/{key}/aside"): route(
        "writable_application", query=lambda world, place, role: set_aside(world, place, role) and {}
    ),
    ("GET", "/applications/{application}/history"): route("readable_application"),
    ("GET", "/applications/{application}/corrections"): route("writable_application"),
    ("POST", "/applications/{application}/corrections"): route("writable_application", json=_misread_json),
    ("DELETE", "/applications/{application}/corrections/{correction}"): route("writable_application"),
    ("GET", "/applications/{application}/corrections/proposed"): route("writable_application"),
    ("POST", "/applications/{application}/corrections/{correction}/accept"): route(
        "writable_application", json=fixed(reason=""), answers=(404,)
    ),
    ("POST", "/applications/{application}/corrections/{correction}/decline"): route(
        "writable_application", json=fixed(reason=""), answers=(404,)
    ),
    ("GET", "/applications/{application}/receipt"): route("readable_application", special=UNMASKED),
    ("GET", "/applications/{application}/archive"): route("readable_application", special=UNMASKED),
    ("POST", "/applications/{application}/erasure"): route(
        "writable_application", also="admin", application=newcomer, json=fixed(reason="asked for")
    ),
    ("GET", "/erasures"): route("reviewer"),
    ("GET", "/erasures/{erasure}"): route("signed_in", special=NOT_THEIRS),
    ("GET", "/jobs/{job}/export.csv"): route("readable_job"),
    ("GET", "/jobs/{job}/export.xlsx"): route("readable_job"),
    ("GET", "/watch-lists"): route("reviewer"),
    ("POST", "/watch-lists"): route("admin", json=fixed(list="no_hire", name="Some Ltd")),
    ("DELETE", "/watch-lists"): route("admin", query=entry),
    ("GET", "/users"): route("admin"),
    ("GET", "/ledger"): route("reviewer"),
    ("POST", "/ledger/verify"): route("reviewer"),
    ("GET", "/ledger/{sequence}"): route("reviewer"),
    ("POST", "/ledger/{sequence}/replay"): route("reviewer"),
    ("GET", "/audits"): route("auditing"),
    ("POST", "/audits"): route("auditing", json=with_(of(job="job"), kinds=["outcomes"])),
    ("GET", "/audits/{audit}"): route("auditing"),
}

ROUTES = PAGES | {(method, V1 + path): found for (method, path), found in API.items()}

Parameter = Callable[[World, Place, str], str]


def _link(world: World, place: Place, role: str) -> str:
    return world.store.links.make("sign_in", world.guest().id, 1.0)


def _search(world: World, place: Place, role: str) -> str:
    user = world.people.get(role, world.people["owner"])
    return world.store.searches.save(place.job, "to be removed", "q=java", actor=user.id)


def _note(world: World, place: Place, role: str) -> str:
    return world.store.notes.add(place.application, "to be removed", actor="test")


def _member(world: World, place: Place, role: str) -> str:
    return str(member("user")(world, place, role)["user"])


def _import(world: World, place: Place, role: str) -> str:
    return world.store.imports.begin(place.job, actor="test")


def _correction(world: World, place: Place, role: str) -> str:
    application = world.store.applications.get(place.application)
    wanted = CorrectionInput("name", misread(world, place, role)["name"])
    return correct(world.context.service, application, wanted, actor="test").correction


def _erasure(world: World, place: Place, role: str) -> str:
    known = world.store.erasures.all()
    if known:
        return known[0].id
    id = newcomer(world, place)
    return erase(world.context.service, [id], actor="test", reason="asked for").id


def _backup(world: World, place: Place, role: str) -> str:
    return world.store.backups.add("the vault", actor="test")


def _ranking(world: World, place: Place, role: str) -> str:
    found = world.store.ledger.events(kinds=["ranking"], job=place.job, limit=1)
    if not found:
        world.client("admin").get(f"/jobs/{place.job}")
        found = world.store.ledger.events(kinds=["ranking"], job=place.job, limit=1)
    return str(found[0].sequence)


def _audit(world: World, place: Place, role: str) -> str:
    """One that is done, with a chart."""
    kept = [each.id for each in world.store.audits.all(job=place.job, states=["done"])]
    if not kept:
        asked = {"kinds": ["swaps"], "job": place.job}
        id = world.store.audits.request("swaps", job=place.job, request=asked, actor="test", running=True)
        kept = [world.store.audits.finish(id, swaps().to_json()).id]
    return kept[0]


PARAMETERS: dict[str, Parameter] = {
    "audits/{audit}": _audit,
    "charts/{number}": lambda world, place, role: "0",
    "jobs/{job}": lambda world, place, role: place.job,
    "applications/{application}": lambda world, place, role: place.application,
    "difference/{other}": lambda world, place, role: place.other,
    "imports/{id}": _import,
    "searches/{id}": _search,
    "searches/{search}": _search,
    "notes/{note}": _note,
    "correct/{correction}": _correction,
    "corrections/{correction}": _correction,
    "erasures/{erasure}": _erasure,
    "backups/{backup}": _backup,
    "tags/{key}": lambda world, place, role: str(old_tag(world, place, role)["tag"]),
    "flags/{key}": lambda world, place, role: place.flag,
    "members/{user}": _member,
    "users/{id}": lambda world, place, role: world.guest().id,
    "tokens/{token}": lambda world, place, role: str(old_token(world, place, role)["id"]),
    "enter/{token}": _link,
    "help/{role}": lambda world, place, role: "admin",
    "ledger/{sequence}": _ranking,
}
"""By the segment before it and its name: what stands in an address, made anew where a request uses it up."""


def fill(path: str, world: World, place: Place, role: str) -> str:
    """The address of a route for things of this place."""
    path = path.replace(".{form}", ".json")
    for found in re.findall(r"[\w-]+/\{\w+\}", path):
        before, _, name = found.partition("/")
        path = path.replace(found, f"{before}/{PARAMETERS[found](world, place, role)}")
        assert name not in path
    return path
