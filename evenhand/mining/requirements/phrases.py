"""Fields and duties in the ad's own words, where no lexicon has them: what is rare in ads as a whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from evenhand.mining.lexicon.ad_words import rarity, root
from evenhand.mining.lexicon.phrases import HYPHENS
from evenhand.mining.requirements.clauses import Clause, Cue, find_cues, strength, verb_forms
from evenhand.mining.requirements.clauses import words as words_of
from evenhand.mining.requirements.demands import Length, find_lengths, is_firm
from evenhand.mining.vocabulary import Vocabulary
from evenhand.records.job import Demand, Place
from evenhand.text.tokens import Tokens

MAX_WORDS = 5  # of a phrase; longer ones keep their first
MAX_TELLING = 3  # words whose rarity counts: a long phrase is not rarer by its length
MIN_TELLING = 1.7  # rarity of the rarest word
MIN_RARITY = {"requirements": 3.2, "wishes": 4.0, "duties": 2.0}
MIN_UNCOVERED = 2.0  # rarity of what a known skill inside the phrase leaves over
MAX_PHRASES = {"requirements": 10, "wishes": 5, "duties": 8}
MIN_TIMED = 2.0  # where years of it are asked for
SURE_DUTY = 4.2  # rarity from which a duty tells the job from others
MIN_MUSTS = 6  # where an ad names fewer, more of its duties are taken for what it asks for
ENOUGH_MUSTS = 16  # where it names as many, hardly any
MIN_DUTIES = 4
MAX_PER_CLAUSE = 3
GENERIC_VERB = 2.6  # rarity below which a verb says nothing: "manage", "provide", "maintain"
MIN_LENGTH = 4  # characters of a clause
MAX_LOOK = 600  # characters of a clause
_JOIN = frozenset((",", "and", "or", "&", "/", "and/or"))
_EMPTY = HYPHENS | {"of"}
_BEFORE_NOUN = frozenset(("a", "an", "the", "in", "of", "with", "for", "or"))
_PURPOSE = frozenset(("to", "for", "by", "so", "that", "from", "who", "which", "when", "while", "if", "at", "within"))
MAX_POINT = 3  # words of a point in a list that is but a name: "Exchange 2007"
KNOWN = 1.0  # by which a skill of the lexicon tells more than words that nobody knows
MAX_TO_LENGTH = 60  # characters between "five years" and what they were spent on
_NO_NOUN = re.compile(r"(?:ly|ed|able|ible|ing|ful|ive|ous|ic)$")
_ASKED = re.compile(
    r"\b(?:experience|knowledge|understanding|familiar\w*|proficien\w+|background|expertise|exposure)\b", re.IGNORECASE
)
SHORT = 9  # words of a point in a list that says nothing but what is asked for
NEAR = 4  # characters between "law firm" and "experience"
_AHEAD = re.compile(
    r"\b(?:experience[ds]?|background|knowledge|understanding|expertise|exposure|training|track record|history"
    r"|competen\w+|command|mastery|grasp|skill(?:s|ed)|familiar\w*|proficien\w+|fluen\w+|adept|versed|certified|degree"
    r"|diploma|specializ\w+)\b(?:\W+\w+){0,3}?\W+(?:in|with|of|using|within|on|as|at|for|to|developing|working"
    r"|building|managing|performing|designing|creating|leading|conducting|implementing|supporting)\b"
    r"|\b(?:ability|able|capab\w+|capacity|comfortable|willing\w*) (?:to|of|with|in)\b"
    r"|\b(?:years?|yrs?|months?)\b['’)]*\+?(?: or more)?(?: of| in| with)?\b"
    r"|\bmust (?:have|possess|know|understand)\b|\b(?:requires?|required|essential|mandatory|must[- ]haves?)\s?:",
    re.IGNORECASE,
)
"""What follows it is asked for."""
_BEHIND = re.compile(
    r"\b(?:experience|background|knowledge|skills|expertise|exposure|training|proficiency|required|a must|essential)\b",
    re.IGNORECASE,
)
"""What stands right before it is."""
_TALK = re.compile(
    r"\b(?:we|our|us|you|your|is|are|will|this|i|they|he|she|was|were|has)\b|[!?$£€]|['’](?:re|ll|ve)\b|\d{5}",
    re.IGNORECASE,
)
_FORMALITY = re.compile(
    r"\b(?:right to work|authori[sz]ed to work|eligib\w+ to work|background (?:check|investigation)|drug"
    r"|at least \d\d years of age|years of age|\d\d years or older|criminal|conviction|accommodation|apply"
    r"|resumes?|cvs?|shifts?|weekends?|holidays?|overtime|resid(?:e|ing)|immediate availability)\b",
    re.IGNORECASE,
)
"""What is no field of work."""
_WORD = re.compile(r"[^\W\d_][\w&+#.'’-]*", re.UNICODE)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A demand that may be one of the ad's, with how much it tells."""

    demand: Demand
    rarity: float
    passage: str


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(words_of(name))


@cache
def _duty_verbs() -> frozenset[str]:
    return frozenset(map(root, words_of("duty_verbs")))


