"""Finds what tells a person's sex, family or age: pronouns, salutations, gendered words, memberships, dates of birth.

The tokens are neutral: he, she and they are all [pronoun], waiter and waitress both [server].
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from evenhand.masking.identity import Identity, sure_first_names
from evenhand.masking.masks import CELL, COLON, SEP, VALUE, Mask, any_of, apply_rules, rule
from evenhand.masking.page import MaskingPage
from evenhand.text.folding import FoldedWord, fold
from evenhand.text.gender_words import (
    DOUBTFUL_SALUTATIONS,
    GREEK,
    HONOR_SOCIETIES,
    JOB_TOKENS,
    NOT_AFTER_MS,
    PRONOUNS,
    RELATIVES,
    SALUTATIONS,
    TITLE_TOKENS,
)

# Details and memberships that tell a person's sex or family, as rules.

PRONOUN, SOCIETY, LEAVE, FAMILY = "[pronoun]", "[society]", "[leave]", "[family]"

_SEXES = (
    any_of(
        "female male woman man transgender trans non-?_?binary other weiblich männlich divers femme homme f[ée]minin"
        " masculin femenino masculino feminino mujer hombre femmina maschio f m w"
    )
    + r"\b"
)
_STATUSES = (
    any_of(
        "un-?married married single divorced widow(?:er|ed)? separated engaged ledig verheiratet geschieden verwitwet"
        " solter[oa] casad[oa] divorciad[oa] solteir[oa] c[ée]libataire mari[ée]e? nubile celibe coniugat[oa] spinster"
    )
    + r"\b"
)
_STATUS_LABELS = any_of(
    "(?:marital|martial|maritial|civil|family|relationship)_?status"
    " estado_civil [ée]tat_civil familienstand stato_civile"
)
_GENDER_RULES_CHILDREN = (
    rf"(?:[ ]?(?:,|with|and|&)[ ]?{any_of('no one two three four five [0-9]')}"
    rf"[ ]{any_of('child(?:ren)? kids? sons? daughters?')})"
)
_LEAGUES = any_of(
    "junior senior collegiate national varsity club state college university high intramural ncaa division"
)
_TEAMS = any_of(
    "basketball soccer football tennis swim\\w* rugby lacrosse hockey volleyball softball baseball team college school"
    " hostel club crew rowing track golf cricket choir chorus glee university dormitory group network"
    " association society league caucus conference forum scholarship fellowship award leadership initiative squad"
    " gymnastics wrestling fencing water_polo cross_country ministry high"
)
_THEIRS = rf"(?:{_LEAGUES}[ ]){{0,2}}{_TEAMS}\b"
_CAPITAL = r"(?-i:[^\W\d_a-z])[\w&'’-]*"
_SERVICE = rf"{any_of('military national army armed_forces? civilian')}[ ]{any_of('service duty obligations?')}"

DETAILS = (
    rule("pronouns pronoun", rf"pronouns?{COLON}{CELL}", PRONOUN),
    rule("male female", r"[^\W\d_]+(?=[ ]?[,/|][ ]?\d\d(?:[ ]years?)?[ ]*(?:[\n,;|)]|\Z))"),
    rule("gender sex geschlecht sexe sexo sesso genero", rf"[^\W\d_]+{SEP}(?P<hide>{_SEXES})"),
    rule("gender sex geschlecht", rf"[^\W\d_]+[ \t.]{{0,12}}(?:[:=]|[–—-](?=[ \t]))[ \t:–-]{{0,8}}{CELL}"),
    rule("age", rf"age[ ]?/[ ]?(?:sex|gender){COLON}{CELL}"),
    rule("sex gender", rf"(?:sex|gender)[ ]?/[ ]?age{COLON}{CELL}"),
    rule(
        "marital martial maritial civil family relationship estado etat familienstand stato",
        rf"{_STATUS_LABELS}{SEP}(?P<hide>{_STATUSES}{_GENDER_RULES_CHILDREN}?)",
        facts=True,
    ),
    rule("marital martial maritial civil familienstand estado", rf"{_STATUS_LABELS}{COLON}{CELL}"),
    rule("married divorced widowed widow widower", rf"[^\W\d_]+{_GENDER_RULES_CHILDREN}"),
    rule("married unmarried", r"[^\W\d_]++(?![ ](?:to|with|the|up)\b)"),
    rule(
        "am is was",
        rf"[^\W\d_]+[ ](?:(?:a|happily|currently)[ ]){{0,2}}(?P<hide>{_STATUSES})(?=\s*(?:[.,;\n]|and\b|with\b|\Z))",
    ),
    rule("widow widower housewife househusband fiance fiancee girlfriend boyfriend", r"[^\W\d_]+"),
    rule("maternity paternity", rf"[^\W\d_]+[ -]{any_of('leave break career_break absence')}\b", LEAVE),
    rule("maiden", rf"maiden[ ]name(?:{COLON}{VALUE})?"),
    rule("nee", r"n[ée]e?[ :,–-]{1,3}[^\W\d_][\w'’-]+"),
    rule("s d w", r"[sdw]/o\b\.?[ :]{0,3}[^\n\t|;,]{0,40}", FAMILY),
    rule("son daughter", r"(?:son|daughter)[ ]of[ ](?:mr|mrs|late|shri|sh|smt)\b\.?[^\n\t|;,]{0,40}", FAMILY),
    rule("husband wife", rf"(?:husband|wife)['’]?s?[ ]name{SEP}{VALUE}", FAMILY),
    rule(
        "young dynamic honest ambitious hardworking energetic motivated",
        r"[^\W\d_]+(?:[ ,]+[^\W\d_]+){0,2}[ ](?P<hide>man|woman|lady|girl|guy|gentleman|boy)\b",
    ),
)
MEMBERSHIPS = (
    rule("sorority fraternity sororities fraternities sisterhood", r"[^\W\d_]+", SOCIETY),
    rule(
        "women girls girl boys boy men ladies woman lady gentlemen",
        # Boys and Girls Clubs are open to all.
        rf"(?<!and )(?<!& ){any_of('women girl boy men ladies woman lady gentlemen')}s?['’]?s?['’]?[ ]{_THEIRS}",
        facts=True,
    ),
    rule("women girls", rf"[^\W\d_]+[ ](?:in|who|of|for|for[ ]the)[ ]{_CAPITAL}(?:[ ]{_CAPITAL}){{0,3}}", SOCIETY),
    rule(
        "society association network league council",
        rf"[^\W\d_]+[ ](?:of|for)[ ](?:{any_of('professional american business')}[ ]){{0,2}}"
        rf"(?:women|girls)(?:[ ](?:in[ ])?{_CAPITAL}){{0,3}}",
        SOCIETY,
        facts=True,
    ),
    rule("for", r"for[ ](?:women|girls|men|boys)\b(?=\s*(?:[,.;)\n|(]|\Z))", facts=True),
    rule("girl boy eagle", r"(?:(?:girl|boy)[ ](?:scouts?|guides?)|eagle[ ]scout)\b(?:[ ]of[ ]america)?", SOCIETY),
)
SERVICE = (
    rule("military national army", rf"{_SERVICE}(?:[ ]status)?{COLON}{VALUE}"),
    rule("military", rf"military[ ](?:status|obligations?){COLON}{VALUE}"),
    rule("compulsory mandatory obligatory", rf"[^\W\d_]+[ ]{_SERVICE}[^\n.;]{{0,80}}"),
    rule(
        "completed completion complete exempt exempted exemption finished performed discharged postponed did served",
        rf"[^\W\d_]+(?:[ ]{any_of('of from my the his her a in with')}){{0,2}}[ ](?:\w+[ ])?"
        r"(?:compulsory[ ]|mandatory[ ])?(?:military|national)[ ]service\b[^\n.;]{0,60}",
    ),
    rule("wehrdienst grundwehrdienst zivildienst", r"[^\n.;]{1,80}"),
)
"""Served by men alone in most countries where it is a duty. A soldier's job stays: it is work."""

