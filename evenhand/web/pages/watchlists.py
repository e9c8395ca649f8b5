"""Watch lists: companies and universities that screeners are told of. Admins keep them, auditors may read them."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import Response

from evenhand.errors import UsageError
from evenhand.screening.watchlists import count_flagged
from evenhand.search.matching import NO_HIRE, NOT_ACCREDITED
from evenhand.web.access import Admin, Reviewer, Visit
from evenhand.web.parameters import accepts
from evenhand.web.rendering import Text, done, page, wants_json

router = APIRouter()
MAX_LINES = 1_000
LISTS = {
    NO_HIRE: ("Companies", "Who worked there is flagged.", "Fennick Tools Ltd."),
    NOT_ACCREDITED: ("Universities that are not accredited", "Who studied there is flagged.", "Northfall University"),
}
ADDRESS = "/watch-lists"
TOLD = ("added", "known", "removed_list", "removed_name", "removed_note")
"""What the page says was done."""


@router.get(ADDRESS, openapi_extra=accepts(*TOLD))
def show_lists(visit: Reviewer) -> Response:
    return _lists(visit)


@router.post(ADDRESS)
def add(visit: Admin, list: Text = "", names: Text = "", note: Text = "") -> Response:
    """One name a line; what follows a tab is the note of that line alone."""
    try:
        lines = [*_lines(names, note)]
        if not lines:
            raise UsageError("Type at least one name.")
        new = sum(visit.store.watchlist.add(list, name, note=why, actor=visit.user.id) for name, why in lines)
    except UsageError as error:
        if wants_json(visit.request):
            raise
        return _lists(visit, message=str(error), typed=(list, names, note))
    known = len(lines) - new
    return done(visit.request, {"new": new, "known": known}, f"{ADDRESS}?added={new}&known={known}")


@router.post(f"{ADDRESS}/remove")
def remove(visit: Admin, list: Text = "", name: Text = "") -> Response:
    """The page that follows offers to put it back, with the note it had."""
    note = next((entry.note for entry in visit.store.watchlist.entries(list) if entry.name == name.strip()), None)
    visit.store.watchlist.remove(list, name, actor=visit.user.id)
    gone = {"list": list, "name": name, "note": note or ""}
    return done(visit.request, gone, f"{ADDRESS}?{urlencode({f'removed_{key}': value for key, value in gone.items()})}")


def _lines(names: str, note: str) -> Iterator[tuple[str, str | None]]:
    lines = [line for line in names.splitlines() if line.strip()]
    if len(lines) > MAX_LINES:
        raise UsageError(f"Paste at most {MAX_LINES:,} lines at once.")
    for line in lines:
        name, _, own = line.partition("\t")
        yield name.strip(), own.strip() or note.strip() or None


def _lists(visit: Visit, *, message: str = "", typed: tuple[str, str, str] = ("", "", "")) -> Response:
    entries = visit.store.watchlist.entries()
    return page(
        visit.request,
        "admin/watch_lists.html",
        lists=LISTS,
        entries={name: [entry for entry in entries if entry.list == name] for name in LISTS},
        flagged=count_flagged(visit.service, entries),
        may_change=visit.user.role == "admin",
        message=message,
        typed=typed,
        told=visit.request.query_params if visit.request.method == "GET" else {},
    )
