"""One Document as a card a person can take in at a glance."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.text import Text

from evenhand.cli.facts import count, layout
from evenhand.cli.terminal import printable
from evenhand.records import Document

COLORS = {"parsed": "green", "partial": "yellow", "error": "red"}
FIRST_LINES = 7
QUOTE = 200  # characters of hidden text


def card(document: Document) -> Panel:
    color = "yellow" if document.warnings else COLORS[document.status]
    name = printable(document.file or "(bytes)")
    title = Text.assemble((Path(name).name, "bold"), "  ", (document.status, color))
    return Panel(Group(*_rows(document)), title=title, title_align="left", border_style=color, padding=(0, 1))


def _rows(document: Document) -> Iterator[RenderableType]:
    if document.error:
        yield Text(f"{printable(document.error.message)} ({document.error.code})", style="red")
        return
    words = count(len(document.text.split()), "word")
    facts = [(document.format or "?").upper(), count(document.pages, "page"), words, *layout(document)]
    yield Text(", ".join(facts), style="dim")
    yield from _first_lines(document)
    for warning in document.warnings:
        yield Text(f"! {printable(warning.message)} ({warning.code})", style="yellow")
    yield from _hidden(document)


def _first_lines(document: Document) -> Iterator[Text]:
    """The text as it begins, bold where it is bold, cells of one table row side by side."""
    bold = {document.text.count("\n", 0, line.start) for line in document.lines if line.bold}
    shown = [(number, line) for number, line in enumerate(document.text.split("\n")) if line.strip()]
    for number, line in shown[:FIRST_LINES]:
        words = printable(line.replace("\t", "  "))
        yield Text(words, style="bold" if number in bold else "", no_wrap=True, overflow="ellipsis")
    if len(shown) > FIRST_LINES:
        yield Text(f"... {count(len(shown) - FIRST_LINES, 'more line')}", style="dim")


def _hidden(document: Document) -> Iterator[Padding]:
    """Hidden text, per reason and page, quoted: the screener sees what was left out."""
    places: dict[tuple[str, int], list[str]] = {}
    for item in document.hidden:
        places.setdefault((item.reason, item.page), []).append(item.text)
    for (reason, page), texts in places.items():
        quote = printable(" ".join(" ".join(texts).split()))
        if len(quote) > QUOTE:
            quote = quote[:QUOTE].rstrip() + " ..."
        words = Text(f'left out, page {page}, {reason}: "{quote}"', style="magenta")
        yield Padding(words, (0, 0, 0, 2))
