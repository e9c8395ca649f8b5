"""Where skills are named: what the recognizer found, and what the lexicon knows beyond doubt."""

from __future__ import annotations

from collections.abc import Sequence

from evenhand.mining.assembly.mentions import Mention, find_mentions
from evenhand.mining.notes import Notes
from evenhand.mining.recognizer import Entity

LEXICON_CONFIDENCE = 0.7


def find_skill_mentions(notes: Notes, entities: Sequence[Entity]) -> list[Mention]:
    """In the order of the text. A lexicon entry counts where the recognizer saw nothing, unless it is ambiguous."""
    sheet = notes.sheet
    taken = bytearray(len(sheet.tokens))
    for entity in entities:
        taken[entity.first : entity.last] = b"\1" * (entity.last - entity.first)
    added = [
        Entity("skill", first, last, sheet.line_of[first], LEXICON_CONFIDENCE)
        for first, last in notes.sure_skills
        if not any(taken[first:last])
    ]
    mentions = find_mentions(sheet, entities) + find_mentions(sheet, added, method="lexicon")
    return sorted(mentions, key=lambda mention: mention.start)
