"""The pen: what every part of the writer needs at hand (chance, style, the chosen form of each name)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from evenhand.corpora import lexicon
from evenhand.corpora.career import Career, Period, Use
from evenhand.corpora.manuscript import Run, Words
from evenhand.corpora.rng import chance
from evenhand.corpora.writing.dates import write_period
from evenhand.corpora.writing.forms import forms_of, uncapitalize
from evenhand.corpora.writing.grammar import agree, joiners
from evenhand.corpora.writing.mentions import Names
from evenhand.corpora.writing.style import Style

COMMON_NOUNS = frozenset(
    {"Electronic Medical Records", "Electronic Data Capture", "Laboratory Information Systems"}
)
_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_NUMBER = re.compile(r"<(\d+)-(\d+)>")
_TOKEN = re.compile(r"\w+|[^\w\s]")


def phrases() -> dict[str, dict[str, list[str]]]:
    return lexicon.table("writing/phrases.toml")


def tokens(words: Iterable[Run]) -> int:
    """Words and marks: the measure of all lengths here."""
    return sum(len(_TOKEN.findall(run.text)) for run in words)


@dataclass
class Pen:
    rng: Random
    style: Style
    career: Career
    names: Names  # of the person's skills in running text
    forms: dict[str, str] = field(default_factory=dict)  # the form of a skill this person prefers
    used: set[str] = field(default_factory=set)  # sentences already written: nobody says a thing twice

    def expand(self, text: str) -> str:
        """Settles the choices and numbers of a pattern, inner ones first."""
        while "[" in text:
            settled = _CHOICE.sub(lambda match: self.rng.choice(match[1].split("|")), text)
            if settled == text:
                break
            text = settled
        text = _NUMBER.sub(lambda match: str(self.rng.randint(int(match[1]), int(match[2]))), text)
        return agree(text)

    def pick(self, table: str, key: str) -> str:
        return self.expand(self.rng.choice(phrases()[table][key]))

    def skill(self, use: Use, of: str | None, *, in_text: bool = False, own_name: bool = False) -> Run:
        """A mention: mostly in the person's own form of the name, now and then in another.

        Inside a sentence activities lose their capitals; before a noun ("EKG recordings") only the name itself is safe.
        """
        name = use.skill
        if name not in self.forms or chance(self.rng, 0.12):
            self.forms[name] = self._draw_form(name)
        text = name if own_name else self.forms[name]
        if in_text and (not self.is_tool(name) or name in COMMON_NOUNS):
            text = uncapitalize(text)
        has_version = any(letter.isdigit() for letter in text)
        if use.version and not has_version and chance(self.rng, self.style.versions):
            text = f"{text} {use.version}"
        return Run(text, "skill", name, of=of)

    def is_tool(self, name: str) -> bool:
        return forms_of(name).is_tool

    def _draw_form(self, name: str) -> str:
        known = forms_of(name)
        wants_short = chance(self.rng, self.style.abbreviates)
        forms = (known.short if wants_short else known.long) or known.short or known.long or (name,)
        return name if name in forms and chance(self.rng, 0.5) else self.rng.choice(forms)

    def listing(self, runs: Sequence[Run], *, prose: bool = True, separator: str = ", ") -> Words:
        """Runs with commas between, and "and" before the last where it is prose."""
        between = joiners(len(runs), oxford=self.style.oxford) if prose else [separator] * (len(runs) - 1)
        words: list[Run] = []
        for place, run in enumerate(runs):
            if place:
                words.append(Run(between[place - 1]))
            words.append(run)
        return tuple(words)

    def period(self, period: Period, of: str, *, dates: str | None = None) -> Words:
        style = self.style
        return write_period(period, dates or style.dates, joint=style.joint, present=style.present, of=of)


def strip_runs(words: Sequence[Run]) -> Words:
    """Without empty runs, and neighbours without a label made one."""
    merged: list[Run] = []
    for run in words:
        if not run.text:
            continue
        last = merged[-1] if merged else None
        if (
            last
            and run.label is None
            and last.label is None
            and (last.bold, last.italic) == (run.bold, run.italic)
        ):
            merged[-1] = Run(last.text + run.text, bold=run.bold, italic=run.italic)
        else:
            merged.append(run)
    return tuple(merged)
