"""Licences, registrations, certificates and clearances by every form people write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from evenhand.mining.lexicon.phrases import Phrases, both_apostrophes, key_of, lines
from evenhand.text.tokens import Tokens

CONTEXT_WORDS = 5  # on either side of an ambiguous form, among which one must speak of licences
PROOF = re.compile(
    r"licen[cs]|certif|registr|registered|credential|accredit|admitted|designation|permit$|endorse|clearance",
    re.IGNORECASE,
)
"""A word by which what stands near it is known to be a licence."""


@dataclass(frozen=True, slots=True)
class LicenceForm:
    written: str
    in_capitals: bool  # "RN" is one, "rn" is none
    ambiguous: bool  # only with a word of PROOF beside it


@dataclass(frozen=True)
class LicenceLexicon:
    forms: dict[str, tuple[LicenceForm, ...]]  # by name, the name itself first

    @cached_property
    def _known(self) -> dict[str, tuple[str, LicenceForm]]:
        return {
            key: (name, form)
            for name, forms in self.forms.items()
            for form in forms
            for key in both_apostrophes(key_of(form.written))
        }

    @cached_property
    def _phrases(self) -> Phrases:
        return Phrases({key: key for key in self._known})

    def find(self, tokens: Tokens) -> Iterator[tuple[int, int, str]]:
        """First token, the one behind the last, and name of each licence that is meant."""
        lower = [word.lower() for word in tokens.words]
        for first, last, key in self._phrases.find(lower):
            name, form = self._known[key]
            if form.in_capitals and not all(word.isupper() for word in tokens.words[first:last] if word.isalpha()):
                continue
            if not form.ambiguous or has_proof(tokens.words, first, last):
                yield first, last, name

    def get(self, written: str) -> str | None:
        """The name that a whole phrase stands for, whatever is around it."""
        name, form = self._known.get(key_of(written), (None, None))
        is_meant = form and not form.ambiguous and (not form.in_capitals or written.isupper() or " " in written)
        return name if is_meant else None


def has_proof(words: Sequence[str], first: int, last: int) -> bool:
    near = (*words[max(0, first - CONTEXT_WORDS) : first], *words[last : last + CONTEXT_WORDS])
    return any(PROOF.match(word) for word in near)


@cache
def licences() -> LicenceLexicon:
    """Those of licences.txt."""
    forms: dict[str, tuple[LicenceForm, ...]] = {}
    for line in lines("licences.txt"):
        name, *others = line.split(" | ")
        forms[name] = (LicenceForm(name, False, False), *map(_form, others))
    return LicenceLexicon(forms)


def _form(written: str) -> LicenceForm:
    bare = written.removeprefix("?")
    capitals = "".join(char for char in bare.split(" ")[0] if char.isalpha())
    return LicenceForm(bare, capitals.isupper(), written[0] == "?")
