"""Rankings as CSV: read again, every cell is what was ranked, and none of them is a formula."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from io import StringIO

import pytest

from evenhand.cli.rank import csv_text
from evenhand.records.ranking import Flag
from evenhand.rendering.cells import safe
from tests.cli.rankings import ANA, FACTS, RANKED, with_first

SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"
BEFORE = ["", " ", "\t", "\r", "\n", '"', "'", ' "', "\u00a0", "\u3000", "\ufeff", "\u200b", "“", "\x00"]
PAYLOADS = [before + sign + "1+1" for sign in SIGNS for before in BEFORE] + [
    '=cmd|" /C calc"!A0',
    '=HYPERLINK("https://example.com?x="&A1,"click")',
    "+SUM(1,1)",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "Ana;=1+1",  # where the semicolon separates
    "Ana,=1+1",
    "Ana\t=1+1",
    'Ana";=1+1',
    'Ana","=1+1',
    'Ana"\r\n"=1+1',
    "Ana\r=1+1",
    "Ana|@SUM(1)",
    "%0A=1+1",
    "\r\n=1+1",
    "\u2028=1+1",
    "\x85=1+1",
    "\x1b[31m=1+1",
]
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e-?[0-9]+)?")


def reread(text: str, separator: str = ",") -> list[list[str]]:
    assert text.startswith("\ufeff")
    return list(csv.reader(StringIO(text[1:], newline=""), delimiter=separator))


def is_formula(cell: str) -> bool:
    """As a generous spreadsheet sees it: it drops what does not print, spaces and quotes, then looks at the sign."""
    if NUMBER.fullmatch(cell):
        return False
    bare = "".join(character for character in cell if character.isprintable() and not character.isspace())
    return bare.lstrip('"“”').startswith(tuple(SIGNS)) or cell[:1] in tuple("\t\r\n")


def test_every_cell() -> None:
    rows = reread(csv_text(RANKED))
    assert rows == [
        [
            *("rank", "candidate", "file", "score", "must-haves met", "must-haves asked", "matched (months)"),
            *("missing", "flags", "latest job", "employer", "relevant months", "total months", "degree"),
            *("part: words in common", "part: must-haves"),
        ],
        [
            *("1", "Ana Reyes", "inbox/ana.pdf", "4.0", "2", "2", "java (48); sql (duration unknown)", "", ""),
            *("Backend Developer", "Fennick Tools", "48", "60", "master", "3.0", "1.0"),
        ],
        [
            *("2", "Ben Okoro", "inbox/ben.docx", "2.0", "0", "2", "kotlin (24); docker (6)", "sql"),
            *("duplicate: Nearly the same text as cara.txt (0.91).", "Android Developer", "", "24", "30", ""),
            *("1.5", "0.5"),
        ],
        ["3", "", "inbox/cara.txt", "0.0", "0", "2", "", "java or kotlin; sql", *[""] * 6, "0.0", "0.0"],
    ]


def test_contact_only_when_asked_for() -> None:
    assert "ana@example.com" not in csv_text(RANKED)
    rows = reread(csv_text(RANKED, contact=True))
    assert [row[14:16] for row in rows] == [
        ["e-mail", "phone"],
        ["ana@example.com", ""],
        ["", "'+1 404 555 0125"],
        ["", ""],
    ]


@pytest.mark.parametrize("payload", PAYLOADS, ids=ascii)
def test_nothing_a_stranger_wrote_is_a_formula(payload: str) -> None:
    """In every cell a resume or a file name reaches, whichever separator the spreadsheet expects."""
    result = replace(
        ANA,
        candidate=payload,
        file=payload,
        flags=(Flag("duplicate", payload),),
        matched=(replace(ANA.matched[0], skill=payload),),
    )
    facts = replace(FACTS[0], title=payload, employer=payload, emails=(payload,), phones=(payload,))
    text = csv_text(with_first(result, facts), contact=True)
    for separator in ",;\t":
        cells = [cell for row in reread(text, separator) for cell in row]
        assert [cell for cell in cells if is_formula(cell)] == []
    rows = reread(text)
    assert [len(row) for row in rows] == [18, 18, 18, 18]  # no cell or row was broken open
    assert rows[2][1] == "Ben Okoro"


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        (-12.5, -12.5),
        (7, 7),
        (None, ""),
        ("Jean-Luc O'Neil", "Jean-Luc O'Neil"),
        ("C++ and C#", "C++ and C#"),
        ("a@b.example", "a@b.example"),
        ("=1", "'=1"),
        ("two\nlines", "two\\nlines"),
        ("Zoë 李", "Zoë 李"),
        ("\udc80.pdf", "\\udc80.pdf"),
    ],
)
def test_cells(cell: str | float | None, written: str | float) -> None:
    assert safe(cell) == written
