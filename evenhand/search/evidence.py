"""Skills that are asked for, looked up in the visible text: what stands there is held, whether or not it was mined."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from evenhand.mining.lexicon.ad_words import rarity, root
from evenhand.mining.lexicon.licences import PROOF, licences
from evenhand.mining.lexicon.phrases import HYPHENS
from evenhand.mining.lexicon.skills import SkillLexicon, skills
from evenhand.mining.recounting import add_skill
from evenhand.mining.skill_resolver import find
from evenhand.records.job import Job
from evenhand.records.profile import Evidence, Profile
from evenhand.text.folding import word_set
from evenhand.text.tokens import tokenise, words_of

NEAR = 40  # characters on either side of an ambiguous licence in which a word must speak of licences
MAX_LINE = 2_000  # characters on either side that are looked at
METHOD = "text"  # of evidence: the words stand there, though the miner did not take them for a skill
NEAR_WORDS = 150  # characters on either side of the rarest word of a phrase in which its others are looked for
MAX_LOOKS = 200  # places of that word
MAX_ENDING = 8  # letters behind what the forms of a word have in common
MIN_CONTENT = 1.5  # rarity of a word that carries a phrase of three or more
_EMPTY_WORDS = frozenset(("of", "and", "or", "the", "a", "an", "in", "for", "to", "with"))
_SENTENCE_END = re.compile(r"\n\s*\n|\n\s*[•·▪●◦*-]|[.;!?](?=\s)|[•▪●]")
MAX_PLACES = 20  # of one skill
_LONG = 4  # letters: shorter words have no plural
_DOTTED = word_set("net js io com org edu gov")  # behind the full stop of one word
_LETTERS = re.compile(r"[^\W\d_]+")
_HYPHEN = "[" + "".join(sorted(HYPHENS)) + "]"
_BLANK = r"[^\S\n]"
_BETWEEN = rf"(?:{_BLANK}*(?:\n|{_HYPHEN}\n?){_BLANK}*|{_BLANK}+)"
"""Between two words of a phrase: blanks, a hyphen, the end of a line; not the end of a paragraph."""
_VERSION = r"(?:\d{1,2}(?:\.\d+)*[a-z]?)?"

Span = tuple[int, int]


def complete_for_job(profile: Profile, text: str, job: Job) -> Profile:
    """The profile as every statement about this job is made from: with all its demands that the text names.

    `text` is the visible text that the profile's places point into.
    """
    return _completed(profile, text, {name: demand.kind for demand in job.demands for name in demand.skills})


def complete_skills(profile: Profile, text: str, names: Iterable[str]) -> Profile:
    """With those of these skills that stand in the text and were not mined, their months by the jobs that name them.

    What a person took out of the profile stays out. The profile itself where there is nothing to add.
    """
    return _completed(profile, text, dict.fromkeys(names, "skill"))


def _completed(profile: Profile, text: str, kinds: Mapping[str, str]) -> Profile:
    """`kinds` are those of the demands, by their names."""
    known = {skill.name for skill in profile.skills} | set(profile.removed_skills)
    wanted = [name for name in kinds if name not in known]
    lower = text.lower() if wanted else ""
    for name in wanted:
        spans = list(_spans(name, kinds[name], text, lower, profile))
        if spans:
            places = [Evidence(start, end, _page(profile, start), METHOD, 1.0) for start, end in spans]
            profile = add_skill(profile, name, tuple(dict.fromkeys(text[a:b] for a, b in spans)), places)
    return profile


@dataclass(frozen=True, slots=True)
class _Form:
    """One way to write a skill. `rare` stands in lower case in every text that has the form."""

    pattern: re.Pattern[str]
    rare: str
    ambiguous: bool
    in_capitals: bool = False


@lru_cache(maxsize=20_000)
def _forms(name: str, kind: str, lexicon: SkillLexicon) -> tuple[_Form, ...]:
    """The name and what the lexicon knows to mean the same; a job's own words are looked up as they are."""
    if kind == "licence" and name in licences().forms:
        known = [(form, words_of(form.written.replace("’", "'"))) for form in licences().forms[name]]
        some = [_form(words, False, form.ambiguous, in_capitals=form.in_capitals) for form, words in known]
        return tuple(form for form in some if form)
    entry = lexicon.entries.get(name)
    aliases = [alias.removeprefix("?") for alias in entry.aliases] if entry else []
    written = [name, *(alias for alias in aliases if lexicon.get(alias) == name)]
    is_product = entry is not None and entry.kind == "technology"
    made = [_form(words_of(form.replace("’", "'")), is_product, lexicon.is_ambiguous(form)) for form in written]
    return tuple(form for form in made if form)


