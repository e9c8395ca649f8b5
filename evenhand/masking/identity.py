"""Who the applicant is, gathered from all that says so: the resume, the form, the name of the file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import Any

from evenhand.masking.page import (
    COMMON,
    COUNTRIES,
    HEADINGS,
    MONTHS,
    NO_NAMES,
    OCCUPATIONS,
    PARTICLES,
    TITLES,
    MaskingPage,
    Span,
)
from evenhand.records.conversion import JsonRecord
from evenhand.records.profile import Fact
from evenhand.text.folding import WORD, fold, spellings
from evenhand.text.names import doubtful_names, first_names, nicknames

# What tells the applicant's name: the miner, the form, an address, the name of the file, the first line.

MIN_PART_LENGTH = 3  # letters of a part that may stand alone
MAX_NAME_WORDS = 6  # words; what is longer is a sentence that was taken for a name
_NO_PARTS = OCCUPATIONS | HEADINGS | NO_NAMES | TITLES
_FORMALITIES = frozenset(("resume", "resumes", "cv", "curriculum", "vitae", "vita", "biodata", "name"))
_UNLIKELY = OCCUPATIONS | HEADINGS | NO_NAMES
_PROFILE_LINK = re.compile(
    r"(?:/in/|/pub/|^(?:https?://)?(?:www\.)?[\w-]+\.\w{2,7}/~?)([\w%.-]+)/?$|/r/(?P<person>[^\W\d_][\w.-]*)/\w+$"
)
"""The page of a person, as linkedin.com/in/name or github.com/name; not that of a project."""
_OWN_PAGE = re.compile(
    r"\b(?:(?:github|gitlab|bitbucket)\.\w{2,3}[/:]|linkedin\.com/(?:in|pub)/)([\w-]{3,60})", re.IGNORECASE
)
"""As it stands in the text, whatever follows."""
HANDLE_LABEL = re.compile(
    r"(?:skype|twitter|github|gitlab|linkedin|telegram|instagram|facebook|user(?:[ ]?name|id)?|login|handle"
    r"|nick(?:name)?|alias)[ \t]{0,2}(?:[:/@~-]{0,3}|is)[ \t]?\Z",
    re.IGNORECASE,
)
_NOT_IN_NAMES = re.compile(r"[@:/\d+&,]")
_FIRST_LINES = re.compile(
    r"(?:^|(?<=\n))[ \t]*([^\n(|•,:\t]{3,40}?)[ \t]*(?=[\n(|•,\t]|$|[ ][\w.+-]{1,40}@|[ ]{2}|[ ][+(#]{0,2}\d)"
)
_LINE_WORDS = re.compile(
    r"(?:^|(?<=\n))[ \t]*(?:(?:mr|mrs|ms|dr|er)[.][ ]?|(?:hi[ ,!]{1,3})?i['’ ]?a?m[ ])?"
    r"([^\W\d_][\w.'’-]*+(?:[ ]{1,2}[(\"“]?[^\W\d_][\w.'’-]*+[)\"”]?){0,5})",
    re.IGNORECASE,
)
_TOP_LINES = re.compile(r"(?:[^\n]{0,120}+\n){1,6}+")
_FIRMS = frozenset(("ltd", "limited", "inc", "llc", "llp", "plc", "gmbh", "pvt", "corp", "university", "college"))
_LOOKED_AT = 20  # occurrences of a word; a name stands near the top or is repeated
_AT = re.compile(r"\s?@.*\Z", re.DOTALL)
_NOT_LETTERS = re.compile(r"[^a-z]+")
_LABELLED = re.compile(
    r"(?<![\w'’])(?i:(?:full[ ]|sur|first[ ]|last[ ])?name(?:[ ]of[ ](?:the[ ])?(?:candidate|applicant))?"
    r"[ \t]{0,8}(?:[:\t–-][ \t:–-]{0,8}|\n[ \t:]{0,8}\n?)"
    r"|(?:resume|résumé|cv|vitae)[ ](?:of|for|by)[ :]{1,3})"
    r"((?:[^\W\d_][\w.'’-]*[ \t]{0,2}){1,5})"
)
_COLUMN = re.compile(
    r"(?<![\w'’])(?i:(?:full[ ])?name)[ \t]{0,4}:[ \t]{0,8}\n(?:[^\n:]{1,30}+:[ \t]{0,8}\n\s{0,4}+){1,12}+"
    r"([^\W\d_a-z][\w.'’-]*+(?:[ ]{1,2}[^\W\d_][\w.'’-]*+){1,4})[ \t]*(?=\n|\Z)"
)
"""The first value of a table whose labels were read before all values."""
_BELOW_HEADING = re.compile(
    r"(?:^|(?<=\n))[ \t]{0,8}(?i:curriculum[ ]vitae|r[eé]sum[eé]|cv|bio-?[ ]?data)[ \t:]{0,8}\n\s{0,8}+"
    r"([^\W\d_a-z][\w.'’-]*+(?:[ ]{1,2}[^\W\d_a-z][\w.'’-]*+){1,3})[ \t]*(?=\n|\Z)"
)
_INTRODUCED = re.compile(
    r"(?:^|(?<=\n))[ \t]{0,8}([^\W\d_a-z][\w.'’-]*+(?:[ ][^\W\d_a-z][\w.'’-]*+){1,3}),?[ ]"
    r"(?:is|has|was|brings|holds|possesses|offers|joined|works)[ ]"
)
"""The beginning of a sentence about a person: Jane Doe has ten years of experience."""
_NOT_OWN_SECTIONS = ("experience", "projects", "education", "references", "skills")
_CAPITAL_INSIDE = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")
_OWN_LINE = re.compile(
    r"(?:^|(?<=\n))[ \t]{0,8}(?i:(?:full[ ])?name)(?:[ \t]{1,8}|\s{0,3}[:–-]\s{0,8})"
    r"(?!(?i:of|and|is|in|or|the|as|not|with)\b)((?:[^\W\d_][\w.'’-]*+[ \t]{0,2}){1,5})"
    r"(?=\n(?P<detail>\W{0,8}(?i:father|mother|husband|spouse|guardian"
    r"|date[ ]of[ ]birth|d\.?o\.?b|birth|age|sex|gender|nationality|marital|religion|permanent|address))?|\Z)"
)
"""A line of personal details: "Name Jane Doe", or a single name where the next line is another detail."""
_DECLARED = re.compile(
    r"(?:^|(?<=[\n.]))\W{0,4}I[ ]?,[ ]?((?:[^\W\d_a-z][\w.'’-]*+[ ]{0,2}){1,5}),[ ]?"
    r"(?i:do[ ]|hereby|here[ ]by|solemnly|declar)"
    r"|(?:^|(?<=\n))[ \t]{0,8}(?i:date|place)[ \t]{0,4}[:–-]{1,3}[^\n()]{0,40}+[(][ ]?"
    r"((?:[^\W\d_a-z][\w.'’-]*+[ ]{0,2}){1,5})[)][ .]{0,4}(?=\n|\Z)"
)
"""I, Jane Doe, hereby declare; Date: (Jane Doe)."""
_MAIDEN = re.compile(r"(?:\bnée?\b|\(nee\b|\bmaiden[ \t]+name\b)[ \t:,–-]{0,4}([^\W\d_][\w'’-]+)", re.IGNORECASE)
_SIGNED = re.compile(
    r"(?i:sincerely|faithfully|truly|regards|signature|signed|declar\w{1,5}|date[ ]?:)[^\n]{0,120}+\n\s{0,8}+"
    r"(?:(?i:place)[ ]?:[^\n]{0,40}+\n\s{0,8}+)?+[([]?[ ]?"
    r"([^\W\d_a-z][\w.'’-]*+(?:[ ]{1,2}[^\W\d_a-z][\w.'’-]*+){1,3})[ ]?[)\]]?[ .]{0,4}(?=\n|\Z)"
)
"""Below the last words of a letter or of a declaration."""
_OTHERS = re.compile(
    r"(?:father|mother|husband|wife|spouse|guardian|company|employer|school|college|university|project|client|user"
    r"|nick|file|event|product|team|brand|course|firm|organi[sz]ation|institut)\w*+(?:['’]s)?+[ _-]*+\Z"
)

Form = Mapping[str, Any]


def split_name(name: str) -> tuple[str, ...]:
    """The parts of a name, without Dr, PhD and the like; nothing of what cannot be a name."""
    parts = tuple(part for part in WORD.findall(name) if fold(part) not in _FORMALITIES)
    if len(parts) > MAX_NAME_WORDS or (parts and fold(parts[-1]) in _FIRMS):
        return ()
    bare = tuple(part for part in parts if fold(part) not in TITLES)
    # Ma and Be are names too: what is dropped must leave a whole name.
    chosen = bare if len(bare) > 1 else parts
    return chosen if any(len(part) > 1 for part in chosen) else ()


def written_names(page: MaskingPage, form: Form) -> Iterator[str]:
    profile = page.profile
    if profile and profile.name and _may_name(profile.name.value):
        yield profile.name.value
        yield profile.name.surface
        yield from _continued(page, profile.name.evidence.end)
    yield from form_names(form)
    head = page.text[: page.head_end]
    for match in _MAIDEN.finditer(page.text):
        yield match[1]
    for match in _LABELLED.finditer(head):
        before = head[max(0, match.start() - 20) : match.start()].lower()
        # Where the miner found a name, a label adds to it only what is written like one.
        is_known = (profile and profile.name) or match[0][:4].lower() != "name"
        if not _OTHERS.search(before) and (not is_known or _is_name(match[1].strip())):
            yield match[1]
    for match in (*_LABELLED.finditer(page.text, page.head_end), *_SIGNED.finditer(page.text, page.head_end)):
        is_own = page.section_type(match.start(1)) not in _NOT_OWN_SECTIONS
        before = page.text[page.line(match.start())[0] : match.start()]
        if is_own and (match.re is _SIGNED or not WORD.search(before)) and _is_name(match[1].strip(), fewest=2):
            yield match[1]
    yield from _placed_names(page)
    yield from _detailed_names(page)


def _detailed_names(page: MaskingPage) -> Iterator[str]:
    for match in (*_OWN_LINE.finditer(page.text), *_DECLARED.finditer(page.text)):
        written = next(filter(None, match.groups())).strip(" .")
        is_declared = match.re is _DECLARED
        parts = WORD.findall(written)
        is_joined = len(_CAPITAL_INSIDE.findall(written)) > 1  # "JaneMarieDoe"
        is_whole = len(parts) > 1 and len(parts[0]) + len(parts[-1]) > MIN_PART_LENGTH
        is_sure = is_declared or match["detail"] or (is_whole and page.is_personal(match.start(1)))
        is_own = is_declared or page.section_type(match.start(1)) not in _NOT_OWN_SECTIONS or match["detail"]
        if (
            page.is_resume
            and is_own
            and (is_sure or is_joined)
            and _is_name(" ".join(part for part in parts if len(part) > 1))
        ):
            yield written


def _may_name(value: str) -> bool:
    """A country is no name, nor is the number of a house with its street."""
    return value.replace(" ", "_") not in COUNTRIES and not value[:1].isdigit()


def _placed_names(page: MaskingPage) -> Iterator[str]:
    """Known by where they stand: below a heading, first of a table's values, at the beginning of an introduction."""
    for match in (*_COLUMN.finditer(page.text), *_BELOW_HEADING.finditer(page.text)):
        facts = {fold(part) for part in WORD.findall(match[1])} & page.fact_words()
        if _is_name(match[1], fewest=2) and not facts:
            yield match[1]
    for match in _INTRODUCED.finditer(page.text):
        is_own = page.section_type(match.start(1)) not in _NOT_OWN_SECTIONS and page.is_resume
        if is_own and fold(WORD.findall(match[1])[0]) in sure_first_names() and _is_name(match[1], fewest=2):
            yield match[1]


