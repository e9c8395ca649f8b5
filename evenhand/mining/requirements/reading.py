"""The main path: text to clauses, clauses to types, then what they ask for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from evenhand.mining.lexicon.phrases import words as words_of_kind
from evenhand.mining.requirements.clauses import Clause, cue, cut, typed, verb_forms, words
from evenhand.mining.requirements.demands import Total, find_demands, merge
from evenhand.mining.requirements.details import (
    DegreeMention,
    Title,
    find_place,
    find_studies,
    find_title,
    least_degree,
)
from evenhand.mining.requirements.licences import find_licences
from evenhand.mining.requirements.phrases import Candidate, choose, find_phrases, from_duties
from evenhand.mining.skill_resolver import find as find_skills
from evenhand.mining.skill_resolver import settle
from evenhand.mining.vocabulary import Vocabulary
from evenhand.records.document import Warning
from evenhand.records.job import PASSAGE_TYPES, Demand, Job, Passage, Place
from evenhand.text.tokens import tokenise

# Words by which a clause of a job ad is known to speak of duties, demands, the employer, benefits, formalities.

DUTY = 1.2
MUST = 1.5
WISH = 3.0
_HEAD = r"^\W*(?:(?:you|they|he|she|he/she|incumbent) )?(?:(?:will|to|shall|also|may) )?(?:\w+ly )?"


@cache
def voices() -> list[tuple[str, float, re.Pattern[str]]]:
    """Type of passage, weight, and what a clause of that type has in it."""
    verbs = "|".join(verb_forms(verb) for verb in words("duty_verbs"))
    return [
        ("duties", DUTY, re.compile(rf"{_HEAD}(?:{verbs})\b", re.IGNORECASE)),
        ("requirements", MUST, cue("must")),
        ("wishes", WISH, cue("wish")),
        *typed("voices"),
    ]


# What each stretch of an ad speaks of: the sequence of types that explains its clauses best.
#
# Every clause has votes for types, by its words; a heading has many. To go on in the same type costs nothing, to change
# costs: so plain clauses belong to what stands around them, and the best sequence is found in one pass.

HEADING = 6.0
SECTION = 1.0  # for the type of the last heading
TITLE = 3.0
LEAVING = 2.0  # votes for the job itself that end a section about the firm
CHANGE = 1.6
NEAR_CHANGE = 0.5  # between what is asked and what is wished
START = {"other": 0.0, "employer": 1.0, "duties": 1.5}
_ASIDE = frozenset(("employer", "benefits", "legal"))
_NEAR = frozenset((("requirements", "wishes"), ("wishes", "requirements")))
_COSTS = [
    [0.0 if before == after else NEAR_CHANGE if (before, after) in _NEAR else CHANGE for after in PASSAGE_TYPES]
    for before in PASSAGE_TYPES
]
_EQUAL = 1e-9
_MAX_VOICE_LENGTH = 600  # characters of a clause that are looked at


def type_clauses(clauses: Sequence[Clause], title: Place | None = None) -> list[str]:
    """One type for each clause; the one with the job's title speaks of the job."""
    if not clauses:
        return []
    first, *rest = _all_votes(clauses, title)
    scores = [vote - START.get(kind, 2.0) for kind, vote in zip(PASSAGE_TYPES, first, strict=True)]
    steps: list[list[int]] = []
    for votes in rest:
        came = [_best_before(scores, after) for after in range(len(PASSAGE_TYPES))]
        scores = [scores[before] - _COSTS[before][after] + votes[after] for after, before in enumerate(came)]
        steps.append(came)
    at = max(range(len(scores)), key=scores.__getitem__)
    path = [at]
    for came in reversed(steps):
        at = came[at]
        path.append(at)
    return [PASSAGE_TYPES[at] for at in reversed(path)]


