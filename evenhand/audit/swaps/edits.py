"""Another name for the applicant, wherever the resume tells it: head, running text, e-mail address, links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from evenhand.audit.swaps.editing import Edit, MarkedResume, PersonalSpan
from evenhand.records.profile import PRESENT, Evidence
from evenhand.text.gender_words import TO_FEMALE, TO_MALE

SURNAME = "Carter"
"""Goes with a first name where the resume has no name at all; both sides of a pair have it."""

_TITLE = re.compile(r"(?:mr|mrs|ms|miss|dr|prof|er)\.?", re.IGNORECASE)


def edit_first_name(marked: MarkedResume, value: str) -> tuple[Edit, ...] | None:
    return _renamed(marked, value, None)


def edit_full_name(marked: MarkedResume, value: str) -> tuple[Edit, ...] | None:
    first, _, last = value.partition(" ")
    return _renamed(marked, first, last)


def _renamed(marked: MarkedResume, first: str, last: str | None) -> tuple[Edit, ...]:
    parts = _parts(marked)
    if not parts:
        return (Edit(0, 0, f"{first} {last or SURNAME}\n"),)
    new = {parts[0].lower(): first}
    if last is not None and len(parts) > 1:
        new[parts[-1].lower()] = last
    either = re.compile("|".join(re.escape(part) for part in sorted(new, key=len, reverse=True)), re.IGNORECASE)
    edits: list[Edit] = []
    for mark in sorted(marked.of("name", "contact")):
        reached = edits[-1].end if edits else 0
        for match in either.finditer(marked.text, max(mark.start, reached), mark.end):
            name, old = new[match[0].lower()], match[0]
            # In addresses and links parts of a name run into one word; elsewhere the capitals stay.
            if mark.kind == "contact" or old.islower():
                name = re.sub(r"[^a-z]", "", name.lower()) if old.isascii() else name.lower()
            elif old.isupper() and len(old) > 1:
                name = name.upper()
            edits.append(Edit(match.start(), match.end(), name))
    return tuple(edits) or (Edit(0, 0, f"{first} {last or SURNAME}\n"),)


def _parts(marked: MarkedResume) -> list[str]:
    name = marked.profile.name
    words = re.findall(r"[^\W\d_][\w'’-]*\.?", name.surface) if name else []
    return [word for word in words if not _TITLE.fullmatch(word) and len(word.rstrip(".")) > 1]


# Words that tell a person's sex, age or memberships.

_FEMALE_LINE = re.compile(r"\b(?:she|her|ms|women|mother|girls|alumna|sisterhood)\b", re.IGNORECASE)


_WORD = re.compile(r"(?:mr|mrs|ms)\.|[^\W\d_]+(?:/[^\W\d_]+|['’]s(?!\w))?", re.IGNORECASE)


def turn_gender(text: str, *, female: bool) -> str:
    """A running text as if it told of a woman, or of a man: pronouns, salutations and family words; names stay."""
    forms = TO_FEMALE if female else TO_MALE

    def turned(match: re.Match[str]) -> str:
        old = match[0]
        new = _other_form(old, forms, text, match.end())
        return (new.capitalize() if old[0].isupper() else new) if new else old

    return _WORD.sub(turned, text)


def _other_form(old: str, forms: dict[str, str], text: str, end: int) -> str:
    """Empty for a word that has none. Her book is his book, and to see her is to see him."""
    if forms is TO_MALE and old.lower() == "her":
        return "his" if re.match(r"\s[^\W\d_]", text[end : end + 2]) else "him"
    return forms.get(old.lower().replace("’", "'"), "")


def edit_gender_words(marked: MarkedResume, value: str) -> tuple[Edit, ...]:
    """A line that tells it, and the words that told it before turned to the same."""
    forms = TO_FEMALE if _FEMALE_LINE.search(value) else TO_MALE
    return (*_turned(marked, forms), marked.line_below_head(value))


def _turned(marked: MarkedResume, forms: dict[str, str]) -> Iterator[Edit]:
    head = marked.document.lines[0].end if marked.document.lines else 0
    for mark in marked.of("gender"):
        old = marked.text[mark.start : mark.end]
        # The line below the head is put in where the head ends; an edit that touches that place would be one with it.
        new = _other_form(old, forms, marked.text, mark.end)
        if new and not mark.start <= head <= mark.end:
            yield Edit(mark.start, mark.end, new.capitalize() if old[0].isupper() else new)


def edit_birth(marked: MarkedResume, value: str) -> tuple[Edit, ...]:
    """So many years before the month that "present" means."""
    year = int(marked.profile.as_of[:4]) - int(value)
    for mark in marked.of("age"):
        old = marked.text[mark.start : mark.end]
        if match := re.search(r"(?:19|20)\d\d", old):
            return (Edit(mark.start + match.start(), mark.start + match.end(), str(year)),)
        if match := re.search(r"(?<!\d)[1-8]\d(?!\d)", old):
            return (Edit(mark.start + match.start(), mark.start + match.end(), value),)
    return (marked.line_below_head(f"Date of birth: 12 May {year}"),)


def edit_affiliation(marked: MarkedResume, value: str) -> tuple[Edit, ...]:
    return (marked.line_at_end(value),)


# Another home, another place of work, another school.


def edit_home(marked: MarkedResume, value: str) -> tuple[Edit, ...] | None:
    """The city of residence; where none is told, a line below the head tells it."""
    city = marked.profile.city
    if city is not None:
        place = city.evidence
        around = [mark for mark in marked.of("address") if mark.start <= place.start and place.end <= mark.end]
        if around:
            return (Edit(around[0].start, around[0].end, value),)
        if "\n" not in city.surface:
            return (Edit(place.start, place.end, value),)
    return (marked.line_below_head(value),)


def edit_workplace(marked: MarkedResume, value: str) -> tuple[Edit, ...] | None:
    """Where the latest job was; None for a resume without jobs."""
    for job in marked.jobs():
        if job.city and "\n" not in job.city.surface:
            return (Edit(job.city.evidence.start, job.city.evidence.end, value),)
    for job in marked.jobs():
        if anchor := job.employer or job.title:
            return (Edit(anchor.evidence.end, anchor.evidence.end, f", {value}"),)
    return None


def edit_school(marked: MarkedResume, value: str) -> tuple[Edit, ...] | None:
    """The first school named, wherever its name stands; None for a resume without one."""
    schools = [entry.university for entry in marked.profile.education if entry.university]
    usable = [school for school in schools if "\n" not in school.surface]
    if not usable:
        return None
    name = usable[0].surface
    spans = [PersonalSpan(usable[0].evidence.start, usable[0].evidence.end, "school")]
    spans += [mark for mark in marked.of("school") if marked.text[mark.start : mark.end] == name]
    return tuple(Edit(start, end, value) for start, end in sorted({(mark.start, mark.end) for mark in spans}))


# Another course of a career: a gap, fewer hours, a first job in another trade. Lengths of jobs stay as they are.

_LONG = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
_SHORT = tuple(month[:3] for month in _LONG)
_NAMED = r"(?P<name>[A-Za-z]{3,9})(?P<dot>\.?)(?P<gap>[ ,'’/-]{1,3})(?P<year>(?:19|20)\d\d)"
_NUMBERED = r"(?P<month>0?[1-9]|1[0-2])(?P<slash>[/.-])(?P<late>(?:19|20)\d\d)"
_TURNED = r"(?P<early>(?:19|20)\d\d)(?P<dash>[/.-])(?P<number>0[1-9]|1[0-2])(?!\d)"
_ALONE = r"(?P<alone>(?:19|20)\d\d)"
_DATE = re.compile(rf"(?<![\w])(?:{_NAMED}|{_NUMBERED}|{_TURNED}|{_ALONE})(?!\d)")


def edit_gap(marked: MarkedResume, value: str) -> tuple[Edit, ...] | None:
    """Everything before the latest job moves back by so many months; None where jobs overlap or there is one only."""
    jobs = marked.jobs()
    ends = [job.period.end or "9999" for job in jobs[1:]]
    if not ends or PRESENT in ends or max(ends)[:7] > f"{jobs[0].period.start}-12"[:7]:
        return None
    if (months := int(value)) == 0:
        return ()
    edits = tuple(edit for place in _earlier(marked) for edit in _shifted(marked.text, place, months))
    return edits or None


def _earlier(marked: MarkedResume) -> Iterator[tuple[int, int]]:
    last = marked.jobs()[0]
    began = last.period.start or ""
    periods: list[Evidence | None] = [job.period.evidence for job in marked.jobs()[1:]]
    periods += [
        project.period.evidence
        for project in marked.profile.projects
        if project.period.start and project.period.start < began
    ]
    periods += [entry.year.evidence for entry in marked.profile.education if entry.year]
    own = last.period.evidence
    reached = 0
    for place in sorted({(period.start, period.end) for period in periods if period}):
        is_own = own is not None and place[0] < own.end and own.start < place[1]
        if place[0] >= reached and not is_own:
            reached = place[1]
            yield place


def _shifted(text: str, place: tuple[int, int], months: int) -> Iterator[Edit]:
    for match in _DATE.finditer(text, *place):
        new = _moved(match, months)
        if new is not None and new != match[0]:
            yield Edit(match.start(), match.end(), new)


def _moved(match: re.Match[str], months: int) -> str | None:
    if match["alone"]:
        return str(int(match["alone"]) - (months + 6) // 12)
    if match["name"]:
        number = month_number(match["name"])
        if number is None:
            return str.replace(match[0], match["year"], str(int(match["year"]) - (months + 6) // 12))
        year, month = _back(int(match["year"]), number, months)
        return f"{month_like(match['name'], month)}{match['dot']}{match['gap']}{year}"
    if match["month"]:
        year, month = _back(int(match["late"]), int(match["month"]), months)
        return f"{month:0{len(match['month'])}d}{match['slash']}{year}"
    year, month = _back(int(match["early"]), int(match["number"]), months)
    return f"{year}{match['dash']}{month:02d}"


def _back(year: int, month: int, months: int) -> tuple[int, int]:
    total = year * 12 + month - 1 - months
    return total // 12, total % 12 + 1


def month_number(name: str) -> int | None:
    """1 to 12 for a name or a beginning of at least three letters."""
    key = name.lower()
    if key[:3] not in _SHORT or not (_LONG[_SHORT.index(key[:3])].startswith(key) or key == "sept"):
        return None
    return _SHORT.index(key[:3]) + 1


def month_like(name: str, month: int) -> str:
    """The month written as `name` is: short or long, with its capitals. May says nothing of that, and becomes short."""
    is_long = name.lower() in _LONG and name.lower() != "may"
    word = _LONG[month - 1] if is_long else _SHORT[month - 1]
    return word.upper() if name.isupper() else word.capitalize() if name[0].isupper() else word


def edit_hours(marked: MarkedResume, value: str) -> tuple[Edit, ...] | None:
    """Behind the title of the latest job; None for a resume without one."""
    titles = [job.title for job in marked.jobs() if job.title]
    return (Edit(titles[0].evidence.end, titles[0].evidence.end, f" ({value})"),) if titles else None


def edit_first_job(marked: MarkedResume, value: str) -> tuple[Edit, ...] | None:
    """The title of the oldest job; None for a resume with fewer than two."""
    titles = [job.title for job in marked.jobs() if job.title and "\n" not in job.title.surface]
    if len(titles) < 2:
        return None
    place = titles[-1].evidence
    return (Edit(place.start, place.end, value.upper() if titles[-1].surface.isupper() else value),)


# Edits that change nothing a fair reader would care about: the noise floor, and how firmly a rank stands.

MAX_EDITS = 6  # edits of one kind in one resume
_PHRASES = (
    *(("responsible for", "in charge of"), ("worked with", "worked together with"), ("in order to", "to")),
    *(("as well as", "and"), ("helped", "assisted"), ("assisted", "helped"), ("various", "several")),
    *(("utilized", "used"), ("performed", "carried out"), ("ensured", "made sure of"), ("created", "made")),
    *(("on a daily basis", "daily"), ("excellent", "very good"), ("strong", "solid"), ("handled", "dealt with")),
    *(("provided", "gave"), ("conducted", "carried out"), ("maintained", "kept up"), ("skilled in", "good at")),
    *(("coordinated", "organized"), ("organized", "coordinated"), ("prepared", "drew up")),
)
_REWORDED = dict(_PHRASES)
_PHRASE = re.compile(
    r"\b(?:" + "|".join(sorted(map(re.escape, _REWORDED), key=len, reverse=True)) + r")\b", re.IGNORECASE
)
_ITEMS = re.compile(r"(?P<one>[^\s,;:][^,;:\n]{1,29}), (?P<other>[^,;:\n.]{2,30})(?=,)")
_MONTH = re.compile(r"\b(?P<name>[A-Za-z]{3,9})(?= (?:19|20)\d\d)")


def reword(text: str) -> str:
    """Every phrase that can be said otherwise said otherwise."""
    return _PHRASE.sub(lambda match: _said_otherwise(match).text, text)


def reworded(marked: MarkedResume) -> tuple[Edit, ...]:
    """Some phrases said otherwise. Names and titles stay."""
    facts = [fact.evidence for job in marked.profile.positions for fact in (job.title, job.employer) if fact]
    edits = (_said_otherwise(match) for match in _PHRASE.finditer(marked.text))
    return _first(edit for edit in edits if not any(fact.start < edit.end and edit.start < fact.end for fact in facts))


def _said_otherwise(match: re.Match[str]) -> Edit:
    new = _REWORDED[match[0].lower()]
    return Edit(match.start(), match.end(), new.capitalize() if match[0][0].isupper() else new)


def closed(marked: MarkedResume) -> tuple[Edit, ...]:
    return (marked.line_at_end("References available on request."),)


def reordered(marked: MarkedResume) -> tuple[Edit, ...]:
    """Two neighbours in lists of skills change places."""
    places = [(section.start, section.end) for section in marked.profile.sections if section.type == "skills"]
    return _first(
        Edit(match.start(), match.end(), f"{match['other']}, {match['one']}")
        for place in places
        for match in _ITEMS.finditer(marked.text, *place)
    )


def months_spelled(marked: MarkedResume) -> tuple[Edit, ...]:
    """Jan for January, or the other way round."""
    edits: list[Edit] = []
    for match in _MONTH.finditer(marked.text):
        name, number = match["name"], month_number(match["name"])
        if number is not None and number != 5:  # May is as short as it gets
            full = _LONG[number - 1].capitalize()
            new = full if len(name) <= 4 else full[:3]
            edits.append(Edit(match.start(), match.end(), new.upper() if name.isupper() else new))
    return _first(edits)


def _first(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Not overlapping, and not so many that the resume becomes another one."""
    chosen: list[Edit] = []
    for edit in edits:
        if len(chosen) < MAX_EDITS and (not chosen or edit.start >= chosen[-1].end):
            chosen.append(edit)
    return tuple(chosen)


HARMLESS = {"reworded": reworded, "closed": closed, "reordered": reordered, "months_spelled": months_spelled}
"""By name; one that finds nothing to change in a resume gives no edits."""
