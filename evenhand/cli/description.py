"""What a corpus is like, as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.table import Table

SHOWN = 8  # values of each distribution
BAR = 24


def tables(description: dict[str, Any]) -> Iterator[Table | str]:
    total = description["resumes"]
    kinds = ", ".join(f"{count} {kind}" for kind, count in description["kinds"].items())
    yield (
        f"{total} resumes ({kinds}), {description['vocabulary']} different words, "
        f"{description['duplicate_sentences']:.1%} of sentences stand in more than one resume, "
        f"{description['beyond_token_512']:.0%} of resumes go on beyond token 512."
    )
    yield distribution("Designs", description["designs"], total, most=40)
    yield distribution("Section orders", description["orders"], total)
    for name, counts in description["choices"].items():
        yield distribution(name.capitalize(), counts, total, most=16 if name == "dates" else SHOWN)
    for type, counts in description["headings"].items():
        yield distribution(f"Headings of {type}", counts, total)
    yield sections(description["sections"])
    if "comparison" in description:
        yield comparison(description["comparison"])


def distribution(title: str, counts: dict[str, int], total: int, *, most: int = SHOWN) -> Table:
    """The commonest values, and how many resumes in a hundred have each."""
    table = Table("Value", "Resumes", "Share", "", title=title, title_justify="left")
    highest = max(counts.values(), default=1)
    ranked = sorted(counts.items(), key=lambda item: -item[1])
    for value, count in ranked[:most]:
        table.add_row(value, str(count), f"{count / total:.1%}", "█" * round(BAR * count / highest))
    if len(ranked) > most:
        rest = sum(count for _, count in ranked[most:])
        table.add_row(f"{len(ranked) - most} more", str(rest), f"{rest / total:.1%}", "")
    return table


def sections(values: dict[str, dict[str, Any]]) -> Table:
    heads = ("Section", "Present", "Wanted", "Tokens (mean)", "Wanted", "Below 512")
    table = Table(*heads, title="Sections", title_justify="left")
    for name, each in values.items():
        length = each["length"] or {}
        table.add_row(
            name,
            share(each["presence"]),
            share(percent(each["presence_wanted"])),
            number(length.get("mean")),
            number(each["length_wanted"]["mean"]),
            share(each["under_512"]),
        )
    return table


def comparison(values: dict[str, Any]) -> Table:
    table = Table("Measure", "Generated", "Others", title="Compared with other resumes", title_justify="left")
    for name, value in values.items():
        label = name.replace("_", " ")
        if isinstance(value, list) and len(value) == 2:
            table.add_row(
                label, *(number(each["mean"]) if isinstance(each, dict) else str(each) for each in value)
            )
        elif isinstance(value, dict):
            table.add_row(label, ", ".join(f"{key} {each}" for key, each in value.items()), "")
        else:
            table.add_row(label, str(value), "")
    return table


def percent(value: float | None) -> float | None:
    """Wanted shares may be given in percent."""
    return value / 100 if value is not None and value > 1 else value


def share(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


def number(value: float | None) -> str:
    return "" if value is None else f"{value:.0f}"