def _continued(page: MaskingPage, end: int) -> Iterator[str]:
    """Large names are set on two lines: the second one, where the first has one word and nothing else follows it."""
    text = page.text
    begin = text.rfind("\n", 0, end) + 1
    own, _, rest = text[begin:].partition("\n")
    following = rest.partition("\n")[0].strip()
    is_alone = begin + len(own.rstrip()) == end and len(own.split()) == 1
    known = {fold(part) for part in WORD.findall(following)} & (page.fact_words() | TITLES)
    if is_alone and not known and _is_name(following) and len(following.split()) <= 2:
        yield f"{own.strip()} {following}"


def form_names(form: Form) -> Iterator[str]:
    """All texts under keys that speak of a name; of names in several fields also the whole."""
    fields = [
        value
        for key, value in sorted(form.items())
        if isinstance(value, str)
        and "name" in str(key).lower()
        and not _OTHERS.search(str(key).lower().partition("name")[0])
    ]
    yield from fields
    if len(fields) > 1:
        yield " ".join(fields)


def handles_of(page: MaskingPage, form: Form) -> Iterator[str]:
    """Letters of e-mail addresses before the @, and of the last step of profile links."""
    profile = page.profile
    addresses = [fact.value for fact in profile.emails] if profile else []
    addresses += [value for value in form.values() if isinstance(value, str) and "@" in value]
    for address in addresses:
        yield _NOT_LETTERS.sub(" ", fold(_AT.sub("", address))).strip()
    for link in profile.links if profile else ():
        if own := _PROFILE_LINK.search(link.value):
            yield _NOT_LETTERS.sub(" ", fold(own[1] or own["person"])).strip()
    for match in _OWN_PAGE.finditer(page.text):
        yield _NOT_LETTERS.sub(" ", fold(match[1])).strip()


