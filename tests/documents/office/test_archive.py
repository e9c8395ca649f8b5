"""Archives that lie, explode, are locked or are cut off."""

from __future__ import annotations

import io
import struct
import warnings
import zipfile

import pytest

from evenhand.documents.draft import ReadLimits
from evenhand.documents.office.package import Archive
from evenhand.errors import ArchiveBomb, CorruptDocument, EncryptedDocument
from tests.documents.office.docx_files import pack


def opened(data: bytes, **limits: int) -> Archive:
    return Archive.open(data, ReadLimits(**limits))  # type: ignore[arg-type]


def test_members_are_found_whatever_the_case_and_the_slashes() -> None:
    archive = opened(pack({"Word\\Document.xml": "text", "/abs.xml": "a", "../up.xml": "b"}))
    assert archive.read("word/document.xml") == b"text"
    assert archive.read("abs.xml") == b"a"
    assert archive.read("../up.xml") == b"b"
    assert archive.read("none.xml") is None
    assert not archive.damaged


def test_more_members_than_allowed() -> None:
    data = pack({f"part{number}.xml": "x" for number in range(11)})
    with pytest.raises(ArchiveBomb):
        opened(data, members=10)


def test_a_declared_ratio_beyond_the_limit_is_refused_unread() -> None:
    with pytest.raises(ArchiveBomb):
        opened(pack({"bomb.xml": b"0" * 3_000_000}))


def test_pictures_of_one_colour_are_no_bomb() -> None:
    data = pack({"word/media/image1.bmp": b"0" * 3_000_000, "a.xml": "a"})
    assert opened(data).read("a.xml") == b"a"


def test_declared_total_beyond_the_limit() -> None:
    with pytest.raises(ArchiveBomb):
        opened(pack({"a": "x" * 600, "b": "y" * 600}), unpacked_bytes=1_000)


def lie_about_size(data: bytes, size: int) -> bytes:
    """Rewrites the unpacked size in every header."""
    changed = bytearray(data)
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = data.find(signature)
        while at != -1:
            struct.pack_into("<L", changed, at + offset, size)
            at = data.find(signature, at + 4)
    return bytes(changed)


def test_a_size_that_lies_is_caught_while_unpacking() -> None:
    data = lie_about_size(pack({"bomb.xml": b"0" * 3_000_000}), 10)
    archive = opened(data)
    with pytest.raises(ArchiveBomb):
        archive.read("bomb.xml")


def test_what_is_read_counts_towards_the_total() -> None:
    data = lie_about_size(pack({"a": bytes(range(256)) * 4, "b": bytes(range(256)) * 4}), 10)
    archive = opened(data, unpacked_bytes=1_500)
    assert archive.read("a") == bytes(range(256)) * 4
    with pytest.raises(ArchiveBomb):
        archive.read("b")


def twice(first: str, second: str) -> bytes:
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w") as archive:
        warnings.simplefilter("ignore")
        archive.writestr("word/document.xml", first)
        archive.writestr("word/document.xml", second)
    return out.getvalue()


def test_two_different_parts_of_one_name_are_refused() -> None:
    with pytest.raises(CorruptDocument):
        opened(twice("for people", "for machines")).read("word/document.xml")


def test_two_equal_parts_of_one_name_are_harmless() -> None:
    assert opened(twice("same", "same")).read("word/document.xml") == b"same"


def test_an_encrypted_member() -> None:
    data = bytearray(pack({"a.xml": "secret"}))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(signature) + offset] |= 1
    with pytest.raises(EncryptedDocument):
        opened(bytes(data)).read("a.xml")


def test_a_cut_off_file_gives_what_its_local_headers_still_show() -> None:
    whole = pack({"a.xml": "first part", "b.xml": "second part " * 200})
    archive = opened(whole[: whole.find(b"PK\x01\x02") - 10])
    assert archive.damaged
    assert archive.read("a.xml") == b"first part"
    assert archive.read("b.xml") != b"second part " * 200
    assert (archive.read("b.xml") or b"second").startswith(b"second")


def test_a_flipped_bit_is_noticed() -> None:
    data = bytearray(pack({"a.xml": "text " * 100}))
    data[45] ^= 0x10
    archive = opened(bytes(data))
    archive.read("a.xml")
    assert archive.damaged


def test_no_archive_at_all() -> None:
    with pytest.raises(CorruptDocument):
        opened(b"not a ZIP file")


def test_the_head_of_a_member() -> None:
    archive = opened(pack({"picture.bin": b"abcdefgh" * 10_000}))
    assert archive.head("picture.bin", 8) == b"abcdefgh"
    assert archive.head("missing.bin") is None
