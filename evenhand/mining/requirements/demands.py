"""Skills that a clause asks for: which are alternatives to each other, for how long, and how badly they are wanted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from evenhand.mining.lexicon import Match
from evenhand.mining.lexicon import words as words_of_kind
from evenhand.mining.lexicon.places import places as known_places
from evenhand.mining.requirements.clauses import Clause
from evenhand.mining.requirements.cues import Cue, find_cues, strength
from evenhand.mining.requirements.lengths import Length, find_lengths
from evenhand.mining.requirements.wording import cue
from evenhand.mining.requirements.wording import words as words_of
from evenhand.mining.resolver.skills import find as find_skills
from evenhand.mining.vocabulary import Vocabulary
from evenhand.records.job import Demand, Place

_OR = re.compile(
    r"[\s,]*\b(?:or|and/or|oder|ou)\b(?:\s(?:else|in|with|using|at least))?\s*$|^\s?/\s?$", re.IGNORECASE
)
_STAND = ". , ( ; : is would preferred a helpful desirable or well skills experience required and / knowledge"
_STANDING = frozenset(_STAND.split())
SHORT = 10  # words of a demand for one thing
_EITHER = re.compile(r"\bor\b", re.IGNORECASE)
_COMMA = re.compile(r"^\s*,\s*$")
_AND = re.compile(r"^(?:\s*[,&/+]\s*|\s*,?\s*(?:and|&|und|et)\s+)(?:with |in |using )?$", re.IGNORECASE)
_FROM_SKILL = re.compile(
    r"^\s*(?:skills?|experience|exp\.?|knowledge|development|programming|background)?\s*(?:[:(,–—-]"
    r"|\bfor\b|\bof\b)?\s*"
    r"(?:at least|min(?:imum|\.)?(?: of)?|over|more than|for|a minimum of|of)?\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a clause asks for: skills, and times that are not spent with one tool or language."""

    demands: tuple[Demand, ...]
    totals: tuple[Total, ...]


@dataclass(frozen=True, slots=True)
class Total:
    length: Length
    must: bool
    is_general: bool  # no skill is named: "of relevant experience"


def ask(clause: Clause, kind: str, taken: Sequence[Place], vocabulary: Vocabulary) -> Asked:
    """`kind` is the type of its passage, `taken` are places that name a field of study, a title or a city."""
    written, cues = clause.written, find_cues(clause.written)
    groups = list(_groups(clause, _mentions(clause, kind, taken, vocabulary)))
    lengths = list(find_lengths(written))
    spent = _spent(written, groups, lengths)
    demands = tuple(
        _demand(clause, kind, group, spent.get(at), cues, vocabulary) for at, group in enumerate(groups)
    )
    totals = []
    for length in lengths:
        if length.instead or not _is_experience(written, kind, length):
            continue
        names = [
            mention.name for at, group in enumerate(groups) if spent.get(at) == length for mention in group
        ]
        if not any(vocabulary.skills.kind(name) in ("technology", "language") for name in names):
            said = strength(cues, length.start, length.end)
            totals.append(Total(length, kind != "wishes" if said is None else said, not names))
    return Asked(demands, _least(written, totals))


def _least(written: str, totals: Sequence[Total]) -> tuple[Total, ...]:
    """ "A degree and 8 years, or a diploma and 12 years": the shorter is enough."""
    kept: list[Total] = []
    for total in totals:
        between = written[kept[-1].length.end : total.length.start] if kept else ""
        if kept and _EITHER.search(between):
            kept[-1] = min(kept[-1], total, key=lambda each: each.length.months)
        else:
            kept.append(total)
    return tuple(kept)


@dataclass(frozen=True, slots=True)
class Mention:
    name: str
    start: int  # in the clause
    end: int


def _mentions(clause: Clause, kind: str, taken: Sequence[Place], vocabulary: Vocabulary) -> Iterator[Mention]:
    tokens = clause.tokens
    is_asked = kind in ("requirements", "wishes")
    in_list = is_asked and "," in clause.written
    matches = find_skills(tokens.words, in_skill_list=in_list, lexicon=vocabulary.skills)
    if is_asked and not matches and len(tokens) <= SHORT:
        matches = [
            match
            for match in vocabulary.skills.find([word.lower() for word in tokens.words])
            if _stands(match, tokens.words, vocabulary)
        ]
    places = known_places().find([word.lower() for word in tokens.words]) if matches else []
    for match in matches:
        if any(found.first <= match.first and match.last < found.last for found in places):
            continue  # "San Antonio"
        start, end = tokens.starts[match.first], tokens.ends[match.last - 1]
        if not any(place.start < end and start < place.end for place in taken) and not _is_name(
            match, tokens.words
        ):
            yield Mention(match.name, start - clause.start, end - clause.start)


def _stands(match: Match, words: Sequence[str], vocabulary: Vocabulary) -> bool:
    """ "Strong Excel", "AR is a must", "Node would be a plus": in a short demand the one name it has is meant."""
    surface = words[match.first]
    behind = words[match.last].lower() if match.last < len(words) else "."
    is_product = vocabulary.skills.kind(match.name) == "technology" or (
        surface.isupper() and len(surface) > 1
    )
    return surface[0].isupper() and is_product and behind in _STANDING


