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
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    CondPageBreak,
    Flowable,
    Image,
    KeepTogether,
    LongTable,
    PageBreak,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
)

from evenhand.errors import UsageError
from evenhand.records import canonical_json
from evenhand.records import report as parts
from evenhand.records.report import Finding, MarkedText, Report, ReportTable, Severity, report_from_json
from evenhand.rendering.charts import chart_png
from evenhand.rendering.fonts import BOLD, PLAIN, Setter, letter_name, use_fonts
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

# How a table is set on paper: as large as it can be without breaking a word or, if it can be helped, a
# number.


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
    return ColumnLayout(size, tuple(each * room / sum(least) for each in least))


def _shared(grid: ReportTable, least: list[float], size: float, room: float) -> list[float]:
    """What is left goes to those that have more to say."""
    wanted = [max(_wanted(grid, at, size), low) for at, low in enumerate(least)]
    if sum(wanted) <= room:
        spare = (room - sum(wanted)) / len(wanted)
        return [each + spare for each in wanted]
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


INK, SOFT, ACCENT, RULE = "#1b2326", "#556166", "#0b5d69", "#d9dfdc"
TONES: dict[Severity, tuple[str, str]] = {
    "concern": ("#fdecea", "#9b1c1c"),
    "watch": ("#fff3dd", "#7d4400"),
    "unknown": ("#eceff1", "#46525a"),
    "clear": ("#e5f4ea", "#17613a"),
}
MARGIN, FRAME = 18 * mm, 6
WIDTH = A4[0] - 2 * MARGIN
MAX_HEIGHT = 190 * mm  # of what cannot be broken: a row, a chart
TALLEST_TEXT = 1_100  # characters of one side of a pair
POINTS_PER_PIXEL = 0.72
SCALE = 3.0
MAX_NAMED = 60
SHORT = 12  # rows
MARKED = f'<span backColor="#ffe38a"><font name="{BOLD}">{{}}</font></span>'
NOT_OURS = "Letters that no font in this file has; the page as HTML shows them:"


def report_pdf(report: Report) -> bytes:
    """The same report gives the same bytes."""
    out = BytesIO()
    document = SimpleDocTemplate(
        out,
        pagesize=A4,
        leftMargin=MARGIN - FRAME,
        rightMargin=MARGIN - FRAME,
        topMargin=16 * mm,
        bottomMargin=20 * mm,
        title=f"{report.title}: {report.subject}",
        author="Evenhand",
        lang="en",
        invariant=1,
    )
    use_fonts()
    foot = f"{report.title} · {day(report.made)} · Evenhand {__version__}"
    document.build(list(_Paper(report).flowables()), canvasmaker=_numbered(foot))
    return out.getvalue()


