"""What a corpus is like: orders, headings, designs, dates, lengths, presence, vocabulary, repetition."""

from __future__ import annotations

import hashlib
import math
import re
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from evenhand_lab.corpora.folder import read_lines
from evenhand_lab.corpora.writing.pen import presence, section_lengths

# Measures of texts: words, sentences, how a vocabulary grows, how far two distributions lie apart.


WORD = re.compile(r"[a-z][a-z'&+#-]*(?:\.[a-z]+)*")
TOKEN = re.compile(r"\w+|[^\w\s]")
_STOP = re.compile(r"(?<=[\w)]{2}[.!?])\s+(?=[A-Z])")
MIN_WORDS = 5
"""Lines with fewer words (skills, dates, names) are no sentences."""


def words_of(text: str) -> list[str]:
    return WORD.findall(text.lower())


def tokens_in(text: str) -> int:
    """Words, numbers and punctuation marks; word pieces of language models are a few more."""
    return len(TOKEN.findall(text))


def sentences_of(text: str) -> list[str]:
    """Sentences and list items of at least five words, without markers and final stops."""
    parts = (part for line in text.splitlines() for part in _STOP.split(line.strip().lstrip("-•* ")))
    sentences = (part.strip().rstrip(".") for part in parts)
    return [sentence for sentence in sentences if len(sentence.split()) >= MIN_WORDS]


def digest(text: str) -> int:
    """Eight bytes in place of a sentence: memory stays small, and `hash` would differ from run to run."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


@dataclass
class Spread:
    """Mean, deviation and extremes of numbers that come one by one; and all of them, for quantiles."""

    values: list[float] = field(default_factory=list)

    def add(self, value: float) -> None:
        self.values.append(value)

    @property
    def mean(self) -> float:
        return sum(self.values) / len(self.values) if self.values else 0.0

    @property
    def deviation(self) -> float:
        return statistics.stdev(self.values) if len(self.values) > 1 else 0.0

    def quantile(self, share: float) -> float:
        ordered = sorted(self.values)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0

    def share_under(self, limit: float) -> float:
        return sum(value < limit for value in self.values) / len(self.values) if self.values else 0.0

    def to_dict(self) -> dict[str, float]:
        return {
            "n": len(self.values),
            "mean": round(self.mean, 2),
            "sd": round(self.deviation, 2),
            "min": min(self.values, default=0),
            "p10": self.quantile(0.1),
            "median": self.quantile(0.5),
            "p90": self.quantile(0.9),
            "max": max(self.values, default=0),
        }


def divergence(p: Mapping[int, float], q: Mapping[int, float]) -> float:
    """Kullback-Leibler divergence of p from q in bits; both are counts, smoothed by one half."""
    keys = sorted(p.keys() | q.keys())
    total_p = sum(p.values()) + 0.5 * len(keys)
    total_q = sum(q.values()) + 0.5 * len(keys)
    result = 0.0
    for key in keys:
        share = (p.get(key, 0) + 0.5) / total_p
        result += share * math.log2(share * total_q / (q.get(key, 0) + 0.5))
    return result


def growth(texts: Iterable[Sequence[str]], *, step: int = 10_000, most: int = 1_000_000) -> list[tuple[int, int]]:
    """How many different words there are after so many words."""
    known: set[str] = set()
    read = 0
    points = [(0, 0)]
    for words in texts:
        for word in words:
            known.add(word)
            read += 1
            if read % step == 0:
                points.append((read, len(known)))
                if read >= most:
                    return points
    return points


def unknown_share(words: Counter[str], known: Counter[str]) -> tuple[float, float]:
    """Shares of running words and of different words that the other vocabulary lacks."""
    missing = [word for word in words if word not in known]
    running = sum(words[word] for word in missing) / max(1, words.total())
    return running, len(missing) / max(1, len(words))


SECTIONS = ("profile", "education", "experience", "activities", "skills", "other")
CHOICES = (
    "dates", "headings", "summary", "body", "person", "skills", "stated", "projects", "education", "employers", "entry",
)  # fmt: skip
PUBLISHED = {"projects": "experience", "personal": "other", "certifications": "other"}
"""Which of the six sections of the published figures another one belongs to."""
COUNTED = 5_000
"""Resumes whose sentences, words and pairs are counted; the first ones stand for millions of the same make."""
TE_LIMIT = 512


@dataclass(frozen=True, slots=True)
class DescribedResume:
    """What describing needs of a resume."""

    kind: str
    text: str
    sections: tuple[tuple[str, str | None, int, int], ...]
    style: Mapping[str, str]
    looks: tuple[str, ...] = ()


@dataclass
class Description:
    resumes: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    orders: Counter[str] = field(default_factory=Counter)
    headings: dict[str, Counter[str]] = field(default_factory=dict)
    designs: Counter[str] = field(default_factory=Counter)
    choices: dict[str, Counter[str]] = field(default_factory=dict)
    presence: Counter[str] = field(default_factory=Counter)
    lengths: dict[str, Spread] = field(default_factory=dict)  # tokens per section, where it is there
    words: Spread = field(default_factory=Spread)  # per resume
    vocabulary: Counter[str] = field(default_factory=Counter)
    growth: list[tuple[int, int]] = field(default_factory=list)
    bigrams: Counter[tuple[str, str]] = field(default_factory=Counter)
    sentences: int = 0
    repeated: int = 0  # sentences that stand in more than one resume
    beyond: int = 0  # resumes with text beyond the 512th token

    @property
    def duplicate_share(self) -> float:
        return self.repeated / max(1, self.sentences)

    def to_json(self) -> dict[str, Any]:
        kind = self.kinds.most_common(1)[0][0] if self.kinds else "crc"
        rates, tokens = presence(kind), section_lengths(kind)  # that the writer aims at; for crc the published ones
        return {
            "resumes": self.resumes,
            "kinds": dict(self.kinds),
            "orders": dict(ranked(self.orders, 30)),
            "headings": {type: dict(ranked(counts, 20)) for type, counts in sorted(self.headings.items())},
            "designs": dict(ranked(self.designs, 100)),
            "choices": {name: dict(ranked(counts, 30)) for name, counts in self.choices.items()},
            "sections": {
                name: {
                    "presence": round(self.presence[name] / max(1, self.resumes), 4),
                    "presence_wanted": rates.get(name),
                    "length": self.lengths[name].to_dict() if name in self.lengths else None,
                    "length_wanted": {"mean": tokens[name][0], "sd": tokens[name][1]},
                    "under_512": round(self.lengths[name].share_under(TE_LIMIT), 4) if name in self.lengths else None,
                }
                for name in SECTIONS
            },
            "words": self.words.to_dict(),
            "beyond_token_512": round(self.beyond / max(1, self.resumes), 4),
            "vocabulary": len(self.vocabulary),
            "type_token": round(len(self.vocabulary) / max(1, self.vocabulary.total()), 5),
            "growth": self.growth,
            "bigrams": [[" ".join(pair), count] for pair, count in ranked(self.bigrams, 30)],
            "duplicate_sentences": round(self.duplicate_share, 4),
        }


def ranked(counts: Counter[Any], most: int) -> list[tuple[Any, int]]:
    """The commonest, ties in the order of their names: `most_common` would keep the order of arrival."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:most]


