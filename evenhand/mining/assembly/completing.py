"""A job has an employer and a title, a study has a school: what a head lacks is looked for in the rest of it.

The recognizer weighs every word by itself and leaves out an employer of whom it has never heard. Once the title and the
dates of a job are known, the stretch between two commas that is neither is most probably its employer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.mining.assembly.blocks import JOB, STUDY, Block
from evenhand.mining.assembly.mentions import Mention, labels_of_lines, trimmed
from evenhand.mining.assembly.stretches import Stretches
from evenhand.mining.features.words import Segment, segments
from evenhand.mining.lexicon.degrees import degrees as degree_lexicon
from evenhand.mining.notes import Notes
from evenhand.mining.recognizer import Recognised
from evenhand.mining.resolver import degrees

LACKING = {
    JOB: (("employer", ("title", "dates")), ("title", ("employer", "dates"))),
    STUDY: (("university", ("degree",)),),
}
"""Per kind of block: the label that may be lacking, and labels of which one must be there."""
LEAST = {
    "employer": 0.05,
    "title": 0.15,
    "university": 0.10,
    "degree": 0.15,
}  # chance that a stretch must have
LONGEST = 8  # words
KNOWN = 0.6  # how sure a lexicon is by itself
SCHOOLS = frozenset(("university", "college", "institute", "school", "academy", "polytechnic", "vidyalaya"))


def completed(
    notes: Notes, recognised: Recognised, blocks: Sequence[Block], mentions: Sequence[Mention]
) -> list[Mention]:
    """The mentions with those added that a head lacked, in the order of the text."""
    known = [*mentions, *_known_studies(notes, blocks, mentions)]
    added = Completion(notes, recognised).added(blocks, known)
    return sorted([*known, *added], key=lambda mention: mention.start)


def _known_studies(notes: Notes, blocks: Sequence[Block], mentions: Sequence[Mention]) -> list[Mention]:
    """Degrees and schools that lexicons know, in the head of a study in which none was recognised."""
    sheet = notes.sheet
    labels = labels_of_lines(mentions)
    taken = Stretches((mention.start, mention.end) for mention in mentions)
    found = []
    for block in blocks:
        if block.kind != STUDY:
            continue
        there = {label for line in block.head for label in labels.get(line, ())}
        for line in block.head:
            for first, last, label in _known_in(notes, line):
                start, end = trimmed(sheet, sheet.tokens.starts[first], sheet.tokens.ends[last - 1])
                if label not in there and start < end and not taken.overlaps(start, end):
                    found.append(Mention(label, start, end, line, line, KNOWN, "lexicon"))
    return found


def _known_in(notes: Notes, line: int) -> list[tuple[int, int, str]]:
    """Words of a line that are a degree or a school by their words alone."""
    row = notes.sheet.lines[line]
    words = notes.sheet.tokens.words[row.first : row.last]
    strict = {(match.first, match.last) for match in degrees.find(words)}
    # Among studies "MS" is a degree also where nothing else says so, unless it is Massachusetts.
    loose = {
        (match.first, match.last)
        for match in degree_lexicon().find(notes.sheet.lower[row.first : row.last])
        if match.abbreviated
        and words[match.first][0].isupper()
        and len(words[match.first]) > 1
        and not notes.marks["place"][row.first + match.first]
    }
    places = [(row.first + first, row.first + last, "degree") for first, last in sorted(strict | loose)]
    return places + [(part.first, part.last, "university") for part in _schools(notes, line)]


def stray_studies(notes: Notes, blocks: Sequence[Block]) -> list[Block]:
    """Where no section tells of studies: lines elsewhere that name a degree beside a school."""
    if any(block.kind == STUDY for block in blocks):
        return []
    found = []
    for line in range(len(notes.sheet.lines)):
        row = notes.sheet.lines[line]
        words = notes.sheet.tokens.words[row.first : row.last]
        near = [place for place in (line, line + 1) if place < len(notes.sheet.lines)]
        if degrees.find(words) and any(_schools(notes, place) for place in near):
            head = near if not _schools(notes, line) else [line]
            found.append(Block(STUDY, "education", line, head[-1] + 1, head))
    return found


def _schools(notes: Notes, line: int) -> list[Segment]:
    """Stretches between commas that hold the name or the kind of a school, written with a capital."""
    row = notes.sheet.lines[line]
    return [
        part
        for part in segments(notes, row.first, row.last)
        if part.last - part.first <= LONGEST
        and notes.sheet.tokens.words[part.first][0].isupper()
        and (
            any(notes.marks["university"][part.first : part.last])
            or any(word in SCHOOLS for word in notes.sheet.lower[part.first : part.last])
        )
    ]


@dataclass(frozen=True, slots=True)
class Completion:
    notes: Notes
    recognised: Recognised

    def added(self, blocks: Sequence[Block], mentions: Sequence[Mention]) -> list[Mention]:
        by_line: dict[int, list[Mention]] = {}
        for mention in mentions:
            for line in range(mention.line, mention.last_line + 1):
                by_line.setdefault(line, []).append(mention)
        found = []
        for block in blocks:
            for label, needed in LACKING.get(block.kind, ()):
                own = [mention for line in block.head for mention in by_line.get(line, ())]
                names = {mention.label for mention in own}
                if label in names or not names & set(needed):
                    continue
                best = self._best(label, block, own)
                if best is not None:
                    found.append(best)
                    by_line.setdefault(best.line, []).append(best)
        return found

    def _best(self, label: str, block: Block, taken: Sequence[Mention]) -> Mention | None:
        best: Mention | None = None
        for line in block.head:
            row = self.notes.sheet.lines[line]
            for part in segments(self.notes, row.first, row.last):
                mention = self._candidate(label, part, line, taken)
                if mention and (best is None or mention.confidence > best.confidence):
                    best = mention
        return best

    def _candidate(self, label: str, part: Segment, line: int, taken: Sequence[Mention]) -> Mention | None:
        sheet = self.notes.sheet
        if part.last - part.first > LONGEST or not _is_name(sheet.tokens.words[part.first : part.last]):
            return None
        start, end = trimmed(sheet, sheet.tokens.starts[part.first], sheet.tokens.ends[part.last - 1])
        if start >= end or any(start < mention.end and mention.start < end for mention in taken):
            return None
        if label in ("employer", "university") and any(self.notes.marks["title"][part.first : part.last]):
            return None
        if any(self.notes.marks["date"][part.first : part.last]) or all(
            self.notes.marks["place"][part.first : part.last]
        ):
            return None
        chance = self.recognised.chance(label, part.first, part.last)
        return Mention(label, start, end, line, line, chance, "completed") if chance >= LEAST[label] else None


def _is_name(words: Sequence[str]) -> bool:
    first = words[0]
    return (
        (first[0].isupper() or first[0].isdigit())
        and any(word[0].isalpha() for word in words)
        and "@" not in first
    )