def find_phrases(clause: Clause, kind: str, taken: Sequence[Place], named: Sequence[Place]) -> list[Candidate]:
    """`taken` are places of skills, degrees and the like, which are demands already; `named` are those of licences,
    beside which nothing else is said."""
    if kind not in MIN_RARITY or clause.end - clause.start < MIN_LENGTH:
        return []
    is_asked = _asks_here(clause, kind)
    if is_asked is None:
        return []
    tokens, cues = clause.tokens, find_cues(clause.written)
    lengths = [length for length in find_lengths(clause.written) if not length.instead]
    candidates: list[Candidate] = []
    for first, last, role in _chunks(clause, kind):
        start, end = tokens.starts[first], tokens.ends[last - 1]
        is_aside = role == "purpose" and (candidates or kind != "requirements")
        if is_aside or not is_asked(start - clause.start, end - clause.start) or _touches(start, end, named):
            continue
        is_timed = any(0 <= start - clause.start - length.end <= MAX_TO_LENGTH for length in lengths)
        least = MIN_TIMED if is_timed else MIN_RARITY[kind]
        if made := _phrase(clause, (first, last), kind, taken, cues, least):
            candidates.append(_timed(clause, made, lengths) if not candidates else made)
        if len(candidates) == MAX_PER_CLAUSE:
            break
    return candidates


def _touches(start: int, end: int, places: Sequence[Place]) -> bool:
    return any(place.start < end and start < place.end for place in places)


def _asks_here(clause: Clause, kind: str) -> Callable[[int, int], bool] | None:
    """Whether what stands between two places of the clause is asked for, by the words around it; None: nothing is.

    "Experience in", "ability to", "... skills" ask for what stands beside them; a short point of a list for all it
    says; a duty is what follows the verb it begins with.
    """
    written = clause.written[:MAX_LOOK]
    if kind == "duties":
        return (lambda start, end: end <= len(written)) if _duty_opening().match(written) else None
    ahead = _AHEAD.search(written)
    before = [match.start() for match in _BEHIND.finditer(written)]
    is_short = len(clause.tokens) <= SHORT and not _TALK.search(written)
    if not (ahead or before or is_short) or _FORMALITY.search(written):
        return None

    def asked(start: int, end: int) -> bool:
        return is_short or (ahead is not None and start >= ahead.end()) or any(0 <= at - end <= NEAR for at in before)

    return asked


@cache
def _duty_opening() -> re.Pattern[str]:
    verbs = "|".join(verb_forms(verb) for verb in words_of("duty_verbs"))
    subject = r"(?:(?:you|they|he|she|he/she|incumbent) )?(?:(?:will|to|shall|also|may) )?"
    opening = rf"(?:responsib\w+ (?:for|include):? )?{subject}(?:be responsible for )?(?:help )?(?:\w+ly )?"
    return re.compile(rf"^\W*{opening}(?:{verbs})\b", re.IGNORECASE)


def from_duties(demands: Iterable[Demand], vocabulary: Vocabulary) -> Iterator[Candidate]:
    """Known skills that a duty names: the rarest of them are what the job is about."""
    for demand in demands:
        kinds = {vocabulary.skills.kind(name) for name in demand.skills}
        if demand.kind == "skill" and not demand.must and len(demand.skills) == 1 and not kinds & {"soft", "language"}:
            told = _rarity(demand.skills[0].split())
            if told + KNOWN >= MIN_RARITY["duties"]:
                yield Candidate(replace(demand, must=True), told + KNOWN, "duties")


def _rarity(words: Iterable[str]) -> float:
    return sum(sorted((rarity(word) for word in words if word != "of"), reverse=True)[:MAX_TELLING])


def _chunks(clause: Clause, kind: str) -> Iterator[tuple[int, int, str]]:
    """Stretches of words between breaks; "of" and a hyphen join two. The role tells what stands before."""
    tokens, breaks = clause.tokens, _words("phrase_breaks")
    start, role = 0, "head"
    for at, word in enumerate([*tokens.words, "."]):
        lower = word.lower()
        is_inner = at > start and at + 1 < len(tokens)
        is_hyphen = (
            is_inner and word in HYPHENS and tokens.ends[at - 1] == tokens.starts[at] == tokens.starts[at + 1] - 1
        )
        is_break = lower in breaks or lower in _JOIN or not _WORD.fullmatch(word)
        is_joint = lower == "of" and is_inner and tokens.words[at - 1].lower() not in _words("phrase_edges")
        if is_hyphen or is_joint or (not is_break and lower != "of"):
            continue
        if at > start:
            yield start, at, role
        start = at + 1
        if lower in _JOIN:
            continue
        role = "purpose" if lower in _PURPOSE and (role != "head" or lower != "to" or at > 3) else "inner"
        if role == "inner" and kind == "duties" and at > 6:
            role = "purpose"


