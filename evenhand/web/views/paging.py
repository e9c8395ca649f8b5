"""Which candidates a page shows, and the pages before and after it."""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.workflows.desk_query import FARTHEST, Search

NEAR = 2  # pages named on each side of the one that is open


@dataclass(frozen=True, slots=True)
class PageLink:
    """`address` is None for the open page, and for the gap between pages that are not named."""

    label: str
    address: str | None
    current: bool = False


@dataclass(frozen=True, slots=True)
class Paging:
    first: int  # rank of the first on the page, 1 for the best
    last: int
    total: int
    before: str | None
    after: str | None
    links: tuple[PageLink, ...]


def paging(search: Search, total: int, shown: int, address: str) -> Paging:
    """`shown` are those on the page."""
    reachable = min(total, FARTHEST)
    pages = max(-(-reachable // search.size), 1)

    def link(page: int) -> str:
        query = search.at(page).query
        return f"{address}?{query}" if query else address

    links = []
    named = sorted({1, pages, *range(search.page - NEAR, search.page + NEAR + 1)} & set(range(1, pages + 1)))
    reached = 0
    for page in named:
        if page > reached + 1:
            links.append(PageLink("…", None))
        is_open = page == search.page
        links.append(PageLink(f"{page:,}", None if is_open else link(page), is_open))
        reached = page
    return Paging(
        first=min(search.first + 1, total),
        last=search.first + shown,
        total=total,
        before=link(min(search.page - 1, pages)) if search.page > 1 else None,
        after=link(search.page + 1) if search.page < pages else None,
        links=tuple(links) if pages > 1 else (),
    )