def _own_handles(page: MaskingPage, form: Form, parts: frozenset[str]) -> frozenset[str]:
    """User names of e-mail addresses, profile pages and repositories.

    Those that are words of the resume's sentences are left out: contact@, design@.
    """
    profile, long = page.profile, [part for part in parts if len(part) > MIN_PART_LENGTH]
    texts = [fact.value for fact in (*profile.emails, *profile.links)] if profile else []
    texts += [value for value in form.values() if isinstance(value, str)]
    handles = {_AT.sub("", value).lower() for value in texts if "@" in value}
    handles |= {own[1].lower() for value in texts if (own := _PROFILE_LINK.search(value)) and own[1]}
    handles |= {match[1].lower() for match in _OWN_PAGE.finditer(page.text)}
    words = _UNLIKELY | COMMON | page.fact_words(frozenset(handles))  # the own firm may be called as its owner's page
    words |= {
        key for key in handles if any(_is_sentence(page, frozenset({key}), at) for at in page.numbers.get(key, ()))
    }
    words -= {key for key in handles if any(_is_owner(page, at) for at in page.numbers.get(key, ()))}
    likely = (handle for handle in handles if len(handle) > MIN_PART_LENGTH)
    return frozenset(handle for handle in likely if handle not in words or any(part in handle for part in long)) - parts