class _Paper:
    def __init__(self, report: Report) -> None:
        self._report = report
        self._setter = Setter()

    def flowables(self) -> Iterator[Flowable]:
        report = self._report
        yield self._text(kicker(report), KICKER, bold=True)
        yield self._text(report.title, TITLE, bold=True)
        yield self._text(report.subject, SUBJECT)
        yield self._text(day(report.made), SUBJECT)
        yield Spacer(1, 4 * mm)
        if verdict(report):
            yield self._verdict()
            yield Spacer(1, 3 * mm)
        yield from map(self._told, group_findings(report.findings))
        if report.findings and report.sections:
            yield PageBreak()
        for section in report.sections:
            yield from self._section(section)
        yield from self._rest()

    def _rest(self) -> Iterator[Flowable]:
        report = self._report
        if report.method:
            yield from self._headed("How it was measured", [self._text(each, BODY) for each in report.method])
        if report.limits:
            rows = [self._text(f"•  {each}", POINT) for each in report.limits]
            yield from self._headed("What this cannot tell", rows)
        if report.facts:
            yield from self._headed("For the record", [self._facts()])
        letters = list(self._setter.borrowed | self._setter.unknown)
        if letters:
            yield Spacer(1, 4 * mm)
            yield self._text(f"{NOT_OURS} {'; '.join(map(letter_name, letters[:MAX_NAMED]))}.", NOTE)

    def _verdict(self) -> Flowable:
        back, ink = TONES[self._report.worst]
        style = ParagraphStyle("verdict tone", parent=VERDICT, textColor=HexColor(ink))
        words = f"{SYMBOLS[self._report.worst]}  {verdict(self._report)}"
        return _boxed([[self._text(words, style, bold=True)]], [WIDTH], back, 3 * mm)

    def _told(self, told: FindingGroup) -> Flowable:
        """A row for each finding, so that a long list is broken between two."""
        back, ink = TONES[told.severity]
        badge_style = ParagraphStyle("badge tone", parent=BADGE, textColor=HexColor(ink))
        badge = self._text(f"{SYMBOLS[told.severity]}  {WORDS[told.severity]}", badge_style, bold=True)
        said = [self._said(finding, is_alone=len(told.findings) == 1) for finding in told.findings]
        if told.action:
            said[-1] += [self._text("What to do", DO, bold=True), self._text(told.action, ACTION)]
        badges: list[Any] = [_boxed([[badge]], [30 * mm], back, 1.2 * mm), *[""] * (len(said) - 1)]
        return Table(
            list(zip(badges, said, strict=True)),
            colWidths=[34 * mm, WIDTH - 34 * mm],
            style=[
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LINEABOVE", (0, 0), (-1, 0), 0.5, HexColor(RULE)),
                *_padding(0, 0.5 * mm),
                ("TOPPADDING", (0, 0), (-1, 0), 2.2 * mm),
                ("BOTTOMPADDING", (0, -1), (-1, -1), 2.2 * mm),
            ],
        )

    def _said(self, finding: Finding, *, is_alone: bool) -> list[Flowable]:
        return [
            self._text(finding.title, FINDING if is_alone else SMALL_FINDING, bold=True),
            self._text(finding.sentence, BODY_TIGHT if is_alone else SMALL_BODY),
        ]

    def _section(self, section: parts.ReportSection) -> Iterator[Flowable]:
        made = [flowable for block in section.blocks for flowable in self._block(block, section.title)]
        yield from self._headed(section.title, made)

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
                yield from self._grid(replace(block, title="") if block.title == heading else block)
            case parts.Chart():
                yield self._chart(block)
            case parts.TextPair():
                yield self._pair(block)

    def _grid(self, grid: parts.ReportTable) -> Iterator[Flowable]:
        """One that is short is not broken."""
        made = list(self._grid_parts(grid))
        yield from [KeepTogether(made)] if len(grid.rows) <= SHORT else [CondPageBreak(35 * mm), *made]

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
        """Cut where it is longer than a page is high: a row cannot be broken."""
        made = self._text(text, style)
        while made.wrap(max(width - 3 * mm, 10), A4[1])[1] > MAX_HEIGHT:
            text = text[: len(text) * 2 // 3]
            made = self._text(text.rstrip() + " […]", style)
        return made

    def _chart(self, chart: parts.Chart) -> Flowable:
        image = Image(BytesIO(chart_png(chart, scale=SCALE)))
        image.hAlign = "LEFT"
        width, height = (size / SCALE * POINTS_PER_PIXEL for size in (image.imageWidth, image.imageHeight))
        shrink = min(1.0, WIDTH / width, MAX_HEIGHT / height)
        image.drawWidth, image.drawHeight = width * shrink, height * shrink
        caption, words = self._text(chart.title, CAPTION, bold=True), self._text(chart.words, NOTE)
        return KeepTogether([caption, image, words, Spacer(1, 3 * mm)])

    def _pair(self, pair: parts.TextPair) -> Flowable:
        half = WIDTH / 2
        outcomes = [self._text(each, OUTCOME, bold=True) for each in (pair.left_outcome, pair.right_outcome)]
        texts = [self._marked(each) for each in (pair.left, pair.right)]
        table = Table(
            [outcomes, texts],
            colWidths=[half, half],
            style=[
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("BACKGROUND", (0, 0), (-1, 0), HexColor("#f1f4f3")),
                ("BOX", (0, 0), (-1, -1), 0.5, HexColor(RULE)),
                ("LINEAFTER", (0, 0), (0, -1), 0.5, HexColor(RULE)),
                *_padding(2.5 * mm, 1.6 * mm),
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
        set_pieces = [(self._setter.markup(text, bold=is_marked), is_marked) for text, is_marked in line]
        if any(is_shaped for (_, is_shaped), _ in set_pieces):
            return self._text("".join(f"[{text}]" if is_marked else text for text, is_marked in line), CELL)
        return Paragraph(
            "".join(MARKED.format(markup) if is_marked else markup for (markup, _), is_marked in set_pieces),
            CELL,
        )

    def _facts(self) -> Flowable:
        rows = [[self._text(name, FACT), self._cell(value, CELL, WIDTH * 0.66)] for name, value in self._report.facts]
        return LongTable(rows, colWidths=[WIDTH * 0.34, WIDTH * 0.66], style=FACT_STYLE)

    def _text(self, text: str, style: ParagraphStyle, *, bold: bool = False) -> Paragraph:
        markup, is_shaped = self._setter.markup(text, bold=bold)
        return Paragraph(markup, ParagraphStyle("shaped", parent=style, shaping=1) if is_shaped else style)


def _style(name: str, size: float, leading: float, **more: Any) -> ParagraphStyle:
    plain = {"fontName": PLAIN, "fontSize": size, "leading": leading, "textColor": HexColor(INK)}
    return ParagraphStyle(name, **plain | {"splitLongWords": 1} | more)


@cache
def _cell_style(size: float, side: int, *, is_head: bool = False) -> ParagraphStyle:
    if not is_head:
        return _style("cell", size, size * 1.35, alignment=side)
    more = {"fontName": BOLD, "textColor": HexColor(SOFT), "alignment": side}
    return _style("head", size * HEAD, size * 1.25, **more)


def _padding(side: float, top: float) -> list[tuple[Any, ...]]:
    """Without a side of their own, cells begin where the text does and keep away from the next one."""
    return [
        ("LEFTPADDING", (0, 0), (-1, -1), side),
        ("RIGHTPADDING", (0, 0), (-1, -1), side or 3 * mm),
        ("TOPPADDING", (0, 0), (-1, -1), top),
        ("BOTTOMPADDING", (0, 0), (-1, -1), top),
    ]


def _boxed(rows: list[list[Flowable]], widths: list[float], back: str, padding: float) -> Table:
    return Table(
        rows,
        colWidths=widths,
        hAlign="LEFT",
        style=[
            ("BACKGROUND", (0, 0), (-1, -1), HexColor(back)),
            ("ROUNDEDCORNERS", [3, 3, 3, 3]),
            *_padding(2 * mm, padding),
        ],
    )


KICKER = _style("kicker", 9, 12, fontName=BOLD, textColor=HexColor(ACCENT))
TITLE = _style("title", 19, 24, fontName=BOLD)
SUBJECT = _style("subject", 9.5, 13, textColor=HexColor(SOFT))
VERDICT = _style("verdict", 12, 16, fontName=BOLD)
BADGE = _style("badge", 8.5, 11, fontName=BOLD)
FINDING = _style("finding", 10.5, 14, fontName=BOLD)
BODY = _style("body", 9.5, 13.5, spaceAfter=2.5 * mm)
BODY_TIGHT = _style("body tight", 9.5, 13.5)
SMALL_FINDING = _style("small finding", 8.5, 11.5, fontName=BOLD)
SMALL_BODY = _style("small body", 8.5, 11.5)
DO = _style("do", 8, 11, fontName=BOLD, textColor=HexColor(ACCENT), spaceBefore=1.2 * mm)
ACTION = _style("action", 9.5, 13.5)
HEADING = _style("heading", 14, 18, fontName=BOLD, spaceBefore=7 * mm, spaceAfter=2.5 * mm)
CAPTION = _style("caption", 10, 13.5, fontName=BOLD, spaceBefore=2 * mm, spaceAfter=1.2 * mm)
POINT = _style("point", 9.5, 13.5, spaceAfter=1.2 * mm, leftIndent=10, firstLineIndent=-10)
NOTE = _style("note", 8, 11, textColor=HexColor(SOFT), spaceBefore=1 * mm)
OUTCOME = _style("outcome", 9, 12, fontName=BOLD)
FACT = _style("fact", 8.5, 11.5, textColor=HexColor(SOFT))
CELL = _style("cell", 8.5, 11.5)
GRID_STYLE = [
    ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
    ("VALIGN", (0, 1), (-1, -1), "TOP"),
    ("LINEBELOW", (0, 0), (-1, 0), 0.8, HexColor(SOFT)),
    ("LINEBELOW", (0, 1), (-1, -1), 0.4, HexColor(RULE)),
    *_padding(0, 1 * mm),
    ("RIGHTPADDING", (0, 0), (-1, -1), 8),
    ("RIGHTPADDING", (-1, 0), (-1, -1), 0),
]
FACT_STYLE = [
    ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ("LINEBELOW", (0, 0), (-1, -1), 0.4, HexColor(RULE)),
    *_padding(0, 0.8 * mm),
]


def _numbered(foot: str) -> type[Canvas]:
    """Every page says which of how many it is."""

    class Numbered(Canvas):  # type: ignore[misc]
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            self._pages: list[dict[str, Any]] = []

        def showPage(self) -> None:  # noqa: N802 - reportlab's name
            self._pages.append(dict(self.__dict__))
            self._startPage()

        def save(self) -> None:
            for number, page in enumerate(self._pages, start=1):
                self.__dict__.update(page)
                self.setFont(PLAIN, 7.5)
                self.setFillColor(HexColor(SOFT))
                self.drawString(MARGIN, 11 * mm, foot[:110])
                self.drawRightString(A4[0] - MARGIN, 11 * mm, f"{number} of {len(self._pages)}")
                super().showPage()
            super().save()

    return Numbered


# Reports written to files: a page, a PDF, and JSON for programs.


def write_report(
    report: Report, *, html: Path | None = None, pdf: Path | None = None, json: Path | None = None
) -> None:
    """Those that are named; nothing else. A file that cannot be written is a usage error."""
    if html is not None:
        _write(html, html_bytes(report))
    if pdf is not None:
        _write(pdf, pdf_bytes(report))
    if json is not None:
        _write(json, json_bytes(report))


def html_bytes(report: Report) -> bytes:
    return page_html(report).encode("utf-8", "backslashreplace")


def pdf_bytes(report: Report) -> bytes:
    return report_pdf(report)


def json_bytes(report: Report) -> bytes:
    return (canonical_json(report.to_json()) + "\n").encode("utf-8", "backslashreplace")


def read_report(file: Path) -> Report:
    """A report that was written as JSON before."""
    try:
        return report_from_json(json_form.loads(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(f"{file} is not the JSON of an audit report.") from error


def _write(file: Path, content: bytes) -> None:
    try:
        file.write_bytes(content)
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}.") from error
