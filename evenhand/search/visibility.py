"""Through which eyes a candidate is seen: all, all but contact data, or blind. Applied to everything that is shown.

What is hidden never leaves here: names become pseudonyms, texts get tokens, and all offsets move along.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from evenhand.masking.masker import Masker
from evenhand.masking.masks import KINDS, MaskedText
from evenhand.masking.stored import ResumeMasks, StoredMasker
from evenhand.records import Evidence, Flag, Part, Result, Score, Snippet
from evenhand.search.criteria import Criteria
from evenhand.search.facets import Facets
from evenhand.search.index.schema import EntryCard, IndexEntry
from evenhand.search.masks import MasksOf
from evenhand.search.people import PERSON_KINDS
from evenhand.search.ranking import DUPLICATE
from evenhand.search.screener import MASKED_FIELDS, SearchHit

CONTACT = frozenset({"contact"})
BLIND = frozenset({"name", "contact", "photo", "age", "gender", "address"})
SCHOOL = frozenset({"school"})
ENDINGS = ("pdf", "docx", "doc", "odt", "rtf", "html", "htm", "txt")


@dataclass(frozen=True, slots=True)
class Visibility:
    """`kinds` of what is not to be seen; none for who may see all. Open visibility returns what it is given."""

    kinds: frozenset[str] = frozenset()

    @property
    def is_open(self) -> bool:
        return not self.kinds

    @property
    def is_blind(self) -> bool:
        return "name" in self.kinds

    @property
    def find_by(self) -> frozenset[str]:
        """What people may be looked up by."""
        return frozenset(PERSON_KINDS) - self.kinds

    def masker(self, text: str, masks: ResumeMasks) -> StoredMasker:
        """Knows one applicant: masks the resume, and cleans whatever else is written about its owner."""
        return StoredMasker(text, masks, self.kinds)

    def clean(self, text: str) -> str:
        """A text about nobody in particular: what looks like contact data goes, names that nobody told cannot."""
        return text if self.is_open else Masker("", kinds=self.kinds).clean(text)

    def name(self, application: str, name: str | None) -> str | None:
        return pseudonym(application) if self.is_blind else name

    def file(self, application: str, name: str | None) -> str | None:
        """A file's name mostly holds its owner's."""
        return f"{pseudonym(application)}{_ending(name)}" if self.is_blind and name is not None else name

    def numbered(self, number: int, name: str) -> str:
        """Of an upload, whose application nobody knows yet."""
        return f"File {number}{_ending(name)}" if self.is_blind else name

    def criteria(self, criteria: Criteria) -> Criteria:
        """The same, of somebody who sees so much: what is masked is not found either."""
        return replace(criteria, masked=tuple(kind for kind in KINDS if kind in self.kinds))

    def facets(self, facets: Facets) -> Facets:
        """Where a person's town is not to be seen, neither is the facet that tells it."""
        if self.is_open:
            return facets
        visible = tuple(facet for facet in facets.facets if MASKED_FIELDS.get(facet.name) not in self.kinds)
        return replace(facets, facets=visible)

    def listed(self, listed: SearchHit, masks: MasksOf) -> SearchHit:
        return listed if self.is_open else self.seen(listed, self.masker_of(listed.entry, masks))

    def masker_of(self, entry: IndexEntry, masks: MasksOf) -> StoredMasker:
        return self.masker(entry.text, masks(entry.application, entry.card.content))

    def seen(self, listed: SearchHit, masker: Masker) -> SearchHit:
        """As `listed`, for who needs the masker for other texts too."""
        return SearchHit(self.result(listed.result, listed.entry, masker), self.entry(listed.entry, masker))

    def result(self, result: Result, entry: IndexEntry, masker: Masker) -> Result:
        if self.is_open:
            return result
        snippets = (_snippet(snippet, entry.text, masker.masked) for snippet in result.snippets)
        return replace(
            result,
            candidate=self.name(entry.application, result.candidate),
            file=self._file(entry.application, result.file, masker),
            score=_score(result.score, masker),
            matched=tuple(
                replace(match, evidence=_masked_places(match.evidence, masker.masked)) for match in result.matched
            ),
            flags=self.flags(result.flags, masker),
            snippets=tuple(snippet for snippet in snippets if snippet),
        )

    def flags(self, flags: Sequence[Flag], masker: Masker) -> tuple[Flag, ...]:
        """Cleaned. A duplicate's message names other people, whom this masker does not know."""
        messages = masker.clean_all([flag.message for flag in flags])
        return tuple(
            Flag(flag.code, _ANOTHER if self.is_blind and flag.code == DUPLICATE else message)
            for flag, message in zip(flags, messages, strict=True)
        )

    def entry(self, entry: IndexEntry, masker: Masker) -> IndexEntry:
        """What the index tells of an application. Its digest, which nobody looks at, is left out."""
        if self.is_open:
            return entry
        clean = masker.clean_all
        return replace(
            entry,
            text=masker.masked.text,
            digest=b"",
            city=None if "address" in self.kinds else entry.city,
            stated=tuple(name for name in entry.stated if name != "city" or "address" not in self.kinds),
            titles=tuple(clean(entry.titles)),
            employers=tuple(clean(entry.employers)),
            universities=() if "school" in self.kinds else tuple(clean(entry.universities)),
            contacts=(),
            named=(),
            card=self._card(entry, masker),
            flags=tuple(flag.to_json() for flag in self.flags([Flag(**flag) for flag in entry.flags], masker)),
        )

    def _card(self, entry: IndexEntry, masker: Masker) -> EntryCard:
        """Form data are what their owner typed in about themselves: they are left out."""
        card = entry.card
        return replace(
            card,
            title=masker.clean(card.title) if card.title else card.title,
            employer=masker.clean(card.employer) if card.employer else card.employer,
            name=self.name(entry.application, card.name),
            file=self._file(entry.application, card.file, masker),
            form={},
            places={skill: _masked_places(places, masker.masked) for skill, places in card.places.items()},
        )

    def _file(self, application: str, name: str | None, masker: Masker) -> str | None:
        visible = self.file(application, name)
        return masker.clean(visible) if visible and not self.is_blind else visible