GENDER_RULES = (*DETAILS, *MEMBERSHIPS, *SERVICE)


SALUTATION = "[salutation]"
TITLE_WORDS = 6
_CONTRACTED = {"hed": 2, "hell": 2, "shed": 3, "shell": 3}  # keys have no apostrophes; where the pronoun ends
_CHOSEN = ("she", "he", "they", "ze", "zie", "xe", "ey", "any")
_CHOICE = re.compile(
    rf"{any_of(' '.join(_CHOSEN))}"
    rf"(?:[ ]?/[ ]?{any_of('hers? him his them theirs? she he they zir hir xem em eirs? any')})+\b",
    re.IGNORECASE,
)
_NEXT = re.compile(r"\.?[ \xa0]{0,2}([^\W\d_][\w'’]*)")
_CHILDREN = any_of("child(?:ren)? kids? sons? daughters? boys? girls?")
_OF_TWO = re.compile(rf"(?:[ ](?:of|to)[ ](?:an?[ ]|my[ ])?\w+(?:[ ](?:\w+[ ])?{_CHILDREN})?)?", re.IGNORECASE)
_NO_RELATIVES = any_of(
    r"tongue board ship compan plant language nature earth unit teresa theresa day\b name\b baby infant sauce child\b"
    r" care\b house figure cell (?:and|or|&)_(?:child|baby|infant|newborn|son|daughter|father|mother)"
)
_NO_RELATIVE_AFTER = re.compile(rf"(?:['’]s)?[ ]?(?:[/-]|{_NO_RELATIVES})", re.IGNORECASE)
_NO_RELATIVE_BEFORE = re.compile(
    rf"(?:\b{any_of('the each every expectant patient birth surrogate foster founding and or')}|[/&-])[ ]?\Z",
    re.IGNORECASE,
)
_OF = re.compile(r"[ ](?:of|to)[ ]", re.IGNORECASE)
_ALONE = (
    *("male", "female", "married", "unmarried", "single", "divorced", "widowed", "ledig", "verheiratet", "weiblich"),
    *("mannlich", "widow", "widower", "engaged", "separated"),
)
_AROUND_ALONE = " .,:•·▪●■◦‣*-–\t"
_APART_BEFORE = re.compile(r"(?:\A|[.,;:|/(•·▪●■◦‣*–-][ \t]?|\t|[ ]{2})\Z")
_APART_AFTER = re.compile(r"[ ]?(?:\Z|[.,;|/)•·▪●■◦‣–-]|\t|[ ]{2})")
_DETAIL = re.compile(
    r"\b(?:date of birth|d\.?o\.?b|born|nationality|marital|citizen\w*|gender|sex|religion|passport|children|age)\b",
    re.IGNORECASE,
)


