"""ODT files that attack their reader or are damaged."""

from __future__ import annotations

import random

import pytest

from evenhand.documents.draft import ReadLimits
from evenhand.documents.office.odt.package import is_encrypted
from evenhand.documents.office.odt.reader import read_fodt
from evenhand.documents.office.package import Archive
from evenhand.errors import ArchiveBomb, DocumentError, EncryptedDocument, XmlDtdForbidden
from tests.documents.office.docx_files import texts
from tests.documents.office.odt_files import MANIFEST, NAMESPACES, content, frame, odt, p, read

ENTITY = '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
LOCKED = MANIFEST.format(
    '><manifest:file-entry><manifest:encryption-data manifest:checksum="x"/></manifest:file-entry>'
)


def test_an_encrypted_manifest() -> None:
    data = odt(p("x"), parts={"META-INF/manifest.xml": LOCKED})
    assert is_encrypted(Archive.open(data, ReadLimits()))
    with pytest.raises(EncryptedDocument):
        read(data)
    assert not is_encrypted(Archive.open(odt(p("x")), ReadLimits()))


def test_a_manifest_with_a_document_type_as_old_writers_make_them() -> None:
    manifest = '<!DOCTYPE manifest:manifest PUBLIC "-//OpenOffice.org//DTD Manifest 1.0//EN" "Manifest.dtd">'
    data = odt(p("text"), parts={"META-INF/manifest.xml": manifest + MANIFEST.format(">")})
    assert texts(read(data)) == ["text"]


@pytest.mark.parametrize("part", ["content.xml", "styles.xml"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_are_refused(part: str, encoding: str) -> None:
    source = f'<?xml version="1.0" encoding="{encoding}"?>{ENTITY}{content(p("&x;"))}'
    with pytest.raises(XmlDtdForbidden):
        read(odt(p("x"), parts={part: source.encode(encoding)}))
    with pytest.raises(XmlDtdForbidden):
        read_fodt(source.encode(encoding), ReadLimits())


def test_a_bomb() -> None:
    with pytest.raises(ArchiveBomb):
        read(odt(p("x" * 5_000_000)))


@pytest.mark.parametrize(
    ("body", "parts", "named"),
    [
        ("", {"Basic/Standard/Module1.xml": "<x/>"}, "macros"),
        ("", {"Scripts/python/m.py": "x"}, "macros"),
        ("<text:script>run()</text:script>", {}, "macros"),
        (frame('<draw:object-ole xlink:href="./Object 1"/>'), {}, "embedded objects"),
        (frame('<draw:image xlink:href="https://example.org/p.png"/>'), {}, "content fetched from elsewhere"),
        ("<text:dde-connection/>", {}, "commands to other programs (DDE)"),
    ],
)
def test_active_content_is_named(body: str, parts: dict[str, str], named: str) -> None:
    draft = read(odt(p("text" + body), parts=parts))
    assert texts(draft) == ["text"]
    assert [(warning.code, warning.message) for warning in draft.warnings] == [
        ("active_content", f"The file carries {named}; nothing was run or fetched.")
    ]


def test_ordinary_files_are_not_active() -> None:
    parts = {"Basic/script-lc.xml": "<x/>", "Basic/Standard/script-lb.xml": "<x/>"}
    body = p(
        '<text:a xlink:href="https://example.org/">link</text:a>' + frame('<draw:image xlink:href="Pictures/1.png"/>')
    )
    assert read(odt(body, parts=parts)).warnings == []


def test_deep_nesting_ends() -> None:
    spans = "<text:span>" * 80 + "deep" + "</text:span>" * 80
    lists = "<text:list><text:list-item>" * 60 + p("deeper") + "</text:list-item></text:list>" * 60
    draft = read(odt(f"<text:p>{spans}</text:p>{lists}{p('shallow')}"))
    assert texts(draft) == ["shallow"]
    assert draft.partial


@pytest.mark.parametrize("value", ["", "x", "-5", "1e999pt", "99999999999999999999", "5cm", "%"])
def test_senseless_numbers_do_no_harm(value: str) -> None:
    body = (
        f'<text:p>a<text:s text:c="{value}"/>b</text:p>'
        f'<text:h text:outline-level="{value}">h</text:h>'
        f'<text:list><text:list-item text:start-value="{value}">{p("item")}</text:list-item></text:list>'
        f'<table:table><table:table-row table:number-rows-repeated="{value}">'
        f'<table:table-cell table:number-columns-spanned="{value}">{p("cell")}</table:table-cell>'
        "</table:table-row></table:table>"
        + p(
            frame(
                f"<draw:text-box>{p('box')}</draw:text-box>",
                f'svg:width="{value}" svg:height="{value}" svg:x="{value}"',
            )
        )
    )
    draft = read(odt(body, styles=f"<office:document-styles {NAMESPACES}/>"))
    found = {line.text for line in draft.lines} | {item.text for item in draft.hidden}
    assert {"h", "item", "cell", "box"} <= found


def test_damaged_files_end_in_a_draft_or_a_named_error() -> None:
    sample = odt(p("Ann Example") + "<table:table><table:table-row/></table:table>" + p("x"), styles="<a/>")
    chance = random.Random(11)
    for _ in range(300):
        data = bytearray(sample)
        for _ in range(chance.randint(1, 10)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            assert read(bytes(data[: chance.randrange(50, len(data) + 50)])).format == "odt"
        except DocumentError:
            continue
