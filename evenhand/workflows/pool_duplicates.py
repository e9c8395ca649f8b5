"""Near-duplicates among the resumes of one ranking, as flags that name each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from evenhand.records.ranking import Flag
from evenhand.search.duplicates import contact_spans, find_duplicates
from evenhand.workflows.resume_pool import Resume

DUPLICATE = "duplicate"
NAMED = 5  # others in one sentence


def duplicate_flags(resumes: Sequence[Resume]) -> dict[str, Flag]:
    """By file; those without a near-duplicate are not in it."""
    texts = {resume.file: resume.text for resume in resumes}
    spans = {resume.file: contact_spans(resume.profile) for resume in resumes}
    others: dict[str, dict[str, float]] = {}
    found = [(pair.a, pair.b, pair.resemblance) for pair in find_duplicates(texts, spans=spans)]
    for a, b, resemblance in (*found, *((a, b, 1.0) for a, b in _copies(texts))):
        others.setdefault(a, {})[b] = resemblance
        others.setdefault(b, {})[a] = resemblance
    names = {resume.file: resume.profile.name.value for resume in resumes if resume.profile.name}
    return {file: Flag(DUPLICATE, _sentence(alike, names)) for file, alike in others.items()}


def _copies(texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Equal texts, however short: a text of few words has too few shingles to be compared by them."""
    files: dict[str, list[str]] = {}
    for file, text in texts.items():
        files.setdefault(text, []).append(file)
    for same in files.values():
        yield from combinations(same, 2)


def _sentence(alike: Mapping[str, float], names: Mapping[str, str]) -> str:
    """The most alike first."""
    ranked = sorted(alike.items(), key=lambda item: (-item[1], item[0]))
    named = ", ".join(f"{_who(file, names)} ({_share(share)})" for file, share in ranked[:NAMED])
    more = f" and {len(ranked) - NAMED} more" if len(ranked) > NAMED else ""
    return f"Shares much of its text, contact lines apart, with {named}{more}."


def _who(file: str, names: Mapping[str, str]) -> str:
    return f"{names[file]} in {file}" if file in names else file


def _share(resemblance: float) -> str:
    """Never "100%" for texts that differ."""
    return "all of it" if resemblance == 1.0 else f"{min(round(100 * resemblance), 99)}% in common"
