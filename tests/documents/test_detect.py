"""The type of a file is in its bytes: every supported kind, and a named refusal for the rest."""

from __future__ import annotations

import io
import zipfile

import pytest

from evenhand.documents.detect import detect
from evenhand.errors import EmptyDocument, EncryptedDocument, UnsupportedFormat
from tests.documents.doc.word_file import compound_file

RELATED = b'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n--b\r\n'


def archive(members: dict[str, str], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"%PDF-1.7\n1 0 obj\n", "pdf"),
        (b"junk before\n%PDF-1.4\n1 0 obj\n", "pdf"),
        (b"%PDF\n2 0 obj<<\n>>\nendobj", "pdf"),
        (b"4 0 obj << /Type /Page >>\nendobj", "pdf"),
        (b"{\\rtf1\\ansi Hello}", "rtf"),
        (b"\xef\xbb\xbf \r\n{\\rtf1 Hello}", "rtf"),
        (b"{\\pard \\ql Hello\\par}", "rtf"),
        (b"<!DOCTYPE html><p>Hello", "html"),
        (b"<!-- saved --><HTML><body>Hello", "html"),
        (b"<div>Hello</div>", "html"),
        ("<html><body>Hello".encode("utf-16"), "html"),
        (b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body/></html>', "html"),
        (RELATED + b"Content-Type: text/html\r\n\r\n<p>Hello\r\n--b--", "html"),
        (b"Intro <b>a</b><br><b>b</b><br><i>c</i>", "html"),
        (b"Jane Example\nEngineer", "txt"),
        (b"if a < b and b > c: print", "txt"),
        (b"I write %PDF-1.7 files by hand", "txt"),
        ("Имя: Иван\nОпыт: 5 лет".encode("utf-16-le"), "txt"),
        (
            b'<?xml version="1.0"?><office:document '
            b'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
            b' office:mimetype="application/vnd.oasis.opendocument.text"><office:body/></office:document>',
            "fodt",
        ),
    ],
)
def test_single_files(data: bytes, expected: str) -> None:
    assert detect(data) == expected


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"[Content_Types].xml": "<Types/>", "word/document.xml": "<w/>"}, "docx"),
        ({"[Content_Types].xml": "<x wordprocessingml.document.main+xml/>", "part.xml": "<w/>"}, "docx"),
        ({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": "<o/>"}, "odt"),
        ({"mimetype": "application/vnd.oasis.opendocument.text-template"}, "odt"),
        ({"content.xml": "<office:document-content><office:text/>"}, "odt"),
    ],
)
def test_archives(members: dict[str, str], expected: str) -> None:
    assert detect(archive(members)) == expected


def test_a_truncated_docx_is_still_a_docx() -> None:
    whole = archive({"[Content_Types].xml": "<Types/>", "word/document.xml": "<w/>" * 99})
    assert detect(whole[: len(whole) // 2]) == "docx"


def test_junk_before_an_archive_with_pdf_inside_does_not_change_its_type() -> None:
    data = archive({"resume.pdf": "%PDF-1.4\n1 0 obj\n"}, zipfile.ZIP_STORED)
    with pytest.raises(UnsupportedFormat, match="a ZIP archive"):
        detect(data)


@pytest.mark.parametrize(
    ("members", "name"),
    [
        ({"[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<x/>"}, "an Excel workbook"),
        ({"[Content_Types].xml": "<Types/>", "ppt/presentation.xml": "<x/>"}, "a PowerPoint presentation"),
        ({"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}, "a spreadsheet"),
        ({"mimetype": "application/epub+zip"}, "an e-book"),
        ({"META-INF/MANIFEST.MF": "Main-Class: A"}, "a Java archive"),
        ({"a.txt": "Hello"}, "a ZIP archive"),
    ],
)
def test_other_archives_are_named(members: dict[str, str], name: str) -> None:
    with pytest.raises(UnsupportedFormat, match=name):
        detect(archive(members))


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 20, "a PNG picture"),
        (b"\xff\xd8\xff\xe0" + b"\0" * 20, "a JPEG picture"),
        (b"MZ\x90\0" + b"\0" * 20, "a Windows program"),
        (b"\x1f\x8b\x08\0", "a gzip archive"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "a WebP picture"),
        (b"\0\0\0\x18ftypmp42", "an audio or video file"),
        (bytes(range(256)) * 8, "unknown binary content"),
        (b'<?xml version="1.0"?><w:wordDocument xmlns:w="x"/>', "a Word 2003 XML document"),
        (b'<?xml version="1.0"?><svg/>', "an SVG picture"),
        (b"MIME-Version: 1.0\nSubject: My resume\nContent-Type: text/plain\n\nHello", "an e-mail message"),
    ],
)
def test_other_files_are_named(data: bytes, name: str) -> None:
    with pytest.raises(UnsupportedFormat, match=name):
        detect(data)


@pytest.mark.parametrize("data", [b"", b" \r\n\t\f", b"\xef\xbb\xbf", b"\0" * 100, b"\n" * 100_000])
def test_nothing_is_empty(data: bytes) -> None:
    with pytest.raises(EmptyDocument):
        detect(data)


def test_ole_files_by_their_streams() -> None:
    assert detect(compound_file({"WordDocument": b"w" * 5000, "1Table": b"t" * 5000})) == "doc"
    assert detect(compound_file({"WORDDOCUMENT": b"w" * 5000})) == "doc"
    with pytest.raises(UnsupportedFormat, match="an Excel workbook"):
        detect(compound_file({"Workbook": b"x" * 5000}))
    with pytest.raises(UnsupportedFormat, match="an Outlook message"):
        detect(compound_file({"__properties_version1.0": b"x" * 5000}))
    with pytest.raises(EncryptedDocument):
        detect(compound_file({"EncryptionInfo": b"x" * 5000, "EncryptedPackage": b"y" * 5000}))


def test_an_ole_file_with_a_ruined_directory_is_still_a_doc() -> None:
    data = bytearray(compound_file({"WordDocument": b"w" * 5000}))
    data[44:80] = b"\xff" * 36
    assert detect(bytes(data)) == "doc"
