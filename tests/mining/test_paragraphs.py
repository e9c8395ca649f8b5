"""Lines of a page become the paragraphs, rows and list items that other formats of the resume have."""

from __future__ import annotations

from dataclasses import replace

from evenhand.mining.reflow import find_paragraphs
from evenhand.records.document import Document, Line
from evenhand_lab.training.miner import annotate_document
from tests.mining.pages import vocabulary

LEFT, RIGHT = 50.0, 550.0
FULL = "word " * 20 + "client"
PITCH = 12.0


def row(text: str, right: float = RIGHT, *, above: float = 0.0, left: float = LEFT, page: int = 1) -> Line:
    """A line as yet without its place in the text, which is kept in `raw`; `above` is the room before it."""
    box = (left, above, right, 11.0)
    return Line(0, 0, page, box, "Serif", 10.0, False, False, None, None, None, raw=text)


def paragraphs(*rows: Line) -> list[list[str]]:
    text, top, lines = "", 100.0, []
    for each in rows:
        words, box = each.raw or "", each.box
        if box is not None:
            top += PITCH + box[1]
            box = (box[0], top, box[2], top + 11.0)
        start = len(text)
        text += words + "\n"
        lines.append(replace(each, start=start, end=start + len(words), box=box, raw=None))
    document = Document(None, "", "pdf", 2, "parsed", text, (), tuple(lines), (), (), None)
    annotations = annotate_document(document, vocabulary(), None)
    found = find_paragraphs(annotations, range(len(lines)))
    return [[annotations.layout.lines[place].text for place in part] for part in found]


def test_a_full_line_goes_on() -> None:
    assert paragraphs(row(FULL), row("intake forms.", 120.0), row("Kept records.", 130.0)) == [
        [FULL, "intake forms."],
        ["Kept records."],
    ]


def test_an_open_end_goes_on_though_the_next_word_would_have_fitted() -> None:
    listed = "Medical Terms, Diagnosis, Patient Scheduling,"
    assert paragraphs(row(FULL), row(listed, 450.0, above=20.0), row("Excel", 80.0)) == [[FULL], [listed, "Excel"]]


def test_lines_further_apart_than_those_of_a_paragraph_are_items() -> None:
    """The paragraph shows the distance of lines within; the full line below is an item of its own."""
    assert paragraphs(
        row(FULL), row("goes on below.", 130.0), row("A" + FULL, above=9.0), row("Graded reports", 140.0, above=2.0)
    ) == [[FULL, "goes on below."], ["A" + FULL], ["Graded reports"]]


def test_a_key_opens_another_line() -> None:
    assert paragraphs(row("Methods: Infrastructure"), row("Systems: Windows", 300.0)) == [
        ["Methods: Infrastructure"],
        ["Systems: Windows"],
    ]


def test_a_row_ends_where_its_last_column_does() -> None:
    rows = (row("Harrow Clinic\tNurse\t2014"), row("Vale Clinic\tNurse\t2012"))
    assert paragraphs(*rows) == [["Harrow Clinic\tNurse\t2014"], ["Vale Clinic\tNurse\t2012"]]
    hanging = (row("Systems\tLinux, Windows Server,"), row("Solaris", 160.0, left=130.0))
    assert paragraphs(*hanging) == [["Systems\tLinux, Windows Server,", "Solaris"]]


def test_a_sentence_goes_on_over_the_page() -> None:
    assert paragraphs(row(FULL), row("forms and records.", 140.0, page=2)) == [[FULL, "forms and records."]]
    assert paragraphs(row(FULL + "."), row("forms", 140.0, page=2)) == [[FULL + "."], ["forms"]]


def test_the_time_below_a_head_belongs_to_it() -> None:
    head = "Nurse, Harrow Clinic"
    assert paragraphs(row(head, 200.0), row("May 2014 - June 2016", 180.0, left=60.0)) == [
        [head, "May 2014 - June 2016"]
    ]


def test_cells_of_one_line_make_a_row_and_longer_ones_do_not() -> None:
    def cell(text: str, column: int, number: int = 0) -> Line:
        return replace(row(text), box=None, table=(0, number, column))

    assert paragraphs(cell("Client", 0), cell("Harrow Bank", 1)) == [["Client", "Harrow Bank"]]
    assert paragraphs(cell("Skills", 0), cell("Java", 1), cell("Python", 1)) == [["Skills"], ["Java"], ["Python"]]
