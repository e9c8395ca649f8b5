"""The receipt in plain words, in the order in which somebody asks: what was decided, why, from what, and what now."""

from __future__ import annotations

from collections.abc import Iterator

from evenhand.store import STATUS_NAMES
from evenhand.workflows import receipt_sections as sections
from evenhand.workflows.candidate_skills import DemandRow
from evenhand.workflows.counterfactual import months_words
from evenhand.workflows.letter import (
    Bar,
    Bars,
    Block,
    Letter,
    Pairs,
    Points,
    Section,
    Table,
    Text,
    counted,
    day,
    moment,
    ordinal,
)
from evenhand.workflows.receipt import Receipt
from evenhand.workflows.wording import sureness

FULL = 100.0
MEANINGS = {
    "words of the job": "How much your resume speaks of what the job speaks of; words used in jobs, and lately, "
    "count more.",
    "must-haves": "The skills the job insists on: whether they are there, and where, how lately and how long they were "
    "used.",
    "nice-to-haves": "The same for skills the job would like.",
    "related experience": "Time in jobs like this one.",
    "title": "How near the titles of past jobs come to this job's, less for every year since.",
    "education": "Level and field of study, as far as the job asks for them.",
}
NOT_COUNTED = (
    "Your name, e-mail address, phone number and links: they are taken out before anything is counted.",
    "Your gender, age, date of birth, nationality, origin, religion, family and health: the program has no place where "
    "any of these could be entered, and no part of the score is made of them.",
    "Your photo: it is not looked at.",
    "Your address: where you live is not scored. The name of a town counts only like any other word, if the job's own "
    "text has it.",
    "Who else applied: your points depend on the job and on your resume alone. Only the rank depends on the others.",
    "How your file looks, its format and its name.",
    "Text that a reader of your file cannot see.",
)
STATES = {
    "met": "met",
    "short": "shorter than asked for",
    "not dated": "mentioned, but not for how long",
    "missing": "not found",
    "not mentioned": "not found",
}


def receipt_letter(receipt: Receipt) -> Letter:
    made = (
        ("In short", _short),
        ("What counted, and how much", _counted),
        ("What would have changed the result most", _differences),
        ("What did not count", _not_counted),
        ("What models guessed, and why", _models),
        ("What was read from your resume", sections.read),
        ("What was lost or not understood", sections.lost),
        ("What people decided, and why", sections.decided),
        ("What people wrote or corrected", sections.written),
        ("Where you stood in lists that people looked at", sections.shown),
        ("Who has seen it", sections.seen),
        ("What we hold, why, and how long", sections.held),
        ("What you can do", sections.rights),
    )
    return Letter(
        "Receipt of an application",
        f"Your application as {receipt.job}" if receipt.job else "Your application",
        Pairs(tuple(_head(receipt))),
        tuple(Section(heading, tuple(make(receipt))) for heading, make in made),
        f"Made by Evenhand {receipt.version} on {moment(receipt.made)} from what was on record at that moment.",
    )


def _head(receipt: Receipt) -> Iterator[tuple[str, str]]:
    yield "For", receipt.name or "name not known"
    yield "Received", day(receipt.received)
    yield "Status", STATUS_NAMES[receipt.status]
    yield "Application", receipt.application


def _short(receipt: Receipt) -> Iterator[Block]:
    standing = _standing(receipt)
    newest = receipt.record.decided[-1] if receipt.record.decided else None
    decided = "Nobody has decided on it yet."
    if newest:
        given = newest.reason.strip().rstrip(".")
        reason = f" The reason given: “{given}”." if given else " No reason was written down."
        decided = f"The last decision was made on {day(newest.time)} by {newest.who}: {newest.after}.{reason}"
    yield Text(f"{standing} {decided}")
    yield Text(
        "A program orders applications, so that people know where to begin to read. It rejects nobody: every decision "
        "is made by a person, who has to answer for it, and you can ask that another person looks at it again.",
        tone="good",
    )


def _standing(receipt: Receipt) -> str:
    rank = receipt.rank
    if rank.rank is None or rank.score is None:
        return "Your application has not been put in order yet, so it has no points and no rank."
    return (
        f"Your application has {rank.score:.1f} of {FULL:g} possible points, and with these it stands "
        f"{ordinal(rank.rank)} of {counted(rank.total, 'application')} today."
    )


def _counted(receipt: Receipt) -> Iterator[Block]:
    if not receipt.parts:
        yield Text("Nothing has been counted yet.")
        return
    yield Text("Your points are the sum of these parts. Nothing else goes into it.")
    yield Bars(
        tuple(
            Bar(
                part.name, part.value, " ".join(filter(None, (MEANINGS.get(part.name), _reason(part.reason))))
            )
            for part in receipt.parts
        ),
        FULL,
    )
    if receipt.demands:
        yield Text("What the job asks for, beside what was found in your resume:")
        yield Table(
            ("asked for", "needed", "found", "result"),
            tuple(_demand(row) for row in receipt.demands),
            (0.34, 0.22, 0.22, 0.22),
        )


def _reason(reason: str | None) -> str:
    return f"In your case: {reason}." if reason else ""


def _demand(row: DemandRow) -> tuple[str, str, str, str]:
    needed = "must have" if row.must else "would be good"
    asked = f"{needed}, {months_words(row.required_months)}" if row.required_months else needed
    found = "–" if row.state in ("missing", "not mentioned") else _found(row.months)
    return row.name, asked, found, STATES[row.state]


def _found(months: int | None) -> str:
    return "not dated" if months is None else months_words(months)


def _differences(receipt: Receipt) -> Iterator[Block]:
    if not receipt.differences:
        yield Text("Nothing that the job asks for was found missing.")
        return
    yield Text(
        "We changed one thing of what was read at a time, scored your resume again with it, and looked where it would "
        "stand in today's list. The largest change comes first."
    )
    yield Table(
        ("if your resume had …", "points more", "rank then"),
        tuple((each.words, f"+{each.points:.1f}", ordinal(each.rank)) for each in receipt.differences),
        (0.66, 0.17, 0.17),
        frozenset({1, 2}),
    )
    yield Text(
        "This says what the program would have counted, not what a person would have decided. If you have one of these "
        "and the program overlooked it, you can have that corrected.",
        tone="soft",
    )


def _models(receipt: Receipt) -> Iterator[Block]:
    if not receipt.models:
        yield Text("No model guesses anything from your resume.")
        return
    yield Text(
        "People who look at your application can see what a model guesses from its words. It decides nothing and is no "
        "part of your points."
    )
    for each in receipt.models:
        sure = sureness(each.probability)
        yield Text(f"{each.title}: {each.label}, {sure} sure (model {each.model}). {' '.join(each.why)}")


def _not_counted(receipt: Receipt) -> Iterator[Block]:
    yield Points(NOT_COUNTED)