def _all_votes(clauses: Sequence[Clause], title: Place | None) -> Iterator[list[float]]:
    """The last heading has a voice in everything below it."""
    section: str | None = None
    for clause in clauses:
        votes = _votes(clause)
        if title and clause.start <= title.start < clause.end:
            votes["other"] += TITLE
        if clause.heading:
            section = clause.heading
        elif section in _ASIDE and (votes["other"] >= LEAVING or votes["duties"] >= LEAVING):
            section = None  # "... is seeking a": back from the firm's own praise
        elif section:
            votes[section] += SECTION
            if section in _ASIDE:
                votes["requirements"] *= 0.5
                votes["duties"] *= 0.5
            elif section == "wishes":  # all that is listed there is wished, however it is worded
                votes["wishes"] += votes["requirements"]
                votes["requirements"] = 0.0
        yield list(votes.values())


def _best_before(scores: Sequence[float], after: int) -> int:
    """Where to change sooner or later is as good, it is later: a plain clause belongs to what stands before it."""
    best = max(
        (before for before in range(len(scores)) if before != after),
        key=lambda before: scores[before] - _COSTS[before][after],
    )
    return after if scores[after] > scores[best] - _COSTS[best][after] + _EQUAL else best


def _votes(clause: Clause) -> dict[str, float]:
    votes = dict.fromkeys(PASSAGE_TYPES, 0.0)
    if clause.heading:
        votes[clause.heading] += HEADING
        return votes
    words = clause.written[:_MAX_VOICE_LENGTH]
    for kind, weight, pattern in voices():
        if pattern.search(words):
            votes[kind] += weight
    return votes


def join_passages(clauses: Sequence[Clause], types: Sequence[str], understood: int, length: int) -> tuple[Passage, ...]:
    """Clauses of one type in a row are one passage; together they cover the whole text. What nobody looked at,
    from `understood` to `length`, is of type other."""
    if not length:
        return ()
    starts: list[tuple[int, str]] = []
    for clause, kind in zip(clauses, types, strict=True):
        if not starts or starts[-1][1] != kind:
            starts.append((clause.start if starts else 0, kind))
    if not starts or (understood < length and starts[-1][1] != "other"):
        starts.append((understood if starts else 0, "other"))
    ends = [start for start, _ in starts[1:]] + [length]
    return tuple(Passage(kind, Place(start, end)) for (start, kind), end in zip(starts, ends, strict=True))


MAX_AD_LENGTH = 60_000
"""Characters that are understood; an ad has a few thousand, and what follows is kept as text."""
_BLANKS = dict.fromkeys(map(ord, "\xa0\u2002\u2003\u2007\u2009\u200b\u202f\ufeff"), " ")  # places stay the same
_INSISTS = re.compile(r"\b(?:require[sd]|must|mandatory|essential|minimum)\b", re.IGNORECASE)  # "Skills Required:"
_ENGLISH = frozenset(["the", "and", "of", "to", "with", "for"])
_FOREIGN = frozenset(
    (
        "de",
        "la",
        "le",
        "les",
        "et",
        "und",
        "der",
        "die",
        "für",
        "di",
        "che",
        "con",
        "el",
        "los",
        "para",
        "com",
        "een",
        "van",
    )
)
TELLING = frozenset(("duties", "requirements", "wishes", "other"))
"""Types of passages that say who is wanted."""


def understand_job(text: str, vocabulary: Vocabulary) -> Job:
    """Never raises because of what the text contains; time grows with its length up to MAX_AD_LENGTH."""
    plain = text[:MAX_AD_LENGTH].translate(_BLANKS)
    clauses = cut(plain, len(plain), vocabulary)
    title = find_title(plain, clauses, vocabulary)
    types = type_clauses(clauses, title.place if title else None)
    where = find_place(clauses, types)
    taken = [match.place for match in (title, where) if match]
    demands, totals, studies = _wanted(clauses, types, taken, vocabulary)
    demands = [*_in_title(title, vocabulary), *demands]
    # What is meant by a name that stands for two skills is seen among all skills of the ad.
    meant = settle(name for demand in demands for name in demand.skills)
    demands = [replace(demand, skills=tuple(meant.get(name, name) for name in demand.skills)) for demand in demands]
    # What an ad says of experience in general; else the longest time it asks for in one field of work.
    required = [total for total in totals if total.must]
    general = [total for total in required if total.is_general]
    total = max(general or required, key=lambda total: total.length.months, default=None)
    level, fields = least_degree(studies)
    return Job(
        text=text,
        title=title.written if title else None,
        demands=tuple(
            replace(demand, must=False) if _is_doubtful(demand, text, vocabulary) else demand
            for demand in merge(demands)
        ),
        months=total.length.months if total else None,
        most_months=total.length.most_months if total else None,
        degree=level,
        fields=fields,
        city=where.city.name if where else None,
        country=where.city.country if where else None,
        passages=join_passages(clauses, types, len(plain), len(text)),
        warnings=_unread(len(plain), len(text)),
    )


