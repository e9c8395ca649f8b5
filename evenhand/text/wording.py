"""Degrees, rankers, numbers and dates in words: the same in reports, on pages and on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

DEGREES = {
    "other": "other degree",
    "highschool": "high school",
    "diploma": "diploma",
    "associate": "associate degree",
    "bachelor": "bachelor's degree",
    "master": "master's degree",
    "doctorate": "doctorate",
}
STATED_MARK = " (stated by the applicant)"
"""Behind what only a form says."""
HIDDEN = {
    "invisible": "drawn without ink, or in letters that have no shape",
    "background_color": "in the colour of its background",
    "tiny": "too small to be read",
    "off_page": "outside the page",
    "clipped": "cut off at an edge",
    "transparent": "transparent",
    "hidden_style": "formatted as hidden",
    "unknown_style": "formatted in a way that is not understood and may hide it",
    "covered": "covered by something else",
    "replaced": "something else is shown in its place",
}
"""Why a reader does not see a piece of text."""
RANKERS = {
    "bm25": "Words of the ad that the resume has too. Rare words count more; a repeated word counts less each time "
    "(Okapi BM25).",
    "tfidf": "Words of the ad that the resume has too. Rare words count more, long resumes are not favoured "
    "(TF-IDF, as Lucene's classic similarity has it).",
    "tfidf+skills": "Words of the ad that the resume has too, as TF-IDF counts them; those that name a skill count "
    "more.",
    "kl": "How likely the words of the ad are in a text like this resume (language models with Dirichlet smoothing). "
    "Scores are logarithms, so they lie below zero.",
    "semantic": "How similar sentences of the resume are in meaning to those of the ad, by a sentence encoder.",
    "best": "Up to 100 points for what the job asks for: past jobs that are like it; its requirements and licences, "
    "where and how long they were used; desirable skills; experience; education; and the keywords of the ad. These "
    "points depend on the job and the resume alone, not on who else applied. Each search term adds up to 5 points on "
    "top.",
}


DEFINITIONS = {
    "musts met": "Must-haves that the resume mentions, for at least the time required where the job requires one.",
    "relevant experience": "Time in dated jobs and projects whose text mentions a skill the job asks for. Time that "
    "overlaps counts once.",
    "experience": "Time in all dated jobs, or in projects where no job is dated. Time that overlaps counts once.",
    "time with a skill": "Time in dated jobs and projects whose text mentions the skill. Time that overlaps counts "
    "once. Where nothing dated mentions it the duration is unknown: it is not zero, it is a question to ask.",
    "score": "The sum of the parts shown with it.",
    "rank": "The place in the list by score; equal scores go by the application's number.",
}
"""What is meant by each number about a person, said where it is shown."""


def ranker_words(ranker: str) -> str:
    return RANKERS.get(ranker, "")


def degree_words(level: str | None) -> str:
    return DEGREES.get(level, level) if level else ""


def full_words(full: float | None) -> str:
    """What a whole bar stands for."""
    return f"the {full:g} points of a perfect fit" if full else "the best score of this list"


def sureness(probability: float) -> str:
    """In per cent; never 100 of what is not certain, nor 0 of what is possible."""
    rounded = round(100 * probability)
    if rounded == 100 and probability < 1:
        return ">99%"
    return f"{rounded}%" if rounded or not probability else "<1%"


def count(number: int, noun: str, plural: str | None = None) -> str:
    """ "1 candidate", "1,204 candidates"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


UNKNOWN_DURATION = "duration unknown"
"""Of what no date says how long it was: never zero."""
NO_DATES = "no dates stated"
BLANK_RESUME = "No jobs, skills or education were recognized in this resume. Read it yourself before you decide."
ONLY_IN_NAMES = "only in the name of an employer or school"
"""Of a skill that nothing else in the resume mentions."""


def duration(months: int | None) -> str:
    """ "3 years 4 months", "0 months", "duration unknown": on pages, in reports, letters and sentences."""
    if months is None:
        return UNKNOWN_DURATION
    whole, rest = divmod(months, 12)
    words = (count(whole, "year") if whole else "", count(rest, "month") if rest or not whole else "")
    return " ".join(filter(None, words))


def short_duration(months: int | None) -> str:
    """ "3 y 4 m", "0 m", "unknown": where the width is fixed, in columns of a terminal and beside bars of a chart."""
    if months is None:
        return "unknown"
    whole, rest = divmod(months, 12)
    return " ".join(filter(None, (f"{whole} y" if whole else "", f"{rest} m" if rest or not whole else "")))


def dates_words(start: str | None, end: str | None) -> str:
    """ "2019-03 to present", "2015", "no dates stated"."""
    return f"{start} to {end}" if start and end and start != end else start or end or NO_DATES


def day(when: datetime) -> str:
    return f"{when.astimezone(UTC):%d %b %Y}"


def moment(when: datetime) -> str:
    return f"{when.astimezone(UTC):%d %b %Y, %H:%M} UTC"


def percent(share: float) -> str:
    return f"{share:.0%}"


def ordinal(number: int) -> str:
    """ "1st", "2nd", "1,011th"."""
    return f"{number:,}{ordinal_ending(number)}"


def ordinal_ending(number: int) -> str:
    return "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def join_and(words: Sequence[str]) -> str:
    """ "one", "one and two", "one, two and three"; there is at least one."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def capitalised(text: str) -> str:
    """With its first letter large and all others as they are."""
    return text[:1].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Marked or not, so that a template escapes every piece by itself."""

    text: str
    marked: bool


def pieces(text: str, places: Iterable[tuple[int, int]]) -> list[TextPiece]:
    """In order, together the whole text. Places that overlap become one; what lies outside the text is left out."""
    cut: list[TextPiece] = []
    at = 0
    for start, end in _merged(places, len(text)):
        cut += [TextPiece(text[at:start], False)] if start > at else []
        cut.append(TextPiece(text[start:end], True))
        at = end
    return [*cut, TextPiece(text[at:], False)] if at < len(text) else cut


def _merged(places: Iterable[tuple[int, int]], length: int) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted((max(start, 0), min(end, length)) for start, end in places):
        if start >= end:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged
