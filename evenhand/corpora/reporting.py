"""The report on what generated resumes are like and how far they are from real ones: Markdown and charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evenhand.corpora.charts import Series, bar_chart, line_chart
from evenhand.corpora.comparing import Comparison, Side, common_words
from evenhand.corpora.describe import SECTIONS, Description, ranked
from evenhand.corpora.measures import Spread

Files = dict[str, str]
KINDS = ("it", "crc", "mixed")


def report(
    descriptions: Mapping[str, Description], comparison: Comparison | None, *, note: str, command: str
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
            rows.append(
                [name, percent(found.presence[name] / found.resumes), percent(presence[name]), got, wanted]
            )
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
        'of at least five words; a line such as "References available upon request" counts).\n\n'
        + table(heads, rows)
    )


def _comparison(comparison: Comparison) -> str:
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


def _compared(comparison: Comparison, found: Mapping[str, Any]) -> list[list[str]]:
    ours, theirs = found["generated_unknown_to_real"], found["real_unknown_to_generated"]
    measures: dict[str, Callable[[Side], str]] = {
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
    rows.append(
        ["different words the other side lacks", percent(ours["different"]), percent(theirs["different"])]
    )
    return rows


def _gap(comparison: Comparison, found: Mapping[str, Any]) -> str:
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
        series.append(
            Series("crc, published", [(place, aims[name][0]) for place, name in enumerate(SECTIONS)])
        )
    return {"corpus/sections.svg": bar_chart("Mean tokens per section", SECTIONS, series, y="tokens")}


def shares(spread: Spread, width: int, most: int) -> list[tuple[float, float]]:
    """A histogram as points: the middle of each bin and the share of values in it; larger values in the last bin."""
    counts = [0] * (most // width)
    for value in spread.values:
        counts[min(len(counts) - 1, int(value) // width)] += 1
    return [(width * (place + 0.5), count / max(1, len(spread.values))) for place, count in enumerate(counts)]


def _charts_of_comparison(comparison: Comparison) -> Files:
    sides = (("generated", comparison.generated), ("real", comparison.real))

    def lengths(side: Side) -> list[tuple[float, float]]:
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
        "corpus/vocabulary.svg": line_chart(
            "Growth of the vocabulary", growths, x="words read", y="different words"
        ),
        "corpus/word-lengths.svg": line_chart(
            "Length of words",
            [Series(name, lengths(side)) for name, side in sides],
            x="letters",
            y="words",
            percent=True,
        ),
    }
