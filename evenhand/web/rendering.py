"""Templates to pages. Everything is escaped; what every page needs is added here."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

from fastapi import Form, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from evenhand.records import Job
from evenhand.rendering.letter import Letter
from evenhand.store.applications import STATUS_NAMES
from evenhand.text.wording import (
    BLANK_RESUME,
    DEFINITIONS,
    ONLY_IN_NAMES,
    count,
    day,
    duration,
    moment,
    percent,
    short_duration,
)
from evenhand.version import __version__
from evenhand.web.context import Context, context_of

STATIC = Path(__file__).parent / "static"
Text = Annotated[str, Form()]
Ticked = Annotated[bool, Form()]
FRAGMENT = "x-evenhand-fragment"
"""The header with which our own script asks for the part of a page that changes."""


def page(request: Request, template: str, *, status: int = 0, **values: Any) -> HTMLResponse:
    """A whole page, for whoever is signed in. Without a status, 422 if `message` says what is wrong, else 200."""
    user = getattr(request.state, "user", None)
    gap = confinement_gap(request) if user and user.role == "admin" else ""
    context = {"request": request, "user": user, "path": request.url.path, "confinement_gap": gap, **values}
    html = environment().get_template(template).render(context)
    return HTMLResponse(html, status or (422 if values.get("message") else 200))


def confinement_gap(request: Request) -> str:
    """What the system lacks to confine the processes that read files, as soon as the server has found out."""
    answer: Future[str] | None = getattr(request.app.state, "confinement_gap", None)
    if answer is None or not answer.done():
        return ""
    return str(answer.exception() or answer.result())


def fragment(request: Request, template: str, **values: Any) -> HTMLResponse:
    """A piece of a page, for our own script to put in its place."""
    user = getattr(request.state, "user", None)
    return HTMLResponse(environment().get_template(template).render({"request": request, "user": user, **values}))


def attachment(data: bytes | Iterable[bytes], media_type: str, name: str) -> Response:
    """A file to save: never shown in the browser, since a resume may hold scripts."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    if isinstance(data, bytes):
        return Response(data, media_type=media_type, headers=headers)
    return StreamingResponse(data, media_type=media_type, headers=headers)


def cookie_name(context: Context, name: str) -> str:
    """Over HTTPS with a prefix by which browsers keep it to this very host: another site of the same domain, or
    somebody between, could otherwise set one of that name. Over plain HTTP browsers refuse the prefix."""
    return f"__Host-{name}" if is_secure(context) else name


def is_secure(context: Context) -> bool:
    return context.settings.address.startswith("https:")


def read_cookie(request: Request, name: str) -> str | None:
    return request.cookies.get(cookie_name(context_of(request), name))


def set_cookie(context: Context, response: Response, name: str, value: str, *, seconds: int) -> Response:
    """Not readable for scripts; over HTTPS only where Evenhand is reached by it. Lax: links from elsewhere work."""
    response.set_cookie(
        cookie_name(context, name), value, max_age=seconds, httponly=True, samesite="lax", secure=is_secure(context)
    )
    return response


def delete_cookie(context: Context, response: Response, name: str) -> Response:
    """Browsers take only a secure answer for one that has the prefix."""
    return set_cookie(context, response, name, "", seconds=0)


def done(request: Request, values: dict[str, Any], address: str) -> Response:
    """After a form: what our script gets as JSON; a browser without it goes on to the page at `address`."""
    return JSONResponse(values) if wants_json(request) else RedirectResponse(address, 303)


def wants_fragment(request: Request) -> bool:
    return FRAGMENT in request.headers


def wants_json(request: Request) -> bool:
    """Our own scripts ask for it; a form that was sent without them is answered with a page."""
    accepted = request.headers.get("accept", "")
    return "application/json" in accepted and "text/html" not in accepted


@lru_cache(maxsize=1)
def environment() -> Environment:
    made = Environment(
        loader=PackageLoader("evenhand.web"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,  # a misspelt name is a fault, not an empty place
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(count=count, day=day, duration=duration, moment=moment, percent=percent)
    made.filters.update(short_duration=short_duration)
    made.globals.update(static=static, version=__version__, status_names=STATUS_NAMES, definitions=DEFINITIONS)
    made.globals.update(only_in_names=ONLY_IN_NAMES, blank_resume=BLANK_RESUME)
    return made


def static(name: str) -> str:
    """The address of a file that browsers may keep for ever: with another content it has another one.

    The stamp is a folder, and the same for all: a script that imports "./base.js" then means the one of its page.
    """
    if not (STATIC / name).is_file():
        raise FileNotFoundError(name)
    return f"/static/{stamp()}/{name}"


@lru_cache(maxsize=1)
def stamp() -> str:
    files = sorted(path for path in STATIC.rglob("*") if path.is_file())
    hashed = hashlib.sha256()
    for path in files:
        content = path.read_bytes()
        hashed.update(f"{path.relative_to(STATIC)} {len(content)}\n".encode() + content)
    return hashed.hexdigest()[:16]


def letter_html(letter: Letter) -> str:
    """A letter to an applicant as a file of its own, without scripts and without anything to be loaded."""
    # Our own file and no one's text, so it needs no escaping; in a style element escapes would not be read anyway.
    styles = Markup((STATIC / "receipt.css").read_text(encoding="utf-8"))  # noqa: S704
    return environment().get_template("receipt/alone.html").render(letter=letter, styles=styles)


def with_query(address: str, query: str) -> str:
    return f"{address}?{query}" if query else address


def inside(address: str, default: str = "/") -> str:
    """The address a form sends back, if it is one of our own pages; else `default`."""
    is_own = address.startswith("/") and not address.startswith(("//", "/\\")) and "\\" not in address
    return address if is_own and address.isprintable() else default


ASIDE = frozenset({"employer", "benefits", "legal"})
"""Passages that do not tell who is wanted; nothing is asked for because of them."""


@dataclass(frozen=True, slots=True)
class AdPiece:
    text: str
    demands: tuple[int, ...] = ()  # that stand here, by their number in the job
    first: int | None = None  # the demand of which this is the first place
    must: bool = False
    aside: bool = False


def pieces(job: Job) -> list[AdPiece]:
    """A job's ad, cut where what a page marks in it begins or ends."""
    spans = [
        (place.start, min(place.end, len(job.text)), number)
        for number, demand in enumerate(job.demands)
        for place in demand.places
        if place.start < min(place.end, len(job.text))
    ]
    asides = [(passage.place.start, passage.place.end) for passage in job.passages if passage.type in ASIDE]
    cuts = {0, len(job.text), *(cut for start, end, _ in spans for cut in (start, end))}
    cuts |= {min(cut, len(job.text)) for span in asides for cut in span}
    edges = sorted(cuts)
    seen: set[int] = set()
    ad_pieces = []
    for start, end in pairwise(edges):
        here = tuple(sorted({number for first, last, number in spans if first <= start < last}))
        new = [number for number in here if number not in seen]
        seen.update(here)
        ad_pieces.append(
            AdPiece(
                text=job.text[start:end],
                demands=here,
                first=new[0] if new else None,
                must=any(job.demands[number].must for number in here),
                aside=any(first <= start < last for first, last in asides),
            )
        )
    return ad_pieces