def _is_name(match: Match, words: Sequence[str]) -> bool:
    """ "Resource Management Concepts, Inc.": capitals up to a legal form are a firm. "Ad hoc" is no directory."""
    if words[match.first].lower() == "ad" and "hoc" in map(str.lower, words[match.last : match.last + 2]):
        return True
    legal = words_of_kind("legal")
    for word in words[match.last : match.last + 5]:
        if word.lower() in legal and word[0].isupper():
            return words[match.first][0].isupper()
        if not word[0].isupper() and word not in {",", "&", "and"}:
            return False
    return False


def _groups(clause: Clause, mentions: Iterator[Mention]) -> Iterator[list[Mention]]:
    """Mentions in order, alternatives together: "Java or .NET", "C#/Java", "AWS, Azure or GCP"."""
    found = list(mentions)
    links = [clause.written[a.end : b.start] for a, b in pairwise(found)]
    joined = [_OR.search(link) is not None and len(link) < 12 for link in links]
    for at in range(len(links) - 2, -1, -1):  # commas before an "or" belong to it
        if joined[at + 1] and _COMMA.match(links[at]) and "/" not in links[at + 1]:
            joined[at] = True
    group: list[Mention] = []
    for at, mention in enumerate(found):
        group.append(mention)
        if at == len(links) or not joined[at]:
            yield group
            group = []


def _spent(written: str, groups: Sequence[list[Mention]], lengths: Sequence[Length]) -> dict[int, Length]:
    """The length that belongs to each group of skills, by its number."""
    spent: dict[int, Length] = {}
    for length in lengths:
        before = _before(written, groups, length)
        behind = _behind(written, groups, length)
        if behind and (before is None or not _is_closed(written, length)):
            spent |= dict.fromkeys(behind, length)
        elif before is not None:
            spent.setdefault(before, length)
    return spent


def _is_closed(written: str, length: Length) -> bool:
    """ "COBOL (5 years), JCL": what follows the length is the next thing."""
    return written[length.end : length.end + 2].lstrip()[:1] in {")", ",", ""}


def _before(written: str, groups: Sequence[list[Mention]], length: Length) -> int | None:
    for at in range(len(groups) - 1, -1, -1):
        end = groups[at][-1].end
        if end <= length.start:
            return at if length.start - end < 40 and _FROM_SKILL.match(written[end : length.start]) else None
    return None


@cache
def _to_skill() -> re.Pattern[str]:
    between = "|".join(words_of("between_length_and_skill"))
    return re.compile(rf"^['’]?\s*(?:\W?\s?(?:{between})\b\W?){{0,9}}\s*$", re.IGNORECASE)


def _behind(written: str, groups: Sequence[list[Mention]], length: Length) -> list[int]:
    """The group that follows, and those that "and" or a comma joins to it."""
    found: list[int] = []
    for at, group in enumerate(groups):
        if group[0].start < length.end:
            continue
        if not found:
            between = written[length.end : group[0].start]
            if len(between) > 90 or not _to_skill().match(between):
                return []
        elif not _AND.match(written[groups[found[-1]][-1].end : group[0].start]):
            break
        found.append(at)
    return found


def _demand(
    clause: Clause,
    kind: str,
    group: list[Mention],
    length: Length | None,
    cues: Sequence[Cue],
    vocabulary: Vocabulary,
) -> Demand:
    said = strength(cues, group[0].start, group[-1].end)
    must = _is_must(kind, said) or (length is not None and said is None and kind != "wishes")
    if length is not None and length.instead:
        must = False
    elif must and all(vocabulary.skills.kind(mention.name) == "soft" for mention in group):
        # Every ad names such traits and any resume can claim them: a must only where the ad insists.
        must = said is True and cue("must").search(clause.written) is not None
    months = length.months if length and not length.instead else None
    return Demand(
        skills=tuple(dict.fromkeys(mention.name for mention in group)),
        must=bool(must),
        months=months,
        most_months=length.most_months if length and months else None,
        places=tuple(Place(clause.start + mention.start, clause.start + mention.end) for mention in group),
    )


def _is_must(kind: str, said: bool | None) -> bool:
    return kind == "requirements" if said is None else said


_EXPERIENCE = re.compile(
    r"\bexp(?:erience[ds]?|\.|\b)|\bbackground|\bin (?:an? |the )?(?:\w+ ){0,4}(?:field|trade|industry"
    r"|role|position|capacity|environment)"
    r"|\bas an?\b|\bworking\b|\b(?:of|in)\b|\btrack record|\btenure",
    re.IGNORECASE,
)


def _is_experience(written: str, kind: str, length: Length) -> bool:
    near = written[max(0, length.start - 60) : length.end + 110]
    if kind in ("requirements", "wishes"):
        return _EXPERIENCE.search(near) is not None or len(written) < 40
    return re.search(r"\bexp(?:erience[ds]?|\.|\b)", near, re.IGNORECASE) is not None