def _form(words: Sequence[str], is_product: bool, ambiguous: bool, *, in_capitals: bool = False) -> _Form | None:
    words = [word for word in words if word not in HYPHENS]
    if not any(char.isalnum() for word in words for char in word):
        return None
    pattern = _word(words[0], is_product, len(words) > 1)
    for before, word in pairwise(words):
        is_glued = not (before[-1].isalnum() and word[0].isalnum())
        between = rf"{_BLANK}*" if is_glued else f"{_BETWEEN}?" if is_product else _BETWEEN
        pattern += between + _word(word, is_product, True)
    if is_product and words[-1][-1].isalpha() and len(words[-1]) > 2:
        pattern += _VERSION
    rare = max((word for word in words if word not in ("and", "&")), key=len, default=words[0])
    stem = _stem(rare)[0].partition("'")[0] if not is_product else rare  # a text may write "driver’s"
    return _Form(re.compile(pattern, re.IGNORECASE), stem, ambiguous, in_capitals)


def _word(word: str, is_product: bool, in_phrase: bool) -> str:
    """Singular and plural, but for names of products. Alone, "customs" is not "custom"."""
    if word in ("and", "&"):
        return "(?:and|&)"
    if is_product or len(word) < _LONG or not word.isalpha():
        plural = "s?" if word.isalpha() and len(word) > 2 else ""
        return re.escape(word).replace("'", "['’]") + plural
    stem, endings = _stem(word)
    return re.escape(stem) + endings if in_phrase or stem == word or word[-1] == "y" else re.escape(word)


def _stem(word: str) -> tuple[str, str]:
    """What singular and plural have in common, and a pattern of what follows."""
    if len(word) < _LONG or not word.isalpha():
        return word, ""
    if word.endswith("ies"):
        return word[:-3], "(?:y|ies)"
    if word[-1] == "y" and word[-2] not in "aeiou":
        return word[:-1], "(?:y|ies)"
    if word[-1] == "s" and word[-2] not in "aisu":
        return word[:-1], "s?"
    return word, "(?:s|es)?"


def _spans(name: str, kind: str, text: str, lower: str, profile: Profile) -> Iterator[Span]:
    """Where the text names what is asked for, in order; not in names and contact data, nor inside other words."""
    lexicon = skills()
    own = [fact.evidence for fact in (profile.name, *profile.emails, *profile.phones, *profile.links) if fact]
    spans: set[Span] = set()
    for form in _forms(name, kind, lexicon):
        if form.rare not in lower:
            continue
        for match in form.pattern.finditer(text):
            start, end = match.span()
            if not _is_whole(text, start, end) or any(place.start < end and start < place.end for place in own):
                continue
            if form.in_capitals and not _in_capitals(text[start:end]):
                continue
            if form.ambiguous and not _is_meant(name, kind, text, (start, end), profile):
                continue
            if _is_split_name(name, text, start, end, lexicon):
                continue
            spans.add((start, end))
    if kind in ("domain", "task") and not spans:
        beside = _beside(name, text, lower)
        spans |= {span for span in beside if not any(place.start < span[1] and span[0] < place.end for place in own)}
    if kind == "licence":
        named = [
            entry.name for entry in profile.certifications if entry.name and licences().get(entry.name.value) == name
        ]
        spans |= {(fact.evidence.start, fact.evidence.end) for fact in named}
    reached = 0
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1]))[:MAX_PLACES]:
        if start >= reached:  # of "month end" and "month end close" the longer
            yield start, end
            reached = end