OPEN = Visibility()
CONTACT_ONLY = Visibility(CONTACT)
_ANOTHER = "Shares much of its text, contact lines apart, with another resume."


def blind(*, schools: bool = False) -> Visibility:
    return Visibility(BLIND | SCHOOL) if schools else Visibility(BLIND)


def visibility_for(*, role: str, blind: bool, schools: bool = False) -> Visibility:
    """Auditors see no contact data; who screens blind sees nothing that tells who somebody is."""
    kinds = CONTACT if role == "auditor" else frozenset()
    if blind:
        kinds |= BLIND | (SCHOOL if schools else frozenset())
    return Visibility(kinds)


def pseudonym(application: str) -> str:
    """The same on every page and in every export, and telling nothing: ids are random."""
    return f"Candidate {application[:6].upper()}"


def _ending(name: str) -> str:
    """With its dot, where it is one that files have: whatever else follows a dot may be a name."""
    ending = name.rpartition(".")[2].lower()
    return f".{ending}" if "." in name and ending in ENDINGS else ""


def _score(score: Score, masker: Masker) -> Score:
    """Reasons quote titles and fields of study. The names of parts are those of all results and stay."""
    reasons = iter(masker.clean_all([part.reason for part in score.parts if part.reason]))
    return Score(
        tuple(Part(part.name, part.value, next(reasons) if part.reason else part.reason) for part in score.parts)
    )


def _masked_places(places: Iterable[Evidence], masked: MaskedText) -> tuple[Evidence, ...]:
    """The same places in the masked text."""
    spans = ((place, masked.place(place.start, place.end)) for place in places)
    return tuple(replace(place, start=start, end=end) for place, (start, end) in spans)


def _snippet(snippet: Snippet, text: str, masked: MaskedText) -> Snippet | None:
    """The same stretch of the masked text, with whole tokens at its ends.

    A highlight that touches what is masked goes: it would tell that a word searched for is behind the token. So does
    a snippet that has no other, or that is not found in the text.
    """
    begin, end = snippet.start, snippet.start + len(snippet.text)
    visible = [mark for mark in snippet.highlights if not masked.hides(begin + mark[0], begin + mark[1])]
    if text[begin:end] != snippet.text or (snippet.highlights and not visible):
        return None
    first, last = masked.place(begin, end)
    places = [masked.place(begin + start, begin + stop) for start, stop in visible]
    return Snippet(masked.text[first:last], tuple((start - first, stop - first) for start, stop in places), first)
