"""The report on what generated resumes are like and how far they are from real ones: Markdown and charts."""

from __future__ import annotations

import gzip
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from evenhand_lab.corpora.description import (
    SECTIONS,
    Description,
    Spread,
    digest,
    divergence,
    growth,
    ranked,
    sentences_of,
    unknown_share,
    words_of,
)

# Small charts as SVG: lines and bars for two or more series, nothing that needs a library.


WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 36, 48
COLOURS = ("#2563eb", "#d97706", "#059669", "#7c3aed", "#dc2626", "#475569")
TEXT = 'font-family="system-ui, sans-serif" font-size="12" fill="#334155"'


@dataclass(frozen=True, slots=True)
class Series:
    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class ChartFrame:
    """From values to places on the sheet."""

    most_x: float
    most_y: float

    def x(self, value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * min(1.0, value / self.most_x)

    def y(self, value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / self.most_y


def line_chart(title: str, series: Sequence[Series], *, x: str, y: str, percent: bool = False) -> str:
    """A line per series over a shared, linear pair of axes that begin at zero."""
    frame = ChartFrame(
        max((px for item in series for px, _ in item.points), default=1) or 1,
        1.05 * max((py for item in series for _, py in item.points), default=1) or 1,
    )
    parts = [*_axes(frame, title, x, y, percent=percent)]
    for place, item in enumerate(series):
        colour = COLOURS[place % len(COLOURS)]
        path = " ".join(f"{frame.x(px):.1f},{frame.y(py):.1f}" for px, py in item.points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.extend(_legend(place, item.name, colour))
    return _sheet(parts)


def bar_chart(title: str, names: Sequence[str], series: Sequence[Series], *, y: str, percent: bool = False) -> str:
    """Bars side by side, one group per name; the points of a series have the group's number as x."""
    most = 1.05 * max((py for item in series for _, py in item.points), default=1) or 1
    frame = ChartFrame(len(names), most)
    parts = [*_axes(frame, title, "", y, percent=percent, ticks=False)]
    group = (WIDTH - LEFT - RIGHT) / len(names)
    thick = group * 0.8 / len(series)
    for place, item in enumerate(series):
        colour = COLOURS[place % len(COLOURS)]
        for px, py in item.points:
            left = LEFT + group * (px + 0.1) + thick * place
            parts.append(
                f'<rect x="{left:.1f}" y="{frame.y(py):.1f}" width="{thick:.1f}" '
                f'height="{HEIGHT - BOTTOM - frame.y(py):.1f}" fill="{colour}"/>'
            )
        parts.extend(_legend(place, item.name, colour))
    for place, name in enumerate(names):
        centre = LEFT + group * (place + 0.5)
        parts.append(
            f'<text x="{centre:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle" {TEXT}>{escape(name)}</text>'
        )
    return _sheet(parts)


def _axes(frame: ChartFrame, title: str, x: str, y: str, *, percent: bool, ticks: bool = True) -> list[str]:
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    parts = [f'<text x="{LEFT}" y="18" {TEXT} font-weight="600">{escape(title)}</text>']
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        value = frame.most_y / 1.05 * share
        label = f"{100 * value:.3g}%" if percent else f"{value:,.0f}"
        height = frame.y(value)
        parts.append(f'<line x1="{LEFT}" x2="{right}" y1="{height:.1f}" y2="{height:.1f}" stroke="#e2e8f0"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{height + 4:.1f}" text-anchor="end" {TEXT}>{label}</text>')
        if ticks:
            place = frame.x(frame.most_x * share)
            name = f"{frame.most_x * share:,.0f}"
            parts.append(f'<text x="{place:.1f}" y="{bottom + 16}" text-anchor="middle" {TEXT}>{name}</text>')
    parts.append(f'<text x="{(LEFT + right) / 2:.0f}" y="{HEIGHT - 10}" text-anchor="middle" {TEXT}>{escape(x)}</text>')
    parts.append(f'<text x="14" y="{TOP - 8}" {TEXT}>{escape(y)}</text>')
    return parts


def _legend(place: int, name: str, colour: str) -> list[str]:
    left, top = WIDTH - 200, TOP + 6 + 18 * place
    return [
        f'<rect x="{left}" y="{top - 9}" width="12" height="10" fill="{colour}"/>',
        f'<text x="{left + 18}" y="{top}" {TEXT}>{escape(name)}</text>',
    ]


def _sheet(parts: Sequence[str]) -> str:
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">'
    ground = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>'
    return "\n".join([head, ground, *parts, "</svg>", ""])


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
        common = common_words(ours), common_words(theirs)
        return {
            "resumes": [ours.resumes, theirs.resumes],
            "words_per_resume": [ours.words.to_dict(), theirs.words.to_dict()],
            "words_per_sentence": [ours.sentences.to_dict(), theirs.sentences.to_dict()],
            "vocabulary": [len(ours.vocabulary), len(theirs.vocabulary)],
            "common_words": [len(common[0]), len(common[1])],
            "common_overlap": round(len(common[0] & common[1]) / max(1, len(common[0] | common[1])), 4),
            "real_unknown_to_generated": {"running": round(running, 4), "different": round(different, 4)},
            "generated_unknown_to_real": {
                "running": round(running_back, 4),
                "different": round(different_back, 4),
            },
            "word_length_kl_bits": round(divergence(ours.word_lengths, theirs.word_lengths), 4),
            "sentence_length_kl_bits": round(divergence(binned(ours.sentences), binned(theirs.sentences)), 4),
            "shared_sentences": [round(ours.shared, 4), round(theirs.shared, 4)],
            "told_apart": round(self.told_apart, 4),
        }


def binned(spread: Spread, width: int = 5, most: int = 100) -> Counter[int]:
    return Counter(min(most, int(value) // width * width) for value in spread.values)


def common_words(side: CorpusMeasures) -> set[str]:
    return {word for word, count in side.documents.items() if count >= COMMON}


def measure(texts: Iterable[str]) -> CorpusMeasures:
    words = Spread()
    sentences = Spread()
    word_lengths: Counter[int] = Counter()
    vocabulary: Counter[str] = Counter()
    documents: Counter[str] = Counter()
    lists: list[list[str]] = []
    spoken: Counter[int] = Counter()
    for text in texts:
        found = words_of(text)
        words.add(len(found))
        vocabulary.update(found)
        documents.update(set(found))
        lists.append(found)
        said = sentences_of(text)
        spoken.update({digest(sentence) for sentence in said})
        for sentence in said:
            sentences.add(len(sentence.split()))
    for word, count in vocabulary.items():
        word_lengths[min(20, len(word))] += count
    shared = sum(count for count in spoken.values() if count > 1) / max(1, spoken.total())
    return CorpusMeasures(len(lists), words, sentences, word_lengths, vocabulary, documents, growth(lists), shared)


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


Files = dict[str, str]
KINDS = ("it", "crc", "mixed")


def report(
    descriptions: Mapping[str, Description], comparison: CorpusComparison | None, *, note: str, command: str
) -> Files:
    """The page and its charts, by name; without real resumes the comparison is left out."""
    parts = [
        note,
        "# What the generated resumes are like\n\n",
        "Careers are sampled first and then written, so that everything below can be counted without a reader's\n"
        f"guess. This page is written by `{command}`; tokens are words, numbers and punctuation marks.\n\n",
        _forms(descriptions),
        _sections(descriptions),
        _words(descriptions),
    ]
    files = _charts_of_kinds(descriptions)
    if comparison is not None:
        parts.append(_comparison(comparison))
        files |= _charts_of_comparison(comparison)
    files["corpus.md"] = "".join(parts)
    return files


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines) + "\n"


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _forms(descriptions: Mapping[str, Description]) -> str:
    """How varied the form is: numbers of different orders and headings, and the shares of the date styles."""
    rows = []
    for kind, found in descriptions.items():
        order, count = ranked(found.orders, 1)[0]
        headings = sum(len(counts) for counts in found.headings.values())
        rows.append(
            [
                kind,
                f"{found.resumes:,}",
                f"{len(found.orders):,}",
                f"{order} ({percent(count / found.resumes)})",
                f"{headings}",
            ]
        )
    styles = sorted({style for found in descriptions.values() for style in found.choices["dates"]})
    dates = [
        [style, *(percent(found.choices["dates"][style] / found.resumes) for found in descriptions.values())]
        for style in styles
    ]
    return (
        "## Form\n\n"
        + table(("kind", "resumes", "section orders", "commonest order", "headings"), rows)
        + table(("dates written as", *descriptions), dates)
    )


def _sections(descriptions: Mapping[str, Description]) -> str:
    parts = [
        "## Sections\n\nPresence and length (mean ± standard deviation, longest) beside what is aimed at. For `crc`\n"
        "the aim is the published one, of applicants for clinical research posts. Name and contact data are counted\n"
        "with the length of the profile; whether they were in the published figure is not known. For the other kinds\n"
        "the aims were chosen by hand.\n\n"
    ]
    for kind, found in descriptions.items():
        presence, lengths = found.published()
        rows = []
        for name in SECTIONS:
            spread = found.lengths.get(name, Spread())
            wanted = f"{lengths[name][0]:.0f} ± {lengths[name][1]:.0f}"
            got = f"{spread.mean:.0f} ± {spread.deviation:.0f}, {max(spread.values, default=0):.0f}"
            rows.append([name, percent(found.presence[name] / found.resumes), percent(presence[name]), got, wanted])
        parts.append(f"### {kind}\n\n" + table(("section", "there", "aim", "tokens", "aim"), rows))
    parts.append("![Mean length of sections](corpus/sections.svg)\n\n")
    return "".join(parts)


def _words(descriptions: Mapping[str, Description]) -> str:
    rows = [
        [
            kind,
            f"{found.words.mean:.0f} ± {found.words.deviation:.0f}",
            percent(found.beyond / found.resumes),
            f"{len(found.vocabulary):,}",
            f"{found.type_token:.4f}",
            percent(found.duplicate_share),
        ]
        for kind, found in descriptions.items()
    ]
    heads = (
        "kind",
        "words per resume",
        "longer than 512 tokens",
        "different words",
        "type/token",
        "shared sentences",
    )
    return (
        "## Words\n\nA sentence is shared if it stands word for word in another resume too (sentences and list items\n"
        'of at least five words; a line such as "References available upon request" counts).\n\n' + table(heads, rows)
    )


def _comparison(comparison: CorpusComparison) -> str:
    found = comparison.to_json()
    return (
        "## Beside real resumes\n\nThe `mixed` kind beside real resumes of 24 occupations (native PDFs; their\n"
        "publisher masked employers and places, and the masks were taken out). They have no names and contact data,\n"
        "so the heads of the generated ones are left out here.\n\n"
        + table(("", "generated", "real"), _compared(comparison, found))
        + _gap(comparison, found)
        + "![Words per resume](corpus/lengths.svg)\n\n![Growth of the vocabulary](corpus/vocabulary.svg)\n\n"
        "![Word lengths](corpus/word-lengths.svg)\n\n![Sentence lengths](corpus/sentences.svg)\n"
    )


def _compared(comparison: CorpusComparison, found: Mapping[str, Any]) -> list[list[str]]:
    ours, theirs = found["generated_unknown_to_real"], found["real_unknown_to_generated"]
    measures: dict[str, Callable[[CorpusMeasures], str]] = {
        "resumes": lambda side: f"{side.resumes:,}",
        "words per resume, mean ± sd": lambda side: f"{side.words.mean:.0f} ± {side.words.deviation:.0f}",
        "words per resume, 10th percentile": lambda side: f"{side.words.quantile(0.1):.0f}",
        "words per resume, 90th percentile": lambda side: f"{side.words.quantile(0.9):.0f}",
        "words per sentence or line, mean": lambda side: f"{side.sentences.mean:.1f}",
        "sentences shared with another resume": lambda side: percent(side.shared),
        "different words": lambda side: f"{len(side.vocabulary):,}",
        "words in at least five resumes": lambda side: f"{len(common_words(side)):,}",
    }
    rows = [[name, write(comparison.generated), write(comparison.real)] for name, write in measures.items()]
    rows.append(["running words the other side lacks", percent(ours["running"]), percent(theirs["running"])])
    rows.append(["different words the other side lacks", percent(ours["different"]), percent(theirs["different"])])
    return rows


def _gap(comparison: CorpusComparison, found: Mapping[str, Any]) -> str:
    """What the figures mean, without make-up."""
    times = len(comparison.real.vocabulary) / max(1, len(comparison.generated.vocabulary))
    lacking = percent(found["real_unknown_to_generated"]["running"])
    back = percent(found["generated_unknown_to_real"]["running"])
    letters, words = found["word_length_kl_bits"], found["sentence_length_kl_bits"]
    apart, overlap = percent(comparison.told_apart), percent(found["common_overlap"])
    sentences = (
        f"The gap, plainly: a naive Bayes classifier that sees pieces of 100 words puts {apart} of them on the right",
        "side (50 % would be chance): to a machine the words give a generated resume away. How much of that is due to",
        "another mix of occupations and to the habits of the one publisher of the real ones was not separated.",
        f"Real people use {times:.1f} times as many different words, and {lacking} of the words they write never occur",
        f"in generated text; the other way it is {back}. The common words of both sides overlap by {overlap}",
        "(Jaccard).",
        f"Word lengths differ by {letters:.3f} bits of Kullback-Leibler divergence, sentence lengths by {words:.3f};",
        "lines of the real ones end where the page ended, so their sentences are cut.",
        "What was measured on generated resumes must be confirmed on real ones before anybody relies on it.",
    )
    return "\n".join(sentences) + "\n\n"


def _charts_of_kinds(descriptions: Mapping[str, Description]) -> Files:
    series = [
        Series(kind, [(place, found.lengths.get(name, Spread()).mean) for place, name in enumerate(SECTIONS)])
        for kind, found in descriptions.items()
    ]
    if "crc" in descriptions:
        aims = descriptions["crc"].published()[1]
        series.append(Series("crc, published", [(place, aims[name][0]) for place, name in enumerate(SECTIONS)]))
    return {"corpus/sections.svg": bar_chart("Mean tokens per section", SECTIONS, series, y="tokens")}


def shares(spread: Spread, width: int, most: int) -> list[tuple[float, float]]:
    """A histogram as points: the middle of each bin and the share of values in it; larger values in the last bin."""
    counts = [0] * (most // width)
    for value in spread.values:
        counts[min(len(counts) - 1, int(value) // width)] += 1
    return [(width * (place + 0.5), count / max(1, len(spread.values))) for place, count in enumerate(counts)]


def _charts_of_comparison(comparison: CorpusComparison) -> Files:
    sides = (("generated", comparison.generated), ("real", comparison.real))

    def lengths(side: CorpusMeasures) -> list[tuple[float, float]]:
        total = side.word_lengths.total()
        return [(length, side.word_lengths[length] / total) for length in range(1, 21)]

    words = [Series(name, shares(side.words, 100, 2000)) for name, side in sides]
    sentences = [Series(name, shares(side.sentences, 2, 40)) for name, side in sides]
    growths = [Series(name, side.growth) for name, side in sides]
    return {
        "corpus/lengths.svg": line_chart("Words per resume", words, x="words", y="resumes", percent=True),
        "corpus/sentences.svg": line_chart(
            "Words per sentence or line", sentences, x="words", y="sentences", percent=True
        ),
        "corpus/vocabulary.svg": line_chart("Growth of the vocabulary", growths, x="words read", y="different words"),
        "corpus/word-lengths.svg": line_chart(
            "Length of words",
            [Series(name, lengths(side)) for name, side in sides],
            x="letters",
            y="words",
            percent=True,
        ),
    }
