"""A report of an audit as a PDF: findings on the first page, then tables, charts and texts, with its fonts inside."""

from __future__ import annotations

import json as json_form
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import (
    CondPageBreak,
    Flowable,
    Image,
    KeepTogether,
    LongTable,
    PageBreak,
    Paragraph,
    Spacer,
    Table,
)

from evenhand.errors import UsageError
from evenhand.records import canonical_json
from evenhand.records import report as parts
from evenhand.records.report import Finding, MarkedText, Report, ReportTable, Severity
from evenhand.rendering.charts import chart_png
from evenhand.rendering.fonts import BOLD, PLAIN, use_fonts
from evenhand.rendering.html import write_file
from evenhand.rendering.pdf_layout import ACCENT, RULE, SOFT, PdfText, box, build_pdf, padding, text_style
from evenhand.rendering.report_page import (
    SYMBOLS,
    WORDS,
    FindingGroup,
    day,
    group_findings,
    kicker,
    page_html,
    pieces,
    verdict,
)
from evenhand.version import __version__

# Columns of a table: as large as they can be without breaking a word or, if it can be helped, a number.

SIZES = (8.5, 7.5, 6.5)
HEAD = 0.94  # of the size
BETWEEN = 8.5  # points from a column to the next; what the table keeps free there is a little less
WHOLE = 18  # letters: a number or an interval up to this long stays on one line
MAX_WORD_LENGTH = 24


@dataclass(frozen=True, slots=True)
class ColumnLayout:
    size: float
    widths: tuple[float, ...]  # points, which add up to the room


def set_columns(grid: ReportTable, room: float) -> ColumnLayout:
    """The first that fits: intervals on one line, else on two, and only then smaller letters."""
    use_fonts()
    for size in SIZES:
        for whole in (WHOLE, 0):
            least = [_least(grid, at, size, whole) for at in range(len(grid.columns))]
            if sum(least) <= room:
                return ColumnLayout(size, tuple(_shared(grid, least, size, room)))
    return ColumnLayout(size, tuple(width * room / sum(least) for width in least))


def _shared(grid: ReportTable, least: list[float], size: float, room: float) -> list[float]:
    """What is left goes to those that have more to say."""
    wanted = [max(_wanted(grid, at, size), low) for at, low in enumerate(least)]
    if sum(wanted) <= room:
        spare = (room - sum(wanted)) / len(wanted)
        return [width + spare for width in wanted]
    share = (room - sum(least)) / (sum(wanted) - sum(least))
    return [low + (high - low) * share for low, high in zip(least, wanted, strict=True)]


def _least(grid: ReportTable, at: int, size: float, whole: int) -> float:
    heads = [stringWidth(word, BOLD, size * HEAD) for word in grid.columns[at].split()]
    cells = [cell for row in grid.rows for cell in row[at : at + 1]]
    words = {word for cell in cells for word in _unbroken(cell, whole if at in grid.numeric else 0)}
    return float(max([0.0, *heads, *(stringWidth(word, PLAIN, size) for word in words)])) + BETWEEN


def _unbroken(cell: str, whole: int) -> list[str]:
    return [cell] if len(cell) <= whole else [word[:MAX_WORD_LENGTH] for word in cell.split()]


def _wanted(grid: ReportTable, at: int, size: float) -> float:
    cells = [cell for row in grid.rows for cell in row[at : at + 1]]
    head = stringWidth(grid.columns[at], BOLD, size * HEAD)
    return float(max([head, *(stringWidth(cell, PLAIN, size) for cell in cells)])) + BETWEEN


TONES: dict[Severity, tuple[str, str]] = {
    "concern": ("#fdecea", "#9b1c1c"),
    "watch": ("#fff3dd", "#7d4400"),
    "unknown": ("#eceff1", "#46525a"),
    "clear": ("#e5f4ea", "#17613a"),
}
MARGIN = 18 * mm
WIDTH = A4[0] - 2 * MARGIN
MAX_HEIGHT = 190 * mm  # of what cannot be broken: a row, a chart
TALLEST_TEXT = 1_100  # characters of one side of a pair
POINTS_PER_PIXEL = 0.72
SCALE = 3.0
MAX_NAMED = 60
SHORT = 12  # rows
MARKED = f'<span backColor="#ffe38a"><font name="{BOLD}">{{}}</font></span>'
NOT_OURS = "Letters that no font in this file has; the page as HTML shows them:"


