"""The fuzzer's damage: repeatable, never failing itself, and deep inside the formats it knows."""

from __future__ import annotations

import io
import zipfile
import zlib
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand_lab.benchmarks.reading import fuzz
from evenhand_lab.benchmarks.reading.fuzz import BLIND, OF_PDF, OF_RTF, OF_XML, OF_ZIP, Mutation, mutate

ALL = sorted({*BLIND, *OF_PDF, *OF_RTF, *OF_XML, *OF_ZIP}, key=lambda mutation: mutation.__name__)
XML = b'<?xml version="1.0"?><w:p w:x="1"><w:t>Ada</w:t></w:p>'
PDF = b"%PDF-1.4\n1 0 obj << /Length 20 >>\nstream\n" + zlib.compress(b"1 0 0 1 72 700 Tm") + b"\nendstream endobj"
RTF = b"{\\rtf1\\ansi\\fs24 Ada\\par}"


def zipped(**members: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


@pytest.mark.parametrize("mutation", ALL)
@given(data=st.binary(max_size=2000) | st.sampled_from([XML, PDF, RTF]), seed=st.integers())
def test_no_damage_fails_on_any_input(mutation: Mutation, data: bytes, seed: int) -> None:
    assert isinstance(mutation(data, Random(seed)), bytes)


def test_same_seed_gives_the_same_damage() -> None:
    for data in (XML, PDF, RTF, zipped(a=XML, b=b"x")):
        first = [mutate(data, PDF, Random(f"7:{number}")) for number in range(50)]
        second = [mutate(data, PDF, Random(f"7:{number}")) for number in range(50)]
        assert first == second
        assert len(set(first)) > 25


def test_damaged_archives_keep_right_checksums() -> None:
    data = zipped(**{"word/document.xml": XML * 20, "b.xml": XML})
    for number in range(50):
        damaged = fuzz.damage_member(data, Random(number))
        with zipfile.ZipFile(io.BytesIO(damaged)) as archive:
            assert archive.testzip() is None
            contents = {name: archive.read(name) for name in archive.namelist()}
        assert contents.keys() == {"word/document.xml", "b.xml"}


def test_damaged_streams_still_unpack() -> None:
    unpacked = set()
    for number in range(50):
        damaged = fuzz.damage_stream(PDF, Random(number))
        body = damaged.split(b"stream\n", 1)[1].rsplit(b"\nendstream", 1)[0]
        unpacked.add(zlib.decompress(body))
    assert len(unpacked) > 25


def test_entities_come_after_the_declaration() -> None:
    damaged = fuzz.declare_entities(XML, Random(1))
    assert damaged.startswith(b'<?xml version="1.0"?><!DOCTYPE r ')


def test_nesting_is_deep() -> None:
    depths = {fuzz.nest_elements(XML, Random(number)).count(b"<w:t>") for number in range(60)}
    assert 5001 in depths


def test_damage_fits_the_format() -> None:
    assert fuzz.mutations_for(zipped(a=b""))[-1] in OF_ZIP
    assert fuzz.mutations_for(PDF)[-1] in OF_PDF
    assert fuzz.mutations_for(RTF)[-1] in OF_RTF
    assert fuzz.mutations_for(XML)[-1] in OF_XML
    assert fuzz.mutations_for(b"plain text") == BLIND
