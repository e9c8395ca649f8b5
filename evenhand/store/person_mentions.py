"""Where somebody who is to be erased is named in what others wrote: searches, notes, tags, reasons and sources.

Searches in which the person is named are forgotten. What people wrote about other applicants belongs to those and
stays; it is counted for the certificate, and the page that erases says where it is.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import unquote_plus

from sqlalchemy import Connection, Row, Select, and_, delete, select, update

from evenhand.mining.lexicon.skills import skills
from evenhand.records import Profile
from evenhand.store.applications import refusals
from evenhand.store.base import pages
from evenhand.store.decisions import decisions
from evenhand.store.imports import imports
from evenhand.store.jobs import saved_searches
from evenhand.store.ledger_append import forget_openings, ledger, mentions, openings
from evenhand.store.mined import OWN_PROFILE, mined_documents, mined_profiles, with_mined
from evenhand.store.notes import flag_overrides, notes, tags
from evenhand.store.retention import holds
from evenhand.store.tables import applications, candidates, unpack
from evenhand.store.watchlist import watch_entries
from evenhand.text import folding
from evenhand.text.names import doubtful_names, lexicon_text

ERASED = "(erased)"
MIN_LENGTH = 6  # characters: a shorter name or address would be found inside words that are about nobody
MIN_WORD_LENGTH = 3  # letters of a part of the name that is looked for by itself
STEP = 500
CRITERIA = "criteria"  # the sealed search of a ranking or an export

WRITTEN = {
    "notes": notes.c.text,
    "tags": tags.c.tag,
    "reasons": decisions.c.reason,
    "flags": flag_overrides.c.reason,
    "holds": holds.c.reason,
    "sources": applications.c.source,
}
"""What people write beside an application, by the name it has on the certificate."""
UNOWNED = {"refused files": (refusals.c.file,), "watch lists": (watch_entries.c.name, watch_entries.c.note)}
"""What is about no application and may name somebody."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A place that is about somebody else and names the person."""

    kind: str  # of WRITTEN
    application: str


@dataclass(frozen=True, slots=True)
class PersonNames:
    """How somebody may be named: by the whole name or an address, or by one word of the name."""

    whole: frozenset[str]
    words: frozenset[str]
    ordinary: frozenset[str]  # words of the name that are also trades, skills, months, places: they prove nothing

    @classmethod
    def of(cls, connection: Connection, row: Row[Any]) -> PersonNames:
        names, addresses = identity_of(connection, row)
        parts = {
            key
            for name in names
            for word in folding.words(name)
            for key in folding.spellings(name[word.start : word.end])
            if len(key) >= MIN_WORD_LENGTH
        }
        ordinary = {part for part in parts if part in _ordinary_words() or skills().get(part) is not None}
        whole = {name.casefold() for name in (*names, *addresses) if len(name) >= MIN_LENGTH}
        return cls(frozenset(whole), frozenset(parts - ordinary), frozenset(ordinary))

    def in_text(self, text: str) -> bool:
        folded = text.casefold()
        return any(name in folded for name in self.whole) or not self.words.isdisjoint(_keys(text))

    def perhaps_in_text(self, text: str) -> bool:
        return not self.ordinary.isdisjoint(_keys(text))


def identity_of(connection: Connection, row: Row[Any]) -> tuple[list[str], list[str]]:
    """Names and addresses, as the resume and the form give them."""
    names, addresses = [], []
    columns = OWN_PROFILE.label("profile"), mined_profiles.c.profile.label("read"), mined_documents.c.text
    query = with_mined(select(*columns).select_from(applications))
    mined = connection.execute(query.where(applications.c.id == row.id)).one()
    for packed in dict.fromkeys((mined.profile, mined.read)):
        if packed is not None:
            profile = Profile.from_json(json.loads(unpack(packed)), unpack(mined.text))
            addresses += [fact.value for fact in (*profile.emails, *profile.phones, *profile.links)]
            names += [profile.name.value] if profile.name else []
    form = connection.execute(select(candidates.c.form).where(candidates.c.id == row.candidate)).scalar_one()
    for key, value in form.items():
        if isinstance(value, str) and "name" in key.casefold():
            names.append(value)
        elif isinstance(value, str) and any(word in key.casefold() for word in ("mail", "phone")):
            addresses.append(value)
    return names, addresses


