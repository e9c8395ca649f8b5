"""What a ranking is asked: the job's terms with how often they stand there, and what the screener typed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evenhand.records.job import Job
from evenhand.search.analysis import term_id, terms

ASKING_PASSAGES = ("duties", "requirements", "wishes", "other")
"""The passages that tell who is wanted; what the employer says of itself and its benefits describes no applicant."""


@dataclass(frozen=True, slots=True)
class QueryTerm:
    term: str
    count: int  # occurrences in the job's text
    skill: bool  # part of a word or phrase that is a known skill

    @property
    def id(self) -> int:
        return term_id(self.term)


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """A word or phrase the screener typed. It lifts the resumes that mention it and removes none."""

    text: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Query:
    job: Job
    text: str  # of the job, the asking passages only
    terms: tuple[QueryTerm, ...]  # distinct, in the order of the text
    search_terms: tuple[SearchTerm, ...] = ()


class SkillDictionary:
    """Skills, given as any names or surface forms, ready to be found in a text by their terms."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._phrases: dict[str, set[tuple[str, ...]]] = {}
        for name in names:
            if phrase := tuple(terms(name)):
                self._phrases.setdefault(phrase[0], set()).add(phrase)

    def found_in(self, sequence: Sequence[str]) -> set[str]:
        """The terms of the sequence that belong to a skill standing there, the longest skill first."""
        found: set[str] = set()
        at = 0
        while at < len(sequence):
            fitting = [
                len(phrase)
                for phrase in self._phrases.get(sequence[at], ())
                if tuple(sequence[at : at + len(phrase)]) == phrase
            ]
            longest = max(fitting, default=0)
            found.update(sequence[at : at + longest])
            at += longest or 1
        return found


def make_query(
    job: Job, *, search_terms: Sequence[str] = (), dictionary: SkillDictionary | None = None
) -> Query:
    """`dictionary`: the skills mined from all resumes, for the rankers that favour skills."""
    text = asking_text(job)
    sequence = terms(text)
    skills = dictionary.found_in(sequence) if dictionary else set()
    return Query(
        job,
        text,
        tuple(QueryTerm(term, count, term in skills) for term, count in Counter(sequence).items()),
        _typed(search_terms),
    )


def asking_text(job: Job) -> str:
    """The title and the passages that tell who is wanted, or all of a text without known passages."""
    if not job.passages:
        return job.text
    asking = [
        job.text[passage.place.start : passage.place.end]
        for passage in job.passages
        if passage.type in ASKING_PASSAGES
    ]
    if job.title and not any(job.title in passage for passage in asking):
        asking.insert(0, job.title)
    return "\n".join(asking)


def _typed(search_terms: Sequence[str]) -> tuple[SearchTerm, ...]:
    """Each once: typing a word twice asks no more than typing it once."""
    typed: dict[tuple[str, ...], SearchTerm] = {}
    for text in search_terms:
        if found := tuple(terms(text)):
            typed.setdefault(found, SearchTerm(text, found))
    return tuple(typed.values())