def _is_owner(page: MaskingPage, number: int) -> bool:
    """Whether something is called this word's: "Jany's Tools" of jany@example.com."""
    word = page.words[number]
    return page.text[word.start].isupper() and page.text[word.end : word.end + 2] in ("'s", "’s")


def confirmed_names(
    page: MaskingPage, handles: Iterable[str], file: str | None, *, known: frozenset[str]
) -> list[tuple[str, ...]]:
    """Short lines that an e-mail address, a link or the file's name knows: a name, whatever the miner found."""
    sources = [*handles, " ".join(map(fold, _file_words(file or "")))]
    keys = [key for key in page.numbers if key not in known and _is_in_sources(key, sources)]
    names = []
    for key in keys:
        for number in page.numbers[key][:_LOOKED_AT]:
            start, end = page.cell(page.words[number].start)
            cell = page.text[start:end]
            if _is_name(cell, sources, fewest=1 if start < page.head_end else 2):
                names.append(split_name(cell))
    return [name for name in dict.fromkeys(names) if name]


def _is_in_sources(key: str, sources: Iterable[str]) -> bool:
    if len(key) < MIN_PART_LENGTH or key in _UNLIKELY:
        return False
    return any(key in source.split() if len(key) == MIN_PART_LENGTH else key in source for source in sources)


def _is_name(cell: str, sources: Iterable[str] = (), *, fewest: int = 1) -> bool:
    """A few capitalised words, none of which is a word of resumes, unless a source has it: Anna Page has that name."""
    parts = WORD.findall(cell)
    if _NOT_IN_NAMES.search(cell) or not fewest <= len(parts) <= MAX_NAME_WORDS:
        return False
    spoken = {word for source in sources for word in source.split()}
    keys = [fold(part) for part in parts]
    return all(
        (part[0].isupper() or (key in PARTICLES and 0 < number < len(parts) - 1) or keys[0] in sure_first_names())
        and (key not in _UNLIKELY or key in spoken)
        for number, (part, key) in enumerate(zip(parts, keys, strict=True))
    )


def _file_words(file: str) -> list[str]:
    """The words of a file's name, without its folder and its ending."""
    name = re.split(r"[/\\]", file)[-1]
    return WORD.findall(_CAPITAL_INSIDE.sub(" ", name.rpartition(".")[0] or name).replace("_", " "))


