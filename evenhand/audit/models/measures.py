"""What the audit of a model measures: what it says of every resume, then gaps, calibration, leakage and slices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.audit.models.calibration import GroupCalibration, Slices, find_slices, measure_calibration
from evenhand.audit.models.gaps import GroupGaps, GroupSpread, LabelledPredictions, measure_gaps, measure_spread
from evenhand.audit.models.leakage import Probe, Representation, probe_leakage
from evenhand.audit.models.resumes import AuditedSet
from evenhand.audit.statistics import holm_adjusted
from evenhand.models.predict import BATCH_SIZE, Predictor, chosen_labels
from evenhand.progress import Progress, with_progress
from evenhand.records.conversion import to_json
from evenhand.records.explanation import Prediction

EXPERIENCE = "experience"
LENGTH = "length"
LABEL = "label"


@dataclass(frozen=True, slots=True, eq=False)
class ModelOutputs:
    """What the model said of every resume, and how sure it was of what it holds most probable."""

    predictions: LabelledPredictions
    confidence: NDArray[np.float64]
    top_is_true: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class VariableMeasures:
    """Of one variable. The p-values inside are raw; `adjusted` of `ModelMeasures` has the corrected ones."""

    variable: str
    gaps: tuple[GroupGaps, ...]
    calibration: tuple[GroupCalibration, ...]
    spread: tuple[GroupSpread, ...]
    probes: Mapping[str, tuple[Probe, ...]]  # by representation

    @property
    def compared(self) -> tuple[GroupGaps, ...]:
        """Groups that are large enough; of two only the first, because the other has the same gap turned round."""
        return tuple(self.gaps[:1] if len(self.gaps) == 2 else self.gaps)


@dataclass(frozen=True, slots=True)
class ModelMeasures:
    """`adjusted` has Holm's p-values by (family, variable, group or probe), each family corrected by itself."""

    variables: tuple[VariableMeasures, ...]
    slices: Slices
    resumes: int
    accuracy: float
    adjusted: Mapping[tuple[str, ...], float]

    def to_json(self) -> dict[str, Any]:
        return {**to_json(self), "adjusted": {"/".join(key): value for key, value in self.adjusted.items()}}


def predict_all(predictor: Predictor, given: AuditedSet, progress: Progress) -> ModelOutputs:
    """Each application is judged with the text of its own job; the order stays that of the set."""
    labels, outcome = predictor.manifest.labels, predictor.manifest.outcome
    predictions: dict[int, Prediction] = {}
    with progress("Asking the model", len(given.resumes)) as bar:
        places_of: dict[str | None, list[int]] = {}
        for at, resume in enumerate(given.resumes):
            places_of.setdefault(resume.job, []).append(at)
        for job, places in places_of.items():
            own_predictor = predictor if job is None else replace(predictor, job_text=given.job_texts[job])
            for start in range(0, len(places), BATCH_SIZE):
                some = places[start : start + BATCH_SIZE]
                rows = own_predictor.predict([given.resumes[at].resume for at in some], [None] * len(some))
                predictions |= dict(zip(some, rows, strict=True))
                for _ in some:
                    bar.advance()
    ordered = [predictions[at] for at in range(len(given.resumes))]
    true = _table([(resume.label,) for resume in given.resumes], labels)
    predicted = _table([chosen_labels(prediction, outcome=outcome) for prediction in ordered], labels)
    top = np.array([labels.index(prediction.labels[0].label) for prediction in ordered])
    return ModelOutputs(
        LabelledPredictions(labels, true, predicted),
        np.array([prediction.labels[0].probability for prediction in ordered]),
        true[np.arange(len(top)), top],
    )


def _table(rows: Sequence[Sequence[str]], labels: Sequence[str]) -> NDArray[np.bool_]:
    return np.array([[label in row for label in labels] for row in rows], dtype=np.bool_)


def measure(
    outputs: ModelOutputs,
    given: AuditedSet,
    representations: Sequence[Representation],
    *,
    seed: int,
    progress: Progress,
) -> ModelMeasures:
    stream = with_progress(given.variables, progress, "Comparing groups", len(given.variables))
    variables = tuple(_variable(name, outputs, given, representations, seed) for name in stream)
    right = outputs.predictions.found  # the true label was among those said: the same as right where one is said
    return ModelMeasures(
        variables,
        find_slices(~right, _features(given), groups=given.variables),
        len(given.resumes),
        float(right.mean()),
        _adjusted(variables),
    )


def groups_of(given: AuditedSet, variable: str) -> list[str]:
    return [resume.groups.get(variable, "") for resume in given.resumes]


def _variable(
    name: str, outputs: ModelOutputs, given: AuditedSet, representations: Sequence[Representation], seed: int
) -> VariableMeasures:
    groups = groups_of(given, name)
    true = outputs.predictions.true.argmax(axis=1)
    first = np.where(outputs.predictions.predicted.any(axis=1), outputs.predictions.predicted.argmax(axis=1), -1)
    labels = [resume.label for resume in given.resumes]
    return VariableMeasures(
        name,
        measure_gaps(outputs.predictions, groups, seed=seed),
        measure_calibration(outputs.confidence, outputs.top_is_true, groups, seed=seed),
        measure_spread(true, first, groups),
        {
            representation.name: probe_leakage(representation.table.astype(np.float64), groups, labels, seed=seed)
            for representation in representations
        },
    )


def _features(given: AuditedSet) -> dict[str, list[str]]:
    """Groups, the true label, and thirds by length and by mined experience."""
    words = [float(len(resume.resume.text.split())) for resume in given.resumes]
    months = [float("nan") if resume.months is None else float(resume.months) for resume in given.resumes]
    return {
        **{name: groups_of(given, name) for name in given.variables},
        LABEL: [resume.label for resume in given.resumes],
        LENGTH: thirds(words, ("short", "middling", "long")),
        EXPERIENCE: thirds(months, ("little", "some", "much")),
    }


def thirds(values: Sequence[float], names: tuple[str, str, str]) -> list[str]:
    """By rank, so that each third has as many as the others; without a name where the value is not known."""
    given = np.asarray(values, np.float64)
    known = ~np.isnan(given)
    if not known.any():
        return [""] * len(given)
    low, high = np.quantile(given[known], [1 / 3, 2 / 3])
    places = (given > low).astype(int) + (given > high).astype(int)
    return [names[place] if is_known else "" for place, is_known in zip(places, known, strict=True)]


def _adjusted(variables: Sequence[VariableMeasures]) -> dict[tuple[str, ...], float]:
    gaps: dict[tuple[str, ...], float] = {}
    sure: dict[tuple[str, ...], float] = {}
    read: dict[tuple[str, ...], float] = {}
    for variable in variables:
        for gap in variable.compared:
            if gap.is_enough and gap.like_for_like_p is not None:
                gaps["gap", variable.variable, gap.group] = gap.like_for_like_p
            if gap.is_enough and gap.rms_p is not None:
                gaps["rms", variable.variable, gap.group] = gap.rms_p
        sure |= {
            ("calibration", variable.variable, one.group): one.over_p
            for one in (variable.calibration[:1] if len(variable.calibration) == 2 else variable.calibration)
            if one.over_p is not None
        }
        read |= {
            ("leakage", variable.variable, name, probe.reader): probe.p
            for name, probes in variable.probes.items()
            for probe in probes
        }
    return {**holm_adjusted(gaps), **holm_adjusted(sure), **holm_adjusted(read)}
