"""The published experiments, run again: each prints the published figures beside ours."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from typing import Any

from evenhand.errors import UsageError


@dataclass(frozen=True, slots=True)
class Reproduction:
    """Loaded when it runs: a list of the experiments should not cost what they need."""

    name: str
    shows: str

    def run(self, **options: Any) -> Any:
        """Takes `data` (folder of the real resumes), `n`, `seed` and `progress`; the result has table, rows, to_json.

        UsageError for an option that this experiment has not.
        """
        run = import_module(f"evenhand_lab.reproduce.{self.name}").run
        for option in set(options) - set(signature(run).parameters):
            raise UsageError(f"The experiment {self.name} takes no --{option}.")
        return run(**options)


REPRODUCTIONS = {
    reproduction.name: reproduction
    for reproduction in (
        Reproduction("segmenter", "Figure 9: education and project blocks by feature set"),
        Reproduction("recognizer", "Figure 10: skills, employers, universities and degrees by feature set"),
        Reproduction("tables", "F1 of the table analyzer: tables and columns"),
        Reproduction("experience", "Figure 11: months of experience by skill, errors by size"),
        Reproduction("ranking", "Figures 12 and 13: rankers on graded applicants, and the experience filter"),
        Reproduction("demands", "requirements understood of real ads, against a recruiter's essentials"),
        Reproduction("competence", "Tables 7 and 8: competence level, and fit to a job, by twelve networks"),
        Reproduction("occupation", "occupation of real resumes: titles readable, body only, titles masked"),
        Reproduction("attribution", "the example of integrated gradients; methods and baselines on real resumes"),
        Reproduction("audit", "published bias audits: callbacks, names among equals, variants of resumes"),
        Reproduction("taco", "Figure 3 of TaCo: gender removed from biographies, against every other method"),
    )
}
