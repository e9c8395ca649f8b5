from __future__ import annotations

import shutil

import pytest

from evenhand.documents.ocr.engines import choose_engine
from evenhand.errors import UsageError


def name_of(preference: str) -> str | None:
    engine = choose_engine(preference)
    return engine.name if engine else None


def test_auto_prefers_tesseract_where_it_is_installed() -> None:
    assert name_of("auto") == ("tesseract" if shutil.which("tesseract") else "rapidocr")


def test_a_named_engine_is_that_one_or_none() -> None:
    assert name_of("rapidocr") == "rapidocr"
    assert name_of("tesseract") == ("tesseract" if shutil.which("tesseract") else None)
    assert name_of("off") is None


def test_without_the_program_auto_falls_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    choose_engine.cache_clear()
    try:
        assert (name_of("auto"), name_of("tesseract")) == ("rapidocr", None)
    finally:
        choose_engine.cache_clear()


def test_an_unknown_preference_is_refused() -> None:
    with pytest.raises(UsageError, match="auto, tesseract, rapidocr, off, not 'abbyy'"):
        choose_engine("abbyy")
