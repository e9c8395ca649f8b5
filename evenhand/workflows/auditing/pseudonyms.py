"""Who applied to a job, by all that names them, to be put under pseudonyms wherever a report would name them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evenhand.records.report import Report
from evenhand.records.report_reading import report_from_json
from evenhand.workflows.lens import pseudonym
from evenhand.workflows.service import Service

OURS = ("type", "severity", "worst", "kind", "code", "made")  # words of a report that are never a name


@dataclass(frozen=True)
class Pseudonyms:
    """By what names somebody: an application's id, a file, a name."""

    known: Mapping[str, str]

    def in_report(self, report: Report) -> Report:
        return report_from_json(self.hidden(report.to_json()))

    def hidden(self, value: Any) -> Any:
        """In any JSON, keys too."""
        if not self.known:
            return value
        if isinstance(value, str):
            return self._pattern.sub(lambda found: self.known[found.group()], value)
        if isinstance(value, dict):
            return {
                self.known.get(key, key): each if key in OURS else self.hidden(each)
                for key, each in value.items()
            }
        return [self.hidden(each) for each in value] if isinstance(value, list) else value

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self.known, key=len, reverse=True)
        return re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first))


def pseudonyms_of(service: Service, job: str) -> Pseudonyms:
    known: dict[str, str] = {}
    snapshot = service.snapshot()
    for application in service.store.applications_of(job):
        shown = pseudonym(application.id)
        address = snapshot.find(application.id)
        card = snapshot.entry(address).card if address else {}
        names = (application.id, application.document, application.file, card.get("file"), card.get("name"))
        known |= {name: shown for name in names if isinstance(name, str) and name.strip()}
    return Pseudonyms(known)