def guessed_names(page: MaskingPage, file: str | None) -> Iterator[tuple[str, ...]]:
    """What the file's name may say of the owner, where nothing else does."""
    unlikely = _UNLIKELY | TITLES | page.fact_words()
    parts = tuple(word for word in _file_words(file or "") if len(word) > 1 and fold(word) not in unlikely)
    if 0 < len(parts) <= MAX_NAME_WORDS:
        yield parts


def _head_names(page: MaskingPage) -> list[tuple[str, ...]]:
    """A known first name at the beginning of a line at the top, with words behind it that may be of a name."""
    for match in _LINE_WORDS.finditer(page.text, 0, _top_end(page)):
        words = WORD.findall(match[1])
        parts = list(takewhile(lambda part: part[0].isupper() and fold(part) not in _NO_PARTS, words))
        is_whole = len(parts) > 1 and len(parts[1]) + len(parts[-1]) > 2
        is_titled = len(parts) == 1 < len(words) and not page.text[: match.start(1)].strip()  # Anna Software Engineer
        is_alone = len(words) == len(parts) + 1 == 2
        if parts and fold(parts[0]) in sure_first_names() and (is_whole or is_alone or is_titled):
            return [split_name(" ".join(parts))]
    return []


def _top_end(page: MaskingPage) -> int:
    """The end of the head, which has a few lines at least: an odd first line may be taken for a section."""
    top = _TOP_LINES.match(page.text) if page.is_resume else None
    return max(page.head_end, top.end() if top else 0)


def guessed_lines(page: MaskingPage, known: frozenset[str]) -> Iterator[Span]:
    """The first line at the top that may be a name, where none before it has a known part of the name."""
    for match in _FIRST_LINES.finditer(page.text, 0, _top_end(page)) if page.profile else ():
        keys = {fold(part) for part in WORD.findall(match[1])}
        if keys & known:
            return
        is_date = keys & MONTHS and page.text[match.end() :][:2].strip(" ").isdigit()  # Ghent May 2019
        is_likely = len(keys) > 1 or keys <= sure_first_names() or _comes_again(page, match[1])
        is_top = is_likely and not page.text[: match.start(1)].strip() and not _is_work(page, match.span(1))
        if _is_name(match[1]) and not is_date and (is_top or not page.fact_words() & keys):
            yield match.span(1)
            return


def _comes_again(page: MaskingPage, name: str) -> bool:
    """Whether it is a line of its own once more, as at the top of each page."""
    return len(re.findall(rf"^[ \t]*{re.escape(name)}[ \t]*$", page.text, re.MULTILINE)) > 1


def _is_work(page: MaskingPage, line: Span) -> bool:
    """Whether a skill, a title or an institution that everybody knows stands in the line."""
    found = (match.span() for match in WORD.finditer(page.text, *line))
    return any(
        page.is_in("skill", *span)
        or page.is_in("title", *span)
        or (page.is_in("institution", *span) and not page.is_in("firm", *span))
        for span in found
    )


PHONE_DIGITS = 7
_SIGNS = frozenset("@./_-~0123456789")  # of addresses and user names, which are no sentences
_DIGITS = re.compile(r"\D+")


@dataclass(frozen=True, slots=True)
class Identity(JsonRecord):
    """All as it is compared: names folded, phones as digits."""

    names: tuple[tuple[str, ...], ...] = ()  # each the parts of a whole name, in order
    parts: frozenset[str] = frozenset()  # of all of them, in every spelling
    common: frozenset[str] = frozenset()  # parts that are also words of this resume's trade or of English
    nicknames: frozenset[str] = frozenset()  # parts that nobody wrote: Bob for Robert
    handles: frozenset[str] = (
        frozenset()
    )  # user names of addresses and repositories, as written there, in small letters
    guesses: frozenset[str] = frozenset()  # parts of what only may be the name
    small: bool = False  # the resume writes the name in small letters
    phones: frozenset[str] = frozenset()
    places: tuple[str, ...] = ()  # city and country of residence, as written
    schools: tuple[str, ...] = ()
    employers: frozenset[str] = frozenset()  # that are not among the schools

    @property
    def joined(self) -> frozenset[str]:
        """First and last name without a space, either way round."""
        pairs = [(name[0], name[-1]) for name in self.names if len(name) > 1]
        handles = {handle for first, last in pairs for handle in (first + last, last + first)}
        return frozenset(handle for handle in handles if len(handle) >= 2 * MIN_PART_LENGTH)

    @property
    def short_handles(self) -> frozenset[str]:
        """Initial and last name, as in user names."""
        pairs = [(name[0][0], name[-1]) for name in self.names if len(name) > 1 and len(name[-1]) >= MIN_PART_LENGTH]
        return frozenset(handle for initial, last in pairs for handle in (initial + last, last + initial))