def forget_searches(connection: Connection, names: PersonNames) -> tuple[int, list[tuple[int, str]]]:
    """Searches somebody typed or saved in which the person is named: how many, and the sealed values of the typed."""
    query = select(saved_searches.c.id, saved_searches.c.name, saved_searches.c.query)
    saved = [
        search.id
        for search in connection.execute(query)
        if names.in_text(f"{search.name}\n{unquote_plus(search.query)}")
    ]
    for id in saved:
        connection.execute(delete(saved_searches).where(saved_searches.c.id == id))
    typed = []
    for sequence in [sequence for sequence, words in _typed(connection) if names.in_text(words)]:
        # With all that lies beside it: the words of a search are also among the statistics it asked for.
        same = and_(openings.c.sequence == sequence, openings.c.application.is_(None))
        typed += forget_openings(connection, same)
    return len(saved) + len({sequence for sequence, _ in typed}), typed


def empty_sources(connection: Connection, names: PersonNames) -> None:
    """Of imports: which applicants one brought is known by its files only."""
    rows = connection.execute(select(imports.c.id, imports.c.source).where(imports.c.source.is_not(None))).all()
    for row in rows:
        if names.in_text(row.source):
            connection.execute(update(imports).where(imports.c.id == row.id).values(source=ERASED))


def open_sources(connection: Connection, application: str) -> int:
    """Events of version 0.1.0 say in clear where an application came from, and nothing in the chain can be changed."""
    query = select(ledger.c.body).join(mentions, mentions.c.sequence == ledger.c.sequence)
    rows = connection.scalars(query.where(mentions.c.application == application, ledger.c.kind == "ingest"))
    return sum(bool(json.loads(body).get("source")) for body in rows)


def other_mentions(connection: Connection, names: Sequence[PersonNames], ids: Sequence[str]) -> Iterator[Mention]:
    """In what was written about other applications than `ids`. Everything that was ever written is looked through."""
    for kind, column in WRITTEN.items():
        owner = column.table.c["id" if column.table is applications else "application"]
        query = select(owner, column).where(column.is_not(None), owner.notin_(list(ids)))
        for application, text in connection.execute(query):
            if any(person.in_text(text) for person in names):
                yield Mention(kind, application)


def remaining(connection: Connection, names: Sequence[PersonNames]) -> Counter[str]:
    """After an erasure: how often the person may still be named, by kind."""
    counts = Counter(mention.kind for mention in other_mentions(connection, names, ()))
    for kind, columns in UNOWNED.items():
        for row in connection.execute(select(*columns)):
            # Names of files have signs where others have blanks.
            text = " ".join(filter(None, row)).replace("_", " ")
            counts[kind] += any(person.in_text(text) for person in names)
    ordinary = [person for person in names if person.ordinary]
    if ordinary:
        queries = connection.scalars(select(saved_searches.c.query))
        texts = (*map(unquote_plus, queries), *(words for _, words in _typed(connection)))
        counts["searches"] = sum(any(person.perhaps_in_text(text) for person in ordinary) for text in texts)
    return +counts


def _typed(connection: Connection) -> Iterator[tuple[int, str]]:
    """By event, the words of every search on record that is nobody's in particular."""
    query = select(openings.c.sequence, openings.c.value).where(
        openings.c.name == CRITERIA, openings.c.application.is_(None)
    )

    def read(query: Select[Any]) -> Sequence[Row[Any]]:
        return connection.execute(query).all()

    for rows in pages(read, query, openings.c.sequence, after=0, size=STEP):
        for row in rows:
            yield row.sequence, "\n".join(_strings(json.loads(unpack(row.value))))


def _strings(value: Any) -> Iterator[str]:
    """Without the names of fields, which somebody may be called as well."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)


def _keys(text: str) -> set[str]:
    return {word.key for word in folding.words(text)}


@cache
def _ordinary_words() -> frozenset[str]:
    lexicon: dict[str, str] = tomllib.loads(lexicon_text("name_words.toml"))
    listed = (lexicon[name].split() for name in ("months", "weekdays", "places", "common", "particles", "occupations"))
    return frozenset(folding.fold(word) for words in (*listed, doubtful_names()) for word in words)
