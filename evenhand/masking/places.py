"""Finds where a person lives, comes from and went to school. Places of employers stay: they are facts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from evenhand.masking.identity import MIN_PART_LENGTH, Identity
from evenhand.masking.masks import CELL, COLON, SEP, Mask, any_of, apply_rules, rule
from evenhand.masking.page import COUNTRIES, HEADINGS, MONTHS, NO_NAMES, OCCUPATIONS, PARTICLES, MaskingPage, Span
from evenhand.mining.lexicon.phrases import universities
from evenhand.text.folding import WORD, fold, word_set, words

ORIGIN = "[origin]"
_DIGIT = re.compile(r"\d")
_LINE = re.compile(r"[^\n]+")

_RESIDENCE = any_of(
    "location city(?:_?/_?(?:state|country))? (?:country|place)_of_residence residence domicile hometown wohnort ort"
    " ville ciudad cidade state country"
)
_PLACE_NAMED = r"(?P<hide>(?-i:[^\W\d_a-z])[\w'’-]*+(?:,?[ ](?-i:[^\W\d_a-z])[\w'’-]*+){0,3})"
_BIRTHPLACE = (
    r"(?:[ ](?:and|&)[ ](?:raised|bred|brought[ ]up|grew[ ]up|educated))?(?:[ ,]{1,2}(?:on[ ])?[\d./-]{4,10})?[ ]?[:,]?"
    rf"[ ](?:(?:in|at|near)[ ])(?:the[ ])?{_PLACE_NAMED}"
)
"""Behind "born": Born in Ghent, born and raised in Ghent, born 1988 in Ghent."""
_NO_LABEL = rf"(?!{any_of('date gender sex marital status religion caste nationality languages? passport place')})"
_ADJECTIVE = r"(?-i:[^\W\d_a-z])[\w'’-]*+(?:[ ]?/[ ]?[\w'’-]++)?"
_PLACE_RULES = (
    rule(
        "location city residence domicile hometown wohnort ort ville ciudad cidade state country place",
        rf"{_RESIDENCE}{COLON}{CELL}",
        personal=True,
    ),
    rule(
        "current present native permanent home",
        rf"[^\W\d_]+[ ]{any_of('location city place town address state')}{COLON}{CELL}",
    ),
    rule(
        "place birthplace birth lieu geburtsort",
        rf"{any_of('place_of_(?:birth|residence) birth_?place lieu_de_naissance geburtsort')}{COLON}{CELL}",
    ),
    rule(
        "nationality nationalty nationility nationlity citizenship"
        " nationalitat staatsangehorigkeit nationalite nacionalidad nazionalita nacionalidade",
        rf"[^\W\d_]+{COLON}{CELL}",
        ORIGIN,
    ),
    rule("religion religon relegion caste", rf"[^\W\d_]+{COLON}{CELL}", ORIGIN),
    rule("nationality citizenship religion caste", rf"[^\W\d_]+{SEP}{_NO_LABEL}(?P<hide>{_ADJECTIVE})", ORIGIN),
    rule("ethnicity race", rf"[^\W\d_]+[ \t]*:[ \t]*{CELL}", ORIGIN),
    rule("born geboren nato nata nacido nacida nascido nascida raised", rf"[^\W\d_]+{_BIRTHPLACE}"),
    rule("native originally hails", rf"(?:native[ ]of|originally[ ]from|hails[ ]from)[ ]{_PLACE_NAMED}", personal=True),
    rule(
        "based living residing resident live lives",
        r"[^\W\d_]+[ ](?:in|at|of|near)[ ](?:the[ ])?"
        rf"{_PLACE_NAMED}",
        personal=True,
    ),
)
_SIGNED = rule(
    "place", r"place[ \t]{0,4}[:–-]{1,2}[ \t]{0,4}(?P<hide>[^\n\t|;:]{2,40}?)(?=\s*(?:\n|\Z|\t|date\b|[ ]{2,}))"
)
"""As below a declaration, beside the date."""
_RESIDES = re.compile(r"\b(?:in|from|near|at|to)[ ]\Z")
_CAPITALISED_BEFORE = re.compile(r"\b[A-Z][\w&.-]{0,28}[ ]\Z")
_FIRM_BEHIND = re.compile(r"\s(?:pvt|private|ltd|limited|inc|llp|llc|plc|gmbh)\b", re.IGNORECASE)
_CITY_LINE = re.compile(
    r"^[^\W\d_][\w.'’ -]{1,40}(?:,[ ]?[^\W\d_][\w.'’ -]{1,30}){1,3}[,. ]*(?:\d{4,6}(?:-\d{3,4})?)?$"
)
_ENDS_AS_PLACE = re.compile(
    rf"^[^\W\d_][\w.'’ -]{{1,40}},[ ]?(?:[\w.'’ -]{{1,30}},[ ]?)?"
    rf"(?:[A-Z]{{2}}|{any_of(' '.join(COUNTRIES).replace('.', '[.]'))})(?:,?[ ]\d{{4,6}}(?:-\d{{3,4}})?)?$"
)
_BOUNDARY = re.compile(
    r"[\n\t|•·▪●■◦‣;]|[ \xa0]{2,}|[ \xa0][-–—/*][ \xa0]"
    rf"|\b{any_of('cell phone mobile tel e-?mail mail linkedin github skype age dob website contact')}\b[ ]?:?",
    re.IGNORECASE,
)
_ORIGINS = word_set(
    "african american argentinian australian bangladeshi belgian brazilian british bulgarian canadian colombian"
    " croatian egyptian emirati ethiopian filipino filipina ghanaian indian indonesian iranian iraqi irish israeli"
    " jamaican jordanian kenyan kuwaiti lebanese malaysian mexican moroccan nepalese nepali nigerian omani pakistani"
    " palestinian peruvian romanian saudi scottish serbian singaporean sudanese syrian taiwanese tunisian ugandan"
    " ukrainian welsh zimbabwean hindu hinduism muslim islam christian christianity catholic sikh jain buddhist"
    " buddhism jewish"
)
"""Those that are languages as well need their label."""
_ORIGIN_LABEL = re.compile(r"\b(?:nationality|citizenship|religion|caste|marital)\b", re.IGNORECASE)
_CLOSE = 400  # characters between a label and its value
_NO_PLACE = re.compile(r"[@:/+#]|\d{7}|\d[ ).-]\d")
_EDGES = " \t\xa0,.-–—*()"
MAX_PLACE_WORDS = 5


def find_places(page: MaskingPage, identity: Identity) -> Iterator[Mask]:
    yield from _of_residence(page)
    for start, end in _named(page, identity):
        yield Mask(start, end, "address")
    yield from apply_rules(_PLACE_RULES, page, "address")
    for mask in apply_rules((_SIGNED,), page, "address"):
        if page.section_type(mask.start) not in ("experience", "projects", "education"):
            yield mask
    yield from _among_contacts(page, identity)
    yield from _origins_alone(page)


def _origins_alone(page: MaskingPage) -> Iterator[Mask]:
    """A nationality or religion alone in its line, in a table whose labels were read before all values."""
    for word in page.occurrences(_ORIGINS):
        start, end = page.line(word.start)
        is_alone = page.text[start:end].strip(_EDGES + ":") == page.text[word.start : word.end]
        if is_alone and _ORIGIN_LABEL.search(page.text, max(0, start - _CLOSE), start):
            yield Mask(word.start, word.end, "address", ORIGIN)


def _of_residence(page: MaskingPage) -> Iterator[Mask]:
    """The place the miner found, with the state and country in its cell."""
    city = page.profile.city if page.profile else None
    if city is None:
        return
    start, end = city.evidence.start, city.evidence.end
    yield Mask(start, end, "address")
    first, last = page.cell(start)
    cell = max(first, page.text.rfind(":", first, start) + 1), last  # behind a label
    is_short = len(WORD.findall(page.text, *cell)) <= MAX_PLACE_WORDS + 1
    if page.is_personal(start) and is_short and not _is_work(page, cell):
        yield Mask(*cell, "address")


def _named(page: MaskingPage, identity: Identity) -> Iterator[Span]:
    """City and country of residence, where the owner of the resume is spoken of."""
    sought = [tuple(word.key for word in words(place)) for place in dict.fromkeys(identity.places)]
    for keys in filter(None, sought):
        for number in page.numbers.get(keys[0], ()):
            same = page.words[number : number + len(keys)]
            start, end = same[0].start, same[-1].end
            is_same = tuple(word.key for word in same) == keys and page.text[start].isupper()
            if is_same and _is_own(page, start, end) and not _is_branch(page, start, end):
                yield start, end


def _is_branch(page: MaskingPage, start: int, end: int) -> bool:
    """Whether the place ends the name of a firm: "Engineer - Harl India", "Harl India Pvt Ltd"."""
    if not _CAPITALISED_BEFORE.search(page.text, max(0, start - 30), start):
        return False
    return _FIRM_BEHIND.match(page.text, end) is not None or (
        page.text[start:end].replace(" ", "_") in COUNTRIES and _tells_work(page.text[slice(*page.line(start))])
    )


def _is_own(page: MaskingPage, start: int, end: int) -> bool:
    """Where the resume introduces its owner; in another text behind a preposition, or where nothing else stands."""
    if page.is_resume:
        return page.is_introduction(start) and not page.is_fact(start, end)
    is_alone = page.line(start) == (start, end)
    return is_alone or _RESIDES.search(page.text[max(0, start - 12) : start]) is not None


def _among_contacts(page: MaskingPage, identity: Identity) -> Iterator[Mask]:
    """What can only be a place there: "Austin, TX 29138", or a word or two beside an e-mail address."""
    for first, last in page.contact_blocks():
        for line in (match.span() for match in _LINE.finditer(page.text, first, last)):
            for piece in _pieces(page.text, line):
                surface = page.text[slice(*piece)]
                keys = {word.key for word in words(surface)}
                if keys and keys <= identity.parts:
                    continue  # the owner's name
                is_place = (_ENDS_AS_PLACE.search(surface) and not _tells_work(surface)) or (
                    not _is_work(page, piece) and (_CITY_LINE.match(surface) or _is_beside_contact(page, piece, line))
                )
                parts = WORD.findall(surface)
                is_name = all(word[0].isupper() or fold(word) in PARTICLES for word in parts)
                if is_place and 0 < len(parts) <= MAX_PLACE_WORDS + 2 and is_name:
                    yield Mask(*piece, "address")


def _pieces(text: str, line: Span) -> Iterator[Span]:
    """Stretches of a line between separators and labels, without those parts between commas that are no place."""
    at = line[0]
    edges = [match.span() for match in _BOUNDARY.finditer(text, *line)]
    for edge in (*edges, (line[1], line[1])):
        run: list[Span] = []
        for part in text[at : edge[0]].split(","):
            if _NO_PLACE.search(text, at, at + len(part)):
                yield from _trimmed(text, run)
                run = []
            else:
                run.append((at, at + len(part)))
            at += len(part) + 1
        yield from _trimmed(text, run)
        at = edge[1]


def _trimmed(text: str, run: Sequence[Span]) -> Iterator[Span]:
    if not run:
        return
    start, end = run[0][0], run[-1][1]
    while start < end and text[start] in _EDGES:
        start += 1
    while end > start and text[end - 1] in _EDGES:
        end -= 1
    if start < end:
        yield start, end


def _is_work(page: MaskingPage, cell: Span) -> bool:
    """Whether the cell tells of work or study: an occupation, a heading, a fact."""
    surface = page.text[slice(*cell)]
    return _tells_work(surface) or any(
        page.is_fact(cell[0] + word.start, cell[0] + word.end) for word in words(surface)
    )


def _tells_work(surface: str) -> bool:
    return any(word.key in OCCUPATIONS or word.key in HEADINGS or word.key in NO_NAMES for word in words(surface))


def _is_beside_contact(page: MaskingPage, piece: Span, line: Span) -> bool:
    text = page.text
    if (
        len(WORD.findall(text, *piece)) > MAX_PLACE_WORDS
        or piece[1] - piece[0] < MIN_PART_LENGTH
        or _DIGIT.search(text, *piece)
    ):
        return False
    before = page.line(max(0, line[0] - 2)) if line[0] > 1 else line
    after = page.line(min(len(text) - 1, line[1] + 1))
    near = [text[slice(*nearby)] for nearby in (line, before, after)]
    return any("@" in nearby or len(_DIGIT.findall(nearby)) >= 7 for nearby in near)


# Finds the names of the schools and universities someone went to. Employers that are universities stay.

_NAME_BEFORE = (
    *("university", "college", "institute", "school", "academy", "polytechnic", "vidyalaya", "vidyapeeth"),
    *("conservatory", "seminary", "collage", "insitute", "hochschule", "fachhochschule"),
)
_NAME_BEHIND = (
    *("universite", "universitat", "universita", "universidad", "universidade", "universiteit", "uniwersytet"),
    *("berufsschule", "gymnasium", "lycee", "ecole", "escuela", "politecnico", "hochschule", "fachhochschule"),
    *("instituto", "institut", "istituto"),
)
_KEYS = frozenset((*_NAME_BEFORE, *_NAME_BEHIND))
_ENDINGS = ("universitat", "hochschule", "berufsschule", "gymnasium")
_JOINING = word_set("of for and the at in de der del di da do fur und la en per")
_LEADING_ON = frozenset(("of", "for", "at", "de", "der", "del", "di", "da", "do", "in"))
_ENDS = MONTHS | frozenset((
    *("degree", "diploma", "certificate", "certification", "attended", "bachelor", "bachelors", "master", "masters"),
    *("member", "present", "gpa", "ged", "cgpa", "associate", "associates", "graduate", "graduated", "from", "with"),
    *("my", "to", "ba", "bs", "mba", "phd", "some", "completed", "studied", "tech", "during", "this", "our", "usa"),
    *("student", "hsc", "ssc", "sslc", "course", "courses", "after", "middle", "year", "final", "project", "us"),
    *("candidate", "select", "one"),
))  # fmt: skip
_ENDS_BEHIND = _ENDS | {"city", "state"}
_GENERIC = frozenset((
    *_NAME_BEFORE,
    *_NAME_BEHIND,
    *_JOINING,
    *("a", "summer", "high", "higher", "secondary", "senior", "middle", "elementary", "primary", "intermediate"),
    *("business", "law", "medical", "public", "state", "inc", "ltd", "board", "course", "community", "technical"),
))  # fmt: skip
_DEGREE = re.compile(
    r"\b(?:diploma|dip\.|bachelor(?:['’]?s)?|master(?:['’]?s)|ph\.?d|c?gpa|abitur|ged"
    r"|[bm]\.?[ ]?(?:sc|tech|com|eng|a|s|ed|ca|ba)\.)(?!\w)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r'\b(?:University|College|School) "([^"\n]{1,120})"(?:[^"\n]{0,30} matches "([^"\n]{1,120})")?')
"""As a message about a school names it, and the entry of a list that it resembles."""
_GAPS = frozenset((" ", "-", " & ", "&", "'s ", "’s ", "' ", "’ "))
_MAX_WORDS_BEFORE = 8  # words before University
_MAX_WORDS_BEHIND = 7
_SMALL = 3  # letters of an acronym
_NOT_SEEN_IN = ("experience", "projects")  # where universities are employers and clients
_SHORT_FORM = re.compile(r"[ ]?\(([A-Z][A-Za-z.&-]{1,9})\)")
_STUDY_HEADING = re.compile(r"[ \t]*(?:education|academi|qualification|schooling)", re.IGNORECASE)
_HEADING_REACH = 120  # characters before the name; a heading that the miner took for a line of the job before
_ACRONYM = re.compile(r"[A-Z][A-Za-z]*[A-Z]")


def find_schools(page: MaskingPage, identity: Identity) -> Iterator[Mask]:
    for study in page.profile.education if page.profile else ():
        if study.university:
            yield Mask(study.university.evidence.start, study.university.evidence.end, "school")
    for quoted in _QUOTED.finditer(page.text) if not page.is_resume else ():
        for group in (1, 2):
            if quoted[group]:
                yield Mask(*quoted.span(group), "school")
    seen = [*_by_looks(page, identity), *_by_lexicon(page)]
    seen += [bracket.span(1) for _, end in seen if (bracket := _SHORT_FORM.match(page.text, end))]
    named = [page.text[start:end] for start, end in seen]
    for start, end in (*seen, *_recurring(page, [*identity.schools, *named])):
        yield Mask(start, end, "school")


def _recurring(page: MaskingPage, schools: Iterable[str]) -> Iterator[Span]:
    """The names wherever they are written again, in whatever case; their initials too."""
    sought: dict[str, set[tuple[str, ...]]] = {}
    for school in schools:
        keys = tuple(word.key for word in words(school))
        if any(key not in _GENERIC and len(key) > _SMALL for key in keys) or (keys and school.isupper()):
            sought.setdefault(keys[0], set()).add(keys)
    for first, names in sought.items():
        for number in page.numbers.get(first, ()):
            for keys in names:
                same = page.words[number : number + len(keys)]
                if tuple(word.key for word in same) == keys and page.text[same[0].start].isupper():
                    yield same[0].start, same[-1].end
    acronyms = {acronym for school in schools if (acronym := _acronym(school))}
    for word in page.occurrences(map(fold, acronyms)):
        if page.text[word.start : word.end] in acronyms and not page.is_in("skill", word.start, word.end):
            yield word.start, word.end


def _acronym(school: str) -> str | None:
    letters = "".join(part[0] for part in school.replace("-", " ").split() if part[:1].isupper())
    return letters if len(letters) >= _SMALL else None


def _by_looks(page: MaskingPage, identity: Identity) -> Iterator[Span]:
    """Names with University, College and the like, in the parts that tell of studies."""
    keys = [key for key in page.numbers if key in _KEYS or key.endswith(_ENDINGS)]
    for key in keys:
        for number in page.numbers[key]:
            at = page.words[number].start
            is_study = _is_study(page, at)
            if is_study or page.section_type(at) not in _NOT_SEEN_IN:
                place = _extent(page, number, is_study=is_study)
                name = page.text[slice(*place)] if place else ""
                is_generic = all(word.key in _GENERIC for word in words(name))  # "High School"
                # Where someone worked is none, unless it stands among studies.
                if place and not is_generic and (fold(name) not in identity.employers or _is_study(page, place[0])):
                    yield place


def _is_study(page: MaskingPage, at: int) -> bool:
    """In a section of studies, in a line with a degree or soon after a heading, whatever its section was taken for."""
    if page.section_type(at) == "education" or _DEGREE.search(page.text, *page.line(at)):
        return True
    begin = page.text.rfind("\n", 0, max(0, at - _HEADING_REACH)) + 1
    return any(_STUDY_HEADING.match(line) for line in page.text[begin:at].split("\n"))


def _by_lexicon(page: MaskingPage) -> Iterator[Span]:
    """Universities that are known by an acronym or a name without a telling word, among studies: UCLA, Harvard."""
    for section in page.profile.sections if page.profile else ():
        if section.type != "education":
            continue
        own = words(page.text[section.start : section.end])
        for match in universities().find([word.key for word in own]):
            start, end = section.start + own[match.first].start, section.start + own[match.last - 1].end
            is_long = match.last - match.first > 1 or _ACRONYM.fullmatch(page.text, start, end)
            if is_long and page.text[start].isupper() and not page.is_in("subject", start, end):
                yield start, end


def _extent(page: MaskingPage, number: int, *, is_study: bool) -> Span | None:
    """The whole name around its telling word; in small letters only among studies."""
    text, page_words = page.text, page.words
    small = not text[page_words[number].start].isupper()
    if small and not is_study:
        return None
    first = last = number
    for at in range(number - 1, max(-1, number - 1 - _MAX_WORDS_BEFORE), -1):
        word = page_words[at]
        gap = text[word.end : page_words[at + 1].start]
        adjoins = gap in _GAPS or (gap in (".", ". ", ".\n") and len(word.key) <= _SMALL)  # St. Mary, B.N.N.
        is_end = word.key in _ENDS and not (word.key == "graduate" and at + 1 == number)  # Harl Graduate School
        if not adjoins or is_end or page.is_in("subject", word.start, word.end):
            break
        if word.key in _JOINING:
            if small or word.key in ("at", "in"):  # "habits of students in a university"
                break
        elif text[word.start].isupper() or small:
            first = at
        else:
            break
    is_bare = all(word.key in _GENERIC for word in page_words[first : number + 1])  # Technical University Delft
    names_behind = page_words[number].key.endswith((*_NAME_BEHIND, *_ENDINGS))
    for at in range(number + 1, number + 1 if small else min(len(page_words), number + 2 + _MAX_WORDS_BEHIND)):
        word = page_words[at]
        gap = text[page_words[at - 1].end : word.start]
        is_wrapped = gap == "\n" and (word.key in _LEADING_ON or page_words[at - 1].key in _LEADING_ON)
        is_joined = (gap in (" ", " & ") or is_wrapped) and word.key not in _ENDS_BEHIND
        is_place = is_bare and page_words[number].key == "university" and not _tells_work(text[word.start : word.end])
        leads_on = at > number + 1 or word.key in _LEADING_ON or names_behind or is_place
        if not is_joined or not leads_on or page.is_in("subject", word.start, word.end):
            break
        if text[word.start].isupper():
            last = at
        elif word.key not in _JOINING:
            break
    return page_words[first].start, page_words[last].end
