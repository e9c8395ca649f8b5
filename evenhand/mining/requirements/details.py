"""What a job ad says besides skills: its title, the place of work, and the least degree with its fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evenhand.mining.lexicon.degrees import DegreeMatch, is_degree
from evenhand.mining.lexicon.phrases import HYPHENS
from evenhand.mining.lexicon.phrases import words as words_of_kind
from evenhand.mining.lexicon.places import City, cities_named, find_city, home_of
from evenhand.mining.lexicon.places import places as known_places
from evenhand.mining.requirements.clauses import Clause, find_cues, strength
from evenhand.mining.requirements.clauses import words as words_of
from evenhand.mining.vocabulary import Vocabulary
from evenhand.records.job import Place
from evenhand.records.profile import DEGREE_LEVELS
from evenhand.text.tokens import tokenise

# The title: labelled, on the first line, or "is seeking a ..."; without city, contract and advertising.

MAX_TITLE_LENGTH = 100  # characters
MAX_TITLE_WORDS = 12
EARLY_TITLE = 25  # clauses
_LABEL = re.compile(
    r"\b(?:position|job title|job|title|role|designation|vacancy|post)(?: title"
    r"| name)?\s?[:–]\s*(?P<title>[^\n:;|]{3,90})",
    re.IGNORECASE,
)
_SOUGHT = re.compile(
    r"\b(?:seek(?:s|ing)|looking (?:for|to (?:hire|add|fill))|hiring|needs?|recruiting|searching for"
    r"|opening for|opportunity for"
    r"|(?:position|role|opportunity|opening) (?:of|as|for)|wanted:?|requirement:|join \S[^.]{0,50}? as"
    r"|in need of|search for|to become|for the)"
    r"\s(?:an?\s|our next\s|the\s|\d+\s|several\s|multiple\s)?(?P<rest>(?:[^\n.;:!?]|\.(?=[A-Z])){3,140})",
    re.IGNORECASE,
)
_WANTED = re.compile(r"^(?P<title>[^\n.;:!?,]{3,80}?)\s(?:wanted|needed|required)\b", re.IGNORECASE)
_TAIL = re.compile(
    r"(?:(?<!\s)\s++)?(?:[-–—|:]{1,20}+\s*+(?:perm(?:anent)?|contract(?: to hire)?|full[- ]?time|part[- ]?time|temp"
    r"|remote|hybrid|urgent|immediate|direct hire|days?|nights?|\$).*"
    r"|\bjobs? in\b.*|\((?:m/f|f/m|m/w|all gender|remote|contract|perm|full|part|temp|h/f|w/m)[^)]*+\)?.*"
    r"|[-–—|]\s*+(?:[A-Z][\w.]{1,24} ?){1,3},\s?[A-Z]{2}\b.*"
    r"|(?<=\s)(?:needed|wanted|opening|opportunity)s?\b\W*+$|\(?\s?#?(?<!\d)\d{4,}+.*)$",
    re.IGNORECASE,
)
_EDGES = " \t\xa0*-–—|:,.#!_~•\"'"
_SENTENCE = re.compile(r"\b(?:is|are|we|our|you|your|has|will|join|us|this|that|if)\b", re.IGNORECASE)
_PLACE_TAIL = re.compile(
    r"(?:(?<!\s)\s++)?[-–—|,(]\s*+[A-Z][\w.]{1,24}(?: [A-Z][\w.]{1,24}){0,2} ?,?\s?[A-Z]{2}\b\W*+$"
)
_END = re.compile(
    r"\s(?:for|to|in|at|with|who|on|that|within|based|located|from|as|near|responsible|of our|of the)\s"
    r"|\s?[,(]|\s[-–—]\s"
)


@dataclass(frozen=True, slots=True)
class Title:
    written: str
    place: Place


def find_title(text: str, clauses: Sequence[Clause], vocabulary: Vocabulary) -> Title | None:
    early = clauses[:EARLY_TITLE]
    return (
        _first_line(text, early, vocabulary)
        or _labelled(early, vocabulary)
        or _sought(early, vocabulary)
        or _leading(early, vocabulary)
        or _unknown_first(text, early)
    )


def _leading(clauses: Sequence[Clause], vocabulary: Vocabulary) -> Title | None:
    """ "Senior Test Engineer, New Delhi, for ...": a title up to the first comma."""
    for clause in clauses[:4]:
        head = clause.written.split(",", 1)[0]
        if head[:1].isupper() and len(head.split()) <= 6 and has_title(head, vocabulary):
            return _trimmed(clause.text, clause.start, clause.start + len(head))
    return None


def _first_line(text: str, clauses: Sequence[Clause], vocabulary: Vocabulary) -> Title | None:
    """The first clause where it has a title in it and is no sentence."""
    if not clauses or _WANTED.match(clauses[0].written):
        return None
    title = _trimmed(text, clauses[0].start, clauses[0].end)
    if title is None or _SENTENCE.search(title.written) or _LABEL.match(title.written):
        return None
    return title if has_title(title.written, vocabulary) else None


def _unknown_first(text: str, clauses: Sequence[Clause]) -> Title | None:
    """A short first line of its own is a title though nobody knows it."""
    if not clauses or clauses[0].heading or "\n" not in text[clauses[0].end : clauses[0].end + 3]:
        return None
    title = _trimmed(text, clauses[0].start, clauses[0].end)
    if title is None or _SENTENCE.search(title.written) or ":" in title.written:
        return None
    return title if len(title.written.split()) <= 8 else None


def _labelled(clauses: Sequence[Clause], vocabulary: Vocabulary) -> Title | None:
    for clause in clauses:
        match = _LABEL.search(clause.written)
        if match:
            start = clause.start + match.start("title")
            title = _trimmed(clause.text, start, clause.start + match.end("title"))
            if title and (match.start() == 0 or has_title(title.written, vocabulary)):
                return title
    return None


def _sought(clauses: Sequence[Clause], vocabulary: Vocabulary) -> Title | None:
    for clause in clauses:
        wanted = _WANTED.match(clause.written)
        if wanted and has_title(wanted["title"], vocabulary):
            return _trimmed(clause.text, clause.start, clause.start + wanted.end("title"))
        for match in _SOUGHT.finditer(clause.written[:400]):
            title = _title_in(clause, match.start("rest"), match.end("rest"), vocabulary)
            if title:
                return title
    return None


def _title_in(clause: Clause, start: int, end: int, vocabulary: Vocabulary) -> Title | None:
    """From "looking for an energetic Leasing Consultant to join": capitals, or else the known title."""
    rest = clause.written[start:end]
    stop = _END.search(rest)
    head = rest[: stop.start()] if stop else rest
    tokens = tokenise(head)
    lower = [word.lower() for word in tokens.words]
    known = vocabulary.known.titles.find(lower)
    heads = words_of_kind("title head")
    last = max([title.last for title in known] + [at + 1 for at, word in enumerate(lower) if word in heads], default=0)
    if not last:
        return None
    first = min((title.first for title in known), default=last - 1)
    first = min(first, last - 1)
    while first and tokens.words[first - 1][0].isupper():
        first -= 1
    while last < len(tokens) and (tokens.words[last] in {"I", "II", "III", "IV"}):
        last += 1
    if lower[first] in {"experienced", "talented", "motivated", "qualified"} and last - first > 1:
        first += 1
    base = clause.start + start
    return _trimmed(clause.text, base + tokens.starts[first], base + tokens.ends[last - 1])


def has_title(written: str, vocabulary: Vocabulary) -> bool:
    lower = [word.lower() for word in tokenise(written).words]
    heads = words_of_kind("title head")
    return bool(vocabulary.known.titles.find(lower)) or any(
        word.rstrip("s") in heads or word in heads for word in lower
    )


def _trimmed(text: str, start: int, end: int) -> Title | None:
    if end - start > 2 * MAX_TITLE_LENGTH:
        return None
    written = text[start:end]
    written = _PLACE_TAIL.sub("", _TAIL.sub("", written))
    bare = written.lstrip(_EDGES.replace(".", "")).rstrip(_EDGES)
    is_short = len(bare) <= MAX_TITLE_LENGTH and len(bare.split()) <= MAX_TITLE_WORDS
    if not is_short or not any(map(str.isalpha, bare)):
        return None
    begin = start + written.index(bare)
    return Title(bare, Place(begin, begin + len(bare)))


# Where the work is: a labelled place, "our Lexington Park, MD office", "in Pune", in this order.

_NAME = r"(?![A-Z][,.])[A-Z][\w.'’-]{0,40}(?: (?:of |de |la |del |upon )?[A-Z][\w.'’-]{0,40}){0,3}"
_PLACES_LABEL = re.compile(
    r"\b(?:job |work )?(?:location|city|place of work|based in|job site)\s?(?::"
    r"|[-–]\s)\s*(?P<place>[^\n;|]{2,60})",
    re.IGNORECASE,
)
_TITLED = re.compile(rf"\bJobs? in (?P<place>{_NAME}(?:, [A-Z]{{2}})?)\s*$")
_STATE = re.compile(rf"(?P<place>{_NAME},\s?(?:[A-Z]{{2}}\b|[A-Z][a-z]+(?: [A-Z][a-z]+)?)\b)")
_IN = re.compile(
    rf"\b(?:(?:located |based |work |out |position |opportunity |job |office |opening |team )?(?:in|at"
    rf"|of)(?: the| our| downtown)?"
    rf"|our|its|for)\s(?P<place>{_NAME}(?:,\s?[A-Z][\w.]+)?(?:\s?/\s?{_NAME})?)"
)
_OPEN = re.compile(rf"(?:\((?P<place>{_NAME}(?:, [A-Z]{{2}})?)\)|,\s(?P<bare>{_NAME})(?=\s*[.,]))")
_ELSEWHERE = re.compile(
    r"\b(?:headquarter|founded|offices in|oficinas en|escritórios em|standorte|degree|clients in"
    r"|branches|stores|resume to|p\.?o\.? box"
    r"|street|suite)",
    re.IGNORECASE,
)
_OFFICE = re.compile(
    r"^\s?(?:area|office|location|facility|plant|branch|site|region|campus|headquarters|store|market)\b", re.IGNORECASE
)
_SEVERAL = re.compile(r"\s?/\s?|\sand\s|\sor\s")
BIG = 500_000  # people
MAX_PLACE_WORDS = 3
MAX_INITIALS = 4  # letters
EARLY_PLACE = 12  # clauses in which an ad says where it is


@dataclass(frozen=True, slots=True)
class PlaceMatch:
    rank: int
    city: City
    place: Place
    sure: bool  # a state or country stands beside it


def find_place(clauses: Sequence[Clause], types: Sequence[str]) -> PlaceMatch | None:
    """The best place named, and among equals the first."""
    matches = [
        match
        for number, (clause, kind) in enumerate(zip(clauses, types, strict=True))
        for match in _in_clause(clause, kind, early=number < EARLY_PLACE)
    ]
    best = min(matches, key=lambda match: (match.rank, match.place.start), default=None)
    if best is None:
        return None
    # "Job in Dublin ... Location: Corporate Office (Dublin, OH)": whoever names the state knows which.
    return next((match for match in matches if match.city.name == best.city.name and match.sure), best)


def _in_clause(clause: Clause, kind: str, *, early: bool) -> Iterator[PlaceMatch]:
    written = clause.written[:600]
    if _PLACES_LABEL.search(written):
        yield from _resolved(clause, _PLACES_LABEL.finditer(written), 0)
        return
    yield from _resolved(clause, _TITLED.finditer(written), 0)
    if kind in ("benefits", "legal") or _ELSEWHERE.search(written):
        return
    shift = 4 if kind == "employer" else 0
    for match in _STATE.finditer(written):
        if home_of(match["place"].rpartition(",")[2].strip()) is None:
            continue  # "Tableau, Mongo": an enumeration
        rank = 1 if _OFFICE.match(written[match.end() :]) or early else 3
        yield from _resolved(clause, [match], rank + shift)
    if early or kind in ("other", "requirements"):
        for match in _IN.finditer(written):
            is_office = _OFFICE.match(written[match.end() :]) or re.search(r"\b(?:located|based|work out)", match[0])
            yield from _resolved(clause, [match], (2 if is_office else 3) + shift, known_only=True)
    if early and kind != "duties":
        yield from _resolved(clause, _OPEN.finditer(written), 4, known_only=True)


def _resolved(
    clause: Clause, matches: Iterator[re.Match[str]] | list[re.Match[str]], rank: int, *, known_only: bool = False
) -> Iterator[PlaceMatch]:
    for match in matches:
        group = "place" if match["place"] is not None else "bare"
        written = match[group].rstrip(" .")
        for piece in _SEVERAL.split(written):
            city = find_city(piece)
            if city is None and rank == 0:  # behind "Location:" a town may be small, or have the name of a common word
                city = next(iter(cities_named(piece.strip())), None)
            if city is None or _is_firm(city) or (known_only and not _is_known(piece)):
                continue
            start = clause.start + match.start(group)
            yield PlaceMatch(rank, city, Place(start, start + len(written)), "," in piece)
            break


def _is_firm(city: City) -> bool:
    """ "Beechmont Medical Center, New York": no town that nobody knows, but where a firm is."""
    names = words_of_kind("institution") | words_of_kind("organisation")
    is_initials = city.name.isupper() and len(city.name) <= MAX_INITIALS  # "WAPT, VA" are no town and state
    return not city.population and (is_initials or any(word.lower() in names for word in city.name.split()))


def _is_known(piece: str) -> bool:
    """A preposition proves little: the words must be nothing but a city of some size, or have a state behind."""
    city = find_city(piece)
    is_big = city is not None and city.population >= BIG and len(piece.split()) <= MAX_PLACE_WORDS
    return "," in piece or is_big or known_places().get(piece.strip()) == "city"


# The least degree an ad asks for, and the fields of study it names.

REACH = 14  # words behind a degree in which its fields are looked for
_CONTEXT = re.compile(
    r"\b(?:degree|diploma|education|qualifications?|equivalent|graduates?|required|university|college"
    r"|ged|in [A-Z])\b|/",
    re.IGNORECASE,
)
_STOPPING = "required preferred with plus years year experience and/or must is from minimum desired ; . : highly"
_JOINING = ", or and / & ( ) in of a an the related similar field area discipline major such as - – either"
_STOP, _JOINS = frozenset(_STOPPING.split()), frozenset(_JOINING.split())
_STAFF = re.compile(r"associates?(?: in)?$")
_ANY_DEGREE = re.compile(
    r"\b(?:degree(?: (?:in|required|or (?:equivalent|relevant|higher)))|degreed|(?:2"
    r"|two)(?: \(2\))?[- ]year (?:college )?degree|(?:4|four)[- ]year (?:college |university )?degree"
    r"|graduate degree \(any|engineering graduate|graduate in any|any graduate)\b",
    re.IGNORECASE,
)
_FIGURATIVE = re.compile(r"\b(?:high|higher|large|certain|greater|some|great|any) degree of\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DegreeMention:
    """A degree that a clause names. `place` covers it and its fields: they are no skills there."""

    level: str
    must: bool
    fields: tuple[str, ...]
    place: Place


def find_studies(clause: Clause, kind: str, vocabulary: Vocabulary) -> list[DegreeMention]:
    tokens = clause.tokens
    lower = [word.lower() for word in tokens.words]
    matches = [
        match
        for match in vocabulary.known.degrees.find(lower)
        if match.level != "other" and _is_meant(match, clause, lower, vocabulary)
    ]
    spans = [(match.first, match.last, match.level) for match in matches] + _any_degrees(clause, matches)
    cues = find_cues(clause.written)
    result = []
    for first, last, level in sorted(spans):
        fields, start, end = _fields(lower, first, last, vocabulary)
        place = Place(tokens.starts[start], tokens.ends[end - 1])
        must = strength(cues, tokens.starts[first] - clause.start, tokens.ends[last - 1] - clause.start)
        result.append(DegreeMention(level, kind != "wishes" if must is None else must, fields, place))
    return result


def _is_meant(match: DegreeMatch, clause: Clause, lower: Sequence[str], vocabulary: Vocabulary) -> bool:
    words = clause.tokens.words
    written = " ".join(lower[match.first : match.last])
    behind = [word for word in lower[match.last : match.last + 2] if word not in HYPHENS]
    if vocabulary.skills.get(" ".join([written, *behind[:1]])):
        return False  # "MS-Office"
    if match.abbreviated:
        return is_degree(match, words) or _in_pair(match, words)
    near = " ".join(words[max(0, match.first - 2) : match.first] + words[match.last : match.last + 4])
    if _STAFF.match(written) and "degree" not in near.lower():
        return False
    if written in words_of("not_alone_degrees") or match.ambiguous:
        return _CONTEXT.search(near) is not None
    return not (match.last < len(lower) and lower[match.last] in {"student", "students", "program"})


def _in_pair(match: DegreeMatch, words: Sequence[str]) -> bool:
    """ "BS/BA", "MS or MBA degree": initials in capitals beside others."""
    beside = {*words[max(0, match.first - 1) : match.first], *words[match.last : match.last + 1]}
    beside = {word.lower() for word in beside}
    is_either = beside & {"or", "and", "&", ","} and "degree" in map(str.lower, words)
    return bool("/" in beside or is_either) and words[match.first].isupper() and len(words[match.first]) <= 4


def _any_degrees(clause: Clause, matches: Sequence[DegreeMatch]) -> list[tuple[int, int, str]]:
    """ "Degree in accounting", "degreed engineer": a first degree is meant."""
    match = _ANY_DEGREE.search(clause.written)
    if not match or _FIGURATIVE.search(clause.written):
        return []
    tokens, at = clause.tokens, clause.start + match.start()
    first = next((n for n, start in enumerate(tokens.starts) if start >= at), None)
    if first is None or (matches and "(any" not in match[0].lower()):
        return []
    return [(first, first + 1, "associate" if match[0][0] in "2tT" else "bachelor")]


def _fields(lower: Sequence[str], first: int, last: int, vocabulary: Vocabulary) -> tuple[tuple[str, ...], int, int]:
    """Fields behind the degree ("in accounting or finance") or right before it ("accounting degree")."""
    known = vocabulary.known.fields
    names: list[str] = []
    start, end = first, last
    window = list(lower[last : last + REACH])
    stop = next((at for at, word in enumerate(window) if word in _STOP or word.isdigit()), len(window))
    at = 0
    for field in known.find(window[:stop]):
        if names and not all(word in _JOINS for word in window[at : field.first]):
            break
        if not names and not all(word in _JOINS or word == "degree" for word in window[: field.first]):
            break
        names.append(field.name)
        at, end = field.last, last + field.last
    if not names:
        head = list(lower[max(0, first - 3) : first])
        for field in known.find(head):
            if field.last == len(head):
                names.append(field.name)
                start = first - (len(head) - field.first)
    return tuple(dict.fromkeys(names)), start, end


def least_degree(studies: Sequence[DegreeMention]) -> tuple[str | None, tuple[str, ...]]:
    """The lowest level asked for; what is only wished for is no demand."""
    required = [study for study in studies if study.must]
    level = min((study.level for study in required), key=DEGREE_LEVELS.index, default=None)
    return level, tuple(dict.fromkeys(name for study in required for name in study.fields))