@lru_cache(maxsize=20_000)
def _content(name: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The beginnings of the words that carry a phrase, the rarest first; verbs of every ad carry nothing."""
    words = [word for word in words_of(name) if any(map(str.isalnum, word)) and word not in _EMPTY_WORDS]
    ordered = sorted(words, key=rarity, reverse=True)
    telling = [word for word in ordered if rarity(word) >= MIN_CONTENT or len(ordered) <= 2]
    starts = dict.fromkeys(_beginning(word) for word in telling)
    return tuple((start, re.compile(rf"(?<!\w){re.escape(start)}\w{{0,{MAX_ENDING}}}(?!\w)")) for start in starts)


def _beginning(word: str) -> str:
    """What all forms of a word begin with: of "reconcile" and "reconciliation"."""
    stem = root(word)
    return stem if len(stem) > _LONG or stem == word else word[: _LONG + 1] if len(word) > _LONG else word


def _beside(name: str, text: str, lower: str) -> Iterator[Span]:
    """Where all words that carry the phrase stand in one line or sentence, in any order and form.

    Looks around the places of the rarest word only, no further than NEAR_WORDS: time grows with the text's length.
    """
    words = _content(name)
    if len(words) < 2 or len(lower) != len(text) or not all(start in lower for start, _ in words):
        return
    rarest, *others = words
    for count, match in enumerate(rarest[1].finditer(lower)):
        if count == MAX_LOOKS:
            return
        first, last = max(0, match.start() - NEAR_WORDS), min(len(lower), match.end() + NEAR_WORDS)
        breaks = [mark.end() for mark in _SENTENCE_END.finditer(lower, first, match.start())]
        behind = _SENTENCE_END.search(lower, match.end(), last)
        first, last = breaks[-1] if breaks else first, behind.start() if behind else last
        found = [pattern.search(lower, first, last) for _, pattern in others]
        if all(found):
            places = [match.span(), *(one.span() for one in found if one)]
            yield min(start for start, _ in places), max(end for _, end in places)


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether it stands by itself: "Go" is not in "Google", "net" not in "asp.net", "C" not in "C++"."""
    before, behind = text[max(start - 2, 0) : start], text[end : end + 2]
    if before and before[-1].isalnum():
        return False
    if len(before) == 2 and before[1] in "&'’." and before[0].isalnum() and not _is_stop(text, start - 1):
        return False
    if behind and (behind[0].isalnum() or behind[0] in "+#"):
        return False
    if len(behind) == 2 and behind[0] in "&'’." and behind[1].isalnum():
        return _is_stop(text, end) or (behind[0] in "'’" and behind[1] in "sS")
    return True


def _is_stop(text: str, at: int) -> bool:
    """A full stop without its blank, as in "accounts payable.Managed", not that of "node.js", "B.Tech" or a link."""
    before, behind = text[max(at - 3, 0) : at], _LETTERS.match(text, at + 1)
    is_long = len(before) == 3 and before.isalpha()
    return text[at] == "." and is_long and not (behind and behind[0].lower() in _DOTTED)


def _in_capitals(written: str) -> bool:
    """Whether its first word is: "RN", "CPA license"."""
    first = "".join(char for char in written.split(None, 1)[0] if char.isalpha())
    return first.removesuffix("s").isupper()


def _is_meant(name: str, kind: str, text: str, span: Span, profile: Profile) -> bool:
    """Of "C", "Go" or "Excel": whether the words of the line speak for the skill; of "PE", whether for a licence."""
    start, end = span
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", start)
    last = len(text) if last < 0 else last
    if kind == "licence":
        in_section = any(one.type == "certifications" and one.start <= start < one.end for one in profile.sections)
        return in_section or PROOF.search(text, max(first, start - NEAR), min(last, end + NEAR)) is not None
    tokens = tokenise(text, max(first, start - MAX_LINE), min(last, end + MAX_LINE))
    in_list = any(one.type == "skills" and one.start <= start < one.end for one in profile.sections)
    return any(
        match.name == name and tokens.starts[match.first] <= start < tokens.ends[match.last - 1]
        for match in find(tokens.words, in_skill_list=in_list)
    )


def _is_split_name(name: str, text: str, start: int, end: int, lexicon: SkillLexicon) -> bool:
    """Whether it is half of one word written in two: "Java Script" does not speak of Java."""
    behind = re.match(rf"{_BLANK}+([^\W\d_]+)", text[end : end + 30])
    before = re.search(rf"([^\W\d_]+){_BLANK}+$", text[max(start - 30, 0) : start])
    pairs = [(text[start:end], behind[1])] if behind else []
    pairs += [(before[1], text[start:end])] if before else []
    return text[start:end].isalpha() and any(
        (other := lexicon.get(" ".join(pair))) is not None and other != name and other == "".join(pair).lower()
        for pair in pairs
    )


def _page(profile: Profile, start: int) -> int:
    """That of the nearest fact before a place: a profile does not know where pages begin."""
    wholes = [position.evidence for position in profile.positions]
    wholes += [project.evidence for project in profile.projects]
    wholes += [study.evidence for study in profile.education]
    mentions = [place for skill in profile.skills for place in skill.evidence]
    places = sorted((place.start, place.page) for place in (*wholes, *mentions))
    at = bisect_right(places, (start, profile.document.pages or 1))
    return places[at - 1][1] if at else 1
