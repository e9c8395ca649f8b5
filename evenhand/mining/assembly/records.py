"""The mentions in the head of a block, sorted into one record or, where everything comes twice, into several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from evenhand.mining.assembly.blocks import Block
from evenhand.mining.assembly.mentions import Mention

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
    """A second title is a second job only if the first has its dates, or if nothing here has any."""
    records = [Record(block)]
    dated = any(mention.label == "dates" for mention in mentions)
    for place, mention in enumerate(mentions):
        current = records[-1]
        complete = not dated or "dates" in current.fields
        if mention.label in keys and mention.label in current.fields and complete:
            coming = {each.label for each in mentions[place:] if each.label in keys}
            if len(coming) >= 2 and sum(key in current.fields for key in keys) >= 2:
                current = Record(block)
                records.append(current)
        current.add(mention)
    return records
