"""An explanation in the terminal: a paragraph, the strongest words as bars, sections, and how far to trust it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from evenhand.cli.terminal import printable
from evenhand.explain.pictures.paragraph import check_words, describe, fact_name, tidy
from evenhand.records.explanation import FactScore, SectionScore, WordScore
from evenhand.workflows.baseline_comparison import BaselineRow, Comparison
from evenhand.workflows.explaining import Explained

SHOWN = 8  # words on each side
NAMES, COLUMNS = 28, 30
BAR = "▆"
LEAST = 0.02  # of the strongest word: what is weaker is no line worth
FOR, AGAINST = "blue", "dark_orange3"


def explanation_card(explained: Explained) -> Group:
    return Group(*_rows(explained), Text(""))


def _rows(explained: Explained) -> Iterator[RenderableType]:
    found = explained.explanation
    yield Text.assemble((printable(found.file or "(bytes)"), "bold"), "  ", (found.target, "green"))
    told = describe(found, probability=explained.probability, is_said=explained.is_said)
    yield Text(printable(" ".join(told)))
    words = sorted(found.words, key=lambda word: (-word.score, word.start))
    yield from _side("Words for it", [word for word in words if word.score > 0][:SHOWN], found.words, FOR)
    against = [word for word in reversed(words) if word.score < 0][:SHOWN]
    yield from _side("Words against it", against, found.words, AGAINST)
    yield Text("\nSections", style="bold")
    yield _bars([(each.type, each.score) for each in _ordered(found.sections)], "")
    if facts := sorted(found.facts, key=lambda fact: -abs(fact.score))[:SHOWN]:
        yield Text("\nNumbers mined from the resume", style="bold")
        yield _bars([(_fact(each), each.score) for each in facts], "")
    yield Text("\nHow far to trust this", style="bold")
    for sentence in (*check_words(found), *found.warnings):
        yield Text(printable(f"- {sentence}"))
    yield Text(_how(explained), style="dim")


def _side(
    heading: str, words: Sequence[WordScore], every: Sequence[WordScore], colour: str
) -> Iterator[RenderableType]:
    largest = max(abs(word.score) for word in every)
    words = [word for word in words if abs(word.score) >= LEAST * largest]
    if words:
        yield Text(f"\n{heading}", style="bold")
        yield _bars([(tidy(word.text), word.score) for word in words], colour, largest=largest)


def _fact(fact: FactScore) -> str:
    return f"{fact_name(fact)}: {'unknown' if fact.value is None else f'{fact.value:g}'}"


def _ordered(sections: Sequence[SectionScore]) -> list[SectionScore]:
    return sorted(sections, key=lambda section: -section.score)


def _bars(rows: Sequence[tuple[str, float]], colour: str, *, largest: float | None = None) -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(width=2)
    table.add_column(width=NAMES, no_wrap=True, overflow="ellipsis")
    table.add_column(width=7, justify="right", no_wrap=True)
    table.add_column(width=COLUMNS, no_wrap=True)
    whole = largest or max((abs(score) for _, score in rows), default=0.0)
    for name, score in rows:
        length = round(COLUMNS * abs(score) / whole) if whole else 0
        style = colour or (FOR if score >= 0 else AGAINST)
        table.add_row("", Text(printable(name)), f"{score:+.2f}", Text(BAR * length, style=style))
    return table


def _how(explained: Explained) -> str:
    found = explained.explanation
    steps = f", {found.steps} steps" if found.steps else ""
    return (
        f"{found.method}, baseline {found.baseline}{steps}; output {found.output:.3f}, of the baseline "
        f"{found.baseline_output:.3f}, delta {found.delta:z.3f} (logits); "
        f"model {found.model.name} {found.model.version}."
    )


def comparison_table(comparison: Comparison) -> Group:
    heading = f"{printable(comparison.file or '(bytes)')}  {comparison.target}  {comparison.method}"
    return Group(Text(heading, style="bold"), _baselines(comparison), _pairs(comparison), Text(""))


def _baselines(comparison: Comparison) -> Table:
    table = Table("Baseline", title="What the model says of each baseline")
    for name in ("F(x)", "F(x')", "delta", "no word", "adds up"):
        table.add_column(name, justify="right")
    for row in comparison.baselines:
        table.add_row(row.baseline, *_cells(row))
    return table


def _cells(row: BaselineRow) -> list[str]:
    if row.message is not None:
        return [printable(row.message)]
    numbers = (row.output, row.baseline_output, row.delta, row.special)
    return [*(f"{number:z.3f}" for number in numbers if number is not None), "yes" if row.converged else "no"]


def _pairs(comparison: Comparison) -> Table:
    table = Table("Baselines", title="How alike the explanations are")
    table.add_column("rank correlation", justify="right")
    table.add_column("same of the top 10", justify="right")
    for pair in comparison.pairs:
        correlation = "" if pair.correlation is None else f"{pair.correlation:.2f}"
        table.add_row(f"{pair.first}, {pair.second}", correlation, f"{pair.overlap:.0%}")
    return table