def _phrase(
    clause: Clause, span: tuple[int, int], kind: str, taken: Sequence[Place], cues: Sequence[Cue], least: float
) -> Candidate | None:
    tokens = clause.tokens
    first, last = _trimmed(tokens.words, *span)
    before = tokens.words[first - 1].lower() if 0 < first <= len(tokens) else ""
    is_noun = before in _BEFORE_NOUN and not tokens.words[first].endswith("ing")  # "in a document vault"
    is_task = first + 1 < last and root(tokens.words[first]) in _duty_verbs() and not is_noun
    if is_task and rarity(tokens.words[first]) < GENERIC_VERB:
        first, last = _trimmed(tokens.words, first + 1, last)
        is_task = False
    lower = [word.lower() for word in tokens.words[first:last]]
    traits = _words("trait_words") if kind in ("requirements", "wishes") else _words("formal_words")
    if first < last and is_firm(first, last, tokens.words):
        return None
    if first >= last or traits & set(lower) or any(map(_is_broken, tokens.words[first:last])):
        return None
    told = _rarity(lower)
    if told < least or max(map(rarity, lower)) < MIN_TELLING or not _is_new(tokens, first, last, taken):
        return None
    if last - first == 1:
        # "Clinical experience": an adjective is a field of work only together with its noun.
        is_kind = last < len(tokens) and tokens.words[last].lower() == "experience" and lower[0][-2:] != "ed"
        last += is_kind
        if not is_kind and not _stands_alone(clause, first, kind):
            return None
    place = Place(tokens.starts[first], tokens.ends[last - 1])
    stated = strength(cues, place.start - clause.start, place.end - clause.start)
    must = kind in ("requirements", "duties") if stated is None else stated
    name = " ".join(clause.text[place.start : place.end].lower().split())
    return Candidate(Demand((name,), must, places=(place,), kind="task" if is_task else "domain"), told, kind)


def _is_broken(word: str) -> bool:
    """Words that ran together: "RequiredStrong", "standing10"."""
    inner = word[1:]
    return (any(map(str.isdigit, word)) and not word.isupper()) or (any(map(str.isupper, inner)) and not word.isupper())


def _stands_alone(clause: Clause, at: int, kind: str) -> bool:
    """One word is enough where it is a name, or what experience is asked in."""
    word = clause.tokens.words[at]
    if kind not in ("requirements", "wishes") or _NO_NOUN.search(word.lower()):
        return False
    is_point = word[0].isupper() and len(clause.tokens) <= MAX_POINT
    return is_point or (word.isupper() and len(word) > 2) or _ASKED.search(clause.written) is not None


def _trimmed(words: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """Without words that say nothing at its edges, and not too long."""
    edges = _words("phrase_edges")
    while first < last and (words[first].lower() in edges or words[first] in _EMPTY):
        first += 1
    last = min(last, first + MAX_WORDS)
    while last > first and (words[last - 1].lower() in edges or words[last - 1] in _EMPTY):
        last -= 1
    return first, last


def _is_new(tokens: Tokens, first: int, last: int, taken: Sequence[Place]) -> bool:
    """Whether it says more than the skills that stand in it."""
    here = [place for place in taken if place.start < tokens.ends[last - 1] and tokens.starts[first] < place.end]
    if not here:
        return True
    free = [
        rarity(tokens.words[at])
        for at in range(first, last)
        if not any(place.start < tokens.ends[at] and tokens.starts[at] < place.end for place in here)
    ]
    return max(free, default=0.0) >= MIN_UNCOVERED


def _timed(clause: Clause, candidate: Candidate, lengths: Sequence[Length]) -> Candidate:
    """ "Five years of trusts and estates practice": the only length of a clause is that of its first phrase."""
    if len(lengths) != 1:
        return candidate
    [length] = lengths
    demand = candidate.demand
    if not 0 <= demand.places[0].start - clause.start - length.end <= MAX_TO_LENGTH:
        return candidate
    return replace(candidate, demand=replace(demand, months=length.months, most_months=length.most_months))


def choose(candidates: Iterable[Candidate], demands: Sequence[Demand]) -> list[Demand]:
    """The rarest of each kind of passage; of those that say the same, the first. `demands` are the other ones."""
    seen = [frozenset(map(root, name.split())) for demand in demands for name in demand.skills]
    required = {demand.skills for demand in demands if demand.must}
    musts = len(required)
    left = dict(MAX_PHRASES)
    chosen: list[Demand] = []
    for one in sorted(candidates, key=_order):
        demand, is_duty = one.demand, one.passage == "duties"
        roots = frozenset(map(root, demand.skills[0].split())) - {"of"}
        if (
            left[one.passage] == 0
            or demand.skills in required
            or (demand.kind != "skill" and any(roots <= other for other in seen))
        ):
            continue
        room = MAX_PHRASES["duties"] - left["duties"] < max(MIN_DUTIES, ENOUGH_MUSTS - musts)
        if is_duty and not (room if one.rarity >= SURE_DUTY else musts < MIN_MUSTS):
            continue
        seen.append(roots)
        required.add(demand.skills)
        left[one.passage] -= 1
        musts += demand.must
        chosen.append(demand)
    return chosen


def _order(candidate: Candidate) -> tuple[bool, bool, float, int]:
    """What is required before what is done, the rarest first."""
    demand = candidate.demand
    return candidate.passage == "duties", not demand.must, -candidate.rarity, demand.places[0].start