def identify(page: MaskingPage, form: Form | None = None, file: str | None = None) -> Identity:
    form = form or {}
    names = [name for written in written_names(page, form) if (name := split_name(written))]
    known = frozenset(fold(part) for name in names for part in name)
    names += confirmed_names(page, handles_of(page, form), file, known=known)
    names += _head_names(page)
    guessed = [] if names else list(guessed_names(page, file))
    known = frozenset(fold(part) for name in names for part in name)
    guessed += [split_name(page.text[slice(*line)]) for line in guessed_lines(page, known)]
    guesses = frozenset(fold(part) for name in guessed for part in name) - known
    names = [name for name in (*names, *guessed) if name]
    written = frozenset(fold(part) for name in names for part in name)
    names += [(short, *name[1:]) for name in names if name for short in sorted(nicknames().get(fold(name[0]), ()))]
    parts = frozenset(spelling for name in names for part in name for spelling in spellings(part))
    profile = page.profile
    schools = tuple(_forms(study.university for study in profile.education) if profile else ())
    employers = _forms(job.employer for job in profile.positions) if profile else ()
    return Identity(
        names=tuple(dict.fromkeys(tuple(map(fold, name)) for name in names)),
        parts=parts,
        common=_common(page, parts) | guesses,
        nicknames=parts & nicknames().keys() - written,
        handles=_own_handles(page, form, parts),
        guesses=guesses,
        small=_is_small(page),
        phones=frozenset(_phones(page, form)),
        places=tuple(_places(page, form)),
        schools=schools,
        employers=frozenset(map(fold, employers)) - frozenset(map(fold, schools)),
    )


def _common(page: MaskingPage, parts: frozenset[str]) -> frozenset[str]:
    """Those that English, this resume's facts or its sentences use as a word."""
    common = parts & (COMMON | PARTICLES | OCCUPATIONS | page.fact_words(parts))
    if _is_small(page):
        return common
    return common | {
        key
        for key in parts - common - sure_first_names()
        if any(_is_sentence(page, parts, at) for at in page.numbers.get(key, ()))
    }


@cache
def sure_first_names() -> frozenset[str]:
    """That are no words as well."""
    return frozenset(map(fold, first_names())) - frozenset(map(fold, doubtful_names()))


def _is_small(page: MaskingPage) -> bool:
    name = page.profile.name if page.profile else None
    return name is not None and name.surface == name.surface.lower() != name.surface.upper()


def _is_sentence(page: MaskingPage, parts: frozenset[str], number: int) -> bool:
    """Whether this word of the text is written small and is no part of an address or a whole name."""
    text, word = page.text, page.words[number]
    if not text[word.start].islower():
        return False
    near = page.words[max(0, number - 1) : number + 2]
    is_address = text[word.start - 1 : word.start] in _SIGNS or text[word.end : word.end + 1] in _SIGNS
    is_user_name = HANDLE_LABEL.search(text, max(0, word.start - 20), word.start) is not None
    return not is_address and not is_user_name and sum(word.key in parts for word in near) == 1


def _phones(page: MaskingPage, form: Form) -> Iterator[str]:
    values = [fact.value for fact in page.profile.phones] if page.profile else []
    values += [
        str(value)
        for key, value in form.items()
        if any(word in str(key).lower() for word in ("phone", "mobile", "cell", "tel"))
    ]
    for value in values:
        digits = _DIGITS.sub("", value)
        if len(digits) >= PHONE_DIGITS:
            yield digits


def _places(page: MaskingPage, form: Form) -> Iterator[str]:
    profile = page.profile
    if profile:
        yield from _forms([profile.city])
        yield from (profile.country,) if profile.country else ()
    for key, value in form.items():
        is_place = any(word in str(key).lower() for word in ("city", "country", "town"))
        if is_place and isinstance(value, str) and value:
            yield value


def _forms(facts: Iterable[Fact | None]) -> Iterator[str]:
    return (form for fact in facts if fact for form in (fact.value, fact.surface))
