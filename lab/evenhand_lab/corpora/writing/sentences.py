"""Sentences about work: duties, tools and what came of them, in the tense and person of the writer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import CareerSkill
from evenhand_lab.corpora.lexicon import chance, weighted
from evenhand_lab.corpora.manuscript import TextRun, Words, fact, join
from evenhand_lab.corpora.writing.dates import forms_of
from evenhand_lab.corpora.writing.grammar import capitalize, conjugate, joiners, load_verbs, mark_mentions, to_base
from evenhand_lab.corpora.writing.pen import Pen, phrases, strip_runs, tokens

HALF_SENTENCE = 8  # tokens
MAX_GENERAL = 7
"""Sentences about work in general per job; more would sound hollow."""
BARE = frozenset({"exceed", "become", "raise", "contribute", "complete", "volunteer", "receive"})
"""Verbs of duties that are told as they are; so are those about hours of work."""
PARTICLES = frozenset({"with", "out", "up", "for", "in", "on", "and", "or", "to", "as", "that"})
FUNCTION_WORDS = frozenset({"and", "or", "as", "under", "into", "through", "while", "before"})  # besides prepositions
_SLOT = re.compile(r"\{([^{}]+)\}")
_MARK = "\x00{}\x01"  # a skill's place in a phrase while its verbs are put into a tense
_PLACE = re.compile("\x00(\\d+)\x01")


@dataclass(frozen=True, slots=True)
class SentenceScene:
    """The job or project the sentences are about."""

    of: str | None
    is_past: bool
    uses: tuple[CareerSkill, ...]
    duties: tuple[str, ...]
    voice: str  # past, present, gerund
    years: tuple[int, int] | None = None  # in which it began and ended
    city: str | None = None


@cache
def common_phrases(kind: str, file: str, *tables: str) -> tuple[str, ...]:
    """Those of the tables of a lexicon that fit anybody; in IT its own too, each twice as likely as another."""
    lists = lexicon.table(file)
    names = (*tables, "it", "it") if kind == "it" else tables
    return tuple(text for name in names for text in lists[name])


@cache
def tails_for(verb: str, kind: str) -> tuple[str, ...]:
    """What may follow a duty that begins with this verb: what came of it, how much there was of it."""
    entries = lexicon.table("writing/phrases.toml")["tails"]
    fitting = [entry for entry in entries if verb in entry["verbs"] and kind in entry.get("kinds", [kind])]
    return tuple(text for entry in fitting for text in entry["texts"])


def vary_verb(rng: Random, phrase: str) -> str:
    """Another verb of the same meaning at the head, where no preposition belongs to the old one."""
    words = phrase.split(" ", 2)
    for count in (2, 1):
        opening = " ".join(words[:count])
        rest = phrase[len(opening) + 1 :]
        group = next((verbs for verbs in load_verbs().groups if opening in verbs), ())
        if group and rest and rest.split(" ")[0] not in PARTICLES:
            return f"{rng.choice(group)} {rest}"
    return phrase


def is_bare(phrase: str) -> bool:
    return phrase.split(" ", 1)[0] in BARE or " hours " in phrase


class Composer:
    """Writes the sentences of one scene, using up its duties and tools."""

    def __init__(self, pen: Pen, scene: SentenceScene) -> None:
        self.pen = pen
        self.rng = pen.rng
        self.scene = scene
        self.duties = list(scene.duties)
        self.rng.shuffle(self.duties)
        self.tools = list(scene.uses)
        self.rng.shuffle(self.tools)
        self.written = 0

    def sentences(self, budget: float, *, least: int = 1) -> list[Words]:
        """About as many tokens as asked for; what a job offers bounds it."""
        sentences: list[Words] = []
        length = 0
        while length + HALF_SENTENCE < budget or len(sentences) < least:
            words = self._next()
            if words is None:
                break
            text = "".join(run.text for run in words)
            if text not in self.pen.used:
                self.pen.used.add(text)
                sentences.append(words)
                length += tokens(words)
        return sentences

    def _next(self) -> Words | None:
        """A duty while there are any; then tools, then what any job is like, in a few sentences at most."""
        tool_turn = self.written > 1 and len(self.tools) > 1 and chance(self.rng, 0.12)
        if self.duties and not tool_turn:
            return self._finish(self._duty())
        if self.tools and self.written < 30:
            return self._finish(self._tool_sentence())
        if self.written < len(self.scene.duties) + MAX_GENERAL and chance(self.rng, 0.9):
            return self._generic()
        return None

    def _generic(self) -> Words | None:
        """What any job is like; nobody tells it twice."""
        patterns = common_phrases(self.pen.career.kind, "writing/general.toml", "any")
        fresh = [pattern for pattern in patterns if pattern not in self.pen.used]
        if not fresh:
            return None
        pattern = self.rng.choice(fresh)
        self.pen.used.add(pattern)
        phrase = self.pen.expand(pattern)
        if not is_bare(phrase) and chance(self.rng, self.pen.style.wordiness):
            phrase += self._fitted(tuple(lexicon.table("writing/adjuncts.toml")["circumstances"]), phrase)
        return self._finish(self._inflected(phrase))

    def _duty(self) -> list[TextRun]:
        phrase = self._phrase()
        runs = self._inflected(phrase)
        if len(self.duties) > 2 and len(phrase) < 60 and not is_bare(phrase) and chance(self.rng, 0.2):
            other = self._inflected(self._phrase(tail=False), continuing=True)
            runs += [TextRun(self.rng.choice((" and ", "; ", ", and also ", "; also "))), *other]
        return runs

    def _phrase(self, *, tail: bool = True) -> str:
        """The next duty in base form; with another verb, tools, or what came of it, perhaps."""
        rng, kind = self.rng, self.pen.career.kind
        phrase = to_base(self.pen.expand(self.duties.pop()))
        verb = phrase.split(" ", 1)[0].rstrip(",")
        if chance(rng, 0.5):
            phrase = vary_verb(rng, phrase)
        if is_bare(phrase) or not tail:
            return phrase
        if "{" not in phrase and self.tools and chance(rng, 0.4):
            names = [use.skill for use in self._some_tools(3)]
            between = [*joiners(len(names), oxford=self.pen.style.oxford), ""]
            tools = "".join(f"{{{name}}}{joint}" for name, joint in zip(names, between, strict=True))
            table = "tools" if forms_of(names[0]).is_tool else "fields"
            phrase += self.pen.pick(table, "joins").replace("{tools}", tools)
        if len(phrase) < 140 and chance(rng, self.pen.style.wordiness):  # what came of it or how it went
            tails = tails_for(verb, kind)
            if not tails or chance(rng, 0.55):
                tails = common_phrases(kind, "writing/adjuncts.toml", "circumstances", "outcomes")
            phrase += self._fitted(tails, phrase)
        return phrase

    def _fitted(self, tails: tuple[str, ...], phrase: str) -> str:
        """One of the tails with its choices settled; nothing where it asks for what is unknown.

        A phrase that has a number gets no second one: the two might not agree.
        """
        if any(letter.isdigit() for letter in phrase):
            tails = tuple(tail for tail in tails if "<" not in tail)
        pattern = self.rng.choice(tails) if tails else ""
        if ("{year}" in pattern and self.scene.years is None) or ("{city}" in pattern and not self.scene.city):
            return ""
        if self.scene.years is not None:
            pattern = pattern.replace("{year}", str(self.rng.randint(*self.scene.years)))
        return self.pen.expand(pattern)

    def _inflected(self, phrase: str, *, continuing: bool = False) -> list[TextRun]:
        """A phrase in base form with its tense and opening; skills and places in it become runs of their own."""
        facts: list[TextRun] = []

        def hold(match: re.Match[str]) -> str:
            facts.append(self._fact(match[1], phrase[: match.start()], phrase[match.end() :]))
            return _MARK.format(len(facts) - 1)

        held = _SLOT.sub(hold, phrase)
        held = conjugate(held, self._form()) if continuing else self._opening(held)
        runs: list[TextRun] = []
        end = 0
        for match in _PLACE.finditer(held):
            runs += [TextRun(held[end : match.start()]), facts[int(match[1])]]
            end = match.end()
        return [*runs, TextRun(held[end:])]

    def _fact(self, name: str, before: str, after: str) -> TextRun:
        if name == "city":
            return fact(self.scene.city or "", "location", self.scene.of)
        use = next((use for use in (*self.tools, *self.scene.uses) if use.skill == name), CareerSkill(name))
        if use in self.tools:
            self.tools.remove(use)
        run = self.pen.skill(use, self.scene.of, in_text=True)
        following = after[1:].split(" ", 1)[0]
        is_function_word = following in FUNCTION_WORDS or following in load_verbs().prepositions
        # EKG qualifies a noun in "EKG recordings"; in "process payroll processing" a form repeats a word around it
        qualifies = after.startswith(" ") and following[:1].islower() and not is_function_word
        stems = {word[:5] for word in (before + after).lower().split() if len(word) > 4}
        echoes = any(word[:5] in stems for word in run.text.lower().split() if len(word) > 4)
        return self.pen.skill(use, self.scene.of, in_text=True, own_name=True) if qualifies or echoes else run

    def _form(self) -> str:
        if self.scene.voice == "gerund":
            return "gerund"
        return "past" if self.scene.is_past and self.scene.voice != "present" else "base"

    def _opening(self, phrase: str) -> str:
        rng, form = self.rng, self._form()
        if self.pen.style.person == "first":
            leads = {"I": 6.0}
            leads |= {"I also": 0.6} if self.written else {"Here I": 0.3}
            leads |= {"In addition, I": 0.25} if self.written > 2 else {"In this role I": 0.4}
            return f"{weighted(rng, leads)} {conjugate(phrase, 'base' if form == 'gerund' else form)}"
        draw = 1.0 if is_bare(phrase) else rng.random()
        if draw < 0.06 and form != "gerund":
            return f"{rng.choice(phrases()['openings']['adverbs'])} {conjugate(phrase, form)}"
        if draw < 0.13:
            return f"{rng.choice(phrases()['openings']['responsible'])} {conjugate(phrase, 'gerund')}"
        return conjugate(phrase, form)

    def _some_tools(self, most: int) -> list[CareerSkill]:
        """A few tools, or a few things one does, never both."""
        is_tool = forms_of(self.tools[-1].skill).is_tool
        return [use for use in self.tools if forms_of(use.skill).is_tool == is_tool][: self.rng.randint(1, most)]

    def _tool_sentence(self) -> list[TextRun]:
        taken = self._some_tools(4)
        self.tools = [use for use in self.tools if use not in taken]
        kind = "tools" if forms_of(taken[0].skill).is_tool else "fields"
        before, after = self.pen.pick(kind, "sentences").split("{tools}")
        lead = conjugate(before, self._form())
        if self.pen.style.person == "first":
            lead = f"I {conjugate(before, 'past' if self.scene.is_past else 'base')}"
        runs = [self.pen.skill(use, self.scene.of, in_text=True) for use in taken]
        return [TextRun(lead), *self.pen.listing(runs), TextRun(after)]

    def _finish(self, runs: list[TextRun]) -> Words:
        self.written += 1
        words = mark_mentions(strip_runs(runs), self.pen.names, self.scene.of)
        first = words[0]
        if first.label is None:
            words[0] = TextRun(capitalize(first.text), bold=first.bold, italic=first.italic)
        return tuple(words)


def end_sentence(words: Words) -> Words:
    """With a full stop, unless an abbreviation has put one there."""
    return words if words[-1].text.endswith(".") else strip_runs((*words, TextRun(".")))


def paragraph(sentences: Sequence[Words]) -> Words:
    """Sentences one after the other, each with its full stop."""
    return strip_runs(join(map(end_sentence, sentences), " "))
