"""The fields of the index, and how an entry becomes one document of it. A change here needs a new VERSION."""

from __future__ import annotations

import hashlib

import tantivy

from evenhand.records.canonical import content_hash
from evenhand.search.analysis import ANALYZER, terms
from evenhand.search.criteria import NOT_STATED
from evenhand.search.digest import Digest
from evenhand.search.digest.record import VERSION as DIGEST_VERSION
from evenhand.search.index.entry import Entry

VERSION = 1

FACET_FIELDS = ("source", "degree", "total_years", "relevant_years", "city", "status", "skill")
WORD_FIELDS = ("title", "employer", "school", "city_words", "source_words", "status_words")
BANDS = (("0-1", 0, 11), ("1-3", 12, 35), ("3-5", 36, 59), ("5-10", 60, 119), ("10+", 120, None))
"""Years of experience as screeners tick them: first and last month, both included."""

_LONGEST_VALUE = 200  # characters; tantivy drops a raw value past 65,530 bytes, and with it a count
_MONTHS_BITS = 12
UNDATED = (1 << _MONTHS_BITS) - 1
_PROBE = "Node.js, C++ & C# (ASP.NET) engineers’ résumés: 3.5 years’ R&D at Łódź — the managing of managers"


def analyzer_signature() -> str:
    """Changes with the analyzer's name, with what it really does (an update of tantivy), and with the digests."""
    return f"{ANALYZER}-{content_hash(terms(_PROBE))[:16]}-digest-{DIGEST_VERSION}"


def build_schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=True, tokenizer_name=ANALYZER)
    for name in WORD_FIELDS:
        builder.add_text_field(name, tokenizer_name=ANALYZER)
    for name in FACET_FIELDS:
        builder.add_text_field(name, fast=True, tokenizer_name="raw", index_option="basic")
    for name in ("application", "job"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    # A skill and its months in one number, so that "java for at least 36 months" is one stretch of the term
    # dictionary. (A JSON field would make a column per skill, and its ranges cannot be built without a parser.)
    builder.add_unsigned_field("skill_months", indexed=True)
    builder.add_unsigned_field("total_months", indexed=True, fast=True)
    builder.add_unsigned_field("relevant_months", indexed=True, fast=True)
    builder.add_unsigned_field("length", fast=True)  # of the text, in terms
    builder.add_unsigned_field("place", indexed=True, fast=True, stored=True)  # of the digest in its file
    builder.add_bytes_field("facts", stored=True)
    return builder.build()


def skill_code(name: str, months: int | None) -> int:
    """The skill's hash and its months. Case and spacing do not matter; undated comes after every number."""
    folded = " ".join(name.casefold().split())
    number = int.from_bytes(hashlib.blake2b(folded.encode("utf-8", "replace"), digest_size=6).digest())
    return number << _MONTHS_BITS | (UNDATED if months is None else min(max(months, 0), UNDATED - 1))


def band(months: int | None) -> str:
    if months is None:
        return NOT_STATED
    return next(name for name, _, last in BANDS if last is None or months <= last)


def facet_value(value: str | None) -> str:
    return (value or "").strip()[:_LONGEST_VALUE] or NOT_STATED


def facet_values(entry: Entry) -> dict[str, list[str]]:
    """What the entry counts as in each facet: one value, and as many skills as it has."""
    return {
        "source": [facet_value(entry.source)],
        "degree": [facet_value(entry.degree)],
        "total_years": [band(entry.total_months)],
        "relevant_years": [band(entry.relevant_months)],
        "city": [facet_value(entry.city)],
        "status": [facet_value(entry.status)],
        "skill": sorted({facet_value(name) for name, _ in entry.skills}) or [NOT_STATED],
    }


def document(entry: Entry, place: int) -> tantivy.Document:
    made = tantivy.Document()
    made.add_text("application", entry.application)
    made.add_text("job", entry.job)
    made.add_text("text", _encodable(entry.text))
    made.add_unsigned("place", place)
    made.add_unsigned("length", Digest.from_bytes(entry.digest).length)
    made.add_bytes("facts", entry.facts().encode("utf-8", "replace"))
    for name, months in (("total_months", entry.total_months), ("relevant_months", entry.relevant_months)):
        if months is not None:
            made.add_unsigned(name, max(months, 0))
    _add_words(made, entry)
    for name, values in facet_values(entry).items():
        for value in values:
            made.add_text(name, _encodable(value))
    for skill, used in entry.skills:
        made.add_unsigned("skill_months", skill_code(skill, used))
    return made


def _add_words(made: tantivy.Document, entry: Entry) -> None:
    several = {"title": entry.titles, "employer": entry.employers, "school": entry.universities}
    single = {"city_words": entry.city, "source_words": entry.source, "status_words": entry.status}
    for name, values in (several | {name: (value,) for name, value in single.items() if value}).items():
        for value in values:
            made.add_text(name, _encodable(value))


def _encodable(text: str) -> str:
    """Half of a surrogate pair cannot be written as UTF-8; a question mark in its place keeps every offset."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text
