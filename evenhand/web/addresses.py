"""Addresses that come back from a form: only our own are followed."""

from __future__ import annotations


def inside(address: str, default: str = "/") -> str:
    """One that leads elsewhere is replaced by `default`."""
    is_own = address.startswith("/") and not address.startswith(("//", "/\\")) and "\\" not in address
    return address if is_own and address.isprintable() else default
