"""What is written beside a model's weights: which task, which labels, what it learned from, how well it does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, get_args

from evenhand.errors import ModelMalformed, ModelUnknownKind
from evenhand.records.prediction import ModelStamp

FORMAT = 1  # raise it when an older Evenhand would misread what a newer one writes
Task = Literal["occupation", "level", "fit"]
Kind = Literal["network", "joined"]
Outcome = Literal["single", "ordered", "several"]
TASKS: tuple[Task, ...] = get_args(Task)
KINDS: tuple[Kind, ...] = get_args(Kind)
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


@dataclass(frozen=True, slots=True)
class EncoderStamp:
    """The encoder that a model stands on: its name for people, and the sums of its files, which must be the same."""

    name: str
    sha256: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Manifest:
    """`outcome`: one label (single), one of labels with an order, lowest first (ordered), or any number (several).

    `settings` are of the model and differ by kind. `metrics` are numbers, or one object per set of resumes, as
    `Evaluation.to_json` gives them. `files` has the sum of every other file; `save_artefact` fills it in.
    """

    name: str
    version: str
    task: Task
    labels: tuple[str, ...]
    kind: Kind
    outcome: Outcome
    encoder: EncoderStamp | None
    settings: Mapping[str, Any]
    metrics: Mapping[str, Any]
    data: str
    limits: tuple[str, ...]
    licence: str
    libraries: Mapping[str, str]
    temperature: float = 1.0
    abstain_below: float = 0.0
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def stamp(self) -> ModelStamp:
        return ModelStamp(self.name, self.version, self.encoder.name if self.encoder else None)

    def to_text(self) -> str:
        """Equal manifests give equal bytes; in lines, because people read it."""
        content = {"format": FORMAT, **asdict(self)}
        return (
            json.dumps(content, sort_keys=True, indent=1, ensure_ascii=False, allow_nan=False, default=list)
            + "\n"
        )


def read_manifest(text: str, *, where: str) -> Manifest:
    """ModelMalformed, or ModelUnknownKind for one that a newer Evenhand may know."""
    try:
        content = json.loads(text)
    except ValueError as error:
        raise ModelMalformed(f"The manifest of the model {where} is not JSON: {error}.") from error
    if not isinstance(content, dict):
        raise ModelMalformed(f"The manifest of the model {where} is not a JSON object.")
    _refuse_unknown(content, where)
    try:
        return _made(content)
    except (KeyError, TypeError, ValueError) as error:
        reason = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise ModelMalformed(f"The manifest of the model {where} cannot be used: {reason}.") from error


def _refuse_unknown(content: Mapping[str, Any], where: str) -> None:
    if content.get("format") != FORMAT:
        raise ModelUnknownKind(
            f"The model {where} has format {content.get('format')!r}; this version of Evenhand reads {FORMAT}."
        )
    known = {"kind": KINDS, "task": TASKS, "outcome": OUTCOMES}
    for key, values in known.items():
        if (found := content.get(key)) not in values:
            raise ModelUnknownKind(
                f"The model {where} has {key} {found!r}; this version of Evenhand knows {', '.join(values)}."
            )


def _made(content: Mapping[str, Any]) -> Manifest:
    given = {row.name: content[row.name] for row in fields(Manifest)}
    encoder = given["encoder"]
    given["encoder"] = EncoderStamp(str(encoder["name"]), dict(encoder["sha256"])) if encoder else None
    given["labels"], given["limits"] = tuple(given["labels"]), tuple(given["limits"])
    manifest = Manifest(**given)
    for key in ("name", "version", "data", "licence"):
        if not isinstance(given[key], str) or (key in {"name", "version"} and not given[key].strip()):
            raise ValueError(f"{key} is {given[key]!r}")
    if len(manifest.labels) < 2 or len(set(manifest.labels)) != len(manifest.labels):
        raise ValueError("it needs two different labels at least")
    if not all(isinstance(label, str) and label for label in manifest.labels):
        raise ValueError("a label is a text that is not empty")
    for key in ("settings", "metrics", "files", "libraries"):
        if not isinstance(given[key], dict):
            raise ValueError(f"{key} is no object")
    if not 0 < manifest.temperature < float("inf") or not 0 <= manifest.abstain_below <= 1:
        raise ValueError("a temperature is above 0, and a confidence between 0 and 1")
    return manifest
