"""Through which eyes a candidate is seen: all, all but contact data, or blind. Applied to everything that is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from evenhand.masking import Masked, Masker
from evenhand.records import Flag, Profile, Result, Snippet
from evenhand.search.facets import Facets
from evenhand.search.index import Entry
from evenhand.workflows.screening import Listed, Screen

CONTACT = frozenset({"contact"})
BLIND = frozenset({"name", "contact", "photo", "age", "gender", "address"})
SCHOOL = frozenset({"school"})
Profiles = Callable[[str], Profile | None]
"""By the hash of a document, what was mined from it."""


@dataclass(frozen=True, slots=True)
class Lens:
    """`kinds` of what is not to be seen; none for who may see all."""

    kinds: frozenset[str] = frozenset()

    @property
    def is_open(self) -> bool:
        return not self.kinds

    @property
    def is_blind(self) -> bool:
        return "name" in self.kinds

    def masker(
        self,
        text: str,
        profile: Profile | None,
        *,
        form: Mapping[str, Any] | None = None,
        file: str | None = None,
    ) -> Masker:
        return Masker(text, profile, kinds=self.kinds, form=form, file=file)

    def masked(self, text: str, profile: Profile | None, *, form: Mapping[str, Any] | None = None) -> Masked:
        """The text as it is to be seen, and where places of the original are in it."""
        return Masked(text) if self.is_open else self.masker(text, profile, form=form).masked

    def name(self, application: str, name: str | None) -> str | None:
        return pseudonym(application) if self.is_blind else name

    def file(self, application: str, name: str | None) -> str | None:
        """A file's name mostly holds its owner's."""
        if not self.is_blind or name is None:
            return name
        ending = name.rpartition(".")[2] if "." in name else ""
        return (
            f"{pseudonym(application)}.{ending}"
            if ending.isalnum() and len(ending) <= 5
            else pseudonym(application)
        )

    def screen(self, screen: Screen, profiles: Profiles) -> Screen:
        """A page of the list. Where a person's town is not to be seen, neither is the facet that tells it."""
        if self.is_open:
            return screen
        listed = tuple(self.listed(each, profiles) for each in screen.listed)
        return replace(screen, listed=listed, facets=self.facets(screen.facets))

    def facets(self, facets: Facets) -> Facets:
        hidden = {"city"} if "address" in self.kinds else set()
        return replace(facets, facets=tuple(each for each in facets.facets if each.name not in hidden))

    def listed(self, listed: Listed, profiles: Profiles) -> Listed:
        if self.is_open:
            return listed
        entry, card = listed.entry, listed.entry.card
        profile = profiles(card["document"]) if card.get("document") else None
        masker = self.masker(entry.text, profile, form=card.get("form"), file=card.get("file"))
        return Listed(self._result(listed.result, entry, masker), self._entry(entry, masker))

    def _result(self, result: Result, entry: Entry, masker: Masker) -> Result:
        return replace(
            result,
            candidate=self.name(entry.application, result.candidate),
            file=self.file(entry.application, result.file),
            flags=tuple(Flag(flag.code, masker.clean(flag.message)) for flag in result.flags),
            snippets=tuple(_snippet(each, entry.text, masker.masked) for each in result.snippets),
        )

    def _entry(self, entry: Entry, masker: Masker) -> Entry:
        card = {
            **entry.card,
            "name": self.name(entry.application, entry.card.get("name")),
            "file": self.file(entry.application, entry.card.get("file")),
            "form": {},
        }
        return replace(
            entry,
            text=masker.masked.text,
            city=None if "address" in self.kinds else entry.city,
            universities=() if "school" in self.kinds else entry.universities,
            card=card,
        )


OPEN = Lens()
CONTACT_ONLY = Lens(CONTACT)


def blind(*, schools: bool = False) -> Lens:
    return Lens(BLIND | SCHOOL) if schools else Lens(BLIND)


def lens_for(*, role: str, blind: bool, schools: bool = False) -> Lens:
    """Auditors see no contact data; who screens blind sees nothing that tells who somebody is."""
    kinds = CONTACT if role == "auditor" else frozenset()
    if blind:
        kinds |= BLIND | (SCHOOL if schools else frozenset())
    return Lens(kinds)


def pseudonym(application: str) -> str:
    """The same on every page and in every export, and telling nothing."""
    return f"Candidate {application[:6].upper()}"


def _snippet(snippet: Snippet, text: str, masked: Masked) -> Snippet:
    """The same stretch of the masked text; a highlight that touches what is masked goes."""
    begin, end = snippet.start, snippet.start + len(snippet.text)
    if text[begin:end] != snippet.text:  # a fragment that was shortened cannot be looked up in the text
        return Snippet("", (), begin)
    first, last = masked.place(begin, end)
    highlights = tuple(
        (start - first, stop - first)
        for start, stop in (
            masked.place(begin + one, begin + other)
            for one, other in snippet.highlights
            if not masked.hides(begin + one, begin + other)
        )
    )
    return Snippet(masked.text[first:last], highlights, first)
