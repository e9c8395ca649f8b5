"""Which model answers a task: the one that ships, one of the user's own by name, or any folder."""

from __future__ import annotations

import os
from pathlib import Path

from evenhand.errors import ModelNotFound, ModelUnfit, UsageError
from evenhand.models.artefact import load_manifest
from evenhand.models.manifest import TASKS, Task
from evenhand.models.shelf import SHIPPED, models_in
from evenhand.settings import Settings


def checked_task(name: str) -> Task:
    for task in TASKS:
        if name == task:
            return task
    raise UsageError(f"There is no task {name!r}; there are {', '.join(TASKS)}.")


def own_models_folder(settings: Settings) -> Path:
    """Where `evenhand train` puts models that are known by their names."""
    return settings.data_path / "models"


def find_model(task: Task, model: str | None, settings: Settings) -> Path:
    """The folder of a model for the task. A name that ships is that model, whatever the current folder holds."""
    folder = find_any(model or task, settings)
    if (found := load_manifest(folder).task) != task:
        raise ModelUnfit(f"The model {model or folder.name} is for {found}, not for {task}.")
    return folder


def find_any(model: str, settings: Settings) -> Path:
    """Whatever its task."""
    known = {**models_in(own_models_folder(settings)), **models_in(SHIPPED)}
    if model in known:
        return known[model]
    if os.sep in model or Path(model).is_dir():
        return Path(model).expanduser()
    names = f"there are {', '.join(sorted(known))}" if known else "none is installed"
    raise ModelNotFound(f"There is no model {model!r}: {names}, or name a folder.")
