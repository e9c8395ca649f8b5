"""The same words in every format and look, the same bytes every time, and hidden words that stay hidden."""

from __future__ import annotations

import shutil
from dataclasses import replace
from random import Random

import pytest

import evenhand
from evenhand_lab.benchmarks.inputs import distinct_words
from evenhand_lab.corpora.files.looks import WAYS, Secret
from evenhand_lab.corpora.files.scans import convert_to_doc
from evenhand_lab.corpora.files.writers import FORMATS, LOOKS_OF, choose_look, write
from evenhand_lab.corpora.manuscript import to_plain
from tests.lab.corpora.invented import resume

FOOTERS = distinct_words("page of 1 2 3")
BY_US = [name for name in FORMATS if name != "doc"]
EVERY = [(name, look) for name in BY_US for look in LOOKS_OF[name] if look != "latin-1"]
SECRETS = [(name, way) for name in BY_US for way in WAYS[name]]


@pytest.mark.parametrize(("format", "look"), EVERY)
def test_same_words(format: str, look: str) -> None:
    manuscript = resume()
    data = write(manuscript, format, look, Random(1))
    document = evenhand.read(data)
    assert (document.format, document.status, document.hidden) == (format, "parsed", ())
    assert distinct_words(document.text) - FOOTERS == distinct_words(to_plain(manuscript).text) - FOOTERS
    assert data == write(manuscript, format, look, Random(1))


@pytest.mark.long
@pytest.mark.skipif(shutil.which("soffice") is None, reason="needs LibreOffice")
def test_same_words_in_doc() -> None:
    manuscript = resume()
    sources = [write(manuscript, "doc", look, Random(1)) for look in ("calibri", "times_tables")]
    for data in convert_to_doc(sources):
        document = evenhand.read(data)
        assert document.format == "doc"
        assert distinct_words(document.text) == distinct_words(to_plain(manuscript).text)


@pytest.mark.parametrize(("format", "way"), SECRETS)
def test_hidden_words(format: str, way: str) -> None:
    manuscript = resume(jobs=1)
    look = choose_look(manuscript, format, Random(2))
    data = write(manuscript, format, look, Random(2), secret=Secret("zymurgy quokka fjord", way))
    document = evenhand.read(data)
    assert "zymurgy quokka fjord" in " ".join(hidden.text for hidden in document.hidden)
    assert not {"zymurgy", "quokka", "fjord"} & distinct_words(document.text)


def test_text_file_is_the_plain_text() -> None:
    manuscript = resume()
    text = to_plain(manuscript).text
    assert write(manuscript, "txt", "utf-8", Random(0)).decode("utf-8") == text
    assert write(manuscript, "txt", "cp1252", Random(0)).decode("cp1252") == text.replace("\n", "\r\n")


def test_charset_can_write_every_character() -> None:
    assert {choose_look(resume(), "txt", Random(seed)) for seed in range(60)} == {"utf-8", "cp1252"}


def test_long_resumes_have_no_side_bar() -> None:
    long = resume(jobs=20)
    designs = {choose_look(long, "pdf", Random(seed)) for seed in range(300)}
    assert "classic" in designs
    assert not designs & {"dark_bar", "tinted_bar", "two_columns"}


def test_side_bars_hold_something() -> None:
    bare = replace(resume(), sections=resume().sections[:4])  # jobs and a table, which both go into the main column
    assert "dark_bar" in {choose_look(resume(), "pdf", Random(seed)) for seed in range(300)}
    assert not {choose_look(bare, "pdf", Random(seed)) for seed in range(300)} & {"dark_bar", "tinted_bar"}
    assert "side_cell" not in {choose_look(bare, "docx", Random(seed)) for seed in range(300)}


@pytest.mark.parametrize("format", ["docx", "odt", "rtf", "html"])
def test_table_and_lists_are_real(format: str) -> None:
    document = evenhand.read(write(resume(jobs=1), format, LOOKS_OF[format][0], Random(0)))
    assert [(table.rows, table.columns) for table in document.tables] == [(3, 4)]
    assert sum(line.list is not None for line in document.lines) == 4
