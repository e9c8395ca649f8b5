"""The fields of the index, and how an entry becomes one document of it. A change here needs a new VERSION."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import astuple, dataclass, field
from typing import Any

import tantivy
from tantivy import FieldType, Occur, Query

from evenhand.errors import UsageError
from evenhand.masking.stored import MASKS_VERSION
from evenhand.records.conversion import canonical_json, content_hash
from evenhand.records.profile import Evidence
from evenhand.search.analysis import ANALYZER, terms
from evenhand.search.criteria import NOT_STATED, Criteria, SkillCondition
from evenhand.search.features import VERSION as DIGEST_VERSION
from evenhand.search.features import ResumeFeatures
from evenhand.search.people import person_keys
from evenhand.search.query_language import (
    All,
    AnyOf,
    Degree,
    ExperienceCondition,
    Months,
    Node,
    Not,
    PhraseCondition,
    SearchText,
)
from evenhand.search.rankers.roles import VERSION as ROLES_VERSION

# What the index keeps of one application: enough to find, filter, count and show it without asking the store.


@dataclass(frozen=True, slots=True)
class EntryCard:
    """What a list shows of a candidate, with the places of each skill, so that no profile need be opened for it."""

    document: str = ""  # SHA-256 of the file
    content: int = 0  # revision at which text and facts last changed
    name: str | None = None
    file: str | None = None
    title: str | None = None
    employer: str | None = None
    form: Mapping[str, Any] = field(default_factory=dict)
    places: Mapping[str, tuple[Evidence, ...]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        places = {skill: [list(astuple(place)) for place in found] for skill, found in self.places.items()}
        return {name: getattr(self, name) for name in self.__slots__} | {"form": dict(self.form), "places": places}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> EntryCard:
        places = {skill: tuple(Evidence(*place) for place in found) for skill, found in value["places"].items()}
        return cls(**{**value, "places": places})


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One application. Unknown is None; `skills` pairs each canonical name with its months, None where undated."""

    application: str
    job: str
    revision: int
    text: str  # visible text of the resume
    digest: bytes
    source: str | None = None
    status: str | None = None
    degree: str | None = None
    city: str | None = None
    total_months: int | None = None
    relevant_months: int | None = None
    stated: tuple[str, ...] = ()  # of degree, city and total_months: what the applicant stated in a form
    skills: tuple[tuple[str, int | None], ...] = ()
    titles: tuple[str, ...] = ()
    employers: tuple[str, ...] = ()
    universities: tuple[str, ...] = ()
    contacts: tuple[str, ...] = ()  # e-mail addresses and phones, of the resume and of the form
    card: EntryCard = field(default_factory=EntryCard)
    flags: tuple[dict[str, str], ...] = ()
    masked: tuple[tuple[int, int], ...] | None = None  # stretches of the text, for who screens blind; None: all of it
    open_titles: tuple[str, ...] = ()  # without what is masked of them
    open_employers: tuple[str, ...] = ()
    contact_masked: tuple[tuple[int, int], ...] | None = None  # as `masked`, for who may see all but contact data
    named: tuple[str, ...] = ()  # what is masked for who screens blind, and shown to them

    @property
    def open_text(self) -> str:
        """Without what is masked."""
        if self.masked is None:
            return ""
        edges = [0, *(edge for span in self.masked for edge in span), len(self.text)]
        return "\n".join(self.text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True))

    def facts(self) -> str:
        """Everything but text and digest, as the index stores it."""
        facts = {name: getattr(self, name) for name in self.__slots__ if name not in ("text", "digest")}
        return canonical_json(facts | {"card": self.card.to_json()})

    def person_keys(self) -> list[str]:
        """Under which it is found by a name or contact that somebody types."""
        names = [name for name in (self.card.name, self.card.form.get("name")) if isinstance(name, str)]
        return person_keys(names, self.contacts)

    @classmethod
    def from_facts(cls, facts: dict[str, Any], text: str, digest: bytes) -> IndexEntry:
        names = (
            "stated",
            "titles",
            "employers",
            "universities",
            "contacts",
            "flags",
            "open_titles",
            "open_employers",
            "named",
        )
        lists: dict[str, Any] = {name: tuple(facts[name]) for name in names}
        skills = tuple((name, months) for name, months in facts["skills"])
        own: dict[str, Any] = {"skills": skills, "card": EntryCard.from_json(facts["card"])}
        for name in ("masked", "contact_masked"):
            own[name] = None if facts[name] is None else tuple((start, end) for start, end in facts[name])
        return cls(**{**facts, **lists, **own}, text=text, digest=digest)


VERSION = 3

FACET_FIELDS = ("source", "degree", "total_years", "relevant_years", "city", "status", "skill")
STATED_FIELDS = {"degree": "degree", "total_years": "total_months", "city": "city"}
"""Facets whose value may come from a form, each with the fact it is of."""
WORD_FIELDS = (
    *("title", "employer", "school", "city_words", "source_words", "status_words"),
    *("open_text", "open_title", "open_employer", "named_text"),
)
BANDS = (("0-1", 0, 11), ("1-3", 12, 35), ("3-5", 36, 59), ("5-10", 60, 119), ("10+", 120, None))
"""Years of experience as screeners tick them: first and last month, both included."""

