"""Text that is there to lift a score, the ad itself or words over and over: it is flagged and not counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from evenhand.records.job import Job
from evenhand.records.profile import Profile, Skill
from evenhand.records.ranking import Flag
from evenhand.search.duplicates.sketch import Hashes, shingle_set
from evenhand.search.feature_extraction import extract_features
from evenhand.search.features import ResumeFeatures, Vectors
from evenhand.search.rankers.base import asking_text

COPIED_JOB, REPEATED = "copied_job", "repeated_words"
COPIED_WORDS = 4  # in a row
COPIED_SHARE = 0.15  # of the job's own text; honest resumes share 3 % at most
MIN_COPIED = 20  # runs of words; an ad of two lines is soon met by chance
MIN_RUN = 5  # words of a stretch that is left out as copied
WINDOWS = ((40, 0.26), (80, 0.26), (240, 0.3), (600, 0.28))
"""Of so many words in a row less than this share are different ones: nobody writes so. Half or more usually are."""

MIN_TIMES = 8
MIN_DENSE = 10  # words of a stretch that is left out as repeated

_WORD = re.compile(r"\w+")
Span = tuple[int, int]


def padding_flags(job: Job, text: str) -> tuple[Flag, ...]:
    flags = []
    if (share := _copied_share(job, text)) is not None:
        message = f"{share:.0%} of the job's own text stands in this resume word for word; it is not counted."
        flags.append(Flag(COPIED_JOB, message))
    if _repeated(_words(text)):
        flags.append(Flag(REPEATED, "The same words stand in this resume over and over; they are not counted."))
    return tuple(flags)


def features_for_job(text: str, profile: Profile, job: Job, *, vectors: Vectors | None = None) -> ResumeFeatures:
    """What ranking needs to know of the resume without what pads it. `profile` is the one completed for the job."""
    return extract_features(*without_padding(job, text, profile), vectors=vectors)


def without_padding(job: Job, text: str, profile: Profile) -> tuple[str, Profile]:
    """Blanks in place of what pads the text, and the profile without the skills that stand nowhere else."""
    words = _words(text)
    spans = _repeated(words)
    if _copied_share(job, text) is not None:
        spans += _copied(job, words)
    if not spans:
        return text, profile
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]

    def rest(skill: Skill) -> Skill:
        inside = [any(start <= place.start < end for start, end in spans) for place in skill.evidence]
        return replace(skill, evidence=tuple(p for p, out in zip(skill.evidence, inside, strict=True) if not out))

    skills = [(skill, rest(skill)) for skill in profile.skills]
    kept = tuple(own for skill, own in skills if own.evidence or not skill.evidence)
    return text, replace(profile, skills=kept)


def is_padded(job: Job, text: str) -> bool:
    return bool(_repeated(_words(text))) or _copied_share(job, text) is not None


def _copied_share(job: Job, text: str) -> float | None:
    """Of the job's own text; None where it is no more than honest resumes have."""
    asking = _shingles(asking_text(job))
    shared = len(np.intersect1d(asking, shingle_set(text, width=COPIED_WORDS), assume_unique=True))
    return None if shared < max(MIN_COPIED, COPIED_SHARE * len(asking)) else shared / len(asking)


@lru_cache(maxsize=64)
def _shingles(text: str) -> Hashes:
    return shingle_set(text, width=COPIED_WORDS)


Word = tuple[str, int, int]


def _words(text: str) -> list[Word]:
    return [(match[0].lower(), *match.span()) for match in _WORD.finditer(text)]


def _copied(job: Job, words: Sequence[Word]) -> list[Span]:
    """The stretches of the resume that stand in the job as well."""
    asked = [word for word, _, _ in _words(job.text)]
    runs = {tuple(asked[at : at + COPIED_WORDS]) for at in range(len(asked) - COPIED_WORDS + 1)}
    marked = np.zeros(len(words), np.bool_)
    for at in range(len(words) - COPIED_WORDS + 1):
        if tuple(word for word, _, _ in words[at : at + COPIED_WORDS]) in runs:
            marked[at : at + COPIED_WORDS] = True
    return [(words[first][1], words[last - 1][2]) for first, last in _stretches(marked) if last - first >= MIN_RUN]


def _repeated(words: Sequence[Word]) -> list[Span]:
    numbers: dict[str, int] = {}
    before = np.full(len(words), -1)  # where the same word last stood
    for at, (word, _, _) in enumerate(words):
        before[at] = numbers.get(word, -1)
        numbers[word] = at
    marked = np.zeros(len(words), np.bool_)
    for width, share in WINDOWS:
        if len(words) < width:
            break
        starts = np.arange(0, len(words) - width + 1, width // 8)
        windows = np.lib.stride_tricks.sliding_window_view(before, width)[starts]
        different = (windows < starts[:, None]).sum(axis=1)
        for start in starts[different < share * width].tolist():
            marked[start : start + width] = True
    return [span for first, last in _stretches(marked) for span in _dense(words, first, last)]


def _dense(words: Sequence[Word], first: int, last: int) -> Iterator[Span]:
    """Where nothing but words stands that stand there again and again: half as often as usual in the stretch."""
    counts = Counter(word for word, _, _ in words[first:last])
    usual = float(np.median([counts[word] for word, _, _ in words[first:last]]))
    if usual < MIN_TIMES:  # who copies a description from job to job has it four or five times, and means it
        return
    dense = np.array([2 * counts[word] >= usual for word, _, _ in words])
    for start, end in _stretches(dense):
        if end - start >= MIN_DENSE and start < last and first < end:
            yield words[start][1], words[end - 1][2]


def _stretches(marked: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Iterator[Span]:
    edges = np.flatnonzero(np.diff(np.concatenate(([False], marked, [False]))))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