def find_genders(page: MaskingPage, identity: Identity) -> Iterator[Mask]:
    yield from _pronouns(page)
    yield from _salutations(page, identity)
    yield from _family(page)
    yield from _job_words(page)
    yield from _greek_societies(page)
    yield from _alone_in_cell(page)
    yield from apply_rules(GENDER_RULES, page, "gender")


def _pronouns(page: MaskingPage) -> Iterator[Mask]:
    text = page.text
    for word in page.occurrences(PRONOUNS):
        before, after = text[word.start - 1 : word.start], text[word.end : word.end + 1]
        if before in ("-", "_") or after.isdigit() or after == "_":  # 4-Hers, HER2
            continue
        # HIS is also a hospital information system, HE higher education.
        is_acronym = text[word.start : word.end].isupper() and not _is_shouted(page, word)
        if not is_acronym and not page.is_fact(word.start, word.end):
            yield Mask(word.start, word.end, "gender", PRONOUN)
    for word in page.occurrences(_CONTRACTED):
        length = _CONTRACTED[word.key]
        if not text[word.start + length].isalpha():  # he'd, and not a shed or a shell
            yield Mask(word.start, word.start + length, "gender", PRONOUN)
    for word in page.occurrences(_CHOSEN):
        if choice := _CHOICE.match(text, word.start):
            yield Mask(word.start, choice.end(), "gender", PRONOUN)


def _is_shouted(page: MaskingPage, word: FoldedWord) -> bool:
    """Whether the words around it are in capitals too."""
    start, end = page.line(word.start)
    near = re.findall(r"[^\W\d_]{4,}", page.text[max(start, word.start - 30) : min(end, word.end + 30)])
    return len(near) > 1 and all(word.isupper() for word in near)


