"""Which lines make up one job, one project, one degree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evenhand.mining.segmenter import ABOUT, ENTRY, HEAD, HEADING, INLINE, PROJECT, LineLabel

JOB, STUDY, TASK = "job", "study", "project"


@dataclass(slots=True)
class Block:
    """Lines `first` up to but not including `last`; `head` are those that name employer, title, dates..."""

    kind: str
    type: str  # of the section it stands in
    first: int
    last: int
    head: list[int] = field(default_factory=list)
    parent: int | None = None  # number of the job that a project is part of
    places: list[int] = field(
        default_factory=list
    )  # lines of the head that tell when and where, not for whom

    def holds(self, line: int) -> bool:
        return self.first <= line < self.last


def find_blocks(labels: Sequence[LineLabel]) -> list[Block]:
    blocks: list[Block] = []
    job: int | None = None
    current: Block | None = None
    for place, label in enumerate(labels):
        before = labels[place - 1] if place else None
        if label.role in (HEADING, INLINE) or (before is not None and before.type != label.type):
            _close(blocks, current, job, place)
            current, job = None, None
        if label.role in (HEADING,):
            continue
        opens = _opens(label, before, current)
        if opens == TASK:
            _close(blocks, current, job, place, keep=job)
            current = Block(TASK, label.type, place, place + 1, [place], job)
            blocks.append(current)
        elif opens:
            _close(blocks, current, job, place)
            kind = STUDY if label.type == "education" else JOB
            current = Block(kind, label.type, place, place + 1, [place])
            blocks.append(current)
            job = len(blocks) - 1 if kind == JOB else None
        elif current is not None and label.role in (HEAD, ABOUT) and _is_near(current, place):
            current.head.append(place)
    _close(blocks, current, job, len(labels))
    return blocks


def _opens(label: LineLabel, before: LineLabel | None, current: Block | None) -> str | None:
    if label.role == PROJECT:
        return TASK
    if label.role == ENTRY:
        return JOB
    if label.role == HEAD and (current is None or (current.kind == JOB and not _is_near_head(before))):
        return JOB  # a head without a first line: the first line was taken for something else
    if label.role == ABOUT and current is None:
        return TASK
    return None


def _is_near_head(before: LineLabel | None) -> bool:
    return before is not None and before.role in (ENTRY, HEAD, PROJECT, ABOUT)


def _is_near(block: Block, place: int) -> bool:
    """Part of the head: only a line or two may lie between (a description of the company)."""
    return place - block.head[-1] <= 3


def _close(
    blocks: list[Block], current: Block | None, job: int | None, place: int, *, keep: int | None = None
) -> None:
    if current is not None:
        current.last = place
    if job is not None and keep is None:
        blocks[job].last = place


def joined_blocks(blocks: Sequence[Block], labels: Mapping[int, set[str]]) -> list[Block]:
    """Two blocks that are one: title and employer above, dates right below; a degree above, its school below.

    `labels` has for each line what was recognised in it.
    """
    result: list[Block] = []
    numbers: dict[int, int] = {}  # of the old list to the new one
    for place, block in enumerate(blocks):
        before = result[-1] if result else None
        if before is not None and _is_rest(before, block, labels):
            before.head += block.head
            before.last = block.last
            before.places += block.head
        else:
            result.append(block)
        numbers[place] = len(result) - 1
        if block.parent is not None:
            block.parent = numbers[block.parent]
    return result


def _is_rest(before: Block, block: Block, labels: Mapping[int, set[str]]) -> bool:
    if before.kind != block.kind or before.kind == TASK or block.first != before.last:
        return False
    if len(before.head) < before.last - before.first:  # its description lies between
        return False
    above = {label for line in before.head for label in labels.get(line, ())}
    below = {label for line in block.head for label in labels.get(line, ())}
    if before.kind == STUDY:
        named = {"degree", "university"}
        if not below & named:
            return "dates" in below - above
        return len(above & named) == len(below & named) == 1 and not above & below & {*named, "dates"}
    if "dates" not in below - above or "title" in below or not above & {"title", "employer"}:
        return False
    return "employer" not in below & above or "title" in above
