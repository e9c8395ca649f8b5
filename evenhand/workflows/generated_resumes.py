"""Generated resumes as a plug-in: what Evenhand asks for through the entry point `generated`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evenhand.models.manifest import Task as ModelTask
from evenhand.plugins import GeneratedResumes, LabelledCorpus
from evenhand.workflows import generated_audit
from evenhand.workflows.competence_data import CompetenceData, Task
from evenhand.workflows.crc_data import crc_data
from evenhand.workflows.watching import Watch


class Generated:
    def competence_data(
        self, task: Task, n: int, seed: int, *, cache: Path | None, watch: Watch
    ) -> CompetenceData:
        made = crc_data(n, seed, cache=cache, watch=watch)
        return made.level if task == "level" else made.fit

    def labelled_rows(
        self, task: ModelTask, folder: Path, labels: Sequence[str], seed: int
    ) -> LabelledCorpus:
        return generated_audit.labelled_rows(task, folder, labels, seed)

    def occupation_rows(self, folder: Path) -> LabelledCorpus:
        return generated_audit.occupation_rows(folder)


GENERATED: GeneratedResumes = Generated()
