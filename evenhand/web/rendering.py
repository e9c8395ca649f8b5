"""Templates to pages. Everything is escaped; what every page needs is added here."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from evenhand.store import STATUS_NAMES
from evenhand.store.account_rows import User
from evenhand.version import __version__
from evenhand.web.wording import count, day, duration, moment, percent, years

STATIC = Path(__file__).parent / "static"
FRAGMENT = "x-evenhand-fragment"
"""The header with which our own script asks for the part of a page that changes."""


def page(
    request: Request, template: str, *, user: User | None = None, status: int = 200, **values: Any
) -> HTMLResponse:
    """A whole page, or only its block `content` when our script asks for that."""
    shown = {"request": request, "user": user, "path": request.url.path, **values}
    found = environment().get_template(template)
    return HTMLResponse(found.render(shown), status)


def fragment(request: Request, template: str, **values: Any) -> HTMLResponse:
    """A piece of a page, for our own script to put in its place."""
    return HTMLResponse(environment().get_template(template).render({"request": request, **values}))


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
    made.filters.update(count=count, day=day, duration=duration, moment=moment, percent=percent, years=years)
    made.globals.update(static=static, version=__version__, status_names=STATUS_NAMES)
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