def _salutations(page: MaskingPage, identity: Identity) -> Iterator[Mask]:
    text = page.text
    for word in page.occurrences((*SALUTATIONS, *DOUBTFUL_SALUTATIONS)):
        if text[word.start].isupper() and _is_salutation(page, identity, word):
            end = word.end + (text[word.end : word.end + 1] == ".")
            yield Mask(word.start, end, "gender", SALUTATION)


def _is_salutation(page: MaskingPage, identity: Identity, word: FoldedWord) -> bool:
    after = _NEXT.match(page.text, word.end)
    follower = after[1] if after else ""
    if page.is_fact(word.start, word.end):  # somebody for whom one worked may be taken for a firm
        is_named = fold(follower) in sure_first_names()
        is_person = is_named or page.text[word.end : word.end + 1] == "."
        is_skill = page.is_in("skill", word.start, word.end) and not is_named
        if not is_person or is_skill or page.is_in("subject", word.start, word.end):
            return False
    if fold(follower) in identity.parts:
        return True
    if page.text[word.start : word.end].isupper():  # MR is also a kind of imaging, MS a degree
        return word.key not in DOUBTFUL_SALUTATIONS and page.text[word.end : word.end + 1] == "."
    if word.key in SALUTATIONS:
        return True
    is_person = follower[:1].isupper() or page.text[word.end : word.end + 1] == "."
    return is_person and follower.lower() not in NOT_AFTER_MS


def _family(page: MaskingPage) -> Iterator[Mask]:
    """Proud father of two, my wife; not the mother tongue, nor mother and child on a ward."""
    text = page.text
    for word in page.occurrences(RELATIVES):
        # MoM is month over month, MOM minutes of a meeting.
        if page.is_fact(word.start, word.end) or not text[word.start + 1 : word.end].islower():
            continue
        if word.key not in ("wife", "husband"):
            before = _NO_RELATIVE_BEFORE.search(text[max(0, word.start - 14) : word.start])
            if _NO_RELATIVE_AFTER.match(text, word.end) or (before and not _OF.match(text, word.end)):
                continue
        tail = _OF_TWO.match(text, word.end)
        yield Mask(word.start, tail.end() if tail else word.end, "gender", FAMILY)


def _job_words(page: MaskingPage) -> Iterator[Mask]:
    """In titles too: a neutral word says the same. Employers keep their names."""
    for word in page.occurrences(JOB_TOKENS):
        if not (page.is_in("institution", word.start, word.end) or page.is_in("skill", word.start, word.end)):
            yield Mask(word.start, word.end, "gender", f"[{JOB_TOKENS[word.key]}]")
    for word in page.occurrences(TITLE_TOKENS):
        # Or of a title that is shown by itself, without the resume around it.
        is_short = len(page.text[slice(*page.line(word.start))].split()) <= TITLE_WORDS
        is_bare_title = not page.is_resume and page.text[word.start].isupper() and is_short
        if page.is_in("title", word.start, word.end) or is_bare_title:
            yield Mask(word.start, word.end, "gender", f"[{TITLE_TOKENS[word.key]}]")


def _greek_societies(page: MaskingPage) -> Iterator[Mask]:
    """Two or three Greek letters are a sorority or a fraternity, unless they are a society of honour."""
    text = page.text
    run: list[FoldedWord] = []
    letters = sorted(page.occurrences(GREEK))
    for word in [*letters, None]:
        if word and (not run or text[run[-1].end : word.start] == " ") and text[word.start].isupper():
            run.append(word)
            continue
        if len(run) > 1:
            end = run[-1].end
            is_known = " ".join(letter.key for letter in run) in HONOR_SOCIETIES
            if not is_known and text[end + 1 : end + 6].lower() != "honor":
                yield Mask(run[0].start, end, "gender", SOCIETY)
        run = [word] if word and text[word.start].isupper() else []


