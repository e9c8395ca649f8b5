"""A job ad cut into clauses: sentences, bullet points, headings; also where the blanks between them were lost."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

from evenhand.mining.lexicon.phrases import FOLDER
from evenhand.mining.lexicon.places import short_names
from evenhand.mining.vocabulary import Vocabulary
from evenhand.text.tokens import Tokens, tokenise

# How job ads are worded, from lexicons/job_ads.toml; read once.


@cache
def wording() -> dict[str, Any]:
    return tomllib.loads((FOLDER / "job_ads.toml").read_text(encoding="utf-8"))


def words(name: str) -> tuple[str, ...]:
    """A list of words, in order: patterns are made of them."""
    listed = wording()["words"][name]
    return tuple(listed.split()) if isinstance(listed, str) else tuple(listed)


def any_of(patterns: list[str]) -> str:
    return f"(?:{'|'.join(patterns)})"


@cache
def cue(name: str) -> re.Pattern[str]:
    """ "must" or "wish", with the group `before` or `behind` that says on which side of a skill it stands."""
    sides = wording()[name]
    before, behind = any_of(sides["before"]), any_of(sides["behind"])
    return re.compile(f"(?P<before>{before})|(?P<behind>{behind})", re.IGNORECASE)


def typed(name: str) -> list[tuple[str, float, re.Pattern[str]]]:
    """Type of passage, weight and pattern of each entry of "headings" or "voices"."""
    return [
        (entry["type"], float(entry.get("weight", 1)), re.compile(any_of(entry["any"]), re.IGNORECASE))
        for entry in wording()[name]
    ]


# Headings of job ads and the type of passage each opens.

_NO_HEADING = re.compile(
    r"\b(?:urgent|immediate) requirement|title:|\bgrowing:|^(?:company|client|employer|location"
    r"|organi[sz]ation)\s?:$"
)
_SPLIT = re.compile(r"[^\w'’]+")
_MAX_HEADING_WORDS = 10  # words
_INLINE_WORD = (
    r"(?:Education|Skills?|Experience|Requirements?|Required|Preferred|Desired|Qualifications?"
    r"|Responsibilities|Duties|Job"
    r"|Position|Essential|Minimum|Basic|Key|Knowledge|Abilities|Attendance|Physical|Mental|Sensory"
    r"|Company|Additional"
    r"|Technical|Core|Primary|Principal|Specific|Major|General|Candidate|Professional|Work|Other)"
)
_INLINE_LAST = (
    r"(?:Requirements?|Qualifications?|Responsibilities|Duties|Skills|Experience|Description|Summary"
    r"|Profile|Overview"
    r"|Functions|Benefits|Demands|Information|Abilities)"
)
INLINE = re.compile(
    r"(?<=[a-z0-9.)!?] )(?:What We Offer|Who We Are|About Us|What You(?:'|’| wi)ll (?:Do|Bring|Need)"
    r"|Why Join Us|How to Apply)(?=\s*:|\s+[A-Z])|"
    r"(?:(?<=[a-z.)] )|(?<=[a-z.)]))[A-Z]{4,}(?: (?:AND |& |OF |OR )?[A-Z]{3,}){0,4}(?=\s?:)|"
    r"(?<=[a-z0-9.)] )(?:Qualifications?|Requirements?|Responsibilities|Duties|Benefits|Skills|Education"
    r"|Experience)(?=\s?:)|"
    r"(?:(?<=[\s/.!?])|(?<=[a-z]))(?:Why|About) [A-Z]\w+\s?\?"
    rf"|(?:(?<=[a-z0-9.;!?)][ \xa0])|(?<=[a-z.!?)]))(?:{_INLINE_WORD}(?:,? | & | and |, and "
    rf"|/)){{1,6}}{_INLINE_LAST}"
    r"(?=\s*:|[\s\xa0]+[A-Z0-9]|[A-Z]|\s*$)"
)
"""A heading in the middle of a line: "... of our team Preferred Skills Knowledge of ..."."""
_FULL_HEADING = re.compile(r"(?:Required|Preferred|Desired|Minimum|Basic|Essential|Additional) [A-Z]")


def heading_type(written: str) -> str | None:
    """The type of passage opened, when these words are a heading: behind a colon or question mark any words will
    do, otherwise only words that headings are made of ("Strong Excel skills" is none)."""
    plain = written.strip(" \t\xa0*#_-–—=~[]().").lower()
    if not plain or len(plain) > 110:
        return None
    is_marked = plain[-1] in ":?" and not _NO_HEADING.search(plain)
    parts = [word for word in _SPLIT.split(plain) if word]
    if not 0 < len(parts) <= _MAX_HEADING_WORDS or (is_marked and any(word.isdigit() for word in parts)):
        return None
    is_about = parts[0] == "about" and 1 < len(parts) <= 3  # "About Firsthand": the name is any word
    if not (is_marked or is_about or _heading_words().issuperset(parts)):
        return None
    return next((kind for kind, _, pattern in _types() if pattern.search(plain)), None)


@cache
def _heading_words() -> frozenset[str]:
    return frozenset(words("heading_words"))


@cache
def _types() -> list[tuple[str, float, re.Pattern[str]]]:
    """The first that fits: "preferred qualifications" are wishes, "essential functions" are duties."""
    return typed("headings")


MAX_WORD_LENGTH = 40
SHORT_WORD = 3
MAX_CLAUSE_LENGTH = 1_000  # characters; what nobody would say in one breath is cut at a blank
WRAPPED = 45  # characters; a shorter line was ended by its author, not by the page
_BULLET = "•·▪●◦‣■□○❖➢►✓✔♦∙\uf0b7\uf0a7"
_BREAK = re.compile(
    rf"""
    (?P<line>(?<![ \t])[ \t]*+(?:\r\n|[\n\r\x0b\x0c\u2028\u2029])\s*)
  | (?P<bullet>(?:[{_BULLET}]++|â€¢)\s* | \s\+\s(?=[A-Z]) | \s[*]++\s | (?<!\*)[*]++\s?(?=[A-Z])
      | (?<=[a-z.)])v\s{{2,}}(?=[A-Z]) | \s[-–—]{{2,}}+\s)
  | (?P<sentence>(?<![.!?])[.!?]++["'”’)\]]*[^\S\n\r]+(?=["'“‘(\[]?[A-Z0-9{_BULLET}])
      | (?<![!?™])[!?™]++(?=[A-Za-z0-9]) | (?<=[a-z]{{3}}[a-z)])\.(?=[A-Z][a-z]|\d) | (?<=[a-z]\))\.(?=[A-Z]))
  | (?P<semicolon>;\s*)
  | (?P<double>(?<=[a-z.)])\s{{3,}}+(?=[A-Z0-9])|(?<=[a-z.)])\s{{2}}(?=[A-Z][a-z][\w ,&/]{{2,60}}:))
    """,
    re.VERBOSE,
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:pvt|llc|sr|jr|mr|mrs|ms|dr|st|ft|no|inc|ltd|co|corp|vs|etc|e\.g|i\.e|approx|min|max|dept"
    r"|u\.s|ph|b|m|a)|\b[A-Z])$",
    re.IGNORECASE,
)
_GLUED = re.compile(
    r"(?<=[a-z][a-z])(?=[A-Z])|(?<=[A-Z][A-Z])(?=[A-Z][a-z])|(?<=[)\]%])(?=[A-Z][a-z])|(?<=\d)(?=[A-Z][a-z]{3})"
)
_LEFT = re.compile(r"(?:[A-Z]?[a-z]{1,60}|[A-Z]{1,60})\Z")
_RIGHT = re.compile(r"[A-Z][a-z]*")
# A new sentence without any mark before it: "... of the Strategic Plan Qualified candidates should"
_OPENING = re.compile(
    r"(?<=[\w)] )(?=(?:Qualified (?:candidates|applicants)|The (?:ideal|successful|qualified) candidate"
    r"|Ideal candidates?|Responsibilities"
    r" include|Requirements include|Qualifications include|Candidates? must|Applicants? must|Must have"
    r"|Minimum of)\b)"
    r"|(?<=[a-z]{4})(?=\d{1,2}\s?\+?(?:\s?[-–]\s?\d{1,2})?\+?\s?(?:years|yrs)\b)"
)
_TOKEN = re.compile(r"[A-Za-z]{1,60}\Z")
_REST = re.compile(r"[A-Za-z]{0,40}")
_LAST_WORD = re.compile(r"[A-Za-z]{1,60}(?= \Z)")
_LABEL = re.compile(r"[^:\n]{2,90}:(?!//)")


@dataclass(frozen=True, eq=False)
class Clause:
    """Half-open place in the text, and the type of passage it opens when it is a heading."""

    text: str
    start: int
    end: int
    heading: str | None = None

    @cached_property
    def written(self) -> str:
        return self.text[self.start : self.end]

    @cached_property
    def tokens(self) -> Tokens:
        return tokenise(self.text, self.start, self.end)


def cut(text: str, limit: int, vocabulary: Vocabulary) -> list[Clause]:
    """Clauses of text[:limit], in order, none empty; what lies between them is blanks, bullets and full stops."""
    breaks = [*_sentence_breaks(text, limit), *_glue_breaks(text, limit, vocabulary)]
    breaks += _inline_headings(text, limit)
    clauses: list[Clause] = []
    at = 0
    for start, end in [*sorted(breaks), (limit, limit)]:
        if start < at:
            continue
        while start - at > MAX_CLAUSE_LENGTH:
            middle = text.rfind(" ", at + 1, at + MAX_CLAUSE_LENGTH)
            middle = middle if middle > 0 else at + MAX_CLAUSE_LENGTH
            clauses += _headed(text, at, middle)
            at = middle
        clauses += _headed(text, at, start)
        at = max(at, end)
    return clauses


def _headed(text: str, start: int, end: int) -> Iterator[Clause]:
    """The clause without blanks at its ends; a label in front that is a heading becomes a clause of its own."""
    while start < end and text[start] in " \t\xa0\u200b-–*":
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start == end:
        return
    label = _LABEL.match(text, start, end)
    if label and (kind := heading_type(label[0])):
        yield Clause(text, start, label.end(), kind)
        yield from _headed(text, label.end(), end)
    else:
        yield Clause(text, start, end, heading_type(text[start:end]))


def _sentence_breaks(text: str, limit: int) -> Iterator[tuple[int, int]]:
    line_start = 0
    for match in _BREAK.finditer(text, 0, limit):
        start, end = match.span()
        if match["line"]:
            # The line goes on behind its end where a page was too narrow for it.
            is_full = start - line_start >= WRAPPED and text.count("\n", start, end) <= 1 and end < len(text)
            line_start = end
            if is_full and (text[end].islower() or (text[start - 1] == "," and text[end].isalnum())):
                continue
        if match["sentence"] and text[start] == "." and _ABBREVIATION.search(text, max(0, start - 8), start):
            continue
        # The full stop stays with its sentence.
        yield (start + 1, end) if match["sentence"] else (start, end)


def _inline_headings(text: str, limit: int) -> Iterator[tuple[int, int]]:
    for opening in _OPENING.finditer(text, 0, limit):
        yield opening.span()
    for match in INLINE.finditer(text, 0, limit):
        before = _LAST_WORD.search(text, max(0, match.start() - 30), match.start())
        if before and before[0][0].isupper() and not _FULL_HEADING.match(match[0]):
            continue  # the middle of a longer heading: "Preferred Qualifications"
        yield match.start(), match.start()
        yield match.end(), match.end()


def _glue_breaks(text: str, limit: int, vocabulary: Vocabulary) -> Iterator[tuple[int, int]]:
    """Between "experience" and "Month" in "experienceMonth", never inside "JavaScript" or "PeopleSoft"."""
    for match in _GLUED.finditer(text, 0, limit):
        at = match.start()
        left = _LEFT.search(text, max(0, at - MAX_WORD_LENGTH), at)
        right = _RIGHT.match(text, at)
        if right and (left is None or _is_glued(text, left, right[0], vocabulary)):
            yield at, at


def _is_glued(text: str, left: re.Match[str], right: str, vocabulary: Vocabulary) -> bool:
    at, known = left.end(), _words(vocabulary)
    before = _TOKEN.search(text, max(0, at - MAX_WORD_LENGTH), at)
    start = before.start() if before else at
    if start and text[start - 1] in "@/.":
        return False  # an address
    rest = _REST.match(text, at)
    whole = text[start:at] + (rest[0] if rest else "")
    if any(word.lower() in known or vocabulary.skills.squashed(word) for word in (whole, left[0] + right)):
        return False
    if left[0].isupper():
        is_word = left[0].lower() in known or left[0].lower() in _heading_words()
        return (left[0] in short_names() or is_word) and (right.lower() in known or len(right) > SHORT_WORD)
    if left[0].islower():
        return len(left[0]) > SHORT_WORD or left[0] in known
    is_word = bool({left[0].lower(), left[0][:-1].lower()} & (known | _heading_words()))
    return len(left[0]) > SHORT_WORD and is_word and len(right) != 2


@lru_cache(maxsize=4)
def _words(vocabulary: Vocabulary) -> frozenset[str]:
    """Every word of a skill or a title: enough English to tell where one word ends."""
    keys = (*vocabulary.skills.keys(), *vocabulary.known.titles.table)
    return frozenset(word for key in keys for word in key.split())


# Whether what a clause names is asked for or only wished: "required", "must have"; "a plus", "preferred".


@dataclass(frozen=True, slots=True)
class Cue:
    start: int  # in the clause
    end: int
    must: bool
    before: bool  # it stands before what it speaks of
    scope: tuple[int, int] | None = None  # a note in parentheses speaks of this stretch only


def find_cues(written: str) -> list[Cue]:
    """In order. "not required" is a wish though it has "required" in it."""
    cues = [Cue(*match.span(), False, match["before"] is not None) for match in cue("wish").finditer(written)]
    wished = [(cue.start, cue.end) for cue in cues]
    for match in cue("must").finditer(written):
        if not any(start < match.end() and match.start() < end for start, end in wished):
            cues.append(Cue(*match.span(), True, match["before"] is not None))
    cues.sort(key=lambda cue: cue.start)
    return [_in_note(written, cue) for cue in cues]


def _in_note(written: str, cue: Cue) -> Cue:
    """ "Java (required), C++": the note speaks of Java. "A database (Oracle preferred)": of Oracle."""
    opening = written.rfind("(", max(0, cue.start - 80), cue.start)
    if opening < 0 or written.find(")", opening, cue.start) >= 0:
        return cue
    closing = written.find(")", cue.end, cue.end + 80)
    if closing < 0:
        return cue
    start = opening
    if not any(char.isalnum() for char in written[opening : cue.start]):
        start = max(written.rfind(mark, 0, opening) for mark in ",;:(") + 1
    return Cue(cue.start, cue.end, cue.must, cue.before, (start, closing))


def strength(cues: Sequence[Cue], start: int, end: int) -> bool | None:
    """True when what stands at start:end is asked for, False when wished, None when nothing says."""
    annotated = [cue for cue in cues if cue.scope and cue.scope[0] <= start and end <= cue.scope[1]]
    if annotated:
        return annotated[0].must
    free = [cue for cue in cues if cue.scope is None]
    before = next((cue for cue in reversed(free) if cue.end <= start), None)
    behind = next((cue for cue in free if cue.start >= end), None)
    ahead = before if before is not None and before.before else None
    back = behind if behind is not None and not behind.before else None
    if ahead and back:
        # "At least 2 years of Java preferred": a wish spans what stands before it.
        if not back.must:
            return False
        return ahead.must if start - ahead.end < back.start - end else back.must
    chosen = ahead or back
    if chosen is None and before is not None and len(free) == 1:
        chosen = before if before.must else None  # "required: ..." said the other way round
    return chosen.must if chosen else None


ALTERNATIVE = re.compile(
    r"\b(?:or|and/or|oder|ou)\b(?:\s(?:else|in|with|using|at least))?\s*+$|^\s?/\s?$", re.IGNORECASE
)
"""What joins two things of which one is enough: the words between them."""


def verb_forms(verb: str) -> str:
    """The verb as duties have it: "manage", "manages", "managing"."""
    stem = verb[:-1] if verb.endswith("e") else verb
    doubled = rf"|{stem}{stem[-1]}ing" if stem[-1] in "nptgm" else ""
    third = f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2] not in "aeiou" else f"{verb}e?s"
    return rf"{verb}|{third}|{stem}ing{doubled}"
