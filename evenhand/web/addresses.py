"""Addresses that come back from a form: only our own are followed, and their queries are read with a limit."""

from __future__ import annotations

from urllib.parse import parse_qsl

from evenhand.errors import UsageError

MOST_PAIRS = 500


def inside(address: str, default: str = "/") -> str:
    """One that leads elsewhere is replaced by `default`."""
    is_own = address.startswith("/") and not address.startswith(("//", "/\\")) and "\\" not in address
    return address if is_own and address.isprintable() else default


def query_pairs(query: str) -> list[tuple[str, str]]:
    """Of an address that was sent as a text."""
    try:
        return parse_qsl(query, max_num_fields=MOST_PAIRS)
    except ValueError:
        raise UsageError(f"A search has at most {MOST_PAIRS} parts.") from None