def _unread(read: int, length: int) -> tuple[Warning, ...]:
    if read == length:
        return ()
    message = f"Only the first {read:,} of the ad's {length:,} characters were read for requirements."
    return (Warning("truncated", message),)


def _wanted(
    clauses: Sequence[Clause], types: Sequence[str], taken: list[Place], vocabulary: Vocabulary
) -> tuple[list[Demand], list[Total], list[DegreeMention]]:
    demands: list[Demand] = []
    totals: list[Total] = []
    studies: list[DegreeMention] = []
    candidates: list[Candidate] = []
    wished: set[str] = set()
    is_english = bool(clauses) and _is_english(clauses[0].text)
    insists = False
    for clause, kind in zip(clauses, types, strict=True):
        if clause.heading:
            insists = _INSISTS.search(clause.written) is not None
            continue
        if kind not in TELLING:
            demands += [licence for licence in find_licences(clause, kind) if licence.must and kind == "legal"]
            continue
        is_title = any(place.start == clause.start for place in taken)  # "High School Teacher"
        degrees = [] if is_title else find_studies(clause, kind, vocabulary)
        licences = find_licences(clause, kind, is_title=is_title)
        named = [place for licence in licences for place in licence.places]
        places = [*taken, *(study.place for study in degrees), *named]
        wanted = find_demands(clause, kind, places, vocabulary, insists=insists)
        demands += licences
        found = [*(place for demand in wanted.demands for place in demand.places)]
        found += [*taken, *(study.place for study in degrees)]
        if is_english and not is_title:
            candidates += find_phrases(clause, kind, found, named)
            candidates += from_duties(wanted.demands, vocabulary) if kind == "duties" else []
        if kind in ("requirements", "wishes"):
            wished |= {name for demand in wanted.demands if not demand.must for name in demand.skills}
        demands += wanted.demands
        totals += wanted.totals
        studies += degrees
    # What an ad only wishes for is not what it is about, though a duty names it.
    candidates = [one for one in candidates if one.passage != "duties" or wished.isdisjoint(one.demand.skills)]
    demands += choose(candidates, demands)
    return demands, totals, studies


def _is_english(text: str) -> bool:
    """Only of English ads it is known which words are rare."""
    lower = text.lower().split()
    return sum(word in _FOREIGN for word in lower) <= sum(word in _ENGLISH for word in lower)


def _is_doubtful(demand: Demand, text: str, vocabulary: Vocabulary) -> bool:
    """A skill told by one everyday word for it, once, is a wish at most.

    "A background investigation" asks for no criminal investigator. Names of techniques and acronyms are no such words.
    """
    if len(demand.skills) != 1 or len(demand.places) != 1 or demand.months is not None:
        return False
    [name], [place] = demand.skills, demand.places
    word = text[place.start : place.end]
    if not word.isalpha() or word.isupper() or vocabulary.skills.kind(name) in ("technology", "language"):
        return False
    return word.lower() != name.lower() and not name.lower().startswith(f"{word.lower()}s")


def _in_title(title: Title | None, vocabulary: Vocabulary) -> list[Demand]:
    """Who is to be a "Java Developer" must know Java."""
    if title is None:
        return []
    tokens = tokenise(title.written)
    start = title.place.start
    heads = words_of_kind("title head")  # "Director, Finance" is no call for the program of that name
    return [
        Demand(
            (match.name,),
            must=True,
            places=(Place(start + tokens.starts[match.first], start + tokens.ends[match.last - 1]),),
        )
        for match in find_skills(tokens.words, lexicon=vocabulary.skills)
        if vocabulary.skills.kind(match.name) != "soft" and match.name not in heads
    ]
