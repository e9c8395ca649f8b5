"""Lengths of time in words. A length that is not known has no words here: whoever prints it says so in its own way."""

from __future__ import annotations

from evenhand.cli.facts import count


def long(months: int) -> str:
    """ "2 years 3 months"; less than a year is "8 months"."""
    years, rest = divmod(months, 12)
    parts = [count(years, "year")] * bool(years) + [count(rest, "month")] * (bool(rest) or not years)
    return " ".join(parts)


def short(months: int) -> str:
    """ "2 y 3 m", for columns."""
    years, rest = divmod(months, 12)
    return " ".join([f"{years} y"] * bool(years) + [f"{rest} m"] * (bool(rest) or not years))