def pdf_bytes(report: Report) -> bytes:
    """The same report gives the same bytes."""
    foot = f"{report.title} · {day(report.made)} · Evenhand {__version__}"
    title = f"{report.title}: {report.subject}"
    return build_pdf(_Paper(report).flowables, title=title, foot=foot[:110], margin=MARGIN, top=16 * mm)


class _Paper:
    def __init__(self, report: Report) -> None:
        self._report = report
        self._words = PdfText()
        self._text = self._words.paragraph

    def flowables(self) -> Iterator[Flowable]:
        report = self._report
        yield self._text(kicker(report), KICKER, bold=True)
        yield self._text(report.title, TITLE, bold=True)
        yield self._text(report.subject, SUBJECT)
        yield self._text(day(report.made), SUBJECT)
        yield Spacer(1, 4 * mm)
        if verdict(report):
            back, ink = TONES[self._report.worst]
            style = ParagraphStyle("verdict tone", parent=VERDICT, textColor=HexColor(ink))
            words = f"{SYMBOLS[self._report.worst]}  {verdict(self._report)}"
            yield box(self._text(words, style, bold=True), WIDTH, back, side=2 * mm, top=3 * mm)
            yield Spacer(1, 3 * mm)
        yield from map(self._group, group_findings(report.findings))
        if report.findings and report.sections:
            yield PageBreak()
        for section in report.sections:
            made = [flowable for block in section.blocks for flowable in self._block(block, section.title)]
            yield from self._headed(section.title, made)
        yield from self._rest()

    def _rest(self) -> Iterator[Flowable]:
        report = self._report
        if report.method:
            yield from self._headed("How it was measured", [self._text(sentence, BODY) for sentence in report.method])
        if report.limits:
            rows = [self._text(f"•  {sentence}", POINT) for sentence in report.limits]
            yield from self._headed("What this cannot tell", rows)
        if report.facts:
            yield from self._headed("For the record", [self._facts()])
        setter = self._words.setter
        yield from self._words.letter_note(NOT_OURS, setter.borrowed | setter.unknown, NOTE, most=MAX_NAMED)

    def _group(self, group: FindingGroup) -> Flowable:
        """A row for each finding, so that a long list is broken between two."""
        back, ink = TONES[group.severity]
        badge_style = ParagraphStyle("badge tone", parent=BADGE, textColor=HexColor(ink))
        badge = self._text(f"{SYMBOLS[group.severity]}  {WORDS[group.severity]}", badge_style, bold=True)
        texts = [self._finding(finding, is_alone=len(group.findings) == 1) for finding in group.findings]
        if group.action:
            texts[-1] += [self._text("What to do", DO, bold=True), self._text(group.action, ACTION)]
        badges: list[Any] = [box(badge, 30 * mm, back, side=2 * mm, top=1.2 * mm), *[""] * (len(texts) - 1)]
        return Table(
            list(zip(badges, texts, strict=True)),
            colWidths=[34 * mm, WIDTH - 34 * mm],
            style=[
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LINEABOVE", (0, 0), (-1, 0), 0.5, RULE),
                *padding(0, 0.5 * mm),
                ("TOPPADDING", (0, 0), (-1, 0), 2.2 * mm),
                ("BOTTOMPADDING", (0, -1), (-1, -1), 2.2 * mm),
            ],
        )

    def _finding(self, finding: Finding, *, is_alone: bool) -> list[Flowable]:
        return [
            self._text(finding.title, FINDING if is_alone else SMALL_FINDING, bold=True),
            self._text(finding.sentence, BODY_TIGHT if is_alone else SMALL_BODY),
        ]

    def _headed(self, title: str, made: list[Flowable]) -> Iterator[Flowable]:
        """A heading is not left alone at the foot of a page."""
        yield CondPageBreak(45 * mm)
        yield self._text(title, HEADING, bold=True)
        yield from made

    def _block(self, block: parts.Block, heading: str) -> Iterator[Flowable]:
        """What has the same title as its section needs none of its own."""
        match block:
            case parts.ReportParagraph():
                yield self._text(block.text, BODY)
            case parts.ReportTable():
                # One that is short is not broken.
                grid = replace(block, title="") if block.title == heading else block
                made = list(self._grid_parts(grid))
                yield from [KeepTogether(made)] if len(grid.rows) <= SHORT else [CondPageBreak(35 * mm), *made]
            case parts.Chart():
                image = Image(BytesIO(chart_png(block, scale=SCALE)))
                image.hAlign = "LEFT"
                width, height = (size / SCALE * POINTS_PER_PIXEL for size in (image.imageWidth, image.imageHeight))
                shrink = min(1.0, WIDTH / width, MAX_HEIGHT / height)
                image.drawWidth, image.drawHeight = width * shrink, height * shrink
                caption, words = self._text(block.title, CAPTION, bold=True), self._text(block.words, NOTE)
                yield KeepTogether([caption, image, words, Spacer(1, 3 * mm)])
            case parts.TextPair():
                yield self._pair(block)

    def _grid_parts(self, grid: parts.ReportTable) -> Iterator[Flowable]:
        if grid.title:
            yield self._text(grid.title, CAPTION, bold=True)
        setting = set_columns(grid, WIDTH)
        sides = [2 if at in grid.numeric else 0 for at in range(len(grid.columns))]
        heads = [
            self._text(head, _cell_style(setting.size, side, is_head=True), bold=True)
            for head, side in zip(grid.columns, sides, strict=True)
        ]
        rows = [
            [
                self._cell(cell, _cell_style(setting.size, side), width)
                for cell, side, width in zip(row, sides, setting.widths, strict=True)
            ]
            for row in grid.rows
        ]
        yield LongTable([heads, *rows], colWidths=setting.widths, repeatRows=1, style=GRID_STYLE)
        if grid.note:
            yield self._text(grid.note, NOTE)
        yield Spacer(1, 3 * mm)

    def _cell(self, text: str, style: ParagraphStyle, width: float) -> Paragraph:
        return self._words.cell(text, style, width, height=MAX_HEIGHT, cut=" […]")

    def _pair(self, pair: parts.TextPair) -> Flowable:
        half = WIDTH / 2
        outcomes = [self._text(outcome, OUTCOME, bold=True) for outcome in (pair.left_outcome, pair.right_outcome)]
        texts = [self._marked(side) for side in (pair.left, pair.right)]
        table = Table(
            [outcomes, texts],
            colWidths=[half, half],
            style=[
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("BACKGROUND", (0, 0), (-1, 0), HexColor("#f1f4f3")),
                ("BOX", (0, 0), (-1, -1), 0.5, RULE),
                ("LINEAFTER", (0, 0), (0, -1), 0.5, RULE),
                *padding(2.5 * mm, 1.6 * mm),
            ],
        )
        return KeepTogether([self._text(pair.title, CAPTION, bold=True), table, Spacer(1, 4 * mm)])

    def _marked(self, stretch: MarkedText) -> list[Paragraph]:
        """A paragraph for each line."""
        lines: list[list[tuple[str, bool]]] = [[]]
        room = TALLEST_TEXT
        for text, is_marked in pieces(stretch):
            first, *more = text[:room].split("\n")
            lines[-1].append((first, is_marked))
            lines += [[(line, is_marked)] for line in more]
            room = max(room - len(text), 0)
        if not room:
            lines[-1].append((" […]", False))
        return [self._line(line) for line in lines if any(text.strip() for text, _ in line)]

    def _line(self, line: list[tuple[str, bool]]) -> Paragraph:
        """Letters that change beside others are set as a whole: there, brackets stand for the colour of a mark."""
        set_pieces = [(self._words.setter.markup(text, bold=is_marked), is_marked) for text, is_marked in line]
        if any(is_shaped for (_, is_shaped), _ in set_pieces):
            return self._text("".join(f"[{text}]" if is_marked else text for text, is_marked in line), CELL)
        return Paragraph(
            "".join(MARKED.format(markup) if is_marked else markup for (markup, _), is_marked in set_pieces), CELL
        )

    def _facts(self) -> Flowable:
        rows = [[self._text(name, FACT), self._cell(value, CELL, WIDTH * 0.66)] for name, value in self._report.facts]
        return LongTable(rows, colWidths=[WIDTH * 0.34, WIDTH * 0.66], style=FACT_STYLE)