def describe(source: Path | Iterable[DescribedResume]) -> Description:
    """Reads a corpus once, one resume at a time."""
    description = Description()
    spoken: Counter[int] = Counter()
    texts: list[list[str]] = []
    for resume in read_resumes(source) if isinstance(source, Path) else source:
        _count_form(description, resume)
        _count_sections(description, resume)
        words = words_of(resume.text)
        description.words.add(len(words))
        if description.resumes <= COUNTED:
            description.vocabulary.update(words)
            description.bigrams.update(pairwise(words))
            spoken.update({digest(sentence) for sentence in sentences_of(resume.text)})
            texts.append(words)
    description.sentences = spoken.total()
    description.repeated = sum(count for count in spoken.values() if count > 1)
    description.growth = growth(texts)
    return description


def _count_form(description: Description, resume: DescribedResume) -> None:
    description.resumes += 1
    description.kinds[resume.kind] += 1
    description.orders[" ".join(type for type, *_ in resume.sections[1:])] += 1
    for type, heading, *_ in resume.sections:
        if heading is not None:
            description.headings.setdefault(type, Counter())[heading.lower()] += 1
    description.designs.update(resume.looks or filter(None, [resume.style.get("design")]))
    for name in CHOICES:
        if name in resume.style:
            description.choices.setdefault(name, Counter())[resume.style[name]] += 1


def _count_sections(description: Description, resume: DescribedResume) -> None:
    lengths: Counter[str] = Counter()
    titled = set()
    for place, (type, heading, start, end) in enumerate(resume.sections):
        name = PUBLISHED.get(type, type) if place else "profile"  # the head of a resume counts as part of the profile
        lengths[name] += tokens_in(resume.text[start:end])
        if heading is not None:
            titled.add(name)
    for name in titled:
        description.presence[name] += 1
        description.lengths.setdefault(name, Spread()).add(lengths[name])
    description.beyond += lengths.total() > TE_LIMIT


def read_resumes(folder: Path) -> Iterator[DescribedResume]:
    """The resumes of a corpus folder, with the designs of their files."""
    for truth, listed in zip(read_lines(folder / "truth.jsonl"), read_lines(folder / "files.jsonl"), strict=True):
        looks = tuple(f"{file['format']} {file['look']}".strip() for file in listed["files"])
        sections = tuple((type, heading, start, end) for type, heading, start, end in truth["sections"])
        yield DescribedResume(truth["kind"], truth["text"], sections, truth["style"], looks)
