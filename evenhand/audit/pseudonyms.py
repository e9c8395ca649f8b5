"""Who applied to a job, by all that names them, to be put under pseudonyms wherever a report would name them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from evenhand.masking.masker import Masker
from evenhand.records.report import Block, MarkedText, Report, TextPair
from evenhand.rendering.report_page import merged
from evenhand.search.index.schema import EntryCard
from evenhand.search.service import Service
from evenhand.search.visibility import CONTACT, pseudonym

OURS = ("type", "severity", "worst", "kind", "code", "made")  # words of a report that are never a name


@dataclass(frozen=True)
class Pseudonyms:
    """By what names somebody: an application's id, a file, a name."""

    known: Mapping[str, str]

    def in_report(self, report: Report) -> Report:
        return Report.from_json(self.hidden(report.to_json()))

    def hidden(self, value: Any) -> Any:
        """In any JSON, keys too."""
        if not self.known:
            return value
        if isinstance(value, str):
            return self._pattern.sub(lambda match: self.known[match.group()], value)
        if isinstance(value, dict):
            return {self.known.get(key, key): item if key in OURS else self.hidden(item) for key, item in value.items()}
        return [self.hidden(item) for item in value] if isinstance(value, list) else value

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self.known, key=len, reverse=True)
        return re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first))


def pseudonyms_of(service: Service, job: str) -> Pseudonyms:
    known: dict[str, str] = {}
    snapshot = service.snapshot()
    for application in service.store.applications.of_job(job):
        alias = pseudonym(application.id)
        address = snapshot.find(application.id)
        card = snapshot.entry(address).card if address else EntryCard()
        names = (application.id, application.document, application.file, card.file, card.name)
        known |= {name: alias for name in names if isinstance(name, str) and name.strip()}
    return Pseudonyms(known)


# Resumes are quoted in reports without the contact data of whom they are about, whoever reads the report.

MASKED = " […] "


def without_contact(report: Report) -> Report:
    """What looks like an address, a number or a link goes, with what was changed inside it; other changes stay."""

    def without(stretch: MarkedText) -> MarkedText:
        masked = Masker("", kinds=CONTACT).mask_text(stretch.text)
        return MarkedText(masked.text, tuple(dict.fromkeys(masked.place(*mark) for mark in stretch.marks)))

    return _with_quotes(report, without)


def only_changes(report: Report) -> Report:
    """For who sees a job blind: of each resume what the audit put there, and not a word of its owner's."""

    def without(stretch: MarkedText) -> MarkedText:
        text = MASKED
        marks: list[tuple[int, int]] = []
        for start, end in merged(stretch.marks, len(stretch.text)):
            marks.append((len(text), len(text) + end - start))
            text += stretch.text[start:end] + MASKED
        return MarkedText(text, tuple(marks))

    return _with_quotes(report, without)


def _with_quotes(report: Report, without: Callable[[MarkedText], MarkedText]) -> Report:
    def changed(block: Block) -> Block:
        if not isinstance(block, TextPair):
            return block
        return replace(block, left=without(block.left), right=without(block.right))

    sections = (replace(section, blocks=tuple(map(changed, section.blocks))) for section in report.sections)
    return replace(report, sections=tuple(sections))
