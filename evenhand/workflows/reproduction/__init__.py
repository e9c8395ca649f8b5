"""The published experiments, run again: each prints the published figures beside ours."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True, slots=True)
class Reproduction:
    """Loaded when it runs: a list of the experiments should not cost what they need."""

    name: str
    shows: str

    def run(self, **options: Any) -> Any:
        """Takes `data` (folder of the real resumes), `n`, `seed` and `watch`; the result has table, rows, to_json."""
        return import_module(f"{__name__}.{self.name}").run(**options)


REPRODUCTIONS = {
    each.name: each
    for each in (
        Reproduction("segmenter", "Figure 9: education and project blocks by feature set"),
        Reproduction("recognizer", "Figure 10: skills, employers, universities and degrees by feature set"),
        Reproduction("tables", "F1 of the table analyzer: tables and columns"),
        Reproduction("experience", "Figure 11: months of experience by skill, errors by size"),
        Reproduction("ranking", "Figures 12 and 13: rankers on graded applicants, and the experience filter"),
    )
}