@cache
def _cell_style(size: float, side: int, *, is_head: bool = False) -> ParagraphStyle:
    if not is_head:
        return text_style("cell", size, size * 1.35, alignment=side)
    more = {"fontName": BOLD, "textColor": SOFT, "alignment": side}
    return text_style("head", size * HEAD, size * 1.25, **more)


KICKER = text_style("kicker", 9, 12, fontName=BOLD, textColor=ACCENT)
TITLE = text_style("title", 19, 24, fontName=BOLD)
SUBJECT = text_style("subject", 9.5, 13, textColor=SOFT)
VERDICT = text_style("verdict", 12, 16, fontName=BOLD)
BADGE = text_style("badge", 8.5, 11, fontName=BOLD)
FINDING = text_style("finding", 10.5, 14, fontName=BOLD)
BODY = text_style("body", 9.5, 13.5, spaceAfter=2.5 * mm)
BODY_TIGHT = text_style("body tight", 9.5, 13.5)
SMALL_FINDING = text_style("small finding", 8.5, 11.5, fontName=BOLD)
SMALL_BODY = text_style("small body", 8.5, 11.5)
DO = text_style("do", 8, 11, fontName=BOLD, textColor=ACCENT, spaceBefore=1.2 * mm)
ACTION = text_style("action", 9.5, 13.5)
HEADING = text_style("heading", 14, 18, fontName=BOLD, spaceBefore=7 * mm, spaceAfter=2.5 * mm)
CAPTION = text_style("caption", 10, 13.5, fontName=BOLD, spaceBefore=2 * mm, spaceAfter=1.2 * mm)
POINT = text_style("point", 9.5, 13.5, spaceAfter=1.2 * mm, leftIndent=10, firstLineIndent=-10)
NOTE = text_style("note", 8, 11, textColor=SOFT, spaceBefore=1 * mm)
OUTCOME = text_style("outcome", 9, 12, fontName=BOLD)
FACT = text_style("fact", 8.5, 11.5, textColor=SOFT)
CELL = text_style("cell", 8.5, 11.5)
GRID_STYLE = [
    ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
    ("VALIGN", (0, 1), (-1, -1), "TOP"),
    ("LINEBELOW", (0, 0), (-1, 0), 0.8, SOFT),
    ("LINEBELOW", (0, 1), (-1, -1), 0.4, RULE),
    *padding(0, 1 * mm),
    ("RIGHTPADDING", (0, 0), (-1, -1), 8),
    ("RIGHTPADDING", (-1, 0), (-1, -1), 0),
]
FACT_STYLE = [("VALIGN", (0, 0), (-1, -1), "TOP"), ("LINEBELOW", (0, 0), (-1, -1), 0.4, RULE), *padding(0, 0.8 * mm)]


# Reports written to files: a page, a PDF, and JSON for programs.


def write_report(
    report: Report, *, html: Path | None = None, pdf: Path | None = None, json: Path | None = None
) -> None:
    """Those that are named; nothing else. A file that cannot be written is a usage error."""
    if html is not None:
        write_file(html, html_bytes(report))
    if pdf is not None:
        write_file(pdf, pdf_bytes(report))
    if json is not None:
        write_file(json, json_bytes(report))


def html_bytes(report: Report) -> bytes:
    return page_html(report).encode("utf-8", "backslashreplace")


def json_bytes(report: Report) -> bytes:
    return (canonical_json(report.to_json()) + "\n").encode("utf-8", "backslashreplace")


def read_report(file: Path) -> Report:
    """A report that was written as JSON before."""
    try:
        return Report.from_json(json_form.loads(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(f"{file} is not the JSON of an audit report.") from error
