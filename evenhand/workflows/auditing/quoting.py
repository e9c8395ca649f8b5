"""Resumes are quoted in reports without the contact data of whom they are about, whoever reads the report."""

from __future__ import annotations

from dataclasses import replace

from evenhand.records.report import Block, Pair, Report, Stretch
from evenhand.workflows.lens import CONTACT_ONLY


def without_contact(report: Report) -> Report:
    """What looks like an address, a number or a link goes; what was changed and is marked stays where it can."""
    sections = tuple(
        replace(section, blocks=tuple(_block(block) for block in section.blocks))
        for section in report.sections
    )
    return replace(report, sections=sections)


def _block(block: Block) -> Block:
    if not isinstance(block, Pair):
        return block
    return replace(block, left=_stretch(block.left), right=_stretch(block.right))


def _stretch(stretch: Stretch) -> Stretch:
    masked = CONTACT_ONLY.masked(stretch.text, None)
    return Stretch(masked.text, tuple(masked.place(start, end) for start, end in stretch.marks))
