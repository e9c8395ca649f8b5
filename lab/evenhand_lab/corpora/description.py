"""What a corpus is like: orders, headings, designs, dates, lengths, presence, vocabulary, repetition."""

from __future__ import annotations

import gzip
import hashlib
import json
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
            "duplicate_sentences": round(self.repeated / max(1, self.sentences), 4),
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
        description.words.values.append(len(words))
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
        description.lengths.setdefault(name, Spread()).values.append(lengths[name])
    description.beyond += lengths.total() > TE_LIMIT


def read_resumes(folder: Path) -> Iterator[DescribedResume]:
    """The resumes of a corpus folder, with the designs of their files."""
    for truth, listed in zip(read_lines(folder / "truth.jsonl"), read_lines(folder / "files.jsonl"), strict=True):
        looks = tuple(f"{file['format']} {file['look']}".strip() for file in listed["files"])
        sections = tuple((type, heading, start, end) for type, heading, start, end in truth["sections"])
        yield DescribedResume(truth["kind"], truth["text"], sections, truth["style"], looks)


# Generated resumes beside real ones: lengths, vocabulary, sentences, and how easily one tells them apart.

CHUNK = 100
"""Words per piece that is to be told apart: about a paragraph."""
COMMON = 5
"""A word is common if at least so many resumes have it."""
MASKS = re.compile(r"\b(company name|city\s*,?\s*state)\b", re.IGNORECASE)
"""Real employers and places were masked by the publisher; the masks would give every text away."""


@dataclass(frozen=True, slots=True)
class CorpusMeasures:
    """The measures of one set of texts."""

    resumes: int
    words: Spread  # per resume
    sentences: Spread  # words per sentence
    word_lengths: Counter[int]
    vocabulary: Counter[str]
    documents: Counter[str]  # in how many resumes a word stands
    shared: float  # share of sentences that stand in more than one resume


@dataclass(frozen=True, slots=True)
class CorpusComparison:
    generated: CorpusMeasures
    real: CorpusMeasures
    told_apart: float  # share of pieces put on the right side by a naive Bayes classifier

    def to_json(self) -> dict[str, Any]:
        ours, theirs = self.generated, self.real
        running, different = unknown_share(theirs.vocabulary, ours.vocabulary)
        running_back, different_back = unknown_share(ours.vocabulary, theirs.vocabulary)
        common = [{word for word, count in side.documents.items() if count >= COMMON} for side in (ours, theirs)]
        lengths = [Counter(min(100, int(value) // 5 * 5) for value in side.sentences.values) for side in (ours, theirs)]
        return {
            "resumes": [ours.resumes, theirs.resumes],
            "words_per_resume": [ours.words.to_dict(), theirs.words.to_dict()],
            "words_per_sentence": [ours.sentences.to_dict(), theirs.sentences.to_dict()],
            "vocabulary": [len(ours.vocabulary), len(theirs.vocabulary)],
            "common_words": [len(common[0]), len(common[1])],
            "common_overlap": round(len(common[0] & common[1]) / max(1, len(common[0] | common[1])), 4),
            "real_unknown_to_generated": {"running": round(running, 4), "different": round(different, 4)},
            "generated_unknown_to_real": {"running": round(running_back, 4), "different": round(different_back, 4)},
            "word_length_kl_bits": round(divergence(ours.word_lengths, theirs.word_lengths), 4),
            "sentence_length_kl_bits": round(divergence(*lengths), 4),
            "shared_sentences": [round(ours.shared, 4), round(theirs.shared, 4)],
            "told_apart": round(self.told_apart, 4),
        }


def measure(texts: Iterable[str]) -> CorpusMeasures:
    lists: list[list[str]] = []
    sentences = Spread()
    spoken: Counter[int] = Counter()
    for text in texts:
        lists.append(words_of(text))
        text_sentences = sentences_of(text)
        spoken.update({digest(sentence) for sentence in text_sentences})
        sentences.values += [len(sentence.split()) for sentence in text_sentences]
    vocabulary = Counter(word for words in lists for word in words)
    word_lengths: Counter[int] = Counter()
    for word, count in vocabulary.items():
        word_lengths[min(20, len(word))] += count
    return CorpusMeasures(
        resumes=len(lists),
        words=Spread([len(words) for words in lists]),
        sentences=sentences,
        word_lengths=word_lengths,
        vocabulary=vocabulary,
        documents=Counter(word for words in lists for word in set(words)),
        shared=sum(count for count in spoken.values() if count > 1) / max(1, spoken.total()),
    )


def compare(generated: Iterable[str], real: Iterable[str]) -> CorpusComparison:
    """Both sets in full; the masks of the real ones are taken out first."""
    ours = list(generated)
    theirs = [MASKS.sub(" ", text) for text in real]
    return CorpusComparison(measure(ours), measure(theirs), discriminate(ours, theirs))


def pieces(texts: Sequence[str]) -> Iterator[list[str]]:
    for text in texts:
        words = words_of(text)
        for start in range(0, len(words) - CHUNK + 1, CHUNK):
            yield words[start : start + CHUNK]


def discriminate(generated: Sequence[str], real: Sequence[str]) -> float:
    """Balanced accuracy of naive Bayes on pieces of 100 words; every second resume teaches, the others test.

    0.5 means that word choice gives nothing away; a piece without evidence counts half.
    """
    taught = [Counter(word for piece in pieces(texts[::2]) for word in piece) for texts in (generated, real)]
    vocabulary = taught[0].keys() | taught[1].keys()
    totals = [counts.total() + len(vocabulary) + 1 for counts in taught]
    lean = math.log(totals[1]) - math.log(totals[0])
    weights = {word: math.log(taught[0][word] + 1) - math.log(taught[1][word] + 1) + lean for word in vocabulary}
    rates = []
    for texts, sign in ((generated, 1), (real, -1)):
        scores = [sign * sum(weights.get(word, 0.0) for word in piece) for piece in pieces(texts[1::2])]
        rights = sum(1.0 if score > 0 else 0.5 if score == 0 else 0.0 for score in scores)
        rates.append(rights / len(scores) if scores else 0.5)
    return sum(rates) / 2


def read_texts(path: Path) -> Iterator[str]:
    """Texts of a JSON Lines file, plain or gzipped, one record with "text" per line; empty ones left out."""
    with path.open("rb") as file:
        for line in gzip.GzipFile(fileobj=file) if path.suffix == ".gz" else file:
            text = json.loads(line)["text"]
            if text.strip():
                yield text
