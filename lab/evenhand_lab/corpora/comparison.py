"""Generated resumes beside real ones: lengths, vocabulary, sentences, and how easily one tells them apart."""

from __future__ import annotations

import gzip
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evenhand_lab.corpora.description import Spread, digest, divergence, growth, sentences_of, unknown_share, words_of

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
    growth: list[tuple[int, int]]
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
        growth=growth(lists),
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
