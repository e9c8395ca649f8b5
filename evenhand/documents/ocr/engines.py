"""Which engine reads scanned pages: Tesseract where it is installed, else the models of rapidocr-onnxruntime."""

from __future__ import annotations

from functools import lru_cache

from evenhand.documents.ocr.rapid import RapidOcr
from evenhand.documents.ocr.tesseract import Tesseract
from evenhand.documents.ocr.words import Engine
from evenhand.errors import UsageError

PREFERENCES = ("auto", "tesseract", "rapidocr", "off")


@lru_cache(maxsize=len(PREFERENCES))  # an engine keeps its models, which take half a second to load
def choose_engine(preference: str = "auto") -> Engine | None:
    """The engine for a preference; None when it is "off" or not installed."""
    if preference not in PREFERENCES:
        raise UsageError(f"OCR is one of {', '.join(PREFERENCES)}, not {preference!r}.")
    engine: Engine | None = None
    if preference in ("auto", "tesseract"):
        engine = Tesseract.find()
    if engine is None and preference in ("auto", "rapidocr"):
        engine = RapidOcr.find()
    return engine
