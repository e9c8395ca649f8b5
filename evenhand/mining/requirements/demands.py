"""Skills that a clause asks for: which are alternatives to each other, for how long, and how badly they are wanted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from evenhand.mining.lexicon.phrases import words as words_of_kind
from evenhand.mining.lexicon.places import places as known_places
from evenhand.mining.lexicon.skills import SkillMatch
from evenhand.mining.requirements.clauses import ALTERNATIVE, Clause, Cue, cue, find_cues, strength
from evenhand.mining.requirements.clauses import words as words_of
from evenhand.mining.skill_resolver import find as find_skills
from evenhand.mining.vocabulary import Vocabulary
from evenhand.records.job import Demand, Place

# How long somebody must have done something: "5+ years", "3-5 yrs", "six months", "two (2) or more years".
#
# What lasts otherwise is left out: contracts, the history of a firm, somebody's age, a degree of four years.

_TO_TWELVE = "one two three four five six seven eight nine ten eleven twelve"
_WORDS = {word: number for number, word in enumerate(_TO_TWELVE.split(), 1)} | {
    "fifteen": 15,
    "eighteen": 18,
    "twenty": 20,
}
_NUMBER = rf"(?:\d{{1,2}}(?:\.\d)?|{'|'.join(_WORDS)})"
_NOTE = r"(?:\s?\(\s?\d{1,2}\s?\+?\s?\))?"
_PLUS = r"(?:\s?\+|\s?plus\b)?"
_UNIT = r"(?P<unit>years?|yrs?|yr|months?|mos|mths?)"
LENGTH = re.compile(
    rf"""
    (?<![\w$.,/#-])(?P<least>{_NUMBER}){_NOTE}{_PLUS}
    (?:\s?(?:[-–—]|to|or|\bthru\b|/)\s?(?P<most>{_NUMBER}){_NOTE}{_PLUS})?
    (?:\s(?:or\smore|or\sgreater|full|solid|consecutive|calendar|additional))?
    [\s\xa0-]{{0,3}}{_UNIT}\b(?:['’]|\.(?!\s|$))?
    (?:\s?\+|\s(?:or\smore|plus|minimum|and\sabove|and\sup)\b)?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_OTHER_BEFORE = re.compile(
    r"(?:\b(?:for|over|past|last|next|first|within|after|every|nearly|almost|ago|celebrat\w+|duration\W{0,12}"
    r"|length\W{0,12}|term\W{0,12}|previous"
    r"|initial|up to a|average[\w ]{0,20}|hundreds of|combined|collective|contract\W{0,12}|age\W{0,12}|every|under"
    r"|near)(?: the| than| more than"
    r"| a| our| over)?(?: last| past| next| first)?\s*+|\$\s?)$",
    re.IGNORECASE,
)
_MAY_FOLLOW = re.compile(r"\b(?:for (?:at least|a minimum|minimum)|more than|over)\s*$", re.IGNORECASE)
_OTHER_BEHIND = re.compile(
    r"^[\s-]*(?:of age|old\b|ago\b|in a row|contract|assignment|project\b(?! m)|program\b|degree|college"
    r"|university|term\b|warranty"
    r"|anniversary|of (?:age|service|business|success|history|innovation|collective|combined|growth"
    r"|excellence|employment)|in business"
    r"|later|plan\b|deal|engagement|long\b|temp|perm|duration|w2|\+? ?contract|apprenticeship|certificat"
    r"|diploma|from (?:now|the date)"
    r"|probation|(?:of )?(?:paid )?training|lease|school|strong\b|running|extension|renew|right to|c2h"
    r"|opportunity|commitment)",
    re.IGNORECASE,
)
_IS_EXPERIENCE = re.compile(r"[\s'’]*(?:of\s)?(?:\w+\s){0,5}?experience", re.IGNORECASE)
_FOR_OVER = re.compile(r"\bfor over\s*$")
_INSTEAD = re.compile(r"\b(?:in lieu|instead of|in place of|substitut\w+|equivalent to an?|replace)\b", re.IGNORECASE)
MAX_MONTHS = 40 * 12


@dataclass(frozen=True, slots=True)
class Length:
    start: int  # in the clause
    end: int
    months: int
    most_months: int | None
    instead: bool = False  # of a degree: an alternative to it, not a demand


def find_lengths(written: str) -> Iterator[Length]:
    """Lengths of experience in a clause."""
    for match in LENGTH.finditer(written):
        before, behind = written[max(0, match.start() - 45) : match.start()], written[match.end() : match.end() + 40]
        # "More than 5 years' experience" is asked of somebody; "for over 50 years" is a firm's pride.
        is_wanted = _MAY_FOLLOW.search(before) and _IS_EXPERIENCE.match(behind) and not _FOR_OVER.search(before)
        if _OTHER_BEHIND.search(behind) or (_OTHER_BEFORE.search(before) and not is_wanted):
            continue
        unit = 1 if match["unit"].lower().startswith("m") else 12
        least = round(_number(match["least"]) * unit)
        most = round(_number(match["most"]) * unit) if match["most"] else None
        if most is not None and most <= least:
            most = None
        if max(least, most or 0) <= MAX_MONTHS and (least or most):
            yield Length(*match.span(), least, most, _is_instead(written, match))


def _is_instead(written: str, match: re.Match[str]) -> bool:
    """ "BS in Construction or 10 years of site management in lieu of a degree"."""
    behind = _INSTEAD.search(written, match.end(), match.end() + 120)
    between = written[match.end() : behind.start()] if behind else ""
    before = _INSTEAD.search(written, max(0, match.start() - 60), match.start())
    return (behind is not None and not LENGTH.search(between)) or before is not None


def _number(written: str) -> float:
    return float(_WORDS.get(written.lower(), 0) or written)


_STAND = ". , ( ; : is would preferred a helpful desirable or well skills experience required and / knowledge"
_STANDING = frozenset(_STAND.split())
SHORT = 10  # words of a demand for one thing
_EITHER = re.compile(r"\bor\b", re.IGNORECASE)
_COMMA = re.compile(r"^\s*,\s*$")
_AND = re.compile(r"^\s*+(?:[,&/+]\s*+|,?\s*+(?:and|&|und|et)\s++)(?:with |in |using )?$", re.IGNORECASE)
_FROM_SKILL = re.compile(
    r"^\s*+(?:skills?|experience|exp\.?|knowledge|development|programming|background)?\s*+(?:[:(,–—-]"
    r"|\bfor\b|\bof\b)?\s*+"
    r"(?:at least|min(?:imum|\.)?(?: of)?|over|more than|for|a minimum of|of)?\s*+$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ClauseDemands:
    """What a clause asks for: skills, and times that are not spent with one tool or language."""

    demands: tuple[Demand, ...]
    totals: tuple[Total, ...]


@dataclass(frozen=True, slots=True)
class Total:
    length: Length
    must: bool
    is_general: bool  # no skill is named: "of relevant experience"


def find_demands(
    clause: Clause, kind: str, taken: Sequence[Place], vocabulary: Vocabulary, *, insists: bool = False
) -> ClauseDemands:
    """`kind` is the type of its passage, `taken` are places that name a field of study, a title or a city; `insists`
    that its heading says "required"."""
    written, cues = clause.written, find_cues(clause.written)
    groups = list(_groups(clause, _mentions(clause, kind, taken, vocabulary)))
    lengths = list(find_lengths(written))
    spent = _spent(written, groups, lengths)
    stress = insists and kind == "requirements"
    demands = tuple(
        _demand(clause, kind, group, spent.get(at), cues, vocabulary, stress) for at, group in enumerate(groups)
    )
    totals = []
    for length in lengths:
        if length.instead or not _is_experience(written, kind, length):
            continue
        names = [mention.name for at, group in enumerate(groups) if spent.get(at) == length for mention in group]
        if not any(vocabulary.skills.kind(name) in ("technology", "language") for name in names):
            must = strength(cues, length.start, length.end)
            totals.append(Total(length, kind != "wishes" if must is None else must, not names))
    return ClauseDemands(demands, _least(written, totals))


def _least(written: str, totals: Sequence[Total]) -> tuple[Total, ...]:
    """ "A degree and 8 years, or a diploma and 12 years": the shorter is enough."""
    result: list[Total] = []
    for total in totals:
        between = written[result[-1].length.end : total.length.start] if result else ""
        if result and _EITHER.search(between):
            result[-1] = min(result[-1], total, key=lambda either: either.length.months)
        else:
            result.append(total)
    return tuple(result)


@dataclass(frozen=True, slots=True)
class SkillMention:
    name: str
    start: int  # in the clause
    end: int


def _mentions(clause: Clause, kind: str, taken: Sequence[Place], vocabulary: Vocabulary) -> Iterator[SkillMention]:
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
        if any(place.first <= match.first and match.last < place.last for place in places):
            continue  # "San Antonio"
        start, end = tokens.starts[match.first], tokens.ends[match.last - 1]
        if not any(place.start < end and start < place.end for place in taken) and not _is_name(match, tokens.words):
            yield SkillMention(match.name, start - clause.start, end - clause.start)


def _stands(match: SkillMatch, words: Sequence[str], vocabulary: Vocabulary) -> bool:
    """ "Strong Excel", "AR is a must", "Node would be a plus": in a short demand the one name it has is meant."""
    surface = words[match.first]
    behind = words[match.last].lower() if match.last < len(words) else "."
    is_product = vocabulary.skills.kind(match.name) == "technology" or (surface.isupper() and len(surface) > 1)
    return surface[0].isupper() and is_product and behind in _STANDING


def _is_name(match: SkillMatch, words: Sequence[str]) -> bool:
    """ "Ad hoc" is no directory."""
    if words[match.first].lower() == "ad" and "hoc" in map(str.lower, words[match.last : match.last + 2]):
        return True
    return is_firm(match.first, match.last, words)


def is_firm(first: int, last: int, words: Sequence[str]) -> bool:
    """ "Resource Management Concepts, Inc.": capitals up to a legal form."""
    legal = words_of_kind("legal")
    for word in words[last : last + 5]:
        if word.lower() in legal and word[0].isupper():
            return words[first][0].isupper()
        if not word[0].isupper() and word not in {",", "&", "and"}:
            return False
    return False


def _groups(clause: Clause, mentions: Iterator[SkillMention]) -> Iterator[list[SkillMention]]:
    """Mentions in order, alternatives together: "Java or .NET", "C#/Java", "AWS, Azure or GCP"."""
    ordered = list(mentions)
    links = [clause.written[a.end : b.start] for a, b in pairwise(ordered)]
    joined = [ALTERNATIVE.search(link) is not None and len(link) < 12 for link in links]
    for at in range(len(links) - 2, -1, -1):  # commas before an "or" belong to it
        if joined[at + 1] and _COMMA.match(links[at]) and "/" not in links[at + 1]:
            joined[at] = True
    group: list[SkillMention] = []
    for at, mention in enumerate(ordered):
        group.append(mention)
        if at == len(links) or not joined[at]:
            yield group
            group = []


def _spent(written: str, groups: Sequence[list[SkillMention]], lengths: Sequence[Length]) -> dict[int, Length]:
    """The length that belongs to each group of skills, by its number."""
    spent: dict[int, Length] = {}
    for length in lengths:
        before = _before(written, groups, length)
        behind = _behind(written, groups, length)
        # "COBOL (5 years), JCL": what follows the length is the next thing.
        is_closed = written[length.end : length.end + 2].lstrip()[:1] in {")", ",", ""}
        if behind and (before is None or not is_closed):
            spent |= dict.fromkeys(behind, length)
        elif before is not None:
            spent.setdefault(before, length)
    return spent


def _before(written: str, groups: Sequence[list[SkillMention]], length: Length) -> int | None:
    for at in range(len(groups) - 1, -1, -1):
        end = groups[at][-1].end
        if end <= length.start:
            return at if length.start - end < 40 and _FROM_SKILL.match(written[end : length.start]) else None
    return None


@cache
def _to_skill() -> re.Pattern[str]:
    between = "|".join(words_of("between_length_and_skill"))
    return re.compile(rf"^['’]?\s*(?:\W?\s?(?:{between})\b\W?){{0,9}}\s*$", re.IGNORECASE)


def _behind(written: str, groups: Sequence[list[SkillMention]], length: Length) -> list[int]:
    """The group that follows, and those that "and" or a comma joins to it."""
    result: list[int] = []
    for at, group in enumerate(groups):
        if group[0].start < length.end:
            continue
        if not result:
            between = written[length.end : group[0].start]
            if len(between) > 90 or not _to_skill().match(between):
                return []
        elif not _AND.match(written[groups[result[-1]][-1].end : group[0].start]):
            break
        result.append(at)
    return result


def _demand(
    clause: Clause,
    kind: str,
    group: list[SkillMention],
    length: Length | None,
    cues: Sequence[Cue],
    vocabulary: Vocabulary,
    insists: bool,
) -> Demand:
    stated = strength(cues, group[0].start, group[-1].end)
    must = stated
    if must is None:
        must = kind == "requirements" or (length is not None and kind != "wishes")
    if length is not None and length.instead:
        must = False
    elif must and all(vocabulary.skills.kind(mention.name) == "soft" for mention in group):
        # Every ad names such traits and any resume can claim them: few are musts where the ad does not insist.
        named = kind == "requirements" and all(mention.name in words_of("named_traits") for mention in group)
        must = stated is not False and (
            insists or named or (stated is True and cue("must").search(clause.written) is not None)
        )
    months = length.months if length and not length.instead else None
    return Demand(
        skills=tuple(dict.fromkeys(mention.name for mention in group)),
        must=must,
        months=months,
        most_months=length.most_months if length and months else None,
        places=tuple(Place(clause.start + mention.start, clause.start + mention.end) for mention in group),
    )


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


# One demand for each skill: the strongest of those an ad makes, with all places where it makes them.


def merge(demands: Iterable[Demand]) -> tuple[Demand, ...]:
    """In the order in which the text first names them."""
    distinct: list[Demand] = []
    places: list[set[Place]] = []
    home: dict[str, int] = {}

    def weakness(demand: Demand) -> tuple[bool, bool, int, int, int]:
        is_timeless = demand.months is None
        return not demand.must, is_timeless, -(demand.months or 0), len(demand.skills), demand.places[0].start

    for demand in sorted(demands, key=weakness):
        homes = {home[name] for name in demand.skills if name in home}
        for at in homes:
            places[at].update(demand.places)
        free = tuple(name for name in dict.fromkeys(demand.skills) if name not in home)
        if free:
            home |= dict.fromkeys(free, len(distinct))
            # Who has the skill that is asked for elsewhere has met the choice: the others are welcome, no more.
            distinct.append(replace(demand, skills=free, must=demand.must and not homes))
            places.append(set(demand.places))
    merged = [
        replace(demand, places=tuple(sorted(where, key=lambda place: (place.start, place.end))))
        for demand, where in zip(distinct, places, strict=True)
    ]
    return tuple(sorted(merged, key=lambda demand: (demand.places[0].start, demand.skills)))