_MAX_VALUE_LENGTH = 200  # characters; tantivy drops a raw value past 65,530 bytes, and with it a count
_MONTHS_BITS = 12
UNDATED = (1 << _MONTHS_BITS) - 1
_PROBE = "Node.js, C++ & C# (ASP.NET) engineers’ résumés: 3.5 years’ R&D at Łódź — the managing of managers"


def analyzer_signature() -> str:
    """Changes with the analyzer's name, with what it really does (an update of tantivy), the digests and the masks."""
    return (
        f"{ANALYZER}-{content_hash(terms(_PROBE))[:16]}-digest-{DIGEST_VERSION}-{ROLES_VERSION}-masks-{MASKS_VERSION}"
    )


def build_schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=True, tokenizer_name=ANALYZER)
    for name in WORD_FIELDS:
        builder.add_text_field(name, tokenizer_name=ANALYZER)
    for name in (*FACET_FIELDS, *map(stated_field, STATED_FIELDS)):
        builder.add_text_field(name, fast=True, tokenizer_name="raw", index_option="basic")
    for name in ("application", "job", "person"):
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
    return (value or "").strip()[:_MAX_VALUE_LENGTH] or NOT_STATED


def stated_field(facet: str) -> str:
    """The field with the facet's value of those only who stated it in a form."""
    return f"{facet}_stated"


def facet_values(entry: IndexEntry) -> dict[str, list[str]]:
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


def document(entry: IndexEntry, place: int) -> tantivy.Document:
    made = tantivy.Document()
    made.add_text("application", entry.application)
    made.add_text("job", entry.job)
    made.add_text("text", _encodable(entry.text))
    made.add_unsigned("place", place)
    made.add_unsigned("length", ResumeFeatures.from_bytes(entry.digest).length)
    made.add_bytes("facts", entry.facts().encode("utf-8", "replace"))
    for name, months in (("total_months", entry.total_months), ("relevant_months", entry.relevant_months)):
        if months is not None:
            made.add_unsigned(name, max(months, 0))
    several = {"title": entry.titles, "employer": entry.employers, "school": entry.universities}
    several |= {"open_text": (entry.open_text,), "open_title": entry.open_titles, "open_employer": entry.open_employers}
    several |= {"named_text": entry.named}
    single = {"city_words": entry.city, "source_words": entry.source, "status_words": entry.status}
    words = several | {name: (value,) for name, value in single.items() if value}
    facets = facet_values(entry)
    facets |= {stated_field(name): facets[name] for name, fact in STATED_FIELDS.items() if fact in entry.stated}
    for name, values in (*words.items(), *facets.items()):
        for value in values:
            made.add_text(name, _encodable(value))
    for key in entry.person_keys():
        made.add_text("person", _encodable(key))
    for skill, used in entry.skills:
        made.add_unsigned("skill_months", skill_code(skill, used))
    return made


def _encodable(text: str) -> str:
    """Half of a surrogate pair cannot be written as UTF-8; a question mark in its place keeps every offset."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


# Turns criteria and the conditions of a search text into tantivy queries, built part by part, never from a
# string.

_WORD_FIELDS = {"city": "city_words", "source": "source_words", "status": "status_words"}
MAX_EXPANSIONS = 256
"""Of a prefix: the terms that begin so, in alphabetical order. More say too little to search for."""


@dataclass(frozen=True, slots=True)
class Filter:
    """What has to hold: `always`, and apart from it what a count may leave out."""

    always: tuple[Query, ...]
    chosen: Mapping[str, Query]  # by facet
    skills: Mapping[SkillCondition, Query]
    key: Hashable  # equal for filters that let the same through

    def query(self, *, without: str | SkillCondition | None = None) -> Query:
        """Everything together; `without` leaves out one facet's own choice, or one skill condition."""
        chosen = [query for name, query in self.chosen.items() if name != without]
        skills = [query for condition, query in self.skills.items() if condition != without]
        return conjunction([*self.always, *skills, *chosen])


def conjunction(parts: Iterable[Query]) -> Query:
    listed = list(parts)
    if len(listed) == 1:
        return listed[0]
    return Query.boolean_query([(Occur.Must, part) for part in listed]) if listed else Query.all_query()


_OPEN_FIELDS = {None: "open_text", "title": "open_title", "employer": "open_employer"}


class HiddenWords:
    """For who may not see all: in whose resumes words stand only where they are masked, and so are not found.

    `told` remembers every answer, so that a ranking can be made again when masks have changed.
    """

    def __init__(self, find: Callable[[PhraseCondition], Iterable[str]], told: dict[str, list[str]]) -> None:
        self._find = find
        self.told = told

    def of(self, words: PhraseCondition) -> list[str]:
        """Ids of applications."""
        if words.where not in _OPEN_FIELDS:
            return []
        named = f"{words.text.casefold()}*" if words.prefix else " ".join(words.terms)
        key = f"{words.where or ''}:{named}"
        if key not in self.told:
            self.told[key] = sorted(self._find(words))
        return self.told[key]


