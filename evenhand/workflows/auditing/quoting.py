"""Resumes are quoted in reports without the contact data of whom they are about, whoever reads the report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from evenhand.audit.pages.wording import merged
from evenhand.records.report import Block, Pair, Report, Stretch
from evenhand.workflows.lens import CONTACT_ONLY

MASKED = " […] "


def without_contact(report: Report) -> Report:
    """What looks like an address, a number or a link goes; what was changed stays."""
    return _quoted(report, _reachless)


def only_changes(report: Report) -> Report:
    """For who sees a job blind: of each resume what the audit put there, and not a word of its owner's."""
    return _quoted(report, _changes)


def _quoted(report: Report, change: Callable[[Stretch], Stretch]) -> Report:
    def changed(block: Block) -> Block:
        if not isinstance(block, Pair):
            return block
        return replace(block, left=change(block.left), right=change(block.right))

    sections = tuple(
        replace(section, blocks=tuple(changed(block) for block in section.blocks))
        for section in report.sections
    )
    return replace(report, sections=sections)


def _changes(stretch: Stretch) -> Stretch:
    text = MASKED
    marks: list[tuple[int, int]] = []
    for start, end in merged(stretch.marks, len(stretch.text)):
        marks.append((len(text), len(text) + end - start))
        text += stretch.text[start:end] + MASKED
    return Stretch(text, tuple(marks))


def _reachless(stretch: Stretch) -> Stretch:
    """What is marked was put there by the audit, and is nobody's."""
    text, at = "", 0
    marks: list[tuple[int, int]] = []
    for start, end in merged(stretch.marks, len(stretch.text)):
        text += CONTACT_ONLY.clean(stretch.text[at:start])
        marks.append((len(text), len(text) + end - start))
        text += stretch.text[start:end]
        at = end
    return Stretch(text + CONTACT_ONLY.clean(stretch.text[at:]), tuple(marks))
