"""The receipt in plain words, in the order in which somebody asks: what was decided, why, from what, and what now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from evenhand.applicants.corrections import value_words
from evenhand.applicants.receipt import Receipt, ReceiptCorrection, ReceiptDecision
from evenhand.mining.corrections import FIELDS
from evenhand.rendering.letter import (
    Bars,
    Block,
    Letter,
    LetterBar,
    LetterList,
    LetterParagraph,
    LetterSection,
    LetterTable,
    Pairs,
    day,
    moment,
    times,
)
from evenhand.screening.candidate_career import DemandRow
from evenhand.search.rankers.best import MEANINGS, NAMES
from evenhand.store.applications import STATUS_NAMES
from evenhand.text.wording import HIDDEN, ONLY_IN_NAMES, count, duration, ordinal, sureness

# The sections of a receipt that tell what is on record: what was read, decided, written, seen and held.

SEEN = {
    "ranking": "shown in a list",
    "view": "opened",
    "export": "exported to a file",
    "receipt": "receipt or archive created",
}
MAX_LISTS = 12  # named one by one
OPENED = {True: " Somebody had opened your resume before.", False: " Nobody had opened your resume before.", None: ""}
"""By whether the record says that a resume was opened before a decision. Nobody is told that it was read: no record can
say that."""


def read(receipt: Receipt) -> Iterator[Block]:
    facts = [fact for fact in receipt.read if not fact.is_entry]
    if not facts:
        yield LetterParagraph("No facts could be found in your resume.")
        return
    yield LetterParagraph("Each fact with the words of your resume that it was taken from.")
    yield LetterTable(
        ("what", "read as", "your words", "page"),
        tuple(
            (f"{fact.label} ({fact.of})" if fact.of else fact.label, fact.value, fact.words, str(fact.page))
            for fact in facts
        ),
        (0.2, 0.32, 0.4, 0.08),
        frozenset({3}),
    )
    if receipt.form:
        yield LetterParagraph("What you entered in the application form:")
        yield LetterTable(("field", "value"), receipt.form, (0.3, 0.7))


def lost(receipt: Receipt) -> Iterator[Block]:
    if not receipt.warnings and not receipt.hidden:
        yield LetterParagraph("No problem was found: all visible text of your file was read.")
    if receipt.warnings:
        yield LetterList(tuple(warning.message for warning in receipt.warnings))
    if receipt.hidden:
        yield LetterParagraph(
            "This text of your file cannot be seen by a reader. It did not count, and was shown as hidden text to the "
            "people who screen:"
        )
        yield LetterTable(
            ("text", "why it cannot be seen", "page"),
            tuple(
                (_cut(piece.text), HIDDEN.get(piece.reason, piece.reason), str(piece.page)) for piece in receipt.hidden
            ),
            (0.6, 0.3, 0.1),
            frozenset({2}),
        )
    if receipt.flags:
        yield LetterParagraph("These flags were shown to the people who screen. None of them changes points:")
        yield LetterTable(
            ("flag", "details", "dismissed"),
            tuple((title, message, aside or "–") for title, message, aside in receipt.flags),
            (0.22, 0.5, 0.28),
        )


def decided(receipt: Receipt) -> Iterator[Block]:
    if not receipt.record.decided:
        yield LetterParagraph("Nothing has been decided yet.")
        return
    yield LetterTable(
        ("when", "who", "what", "why"),
        tuple(
            (moment(decision.time), decision.who, _decision(decision), decision.reason or "–")
            for decision in receipt.record.decided
        ),
        (0.2, 0.18, 0.3, 0.32),
    )


def _decision(decision: ReceiptDecision) -> str:
    words = f"{decision.before} → {decision.after}"
    if decision.undoes:
        words = f"an earlier decision undone: {decision.after} again"
    many = ", together with others" if decision.many else ""
    unopened = "; nobody had opened your resume before" if decision.opened is False and not decision.undoes else ""
    return words + many + unopened + (" (undone later)" if decision.undone else "")


def written(receipt: Receipt) -> Iterator[Block]:
    if not receipt.written and not receipt.corrections:
        yield LetterParagraph("Nobody has added notes or tags, or corrected what was read.")
    if receipt.written:
        yield LetterTable(
            ("what", "text", "by", "when"),
            tuple(
                (remark.what, remark.text, remark.who or "–", day(remark.time) if remark.time else "–")
                for remark in receipt.written
            ),
            (0.1, 0.52, 0.2, 0.18),
        )
    if receipt.corrections:
        yield LetterParagraph("Corrections of what the program had read:")
        yield LetterTable(
            ("what", "old", "new", "by", "when"),
            tuple(
                (
                    FIELDS.get(correction.field, correction.field),
                    value_words(correction.old),
                    value_words(correction.new) + _fate(correction),
                    correction.who,
                    day(correction.time),
                )
                for correction in receipt.corrections
            ),
            (0.2, 0.22, 0.24, 0.18, 0.16),
        )


def _fate(correction: ReceiptCorrection) -> str:
    return " (proposed, declined)" if correction.declined else " (undone)" if correction.undone else ""


def shown(receipt: Receipt) -> Iterator[Block]:
    lists = receipt.record.shown
    if not lists:
        yield LetterParagraph("Your application has not been shown in a list yet.")
        return
    first, last = lists[0], lists[-1]
    now = f" Today it stands {ordinal(receipt.rank.rank)} of {receipt.rank.total:,}." if receipt.rank.rank else ""
    yield LetterParagraph(
        f"Your application was in {count(len(lists), 'list')} shown to people: first on {day(first.time)} as "
        f"the {ordinal(first.rank)} of {first.total:,}, last on {day(last.time)} as the {ordinal(last.rank)} of "
        f"{last.total:,}.{now}"
    )
    named = lists if len(lists) <= MAX_LISTS else (*lists[: MAX_LISTS // 2], *lists[-MAX_LISTS // 2 :])
    yield LetterTable(
        ("when", "rank", "of", "points", "list"),
        tuple(
            (
                moment(appearance.time),
                str(appearance.rank),
                f"{appearance.total:,}",
                f"{appearance.score:.1f}",
                "filtered by a search" if appearance.filtered else "all applications",
            )
            for appearance in named
        ),
        (0.36, 0.12, 0.12, 0.14, 0.26),
        frozenset({1, 2, 3}),
    )
    if len(named) < len(lists):
        yield LetterParagraph(
            f"{len(lists) - len(named):,} in between are not listed here; the archive has all.", tone="soft"
        )


def seen(receipt: Receipt) -> Iterator[Block]:
    if not receipt.record.seen:
        yield LetterParagraph("Nobody has opened it or seen it in a list yet.")
        return
    yield LetterTable(
        ("what", "by", "how often", "last"),
        tuple(
            (
                SEEN[access.kind],
                access.who if access.people == 1 else f"{access.who} ({access.people:,} people)",
                times(access.times),
                day(access.last),
            )
            for access in receipt.record.seen
        ),
        (0.3, 0.34, 0.16, 0.2),
    )
    yield LetterParagraph(
        "Staff are listed by role, not by name. Every access is in a record that cannot be changed unnoticed."
    )


def held(receipt: Receipt) -> Iterator[Block]:
    yield LetterTable(("what", "why"), tuple(_holdings(receipt)), (0.5, 0.5))
    yield LetterParagraph(_until(receipt), tone="good" if receipt.kept.until else "warn")


def _holdings(receipt: Receipt) -> Iterator[tuple[str, str]]:
    file = receipt.file
    if file:
        size = f"{max(1, round(file.size_bytes / 1000)):,} kB"
        came = f", from {receipt.source}" if receipt.source else ""
        name = receipt.file_name or file.file or "without a name"
        yield (f"Your file “{name}”, {size}, as it came on {day(receipt.received)}{came}", "to read your application")
    yield (
        f"Its text ({len(receipt.text):,} characters) and {count(len(receipt.read), 'fact')} read from it",
        "to find and order applications, with a place in the text for every fact",
    )
    if receipt.form:
        yield (count(len(receipt.form), "field") + " of the application form", "to handle your application")
    if receipt.written:
        yield count(len(receipt.written), "remark") + " by staff", "to work on your application"
    if receipt.corrections:
        yield count(len(receipt.corrections), "correction"), "to keep what was corrected"
    if receipt.record.decided:
        yield count(len(receipt.record.decided), "decision"), "to account for them"
    yield (
        f"{count(len(receipt.record.events), 'entry', 'entries')} in the ledger, under a pseudonym",
        "so that what was done can be checked; after an erasure they can no longer be linked to you",
    )


def _until(receipt: Receipt) -> str:
    period = receipt.kept
    if period.hold:
        return "All of it must be kept for now because of a legal hold, and is not erased before the hold ends."
    if period.until and period.rule:
        return (
            f"It is kept until {day(period.until)}: {count(period.rule.days, 'day')} after {day(period.since)}, by the "
            f"rule for applications that are {STATUS_NAMES[period.status]}."
        )
    return "No erasure date is set. You can ask for erasure at any time."


def rights(receipt: Receipt) -> Iterator[Block]:
    to = f"Write to {receipt.contact}" if receipt.contact else "Write to the people you sent your application to"
    yield LetterParagraph(f"{to}, and name the application {receipt.application}. No special form is needed.")
    yield LetterList(
        (
            "Correct: say what was read wrongly and which words of your resume show it. Your points are calculated "
            "again, and both versions are kept.",
            "Ask for a review by a person: say why you think the decision or the order is wrong. Somebody who may "
            "change it has to read your resume itself.",
            "Object: say that you do not want a program to rank your resume, and ask that it is reviewed without.",
            "Erase: ask for it, and everything above is deleted, the search index included. You get a "
            "signed certificate that also names the backups that still hold it, and until when.",
            "Take it with you: ask for the archive. It has your file, the text, every fact, every decision and every "
            "event, in a form that programs can read.",
            "Complain to the data protection authority where you live, if you think that we do not respect this.",
        )
    )


def _cut(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 300 else words[:299] + "…"


FULL = 100.0
BY_PART = {NAMES[name]: meaning for name, meaning in MEANINGS.items()}
NOT_COUNTED = (
    "Your name, e-mail address, phone number and links: they are removed before anything is counted.",
    "Your gender, age, date of birth, nationality, origin, religion, family and health: the program has no place where "
    "any of these could be entered, and no part of the score is made of them.",
    "Your photo: it is not processed.",
    "Your address: where you live is not scored. The name of a town counts only like any other word, if the job's own "
    "text has it.",
    "Who else applied: your points depend on the job and on your resume alone. Only the rank depends on the others.",
    "The layout, format and name of your file.",
    "Hidden text that a reader of your file cannot see.",
)
STATES = {
    "met": "met",
    "short": "shorter than required",
    "not dated": "mentioned, duration unknown",
    "missing": "not found",
    "not mentioned": "not found",
}


def receipt_letter(receipt: Receipt) -> Letter:
    made: tuple[tuple[str, Callable[[Receipt], Iterable[Block]]], ...] = (
        ("In short", _short),
        ("What counted, and how much", _counted),
        ("What would have changed the result most", _differences),
        ("What did not count", lambda _: [LetterList(NOT_COUNTED)]),
        ("What models predicted, and why", _models),
        ("What was read from your resume", read),
        ("What could not be read", lost),
        ("Decisions, and their reasons", decided),
        ("Notes and corrections", written),
        ("Your rank in lists shown to people", shown),
        ("Who has accessed it", seen),
        ("What we hold, why, and how long", held),
        ("What you can do", rights),
    )
    return Letter(
        "Receipt of an application",
        f"Your application for {receipt.job}" if receipt.job else "Your application",
        Pairs(tuple(_head(receipt))),
        tuple(LetterSection(heading, tuple(make(receipt))) for heading, make in made),
        f"Made by Evenhand {receipt.version} on {moment(receipt.made)} from the records at that moment.",
    )


def _head(receipt: Receipt) -> Iterator[tuple[str, str]]:
    yield "For", receipt.name or "name not known"
    yield "Received", day(receipt.received)
    yield "Status", STATUS_NAMES[receipt.status]
    yield "Application", receipt.application


def _short(receipt: Receipt) -> Iterator[Block]:
    rank = _standing(receipt)
    newest = receipt.record.decided[-1] if receipt.record.decided else None
    decided = "Nobody has decided on it yet."
    if newest:
        given = newest.reason.strip().rstrip(".")
        reason = f" The reason given: “{given}”." if given else " No reason was written down."
        decided = (
            f"The last decision was made on {day(newest.time)} by {newest.who}: {newest.after}.{reason}"
            f"{OPENED[newest.opened]}"
        )
    yield LetterParagraph(f"{rank} {decided}")
    yield LetterParagraph(
        "A program ranks applications, so that people know where to start reading. It rejects nobody: every decision "
        "is made by a person, who is accountable for it, and you can ask for a review by another person.",
        tone="good",
    )


def _standing(receipt: Receipt) -> str:
    rank = receipt.rank
    if rank.rank is None or rank.score is None:
        return "Your application has not been ranked yet, so it has no points and no rank."
    return (
        f"Your application has {rank.score:.1f} of {FULL:g} possible points, and is ranked "
        f"{ordinal(rank.rank)} of {count(rank.total, 'application')} today."
    )


def _counted(receipt: Receipt) -> Iterator[Block]:
    if not receipt.parts:
        yield LetterParagraph("Nothing has been counted yet.")
        return
    yield LetterParagraph("Your points are the sum of these parts. Nothing else goes into it.")
    yield Bars(
        tuple(
            LetterBar(part.name, part.value, " ".join(filter(None, (BY_PART.get(part.name), _reason(part.reason)))))
            for part in receipt.parts
        ),
        FULL,
    )
    if receipt.demands:
        yield LetterParagraph("What the job asks for, and what was found in your resume:")
        yield LetterTable(
            ("requirement", "required", "found", "result"),
            tuple(_demand(row) for row in receipt.demands),
            (0.34, 0.22, 0.22, 0.22),
        )


def _reason(reason: str | None) -> str:
    return f"In your case: {reason}." if reason else ""


def _demand(row: DemandRow) -> tuple[str, str, str, str]:
    needed = "must have" if row.must else "nice to have"
    required = f"{needed}, {duration(row.required_months)}" if row.required_months else needed
    has = row.duration_words or ("–" if row.state in ("missing", "not mentioned") else "named")
    result = STATES[row.state] + (f", {ONLY_IN_NAMES}" if row.only_in_names else "")
    return row.name, required, has, result


def _differences(receipt: Receipt) -> Iterator[Block]:
    if not receipt.differences:
        yield LetterParagraph(
            "None of the changes we try (skills, their durations, degree, title) would have given more points."
        )
        return
    yield LetterParagraph(
        "We changed one fact at a time, scored your resume again, and compared it with today's list. The largest "
        "change comes first."
    )
    yield LetterTable(
        ("if your resume had …", "more points", "rank then"),
        tuple(
            (difference.words, f"+{difference.points:.1f}", ordinal(difference.rank))
            for difference in receipt.differences
        ),
        (0.66, 0.17, 0.17),
        frozenset({1, 2}),
    )
    yield LetterParagraph(
        "This is what the program would have counted, not what a person would have decided. If you have one of these "
        "and the program overlooked it, you can have that corrected.",
        tone="soft",
    )


def _models(receipt: Receipt) -> Iterator[Block]:
    if not receipt.models:
        yield LetterParagraph("No models make predictions from your resume.")
        return
    yield LetterParagraph(
        "People who open your application can see what a model predicts from its words. Predictions are not used for "
        "points, ranks or decisions."
    )
    for model in receipt.models:
        sure = sureness(model.probability)
        yield LetterParagraph(
            f"{model.title}: {model.label}, probability {sure} (model {model.model}). {' '.join(model.why)}"
        )
