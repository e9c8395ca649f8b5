"""Finds what tells a person's sex or family: pronouns, salutations, gendered words, memberships, marital status.

The tokens are neutral: he, she and they are all [pronoun], waiter and waitress both [server].
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from evenhand.masking.folding import Word
from evenhand.masking.identity import Identity
from evenhand.masking.masks import Mask
from evenhand.masking.neutral import HONOR_SOCIETIES, NEUTRAL, TITLES_ONLY
from evenhand.masking.page import Page
from evenhand.masking.rules import CELL, COLON, SEP, follow, rule

PRONOUN, SALUTATION, SOCIETY = "[pronoun]", "[salutation]", "[society]"
PRONOUNS = ("he", "she", "him", "her", "his", "hers", "himself", "herself")
_CHOICE = re.compile(
    r"(?:she|he|they|ze|zie|xe|ey|any)(?:[ ]?/[ ]?(?:hers?|him|his|them|theirs?|she|he|they|zir|hir|xem|em|eirs?|any))+\b",
    re.IGNORECASE,
)
_SALUTATIONS = (
    "mr",
    "mrs",
    "ms",
    "miss",
    "mister",
    "sir",
    "madam",
    "mme",
    "mlle",
    "herr",
    "frau",
    "smt",
    "shri",
)
_NEXT = re.compile(r"\.?[ \xa0]{0,2}([^\W\d_][\w'’]*)")
_NOT_AFTER_MS = frozenset(
    [
        "office",
        "excel",
        "word",
        "access",
        "sql",
        "powerpoint",
        "power",
        "outlook",
        "project",
        "visio",
        "dos",
        "windows",
        "window",
        "teams",
        "paint",
        "dynamics",
        "azure",
        "sharepoint",
        "exchange",
        "publisher",
        "onenote",
        "degree",
        "in",
        "of",
        "computer",
        "science",
        "mathematics",
        "physics",
        "chemistry",
        "nursing",
        "engineering",
        "data",
        "management",
        "accounting",
        "finance",
        "economics",
        "statistics",
        "biology",
        "candidate",
        "student",
        "thesis",
        "program",
        "vba",
        "crm",
        "bi",
        "certified",
        "front",
        "frontpage",
        "net",
        "visual",
        "server",
        "suite",
        "products",
        "applications",
        "tools",
        "package",
        "and",
        "build",
    ]
)
_GREEK = frozenset(
    [
        "alpha",
        "beta",
        "gamma",
        "delta",
        "epsilon",
        "zeta",
        "eta",
        "theta",
        "iota",
        "kappa",
        "lambda",
        "mu",
        "nu",
        "xi",
        "omicron",
        "pi",
        "rho",
        "sigma",
        "tau",
        "upsilon",
        "phi",
        "chi",
        "psi",
        "omega",
    ]
)
_SEXES = (
    r"(?:female|male|woman|man|transgender|trans|non-?[ ]?binary|other|weiblich|männlich|divers|femme|homme|f[ée]minin|masculin"
    r"|femenino|masculino|feminino|mujer|hombre|femmina|maschio|f|m|w)\b"
)
_STATUSES = (
    r"(?:un-?married|married|single|divorced|widow(?:er|ed)?|separated|engaged|ledig|verheiratet|geschieden|verwitwet"
    r"|solter[oa]|casad[oa]|divorciad[oa]|solteir[oa]|c[ée]libataire|mari[ée]e?|nubile|celibe|coniugat[oa]|bachelor|spinster)\b"
)
_CHILDREN = r"(?:[ ]?(?:,|with|and|&)[ ]?(?:no|one|two|three|four|five|\d)[ ](?:child(?:ren)?|kids?|sons?|daughters?))"
_HERS = (
    r"(?:(?:junior|senior|collegiate|national|varsity|club|state|college|university|high|intramural|ncaa|division)[ ]){0,2}"
    r"(?:basketball|soccer|football|tennis|swim\w*|rugby|lacrosse|hockey|volleyball|softball|baseball|team|college|school|hostel"
    r"|club|crew|rowing|track|golf|cricket|choir|chorus|glee|university|dormitory|scouts?|group|network|association|society"
    r"|league|caucus|conference|forum|scholarship|fellowship|award|leadership|initiative|squad|gymnastics|wrestling"
    r"|fencing|water[ ]polo|cross[ ]country|ministry|studies[ ]society|high)\b"
)
_SERVICE = r"(?:military|national|army|armed[ ]forces?|civilian)[ ](?:service|duty|obligations?)"

RULES = (
    rule("pronouns pronoun", rf"pronouns?{COLON}{CELL}", PRONOUN),
    rule("gender sex geschlecht sexe sexo sesso genero", rf"[^\W\d_]+{SEP}(?P<hide>{_SEXES})"),
    rule("gender sex geschlecht", rf"[^\W\d_]+[ \t]*[:=]{CELL}"),
    rule("age", rf"age[ ]?/[ ]?(?:sex|gender){COLON}{CELL}"),
    rule("sex gender", rf"(?:sex|gender)[ ]?/[ ]?age{COLON}{CELL}"),
    rule("marital civil family relationship estado etat familienstand stato",
         rf"(?:(?:marital|civil|family|relationship)[ ]?status|estado[ ]civil|[ée]tat[ ]civil|familienstand|stato[ ]civile)"
         rf"{SEP}(?P<hide>{_STATUSES}{_CHILDREN}?)"),
    rule("marital civil familienstand estado", rf"(?:marital[ ]?status|civil[ ]status|familienstand|estado[ ]civil){COLON}{CELL}"),
    rule("married divorced widowed widow widower", rf"[^\W\d_]+{_CHILDREN}"),
    rule("widow widower housewife househusband fiance fiancee girlfriend boyfriend", r"[^\W\d_]+(?:ed\b)?"),
    rule("maternity paternity", r"(?:maternity|paternity)[ -]leave\b", "[leave]"),
    rule("maternity paternity", r"(?:maternity|paternity)[ ](?:break|career[ ]break|absence)\b", "[leave]"),
    rule("maiden", rf"maiden[ ]name(?:{COLON}{CELL})?"),
    rule("nee", r"n[ée]e?[ :,–-]{1,3}[^\W\d_][\w'’-]+"),
    rule("sorority fraternity sororities fraternities sisterhood", r"[^\W\d_]+", SOCIETY),
    rule("women girls girl boys boy men ladies woman lady gentlemen",
         rf"(?:women|girl|boy|men|ladies|woman|lady|gentlemen)s?['’]?s?['’]?[ ]{_HERS}", facts=True),
    rule("women girls", r"(?:women|girls)[ ](?:in|who|of|for|for[ ]the)[ ](?-i:[^\W\d_a-z])[\w&'’-]*(?:[ ](?-i:[^\W\d_a-z])[\w&'’-]*){0,3}", SOCIETY),
    rule("society association", r"(?:society|association|network|league|council)[ ](?:of|for)[ ](?:professional[ ]|american[ ]|business[ ]){0,2}"
         r"(?:women|girls)(?:[ ](?:in[ ])?(?-i:[^\W\d_a-z])[\w&'’-]*){0,3}", SOCIETY, facts=True),
    rule("for", r"for[ ](?:women|girls|men|boys)\b(?=\s*(?:[,.;)\n|(]|\Z))", facts=True),
    rule("girl boy eagle", r"(?:(?:girl|boy)[ ](?:scouts?|guides?)|eagle[ ]scout)\b(?:[ ]of[ ]america)?", SOCIETY),
    rule("young dynamic honest ambitious hardworking energetic motivated",
         r"[^\W\d_]+(?:[ ,]+[^\W\d_]+){0,2}[ ](?P<hide>man|woman|lady|girl|guy|gentleman|boy)\b"),
    rule("military national army", rf"{_SERVICE}(?:[ ]status)?{COLON}{CELL}"),
    rule("military", rf"military[ ](?:status|obligations?){COLON}{CELL}"),
    rule("compulsory mandatory obligatory", rf"[^\W\d_]+[ ]{_SERVICE}[^\n.;]{{0,80}}"),
    rule("completed completion complete exempt exempted exemption finished performed discharged postponed deferred done did served",
         r"[^\W\d_]+(?:[ ](?:of|from|my|the|his|her|a|in|with)){0,2}[ ](?:\w+[ ])?(?:compulsory[ ]|mandatory[ ])?"
         r"(?:military|national)[ ]service\b[^\n.;]{0,60}"),
    rule("wehrdienst grundwehrdienst zivildienst", r"[^\n.;]{1,80}"),
    rule("s d w", r"[sdw]/o\b\.?[ :]{0,3}[^\n\t|;,]{0,40}", "[family]"),
    rule("son daughter", r"(?:son|daughter)[ ]of[ ](?:mr|mrs|late|shri|sh|smt)\b\.?[^\n\t|;,]{0,40}", "[family]"),
    rule("husband wife", rf"(?:husband|wife)['’]?s?[ ]name{SEP}{CELL}", "[family]"),
)  # fmt: skip
_FAMILY = (
    "mother",
    "father",
    "mom",
    "mum",
    "dad",
    "wife",
    "husband",
    "grandmother",
    "grandfather",
    "stepmother",
    "stepfather",
)
_FAMILY_TAIL = re.compile(
    r"(?:(?:[ ]of|[ ]to)[ ](?:an?[ ]|my[ ])?(?:\w+)(?:[ ](?:\w+[ ])?(?:child(?:ren)?|kids?|sons?|daughters?|boys?|girls?))?)?",
    re.IGNORECASE,
)
_NOT_FAMILY_AFTER = re.compile(
    r"(?:['’]s)?[ ]?(?:[/&-]|tongue|board|ship|compan|plant|language|nature|earth|unit|teresa|theresa|day\b|name\b|and\b|or\b|baby"
    r"|infant|sauce|child\b|care\b|house|figure|cell)",
    re.IGNORECASE,
)
_NOT_FAMILY_BEFORE = re.compile(
    r"(?:\b(?:the|each|every|expectant|patient|birth|surrogate|foster|founding|and|or|&)|[/&-])[ ]?\Z",
    re.IGNORECASE,
)


def find_genders(page: Page, identity: Identity) -> Iterator[Mask]:
    yield from _pronouns(page)
    yield from _salutations(page, identity)
    yield from _family(page)
    yield from _job_words(page)
    yield from _greek_societies(page)
    yield from _alone_in_cell(page)
    yield from follow(RULES, page, "gender")


def _pronouns(page: Page) -> Iterator[Mask]:
    text = page.text
    for word in page.occurrences(PRONOUNS):
        after = text[word.end : word.end + 1]
        if after.isdigit() or after == "_" or page.is_fact(word.start, word.end):  # HER2
            continue
        if len(word.key) > 1 and text[word.start : word.end].isupper() and not _is_shouted(page, word):
            continue  # HIS is a hospital information system, HE higher education
        yield Mask(word.start, word.end, "gender", PRONOUN)
    for word in page.occurrences(("she", "he", "they", "ze", "zie", "xe", "ey", "any")):
        if choice := _CHOICE.match(text, word.start):
            yield Mask(word.start, choice.end(), "gender", PRONOUN)


def _is_shouted(page: Page, word: Word) -> bool:
    """Whether the words around it are in capitals too."""
    near = re.findall(r"[^\W\d_]{4,}", page.text[max(0, word.start - 30) : word.end + 30])
    return len(near) > 1 and all(each.isupper() for each in near)


def _salutations(page: Page, identity: Identity) -> Iterator[Mask]:
    text = page.text
    for word in page.occurrences(_SALUTATIONS):
        if not text[word.start].isupper() or page.is_fact(word.start, word.end):
            continue
        after = _NEXT.match(text, word.end)
        follower = after[1] if after else ""
        is_name = follower.lower() in identity.parts
        if word.key in ("ms", "miss", "shri", "smt", "herr", "frau", "mme"):
            is_person = follower[:1].isupper() and follower.lower() not in _NOT_AFTER_MS
            if not is_name and (not is_person or text[word.start : word.end].isupper()):
                continue
        elif text[word.start : word.end].isupper() and not is_name and text[word.end : word.end + 1] != ".":
            continue  # MR is also a kind of imaging
        end = word.end + (text[word.end : word.end + 1] == ".")
        yield Mask(word.start, end, "gender", SALUTATION)


def _family(page: Page) -> Iterator[Mask]:
    """ "Proud father of two", "my wife"; not the mother tongue, nor mother and child on a ward."""
    text = page.text
    for word in page.occurrences(_FAMILY):
        if page.is_fact(word.start, word.end) or _NOT_FAMILY_AFTER.match(text, word.end):
            continue
        if _NOT_FAMILY_BEFORE.search(text[max(0, word.start - 14) : word.start]):
            continue
        tail = _FAMILY_TAIL.match(text, word.end)
        yield Mask(word.start, tail.end() if tail else word.end, "gender", "[family]")


def _job_words(page: Page) -> Iterator[Mask]:
    """In titles too: a neutral word says the same. Employers keep their names."""
    for word in page.occurrences(NEUTRAL):
        if not (page.is_institution(word.start, word.end) or page.is_skill(word.start, word.end)):
            yield Mask(word.start, word.end, "gender", f"[{NEUTRAL[word.key]}]")
    for word in page.occurrences(TITLES_ONLY):
        if page.is_title(word.start, word.end):
            yield Mask(word.start, word.end, "gender", f"[{TITLES_ONLY[word.key]}]")


def _greek_societies(page: Page) -> Iterator[Mask]:
    """Two or three Greek letters are a sorority or a fraternity, unless they are a society of honour."""
    text = page.text
    run: list[Word] = []
    letters = sorted(page.occurrences(_GREEK))
    for word in [*letters, None]:
        if word and (not run or text[run[-1].end : word.start] == " ") and text[word.start].isupper():
            run.append(word)
            continue
        if len(run) > 1 and " ".join(each.key for each in run) not in HONOR_SOCIETIES:
            yield Mask(run[0].start, run[-1].end, "gender", SOCIETY)
        run = [word] if word and text[word.start].isupper() else []


def _alone_in_cell(page: Page) -> Iterator[Mask]:
    """ "Male" or "Married" with nothing else in its cell, among personal details."""
    single = (
        "male",
        "female",
        "married",
        "unmarried",
        "single",
        "divorced",
        "widowed",
        "ledig",
        "verheiratet",
        "weiblich",
    )
    for word in page.occurrences(single):
        if (
            page.is_personal(word.start)
            and page.text[slice(*page.cell(word.start))].strip(" .,:") == (page.text[word.start : word.end])
        ):
            yield Mask(word.start, word.end, "gender")
    for word in page.occurrences(("male", "female")):
        if page.text[slice(*page.line(word.start))].strip(" .,:") == page.text[word.start : word.end]:
            yield Mask(word.start, word.end, "gender")