def _alone_in_cell(page: MaskingPage) -> Iterator[Mask]:
    """Male or Married with nothing else between its commas and stops, among personal details or in a line of them."""
    text = page.text
    for word in page.occurrences(_ALONE):
        start, end = page.line(word.start)
        is_detail = page.is_personal(word.start) or _DETAIL.search(text, start, end) is not None
        if not is_detail:  # a line of its own tells enough, but Single may be the name of a record
            is_detail = text[start:end].strip(_AROUND_ALONE) == text[word.start : word.end] and word.key != "single"
        before, after = text[max(start, word.start - 3) : word.start], text[word.end : min(end, word.end + 3)]
        is_apart = _APART_BEFORE.search(before) and _APART_AFTER.match(after)
        if is_detail and is_apart and not page.is_fact(word.start, word.end):
            yield Mask(word.start, word.end, "gender")


# Finds how old someone is: dates and years of birth, ages. Years of study and work are facts and stay.

_MONTH = (
    any_of(
        "jan feb mar apr may jun jul aug sep oct nov dec f[ée]v mär avr mai juin juil ao[uû]t okt dez déc ene abr ago"
    )
    + r"[^\W\d_]{0,8}\.?"
)
_DAY = r"\d{1,2}(?:[ \xa0\n]{0,2}(?:st|nd|rd|th)\b)?\.?"
_YEAR = r"(?:1[89]|20)\d\d"
_FULL_DATE = (
    rf"(?:\d{{1,2}}[ \xa0]?[./–-][ \xa0]?\d{{1,2}}[ \xa0]?[./–-][ \xa0]?(?:{_YEAR}|\d\d)"
    rf"|{_YEAR}[./-]\d{{1,2}}[./-]\d{{1,2}}|{_YEAR}(?:0\d|1[0-2])[0-3]\d|[0-3]\d(?:0\d|1[0-2]){_YEAR}"
    rf"|{_DAY}[ \xa0\n,./-]{{0,3}}(?:de[ ]|of[ ])?{_MONTH}[ \xa0,./'’-]{{0,3}}(?:de[ ]|in[ ])?(?:{_YEAR}|\d\d)"
    rf"|{_MONTH}[ \xa0,./-]{{0,3}}{_DAY}[ \xa0,./'’-]{{1,3}}(?:{_YEAR}|\d\d))(?!\d)"
)
_DATE = rf"(?P<hide>{_FULL_DATE}|{_MONTH}[ \xa0,./'’-]{{1,3}}{_YEAR}|{_YEAR})(?!\d)"
_HINT = r"(?:[ ]?\([^()\n]{1,16}\))?+"  # (dd/mm/yyyy)
_AGE = r"(?:1[4-9]|[2-8]\d)(?![\d%.,]*\d)"
_NUMBER_WORDS = "(?:twenty|thirty|forty|fifty|sixty)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?"

_LABELS = any_of(
    r"date_of_birth birth_?date birth_?day year_of_birth birth_year d\.?_?o\.?_?b\b\.? geburtsdatum geburtstag"
    r" geburtsjahr date_de_naissance fecha_de_nacimiento data_de_nascimento data_di_nascita data_urodzenia"
    r" geboortedatum"
)
_LABEL_KEYS = "date birth birthdate birthday year dob d geburtsdatum geburtstag geburtsjahr fecha data geboortedatum"
_DATE_PART = rf"(?:[\w./'’-]{{0,8}}\d[\w./'’-]{{0,12}}+|{_MONTH})"  # of a date in a form that no calendar knows
_YEARS = rf"[ ]{any_of('years? yrs?[.]? jahre ans años anos')}(?:[ ]old)?"
_NAMED_PLACE = r"(?-i:[^\W\d_a-z])[\w.'’-]{1,30}"
_NOT_ALONE = r"(?![ ]?(?:-|–|to\b|and\b|\+|or\b|years?[ ]of[ ]exp))"
AGE_RULES = (
    rule(_LABEL_KEYS, rf"{_LABELS}{_HINT}{SEP}{_HINT}{SEP}(?:on[ ])?{_DATE}", facts=True),
    rule(
        _LABEL_KEYS,
        rf"{_LABELS}{_HINT}{COLON}[ –-]{{0,3}}(?P<hide>{_DATE_PART}(?:[ ,–]{{1,3}}+{_DATE_PART}){{0,2}})",
        facts=True,
    ),
    rule("born", r"born[ ]on[ ](?:the[ ])?(?P<hide>\d{1,2}(?:st|nd|rd|th)?)\b"),
    rule(
        "born geboren geb ne nee nato nata nacido nacida nascido nascida urodzony urodzona",
        rf"[^\W\d_]+\.?(?:[ ]{any_of('on in am le en el em il the')})?(?:[ ]the)?[ :]{{1,3}}"
        # born in Ghent, Belgium, on 3 May 1988
        rf"(?:{_NAMED_PLACE}(?:[ ,]{{1,2}}{_NAMED_PLACE}){{0,3}}?[ ,(]{{1,3}}(?:on[ ]|in[ ])?)?"
        rf"{_DATE}",
    ),
    rule("age alter edad idade eta wiek", rf"[^\W\d_]+{SEP}(?P<hide>{_AGE}(?:{_YEARS})?){_NOT_ALONE}"),
    rule("age", rf"age[ ]?/[ ]?(?:sex|gender){COLON}{CELL}", "[personal]"),
    rule("sex gender", rf"(?:sex|gender)[ ]?/[ ]?age{COLON}{CELL}", "[personal]"),
    rule("male female", rf"(?:fe)?male[ ]?[,/|][ ]?(?P<hide>{_AGE}(?:{_YEARS})?)(?=[ ]*(?:[\n,;|)]|\Z))"),
    rule("aged", rf"aged[ ](?P<hide>{_AGE}){_NOT_ALONE}"),
    rule(
        "twenty thirty forty fifty sixty",
        rf"{_NUMBER_WORDS}[ -]years?[ -]old(?![ -]{any_of('compan business firm build hous brand')})",
    ),
)

