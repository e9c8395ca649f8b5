"""What is written beside a model's weights: which task, which labels, what it learned from, how well it does."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

from evenhand.errors import ModelMalformed, ModelUnknownKind
from evenhand.records.conversion import to_json
from evenhand.records.explanation import ModelStamp

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
        content = {"format": FORMAT, **to_json(self)}
        return json.dumps(content, sort_keys=True, indent=1, ensure_ascii=False, allow_nan=False, default=list) + "\n"


def read_manifest(text: str, *, where: str) -> Manifest:
    """ModelMalformed, or ModelUnknownKind for one that a newer Evenhand may know."""
    try:
        content = json.loads(text)
    except ValueError as error:
        raise ModelMalformed(f"The manifest of the model {where} is not JSON: {error}.") from error
    if not isinstance(content, dict):
        raise ModelMalformed(f"The manifest of the model {where} is not a JSON object.")
    if content.get("format") != FORMAT:
        raise ModelUnknownKind(
            f"The model {where} has format {content.get('format')!r}; this version of Evenhand reads {FORMAT}."
        )
    known = {"kind": KINDS, "task": TASKS, "outcome": OUTCOMES}
    for key, values in known.items():
        if (value := content.get(key)) not in values:
            raise ModelUnknownKind(
                f"The model {where} has {key} {value!r}; this version of Evenhand knows {', '.join(values)}."
            )
    try:
        return _made(content)
    except (KeyError, TypeError, ValueError) as error:
        reason = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise ModelMalformed(f"The manifest of the model {where} cannot be used: {reason}.") from error


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


# The model card, written from the manifest alone: what it says, what from, how well, and what it is not for.

QUESTIONS = {
    "occupation": "which occupation a resume belongs to",
    "level": "which competence level a resume shows",
    "fit": "whether a resume fits a job description",
}
OUTCOME_WORDS = {
    "single": "one label, with probabilities that sum to 1",
    "ordered": "one label of an order (lowest first), with probabilities that sum to 1",
    "several": "any number of labels, each with its own probability",
}
NO_DECISION = (
    "A prediction is a guess about a text, never a decision about a person: it is wrong as often as the figures "
    "below say, and more often for resumes unlike those it learned from. Evenhand rejects and ranks nobody by it "
    "unless somebody gives it a weight."
)
NAMES = {"macro_f1": "macro-F1", "micro_f1": "micro-F1", "ece": "calibration error (ECE)", "within_one": "within one"}
COUNTS = frozenset({"resumes", "adjacent_errors"})
_AGES = re.compile(r"(?<!\d)(\d++)_(\d+)")
GROUPS = "groups"  # the key of the metrics under which an audit puts what it found by group
GROUP_NOTE = (
    "The gap is how much more often (or, with a minus, less often) resumes of the group get their true label than "
    "those of all others with the same true label, in points of a hundred with its 95% interval; p is corrected for "
    "all groups. No gap is shown where there are too few resumes. What can be read need not be used, and a gap that "
    "was not found need not be absent."
)


def write_card(manifest: Manifest) -> str:
    """Markdown; the same manifest gives the same bytes. The sums of files are not in it: it is one of them."""
    encoder = f"the encoder {manifest.encoder.name}" if manifest.encoder else "no encoder"
    confidence = f"Probabilities are calibrated with temperature {manifest.temperature:g}."
    if manifest.abstain_below:
        confidence += f" Below a confidence of {manifest.abstain_below:g} the model says nothing."
    sections = (
        f"# {manifest.name} {manifest.version}",
        f"Says {QUESTIONS[manifest.task]}: {OUTCOME_WORDS[manifest.outcome]}. "
        f"Kind: {manifest.kind}, on {encoder}. Licence: {manifest.licence}.",
        _list("## Labels", manifest.labels),
        f"## Data\n\n{manifest.data}",
        "## Figures\n\n" + _figures(manifest.metrics) if any(map(_is_number, manifest.metrics.values())) else "",
        *(
            _measured(name, figures)
            for name, figures in manifest.metrics.items()
            if isinstance(figures, Mapping) and name != GROUPS
        ),
        _groups(manifest.metrics.get(GROUPS)),
        f"## Confidence\n\n{confidence}",
        _list("## Limits", (NO_DECISION, *manifest.limits)),
        _versions(manifest),
    )
    return "\n\n".join(section for section in sections if section) + "\n"


def _figures(metrics: Mapping[str, Any]) -> str:
    """A table of those that are numbers."""
    rows = [
        (NAMES.get(name, name.replace("_", " ")), f"{value:,}" if name in COUNTS else _number(value))
        for name, value in metrics.items()
        if _is_number(value)
    ]
    return _table(("figure", "value"), rows)


def _measured(name: str, figures: Mapping[str, Any]) -> str:
    """Everything that was measured on one set of resumes."""
    parts = [f"## Measured on: {name}", _figures(figures)]
    classes: Sequence[Mapping[str, Any]] = figures.get("classes") or ()
    labels = [str(row["label"]) for row in classes]
    if classes:
        rows = [
            (label, *(_number(row[key]) for key in ("precision", "recall", "f1")), f"{row['support']:,}")
            for label, row in zip(labels, classes, strict=True)
        ]
        parts.append(_table(("label", "precision", "recall", "F1", "resumes"), rows))
    if figures.get("confusion"):
        counts: Sequence[Sequence[int]] = figures["confusion"]
        total = max(sum(map(sum, counts)), 1)
        shares = [
            (label, *(f"{100 * count / total:.2f}" for count in row)) for label, row in zip(labels, counts, strict=True)
        ]
        parts.append("Rows: predicted; columns: true; per cent of all.\n\n" + _table(("", *labels), shares))
    return "\n\n".join(parts)


def _groups(audit: Mapping[str, Any] | None) -> str:
    """What an audit measured by group, with its day and its resumes."""
    if not audit:
        return ""
    parts = [f"## By group\n\nAudited on {audit['date']} on {audit['data']}.", GROUP_NOTE]
    head = ("group", "resumes", "accuracy", "gap", "p")
    for variable in audit["variables"]:
        parts.append(f"### {_words(variable['variable'])}")
        parts.append(_table(head, [_group_row(row) for row in variable["groups"]]))
        leaks = [
            f"{row['from']} {100 * row['balanced']:.0f}% against {100 * row['floor']:.0f}%"
            for row in variable["leakage"]
        ]
        if leaks:
            parts.append(
                f"Balanced accuracy of the best reader of this group, and of its best floor: {'; '.join(leaks)}."
            )
    return "\n\n".join(parts)


def _group_row(row: Mapping[str, Any]) -> Sequence[str]:
    gap = "too few"
    if row["gap"] is not None:
        gap = f"{100 * row['gap']:+.1f} ({100 * row['gap_low']:+.1f} to {100 * row['gap_high']:+.1f})"
    accuracy = "-" if row["accuracy"] is None else f"{100 * row['accuracy']:.1f}%"
    p = "-" if row["p"] is None else "< 0.001" if row["p"] < 0.001 else f"{row['p']:.3f}"
    return (_words(row["group"]), f"{row['resumes']:,}", accuracy, gap, p)


def _words(name: str) -> str:
    return _AGES.sub(r"\1 to \2", name).replace("_", " ")


def _versions(manifest: Manifest) -> str:
    rows = [(name, manifest.libraries[name]) for name in sorted(manifest.libraries)]
    if manifest.encoder:
        rows += [
            (f"{manifest.encoder.name}: {file}", sha256) for file, sha256 in sorted(manifest.encoder.sha256.items())
        ]
    return "## Versions\n\n" + _table(("made with", "version or SHA-256"), rows) if rows else ""


def _list(head: str, items: Sequence[str]) -> str:
    return "\n".join([head, "", *(f"- {item}" for item in items)])


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}" if isinstance(value, float) else f"{value:,}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    first, *others = ("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |" for cells in (head, *rows))
    return "\n".join([first, "|" + "---|" * len(head), *others])