class Conditions:
    """Bound to one state of the index, since a prefix stands for the terms that are there."""

    def __init__(self, schema: tantivy.Schema, searcher: tantivy.Searcher) -> None:
        self._schema = schema
        self._searcher = searcher

    def filter(self, criteria: Criteria, text: SearchText, hidden: HiddenWords | None = None) -> Filter:
        """Raises UsageError for a facet that does not exist."""
        always = [self.node(node, hidden) for node in text.conditions]
        if criteria.job is not None:
            always.append(self._term("job", criteria.job))
        chosen = {name: self._values(name, values) for name, values in criteria.facets.items() if values}
        skills = {condition: self.skill(condition) for condition in criteria.skills}
        ticked = tuple(sorted((name, tuple(sorted(set(values)))) for name, values in criteria.facets.items()))
        key = (criteria.job, text.conditions, ticked, criteria.skills, criteria.masked if hidden else ())
        return Filter(tuple(always), chosen, skills, key)

    def skill(self, condition: SkillCondition) -> Query:
        return self._months(condition.name, condition.at_least, condition.at_most)

    def words(self, words: PhraseCondition, hidden: HiddenWords | None = None) -> Query:
        query = self._words(words, _WORD_FIELDS.get(words.where or "text", words.where or "text"))
        if hidden and (ids := hidden.of(words)):
            without = Query.term_set_query(self._schema, "application", ids)
            return Query.boolean_query([(Occur.Must, query), (Occur.MustNot, without)])
        return query

    def only_masked(self, words: PhraseCondition, job: str, *, with_names: bool = False) -> Query:
        """The words stand in the resume, and nowhere that is shown to who screens blind, or sees names as well."""
        fields = [_OPEN_FIELDS[words.where], *(("named_text",) if with_names and words.where is None else ())]
        shown = [(Occur.MustNot, self._words(words, field)) for field in fields]
        return Query.boolean_query([(Occur.Must, self.words(words)), (Occur.Must, self._term("job", job)), *shown])

    def unmasked(self, words: PhraseCondition, job: str) -> Query:
        """The words stand in a resume for the job where they are shown to everybody."""
        shown = self._words(words, _OPEN_FIELDS[words.where])
        return Query.boolean_query([(Occur.Must, shown), (Occur.Must, self._term("job", job))])

    def _words(self, words: PhraseCondition, field: str) -> Query:
        if words.prefix:
            return Query.term_set_query(self._schema, field, self.expansions(words))
        if len(words.terms) == 1:
            return self._term(field, words.terms[0])
        return Query.phrase_query(self._schema, field, list(zip(words.positions, words.terms, strict=True)))

    def expansions(self, words: PhraseCondition) -> list[str]:
        """Terms that begin as typed. "programming*" also finds "program", the stem under which it is kept."""
        field = _WORD_FIELDS.get(words.where or "text", words.where or "text")
        typed = words.text.casefold()
        prefix = words.terms[0] if typed.startswith(words.terms[0]) else typed
        found = self._searcher.terms_with_prefix(field, prefix, limit=MAX_EXPANSIONS)
        return [term for term, _ in found]

    def node(self, node: Node, hidden: HiddenWords | None = None) -> Query:
        match node:
            case PhraseCondition():
                return self.words(node, hidden)
            case Months():
                return self._months(node.skill, node.least, node.most)
            case ExperienceCondition():
                return self._range(f"{node.kind}_months", node.least, node.most)
            case Degree():
                return Query.term_set_query(self._schema, "degree", list(node.levels))
            case Not():
                return Query.boolean_query(
                    [(Occur.Must, Query.all_query()), (Occur.MustNot, self.node(node.node, hidden))]
                )
            case All():
                return conjunction(self.node(part, hidden) for part in node.nodes)
            case AnyOf():
                return Query.boolean_query([(Occur.Should, self.node(part, hidden)) for part in node.nodes])

    def _values(self, facet: str, values: tuple[str, ...]) -> Query:
        if facet not in FACET_FIELDS:
            raise UsageError(f"There is no facet “{facet}”; there are {', '.join(FACET_FIELDS)}.")
        return Query.term_set_query(self._schema, facet, [facet_value(value) for value in values])

    def _months(self, skill: str, least: int | None, most: int | None) -> Query:
        undated_too = least is None and most is None
        low = skill_code(skill, least or 0)
        high = skill_code(skill, None if undated_too else UNDATED if most is None else most)
        return Query.range_query(self._schema, "skill_months", FieldType.Unsigned, low, high, use_inverted_index=True)

    def _range(self, field: str, least: int | None, most: int | None) -> Query:
        return Query.range_query(self._schema, field, FieldType.Unsigned, least or 0, most)

    def _term(self, field: str, value: str) -> Query:
        return Query.term_query(self._schema, field, value)