_OLD_BEFORE = re.compile(
    r"(?P<hide>(?<![\d.,])(?:1[4-9]|[2-8]\d)[ \xa0-]?(?:years?|yrs?\.?|y)[ \xa0-]?/?)\Z", re.IGNORECASE
)
_NOT_OWN_BEFORE = re.compile(r"(?:over|under|above|below|least|most|than|to|-|–|ages?|aged)[ ]?\Z", re.IGNORECASE)
_NOT_OWN_AFTER = re.compile(
    "[ -]?"
    + any_of(
        r"and or child kid boy girl student patient client women men\b people compan business firm build hous brand"
        " system code legacy software application plant facilit school institution organi tradition process record data"
    ),
    re.IGNORECASE,
)
_LONE_LABEL = re.compile(rf"{_LABELS}{_HINT}[ \t]{{0,4}}:?[ \t]*(?:\n|\Z)", re.IGNORECASE)
_LONE_DATE = re.compile(rf"^[ \t:–-]{{0,4}}(?P<hide>{_FULL_DATE})[ \t]*$", re.IGNORECASE | re.MULTILINE)
_MAX_LABELS = 10  # a resume has one; more would only cost time
_CLOSE = 400  # characters; the labels of a table may be read before its values


def find_ages(page: MaskingPage) -> Iterator[Mask]:
    yield from apply_rules(AGE_RULES, page, "age")
    yield from _years_old(page)
    yield from _apart_from_label(page)


def _years_old(page: MaskingPage) -> Iterator[Mask]:
    """34 years old, 34-year-old, 34 y/o; not "65 years old and older"."""
    text = page.text
    for word in page.occurrences(("old", "o")):
        begin = max(0, word.start - 16)
        match = _OLD_BEFORE.search(text[begin : word.start])
        if not match or (word.key == "o" and "/" not in match[0]):
            continue
        start = begin + match.start("hide")
        if not _NOT_OWN_BEFORE.search(text[max(0, start - 8) : start]) and not _NOT_OWN_AFTER.match(text, word.end):
            yield Mask(start, word.end, "age")


def _apart_from_label(page: MaskingPage) -> Iterator[Mask]:
    """A date alone in its line, soon after a label that is alone too."""
    labels = (word.end for word in page.occurrences(_LABEL_KEYS.split()) if _LONE_LABEL.match(page.text, word.start))
    for end in islice(labels, _MAX_LABELS):
        if date := _LONE_DATE.search(page.text, end, min(len(page.text), end + _CLOSE)):
            yield Mask(date.start("hide"), date.end("hide"), "age")
