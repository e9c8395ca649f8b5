"""Numbers, months and moments as people read them."""

from __future__ import annotations

from datetime import UTC, datetime


def count(number: int, noun: str, plural: str | None = None) -> str:
    """ "1 candidate", "1,204 candidates"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def duration(months: int | None) -> str:
    """ "3 y 4 m"; what nobody stated is said to be so."""
    if months is None:
        return "not dated"
    if months == 0:
        return "none"
    years, rest = divmod(months, 12)
    return " ".join(part for part in (f"{years} y" if years else "", f"{rest} m" if rest else "") if part)


def years(months: int | None) -> str:
    """For a line of facts: "9 years", "8 months", "not stated"."""
    if months is None:
        return "not stated"
    if months < 12:
        return count(months, "month")
    whole, rest = divmod(months, 12)
    return count(whole, "year") + (f" {count(rest, 'month')}" if rest else "")


def day(when: datetime) -> str:
    return f"{when.astimezone(UTC):%d %b %Y}"


def moment(when: datetime) -> str:
    return f"{when.astimezone(UTC):%d %b %Y, %H:%M} UTC"


def percent(share: float) -> str:
    return f"{share:.0%}"


def ordinal(number: int) -> str:
    """ "1st", "2nd", "1,011th"."""
    endings = {1: "st", 2: "nd", 3: "rd"}
    ending = "th" if number % 100 in (11, 12, 13) else endings.get(number % 10, "th")
    return f"{number:,}{ending}"
