"""DOCX files that attack their reader: bombs, entities, locks, active content; and damage of every kind."""

# ruff: noqa: E501 - markup is easier to read in one piece

from __future__ import annotations

import random

import pytest

from evenhand.documents.draft import DocumentDraft, ReadLimits
from evenhand.errors import ArchiveBomb, DocumentError, XmlDtdForbidden
from tests.documents.office.docx_files import (
    NAMESPACES,
    anchor,
    box,
    docx,
    p,
    pack,
    r,
    read,
    relationships,
    row,
    styles,
    table,
    texts,
)

ENTITY = '<!DOCTYPE w:document [<!ENTITY x SYSTEM "file:///etc/hostname">]>'


def warnings_of(draft: DocumentDraft) -> list[tuple[str, str]]:
    return [(warning.code, warning.message) for warning in draft.warnings]


@pytest.mark.parametrize("part", ["word/document.xml", "word/styles.xml", "_rels/.rels", "word/numbering.xml"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_are_refused_in_every_part(part: str, encoding: str) -> None:
    source = f'<?xml version="1.0" encoding="{encoding}"?>{ENTITY}<w:document {NAMESPACES}>&x;</w:document>'
    with pytest.raises(XmlDtdForbidden):
        read(docx(p("x"), parts={part: source.encode(encoding)}))


def test_a_bomb_in_the_main_part() -> None:
    with pytest.raises(ArchiveBomb):
        read(docx(p("x" * 5_000_000)))


def test_a_very_long_document_is_cut_not_refused() -> None:
    draft = read(docx(p("ten_letter") * 3_000), ReadLimits(characters=10_000))
    assert draft.partial
    assert sum(len(line.text) for line in draft.lines) == 10_000


@pytest.mark.parametrize(
    ("relations", "parts", "named"),
    [
        ((), {"vbaProject.bin": b"macro"}, "macros"),
        ((("a", "oleObject", "embeddings/oleObject1.bin"),), {}, "embedded objects"),
        ((("a", "package", "embeddings/book.xlsx"),), {}, "embedded objects"),
        ((("a", "attachedTemplate", "https://example.org/t.dotm"),), {}, "a template from elsewhere"),
        ((("a", "image", "https://example.org/pixel.png"),), {}, "content fetched from elsewhere"),
        ((("a", "frame", "https://example.org/"),), {}, "content fetched from elsewhere"),
        ((("a", "aFChunk", "chunk.html"),), {}, "another document inside"),
        ((("a", "control", "activeX/activeX1.xml"),), {}, "form controls with code"),
    ],
)
def test_active_content_is_named(
    relations: tuple[tuple[str, str, str], ...], parts: dict[str, bytes], named: str
) -> None:
    draft = read(docx(p("text"), relations=relations, parts=parts))
    assert texts(draft) == ["text"]
    assert warnings_of(draft) == [("active_content", f"The file carries {named}; nothing was run or fetched.")]
    assert not draft.partial


def test_active_fields_and_chunks_in_the_text() -> None:
    body = (
        '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>DDEAUTO c:\\\\cmd.exe</w:instrText></w:r>'
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{r("result")}<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
        '<w:p><w:fldSimple w:instr="INCLUDETEXT http://example.org/a">' + r("fetched") + "</w:fldSimple></w:p>"
        '<w:altChunk r:id="c"/>'
    )
    draft = read(docx(body))
    assert texts(draft) == ["result", "fetched"]
    assert warnings_of(draft) == [
        (
            "active_content",
            "The file carries commands to other programs (DDE), links to other files' content, another document "
            "inside; nothing was run or fetched.",
        )
    ]


def test_ordinary_links_and_charts_are_not_active() -> None:
    charts: dict[str, str | bytes] = {
        "word/charts/_rels/chart1.xml.rels": relationships(("a", "package", "../embeddings/book.xlsx")),
        "word/embeddings/book.xlsx": b"PK",
    }
    links = (("a", "hyperlink", "https://example.org/"), ("b", "hyperlink", "mailto:ann@example.org"))
    assert warnings_of(read(docx(p("text"), relations=links, parts=charts))) == []


def test_styles_that_descend_from_each_other() -> None:
    sheet = styles(
        '<w:style w:type="paragraph" w:styleId="A"><w:basedOn w:val="B"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="B"><w:basedOn w:val="A"/></w:style>'
    )
    assert texts(read(docx(p("x", properties='<w:pStyle w:val="A"/>'), parts={"styles.xml": sheet}))) == ["x"]


def test_deep_nesting_ends() -> None:
    inline = "<w:smartTag>" * 80 + r("deep") + "</w:smartTag>" * 80
    controls = "<w:sdt><w:sdtContent>" * 60 + p("deeper") + "</w:sdtContent></w:sdt>" * 60
    draft = read(docx(f"<w:p>{inline}</w:p>{controls}{p('shallow')}"))
    assert texts(draft) == ["shallow"]
    assert draft.partial


@pytest.mark.parametrize("value", ["", "x", "-1", "1e999", "nan", "99999999999999999999", "12pt", "١٢"])
def test_senseless_numbers_do_no_harm(value: str) -> None:
    properties = (
        f'<w:spacing w:before="{value}" w:line="{value}" w:lineRule="exact"/><w:ind w:left="{value}"/>'
        f'<w:outlineLvl w:val="{value}"/><w:numPr><w:ilvl w:val="{value}"/><w:numId w:val="{value}"/></w:numPr>'
    )
    run = f'<w:sz w:val="{value}"/><w:w w:val="{value}"/><w:position w:val="{value}"/><w:color w:val="{value}"/>'
    cell = f'<w:tc><w:tcPr><w:gridSpan w:val="{value}"/></w:tcPr>{p("cell")}</w:tc>'
    drawing = anchor(box(p("box"))).replace('cx="2540000"', f'cx="{value}"')
    body = p(r("text", run), drawing, properties=properties) + table(row(cell, cell))
    sections = f'<w:sectPr><w:pgSz w:w="{value}" w:h="{value}"/><w:pgMar w:left="{value}"/></w:sectPr>'
    draft = read(docx(body + sections))
    found = {line.text for line in draft.lines} | {item.text for item in draft.hidden}
    assert {"text", "box", "cell"} <= found


SAMPLE = docx(
    p("Ann Example", properties='<w:pStyle w:val="T"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>')
    + table(row("a", "b"), row("c", "d"))
    + p(anchor(box(p("box"))), "text"),
    parts={
        "styles.xml": styles('<w:style w:type="paragraph" w:styleId="T"><w:rPr><w:b/></w:rPr></w:style>'),
        "numbering.xml": f'<w:numbering {NAMESPACES}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0">'
        '<w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>',
    },
)


def damaged(seed: int) -> bytes:
    """Flipped bytes, cuts and copies of pieces, the same for the same seed."""
    chance = random.Random(seed)
    data = bytearray(SAMPLE)
    for _ in range(chance.randint(1, 12)):
        at = chance.randrange(len(data))
        kind = chance.randrange(3)
        if kind == 0:
            data[at] = chance.randrange(256)
        elif kind == 1:
            del data[at : at + chance.randint(1, 60)]
        else:
            data[at:at] = data[chance.randrange(len(data)) :][: chance.randint(1, 60)]
    return bytes(data)


@pytest.mark.parametrize("batch", range(8))
def test_damaged_files_end_in_a_draft_or_a_named_error(batch: int) -> None:
    for seed in range(batch * 50, batch * 50 + 50):
        try:
            draft = read(damaged(seed))
        except DocumentError:
            continue
        assert draft.format == "docx"


def test_text_damaged_inside_its_xml() -> None:
    chance = random.Random(5)
    source = f"<w:document {NAMESPACES}><w:body>{p('Ann')}{table(row('a', 'b'))}{p('end')}</w:body></w:document>"
    for _ in range(200):
        at = chance.randrange(len(source))
        changed = source[:at] + chance.choice('<>"&/=\x00 é') + source[at + chance.randrange(8) :]
        try:
            read(pack({"word/document.xml": changed}))
        except DocumentError:
            continue
