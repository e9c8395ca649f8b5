"""Documents of tables written out by hand."""

from __future__ import annotations

from collections.abc import Sequence

from evenhand.records.document import Document, Line, Table

Rows = Sequence[Sequence[str]]


def document_of(*tables: Rows, before: str = "Curriculum vitae") -> Document:
    """A line of text and then the tables; "\\n" in a cell parts its lines, an empty cell has none."""
    lines = [_line(0, before, None)]
    text = before + "\n"
    for index, rows in enumerate(tables):
        for row, cells in enumerate(rows):
            for column, cell in enumerate(cells):
                for part in cell.split("\n") if cell else ():
                    lines.append(_line(len(text), part, (index, row, column)))
                    text += part + "\n"
    shapes = tuple(Table(1, len(rows), max(map(len, rows)), True) for rows in tables)
    return Document(None, "", "docx", 1, "parsed", text, (), tuple(lines), shapes, (), None)


def _line(start: int, text: str, table: tuple[int, int, int] | None) -> Line:
    return Line(start, start + len(text), 1, None, None, None, False, False, None, None, table)


STUDIES: Rows = (
    ("Degree", "University/Board", "Year of Passing", "Percentage"),
    ("B.Tech in Computer Science", "Northfield Technical University", "2014", "71.5%"),
    ("Intermediate", "Board of Intermediate Education", "2010", "88%"),
    ("S.S.C", "Hillview High School", "2008", "90%"),
)
EMPLOYERS: Rows = (
    ("Duration", "Organisation", "Designation"),
    ("Mar 2018 to till date", "Lindqvist Information Systems Pvt. Ltd.", "Software Engineer"),
    ("Jan 2015 - Feb 2018", "Harbour Softworks Inc.", "Trainee"),
)
EMPLOYERS_BARE: Rows = (
    ("Lindqvist India Pvt Ltd", "July 2017 to May 2020"),
    ("Harbour Softworks Inc", "June 2020 to present"),
)
ONE_EMPLOYER: Rows = (
    ("Company", ":", "Harbour Softworks Pvt. Ltd."),
    ("Designation", ":", "Senior Developer"),
    ("Duration", ":", "Dec 2017 to till date"),
)
ONE_STUDY: Rows = (
    ("Degree:", "Bachelor of Engineering"),
    ("University:", "Northfield Technical University"),
    ("Year of passing:", "2014"),
    ("Percentage:", "71%"),
)
PERSON: Rows = (
    ("Name", "Asta Lindqvist"),
    ("Date of Birth", "22-03-1991"),
    ("Marital Status", "Single"),
    ("Languages Known", "English, Swedish"),
)
SKILLS: Rows = (
    ("Languages", "Java, Python, SQL"),
    ("Databases", "Oracle, MySQL"),
    ("Operating Systems", "Windows, Linux"),
)
PROJECT: Rows = (
    ("Project", "Claims Portal"),
    ("Client", "Northern Mutual"),
    ("Role", "Developer"),
    ("Team Size", "8"),
    ("Technologies", "Java, Oracle"),
)
