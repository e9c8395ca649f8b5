"""The sections of a receipt that tell what is on record: what was read, decided, written, seen and held."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evenhand.store import STATUS_NAMES
from evenhand.workflows.candidate_flags import HIDDEN
from evenhand.workflows.correctable import FIELDS
from evenhand.workflows.letter import Block, Points, Table, Text, counted, day, moment, ordinal, times
from evenhand.workflows.receipt import Receipt
from evenhand.workflows.receipt_record import Decided, Shown

SEEN = {
    "ranking": "shown in a list",
    "view": "opened",
    "export": "taken away as a file",
    "receipt": "receipt or archive made",
}
MOST_LISTS = 12  # named one by one


def read(receipt: Receipt) -> Iterator[Block]:
    facts = [fact for fact in receipt.read if not fact.is_entry]
    if not facts:
        yield Text("No facts could be found in your resume.")
        return
    yield Text("Each fact with the words of your resume that it was taken from.")
    yield Table(
        ("what", "read as", "your words", "page"),
        tuple(
            (f"{fact.label} ({fact.of})" if fact.of else fact.label, fact.value, fact.words, str(fact.page))
            for fact in facts
        ),
        (0.2, 0.32, 0.4, 0.08),
        frozenset({3}),
    )
    if receipt.form:
        yield Text("What came with it in a form:")
        yield Table(("field", "value"), receipt.form, (0.3, 0.7))


def lost(receipt: Receipt) -> Iterator[Block]:
    if not receipt.warnings and not receipt.hidden:
        yield Text("Nothing that we know of: the whole text of your file was read.")
    if receipt.warnings:
        yield Points(tuple(warning.message for warning in receipt.warnings))
    if receipt.hidden:
        yield Text(
            "This text of your file cannot be seen by who reads it. It was set apart, shown to the people who screen "
            "as such, and did not count:"
        )
        yield Table(
            ("text", "why it was set apart", "page"),
            tuple(
                (_cut(piece.text), HIDDEN.get(piece.reason, piece.reason), str(piece.page))
                for piece in receipt.hidden
            ),
            (0.6, 0.3, 0.1),
            frozenset({2}),
        )
    if receipt.flags:
        yield Text("The people who screen were told to look at this. None of it changes points:")
        yield Table(
            ("what", "in words", "looked into"),
            tuple((title, message, aside or "–") for title, message, aside in receipt.flags),
            (0.22, 0.5, 0.28),
        )


def decided(receipt: Receipt) -> Iterator[Block]:
    if not receipt.record.decided:
        yield Text("Nothing has been decided yet.")
        return
    yield Table(
        ("when", "who", "what", "why"),
        tuple(
            (moment(each.time), each.who, _decision(each), each.reason or "–")
            for each in receipt.record.decided
        ),
        (0.2, 0.18, 0.3, 0.32),
    )


def _decision(each: Decided) -> str:
    words = f"{each.before} → {each.after}"
    if each.undoes:
        words = f"an earlier decision taken back: {each.after} again"
    many = ", with others at once" if each.many else ""
    return words + many + (" (taken back later)" if each.undone else "")


def written(receipt: Receipt) -> Iterator[Block]:
    if not receipt.written and not receipt.corrections:
        yield Text("Nobody wrote anything beside your application or corrected what was read.")
    if receipt.written:
        yield Table(
            ("what", "in words", "by", "when"),
            tuple(
                (each.what, each.text, each.who or "–", day(each.time) if each.time else "–")
                for each in receipt.written
            ),
            (0.1, 0.52, 0.2, 0.18),
        )
    if receipt.corrections:
        yield Text("Corrections of what the program had read:")
        yield Table(
            ("what", "was", "became", "by", "when"),
            tuple(
                (
                    FIELDS.get(each.field, each.field),
                    _value(each.old),
                    _value(each.new) + (" (taken back)" if each.undone else ""),
                    each.who,
                    day(each.time),
                )
                for each in receipt.corrections
            ),
            (0.2, 0.22, 0.24, 0.18, 0.16),
        )


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return f"{value.get('start') or '?'} to {value.get('end') or '?'}"
    return "–" if value in (None, "") else str(value)


def shown(receipt: Receipt) -> Iterator[Block]:
    shown = receipt.record.shown
    if not shown:
        yield Text("Nobody has looked at a list with your application in it yet.")
        return
    first, last = shown[0], shown[-1]
    now = (
        f" Today it stands {ordinal(receipt.rank.rank)} of {receipt.rank.total:,}."
        if receipt.rank.rank
        else ""
    )
    yield Text(
        f"Your application was in {counted(len(shown), 'list')} that somebody looked at: first on {day(first.time)} as "
        f"the {ordinal(first.rank)} of {first.total:,}, last on {day(last.time)} as the {ordinal(last.rank)} of "
        f"{last.total:,}.{now}"
    )
    named = shown if len(shown) <= MOST_LISTS else (*shown[: MOST_LISTS // 2], *shown[-MOST_LISTS // 2 :])
    yield Table(
        ("when", "rank", "of", "points", "list"),
        tuple(map(_list_row, named)),
        (0.36, 0.12, 0.12, 0.14, 0.26),
        frozenset({1, 2, 3}),
    )
    if len(named) < len(shown):
        yield Text(
            f"{len(shown) - len(named):,} in between are left out here; the archive has all.", tone="soft"
        )


def _list_row(shown: Shown) -> tuple[str, ...]:
    kind = "some, by a search" if shown.filtered else "all applications"
    return moment(shown.time), str(shown.rank), f"{shown.total:,}", f"{shown.score:.1f}", kind


def seen(receipt: Receipt) -> Iterator[Block]:
    if not receipt.record.seen:
        yield Text("Nobody has looked at it yet.")
        return
    yield Table(
        ("what", "by", "how often", "last"),
        tuple(
            (
                SEEN[each.kind],
                each.who if each.people == 1 else f"{each.who} ({each.people:,} people)",
                times(each.times),
                day(each.last),
            )
            for each in receipt.record.seen
        ),
        (0.3, 0.34, 0.16, 0.2),
    )
    yield Text(
        "Staff are named by what they do here, not by name. Each look is in a record that cannot be altered unseen."
    )


def held(receipt: Receipt) -> Iterator[Block]:
    yield Table(("what", "why"), tuple(_holdings(receipt)), (0.5, 0.5))
    yield Text(_until(receipt), tone="good" if receipt.kept.until else "warn")


def _holdings(receipt: Receipt) -> Iterator[tuple[str, str]]:
    file = receipt.file
    if file:
        size = f"{max(1, round(file.size_bytes / 1000)):,} kB"
        came = f", from {receipt.source}" if receipt.source else ""
        name = receipt.file_name or file.file or "without a name"
        yield (
            f"Your file “{name}”, {size}, as it came on {day(receipt.received)}{came}",
            "to read your application",
        )
    yield (
        f"Its text ({len(receipt.text):,} characters) and {counted(len(receipt.read), 'fact')} read from it",
        "to find and order applications, with a place in the text for every fact",
    )
    if receipt.form:
        yield (
            counted(len(receipt.form), "field") + " of a form that came with it",
            "to handle your application",
        )
    if receipt.written:
        yield counted(len(receipt.written), "remark") + " of staff", "to remember what was said and found"
    if receipt.corrections:
        yield counted(len(receipt.corrections), "correction"), "so that what was put right stays so"
    if receipt.record.decided:
        yield counted(len(receipt.record.decided), "decision"), "to be able to answer for them"
    yield (
        f"{counted(len(receipt.record.events), 'entry', 'entries')} in the record of what happened, under a made-up "
        "name",
        "so that what was done can be checked; after an erasure nobody can tell who is meant",
    )


def _until(receipt: Receipt) -> str:
    kept = receipt.kept
    if kept.hold:
        return "All of it must be kept for now, because of a legal hold; it is not erased before that ends."
    if kept.until and kept.rule:
        return (
            f"It is kept until {day(kept.until)}: {counted(kept.rule.days, 'day')} after {day(kept.since)}, by the "
            f"rule for applications that are {STATUS_NAMES[kept.status]}."
        )
    return "No date is set by which it will be erased. You can ask for erasure at any time."


def rights(receipt: Receipt) -> Iterator[Block]:
    to = (
        f"Write to {receipt.contact}"
        if receipt.contact
        else "Write to the people you sent your application to"
    )
    yield Text(f"{to}, and name the application {receipt.application}. Nothing of this needs a special form.")
    yield Points(
        (
            "Correct: say what was read wrongly and which words of your resume show it. Your points are worked out "
            "again, and both versions stay on record.",
            "Ask a person to look again: say why you think the decision or the order is wrong. Somebody who may change "
            "it has to look at your resume itself.",
            "Object: say that you do not want a program to put your resume in order, and ask that it is read without.",
            "Erase: ask for it, and everything above is deleted wherever it lies, the search index included. You get a "
            "signed certificate that also names the backups that still hold it, and until when.",
            "Take it with you: ask for the archive. It has your file, the text, every fact, every decision and the "
            "record of what happened, in a form that programs can read.",
            "Complain to the authority that protects data where you live, if you think that we do not keep to this.",
        )
    )


def _cut(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 300 else words[:299] + "…"
