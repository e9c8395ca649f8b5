"""The mentions in the head of a block, sorted into one record or, where everything comes twice, into several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from evenhand.mining.assembly.blocks import Block
from evenhand.mining.assembly.mentions import Mention
from evenhand.mining.dates import DateSpan

KEYS = ("employer", "title", "dates")
STUDY_KEYS = ("university", "degree", "dates")


@dataclass(slots=True)
class Record:
    """One job, project or degree: per label its mentions in the order of the text."""

    block: Block
    fields: dict[str, list[Mention]] = field(default_factory=dict)

    def add(self, mention: Mention) -> None:
        self.fields.setdefault(mention.label, []).append(mention)

    def first(self, label: str) -> Mention | None:
        mentions = self.fields.get(label)
        return mentions[0] if mentions else None


def split_records(block: Block, mentions: Sequence[Mention], keys: tuple[str, ...]) -> list[Record]:
    """A second title is a second job only if the first has its dates and more dates follow."""
    records = [Record(block)]
    for place, mention in enumerate(mentions):
        current = records[-1]
        if (
            mention.label in keys
            and current.fields.get(mention.label)
            and _begins(current, mentions[place:], keys)
        ):
            current = Record(block)
            records.append(current)
        current.add(mention)
    return records


def _begins(current: Record, rest: Sequence[Mention], keys: tuple[str, ...]) -> bool:
    filled = sum(1 for key in keys if current.fields.get(key))
    coming = {mention.label for mention in rest if mention.label in keys}
    return filled >= 2 and len(coming) >= 2


def period_of(record: Record, spans: Sequence[DateSpan]) -> list[DateSpan]:
    """The date expressions of a record, those the recognizer calls its dates first."""
    called = [
        span
        for mention in record.fields.get("dates", ())
        for span in spans
        if span.start < mention.end and mention.start < span.end
    ]
    return called or [span for span in spans if span.kind == "range"]
