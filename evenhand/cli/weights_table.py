"""What was learned of the ranker's weights, as tables: the weights, how well they order, who taught, every version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table

from evenhand.cli.facts import count
from evenhand.cli.terminal import printable
from evenhand.search.rankers.best import NAMES, Weights

if TYPE_CHECKING:
    from rich.console import RenderableType

    from evenhand.search.rankers.learning import Tally, WeightsInForce
    from evenhand.workflows.ranker_learning import Lesson, SetAside

DEFAULTS = "defaults"


def lesson_tables(lesson: Lesson) -> Iterator[RenderableType]:
    proposal = lesson.proposal
    yield weights_table(lesson)
    if proposal.users:
        yield users_table(proposal.users)
    yield from (f"Set aside: {sentence}" for sentence in left_out(lesson.set_aside))


def weights_table(lesson: Lesson) -> Table:
    proposal = lesson.proposal
    before, after = proposal.start.to_json(), proposal.weights.to_json()
    found = Table("Weight", title=f"Learned from {taught(lesson)}", title_justify="left")
    found.add_column(f"In force ({named(lesson.before.version)})", justify="right")
    for head in ("Learned", "Change"):
        found.add_column(head, justify="right")
    for name, words in NAMES.items():
        if before[name] or after[name]:
            row = (f"{before[name]:.1f}", f"{after[name]:.1f}", f"{after[name] - before[name]:+.1f}")
            found.add_row(words, *row)
    found.add_section()
    found.add_row(
        f"right order, of {count(proposal.held_out, 'held-out pair')}",
        share(proposal.accuracy_before),
        share(proposal.accuracy_after),
        "" if proposal.chance is None else f"luck: {proposal.chance:.1%}",
    )
    return found


def taught(lesson: Lesson) -> str:
    proposal = lesson.proposal
    where = "this job" if lesson.job else "all jobs"
    return f"{proposal.shortlisted} shortlisted or offered and {proposal.rejected} rejected of {where}"


def users_table(users: Sequence[Tally]) -> Table:
    found = Table("Decided by", title="Whose decisions", title_justify="left")
    for head in ("Decisions", "Above the cap", "Learned from", "Held out"):
        found.add_column(head, justify="right")
    for tally in users:
        numbers = (tally.given, tally.capped, tally.learned, tally.held_out)
        found.add_row(escape(printable(tally.user)), *(f"{number:,}" for number in numbers))
    return found


def left_out(set_aside: SetAside) -> Iterator[str]:
    if set_aside.rejected_with_the_rest:
        yield f"{count(set_aside.rejected_with_the_rest, 'application')} rejected with the rest of a list."
    if set_aside.rejected_after_shortlist:
        yield f"{count(set_aside.rejected_after_shortlist, 'application')} rejected after the shortlist."


def history_table(entries: Sequence[Mapping[str, Any]], in_force: WeightsInForce) -> Table:
    found = Table("Version", "Adopted", "By", title="Weights of the ranker best", title_justify="left")
    for head in ("Decisions", "Right before", "Right after"):
        found.add_column(head, justify="right")
    found.add_column("Weights")
    found.add_row(mark(0, in_force), "", "", "", "", "", points(Weights().to_json()))
    for entry in entries:
        found.add_row(
            mark(entry["version"], in_force),
            str(entry["time"])[:16].replace("T", " "),
            escape(printable(str(entry["by"]))),
            str(entry["shortlisted"] + entry["rejected"]),
            share(entry["accuracy_before"]),
            share(entry["accuracy_after"]),
            points(entry["weights"]),
        )
    return found


def mark(version: int, in_force: WeightsInForce) -> str:
    return f"{named(version)}{' (in force)' if version == in_force.version else ''}"


def named(version: int) -> str:
    return str(version) if version else DEFAULTS


def points(weights: Mapping[str, float]) -> str:
    return ", ".join(f"{words} {value:.1f}" for name, words in NAMES.items() if (value := weights[name]))


def share(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"
