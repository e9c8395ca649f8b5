"""XML that declares entities in every disguise, and XML that is merely broken."""

from __future__ import annotations

import pytest

from evenhand.documents.office.package import MAX_DEPTH, parse_xml
from evenhand.errors import CorruptDocument, XmlDtdForbidden

BOMB = '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb">]><a>&b;</a>'
EXTERNAL = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'


@pytest.mark.parametrize("text", [BOMB, EXTERNAL, "<!doctype a><a/>", '<!DOCTYPE a SYSTEM "a.dtd"><a/>'])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_document_type_is_refused_in_any_encoding(text: str, encoding: str) -> None:
    declared = encoding.removesuffix("-sig")
    source = f'<?xml version="1.0" encoding="{declared}"?>{text}'.encode(encoding)
    with pytest.raises(XmlDtdForbidden):
        parse_xml(source)


def test_a_document_type_far_down_the_prolog_is_refused() -> None:
    with pytest.raises(XmlDtdForbidden):
        parse_xml(("<!-- " + "x" * 100_000 + " -->" + BOMB).encode())


@pytest.mark.parametrize(
    "source",
    [
        b'<?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-DOCTYPE a+AD4-<a/>',
        f'<?xml version="1.0" encoding="cp037"?>{BOMB}'.encode("cp037"),
        f'<?xml version="1.0" encoding="cp500"?>{EXTERNAL}'.encode("cp500"),
    ],
)
def test_encodings_that_could_hide_markup_are_refused(source: bytes) -> None:
    with pytest.raises(CorruptDocument):
        parse_xml(source)


def test_the_word_doctype_in_text_is_no_declaration() -> None:
    root, damaged = parse_xml(b"<a>how to write a &lt;!DOCTYPE html></a>")
    assert (root.text, damaged) == ("how to write a <!DOCTYPE html>", False)


def test_text_in_utf_16() -> None:
    root, damaged = parse_xml('<?xml version="1.0" encoding="UTF-16"?><a>Žofie</a>'.encode("utf-16"))
    assert (root.text, damaged) == ("Žofie", False)


def test_a_cut_off_part_gives_its_beginning() -> None:
    root, damaged = parse_xml(b"<a><b>first</b><b>sec")
    assert damaged
    assert [child.text for child in root] == ["first", "sec"]


def test_unknown_entities_do_not_pass() -> None:
    root, damaged = parse_xml(b"<a>x&unknown;y</a>")
    assert (root.text, damaged) == ("x", True)


@pytest.mark.parametrize("source", [b"", b"plain text", b"\x00\x01\x02", b"<", b"PK\x03\x04"])
def test_no_xml_at_all(source: bytes) -> None:
    with pytest.raises(CorruptDocument):
        parse_xml(source)


def test_depth_is_bounded() -> None:
    deep = MAX_DEPTH + 5
    with pytest.raises(CorruptDocument):
        parse_xml(b"<a>" * deep + b"</a>" * deep)


def test_strict_namespaces_become_the_usual_ones() -> None:
    root, _ = parse_xml(b'<w:p xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"/>')
    assert root.tag == "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}p"
