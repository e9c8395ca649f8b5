"""A network made ready: its encoder found and merged, its sizes checked, its small integers compared or left."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np

from evenhand.errors import ModelMalformed, ModelUnfit, ModelUnknownKind, UsageError
from evenhand.models.architectures import Architecture, architecture_from_json
from evenhand.models.calibration import Floats
from evenhand.models.encoder.graph import build_ranges, linear_names
from evenhand.models.encoder.loading import SENTENCES, Precision, open_session
from evenhand.models.encoder.weights import (
    Array,
    BertWeights,
    EncoderSource,
    Ids,
    find_source,
    read_shape,
    read_weights,
)
from evenhand.models.inference.network import NetworkClassifier, States, open_sequences, read_attention
from evenhand.models.inputs import KINDS, ResumeInput, SectionText
from evenhand.models.linear.storing import load_linear
from evenhand.models.manifest import Manifest
from evenhand.models.registry import Artefact
from evenhand.models.sequences import PruningWords, read_rules
from evenhand.records.conversion import to_json

# A network in small integers is compared with the full one before it judges anybody, and the outcome is kept.

COMPUTATION = "2"  # raise it when the graph or the comparison changes
MIN_LABEL_AGREEMENT = 0.95
MAX_DIFFERENCE = 0.02
TIE = 0.03  # labels whose probabilities are so near each other are equally right
RESUMES = 16


@dataclass(frozen=True, slots=True)
class LabelAgreement:
    """Share of made-up resumes that get the same label, or one as likely, and by how much probabilities differ in
    the mean."""

    labels: float
    difference: float

    @property
    def objection(self) -> str:
        """Empty when small integers may be used."""
        if self.labels >= MIN_LABEL_AGREEMENT and self.difference <= MAX_DIFFERENCE:
            return ""
        return (
            f"int8 was not used: it agrees with fp32 on {self.labels:.0%} of labels "
            f"(at least {MIN_LABEL_AGREEMENT:.0%}), "
            f"and probabilities differ by {self.difference:.3f} (at most {MAX_DIFFERENCE})."
        )


def compare_classifiers(full: NetworkClassifier, compact: NetworkClassifier) -> LabelAgreement:
    checked = made_up_resumes()
    job_text = SENTENCES[-1] if full.architecture.needs_job else None
    expected, found = (classifier.predict(checked, job_text=job_text) for classifier in (full, compact))
    lost = expected.max(axis=1) - expected[np.arange(len(expected)), found.argmax(axis=1)]
    same = (lost <= TIE).mean()
    return LabelAgreement(round(float(same), 6), round(float(np.abs(expected - found).mean()), 6))


def made_up_resumes() -> list[ResumeInput]:
    """Sentences of many trades in two to six sections, some of them longer than a chunk; no features."""
    rng = np.random.default_rng(0)
    return [
        ResumeInput(
            tuple(
                SectionText(kind, " ".join(rng.choice(SENTENCES, size=rng.integers(1, 10))))
                for kind in KINDS[: 2 + number % 5]
            )
        )
        for number in range(RESUMES)
    ]


def _read_note(path: Path) -> tuple[LabelAgreement, dict[str, float]] | None:
    try:
        note = json.loads(path.read_text(encoding="utf-8"))
        limits = {str(name): float(limit) for name, limit in note["limits"].items()}
        return LabelAgreement(float(note["labels"]), float(note["difference"])), limits
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


# How large the numbers inside an encoder get: then small integers can have one scale instead of one for each row.


def measure_limits(weights: BertWeights, sequences: Sequence[Ids], *, threads: int = 1) -> dict[str, float]:
    """The largest number that each linear map is given over the sequences, by its name."""
    session = open_session(build_ranges(weights), threads)
    names = linear_names(weights.shape.layers)
    highest = np.zeros(len(names))
    for sequence in sequences:
        ids = sequence[None]
        (found,) = session.run(["ranges"], {"ids": ids, "mask": np.ones_like(ids)})
        highest = np.maximum(highest, found)
    return {name: round_up(float(value)) for name, value in zip(names, highest, strict=True)}


def round_up(value: float) -> float:
    """To two digits: processors differ in the last ones, and a scale must not."""
    if value <= 0:
        return 1.0
    unit = 10.0 ** (math.floor(math.log10(value)) - 1)
    return round(math.ceil(value / unit - 1e-6) * unit, 12)


# The encoder that a model stands on, found by the sums of its files, with what the model learned put into it.

LORA, OWN = "lora.", "encoder."
DOWN, UP = ".down", ".up"


def find_fitting(manifest: Manifest, folders: Sequence[Path | None]) -> EncoderSource:
    """The first folder that holds the very files; None stands for the encoder that ships."""
    stamp = manifest.encoder
    if stamp is None:
        raise ModelUnfit(f"The model {manifest.name} names no encoder, and cannot do without.")
    reasons = []
    for folder in folders:
        try:
            source = find_source(folder)
        except UsageError as error:
            reasons.append(str(error))
            continue
        if all(source.sha256.get(file) == expected for file, expected in stamp.sha256.items()):
            return source
        reasons.append(f"{source.name} is another.")
    raise ModelUnfit(
        f"The model {manifest.name} stands on the encoder {stamp.name}, which was not found: "
        f"{' '.join(reasons)} The setting encoder names its folder."
    )


def merge(weights: BertWeights, artefact: Artefact) -> BertWeights:
    """The encoder's arrays with the model's own in their place, and its additions of low rank added."""
    arrays = dict(weights.arrays)
    for name, tensor in artefact.tensors.items():
        if name.startswith(OWN):
            arrays[name.removeprefix(OWN)] = _like(weights, name.removeprefix(OWN), tensor.astype(np.float32))
        elif name.startswith(LORA) and name.endswith(DOWN):
            linear = name.removeprefix(LORA).removesuffix(DOWN)
            down = tensor.astype(np.float32)
            up = artefact.tensor(f"{LORA}{linear}{UP}").astype(np.float32)
            if up.ndim != 2 or down.ndim != 2 or up.shape[1] != down.shape[0]:
                raise ModelMalformed("The model's additions to its encoder do not fit each other.")
            target = f"{linear}.weight"
            arrays[target] = arrays.get(target, weights[target]) + _like(weights, target, up @ down)
    return replace(weights, arrays=arrays)


def _like(weights: BertWeights, name: str, array: Array) -> Array:
    if array.shape != weights[name].shape:
        raise ModelMalformed(f"The model's {name} does not have the size of its encoder's.")
    return array


def load_network(
    artefact: Artefact, *, encoders: Sequence[Path | None], precision: Precision, cache: Path | None, threads: int
) -> NetworkClassifier:
    source = find_fitting(artefact.manifest, encoders)
    weights = merge(read_weights(source.folder, read_shape(source.folder)), artefact)
    try:
        architecture = architecture_from_json(artefact.manifest.settings["design"])
    except (KeyError, TypeError, UsageError) as error:
        raise ModelMalformed(f"The model {artefact.manifest.name} names no design that is known: {error}") from error
    opening = _ModelOpening(artefact, architecture, source, weights, threads)
    opening.check()
    return opening.judge("fp32") if precision == "fp32" else opening.compact(cache)


@dataclass(frozen=True, slots=True)
class _ModelOpening:
    artefact: Artefact
    architecture: Architecture
    source: EncoderSource
    weights: BertWeights
    threads: int

    def check(self) -> None:
        """The sizes of what is multiplied later, so that a wrong model is refused before it judges anybody."""
        manifest, hidden = self.artefact.manifest, self.weights.shape.hidden
        features = len(manifest.settings.get("features") or ())
        has_job = self.architecture.job in {"concat", "attention"}
        with_job = self.architecture.job == "concat" or (has_job and self.architecture.concat_job)
        units = len(self.artefact.tensor("features.hidden.bias")) if features else 0
        expected = {
            "decoder.weight": (len(manifest.labels), hidden + hidden * with_job + units),
            "decoder.bias": (len(manifest.labels),),
        }
        if self.architecture.sections:
            expected["sections"] = (6, hidden)
        if features:
            expected |= {"features.mean": (features,), "features.scale": (features,)}
            expected["features.hidden.weight"] = (units, features + hidden * has_job)
        for name, shape in expected.items():
            if (found := self.artefact.tensor(name).shape) != shape:
                raise ModelMalformed(f"The model {manifest.name} has {name} of size {found}, not {shape}.")

    def compact(self, cache: Path | None) -> NetworkClassifier:
        """fp32 with a note where small integers would say other things."""
        # One small file per model and encoder, with the limits of its numbers (none where each row has its own scale).
        sums = {**self.artefact.manifest.files, **self.source.sha256}
        parts = [COMPUTATION, self.artefact.manifest.to_text(), *(f"{name}={sums[name]}" for name in sorted(sums))]
        key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
        path = cache / f"{key}.json" if cache else None
        if path and (compared := _read_note(path)):
            agreement, limits = compared
            if agreement.objection:
                return replace(self.judge("fp32"), note=agreement.objection)
            return self.judge("int8", limits)
        full = self.judge("fp32")
        job_text = SENTENCES[-1] if self.architecture.needs_job else None
        sequences = [row for resume in made_up_resumes() for row in full.cut(resume, job_text).sequences]
        measured = measure_limits(self.weights, sequences, threads=self.threads)
        for limits in (measured, {}):  # one scale for all rows is faster, one for each is nearer to the truth
            compact = self.judge("int8", limits)
            agreement = compare_classifiers(full, compact)
            if not agreement.objection:
                break
        if path:  # without a place to keep it, the comparison is made anew
            with suppress(OSError):
                path.parent.mkdir(parents=True, exist_ok=True)
                note = {**to_json(agreement), "limits": dict(limits)}
                path.write_text(json.dumps(note, indent=1), encoding="utf-8")
        return compact if not agreement.objection else replace(full, note=agreement.objection)

    def judge(self, precision: Precision, limits: Mapping[str, float] | None = None) -> NetworkClassifier:
        attentions = None
        output: States = "first"
        if self.architecture.job == "attention":
            blocks = ("shared", "shared") if self.architecture.shared_attention else ("r2b", "b2r")
            to_job, from_job = (read_attention(self.artefact, block, self.architecture.heads) for block in blocks)
            attentions, output = (to_job, from_job), "states"
        pruning = self.artefact.manifest.settings.get("pruning")
        return NetworkClassifier(
            artefact=self.artefact,
            architecture=self.architecture,
            rules=read_rules(self.source.folder / "tokenizer.json", self.weights.shape.positions),
            words=PruningWords.from_json(pruning) if pruning else None,
            encoder=open_sequences(
                self.weights, output, compact=precision == "int8", limits=limits, threads=self.threads
            ),
            attentions=attentions,
            precision=precision,
        )


# From an artefact to something that judges, whatever its kind.


class Classifier(Protocol):
    """A model ready to run. `note` says why it does not run as it was asked to; empty when it does."""

    @property
    def manifest(self) -> Manifest: ...
    @property
    def note(self) -> str: ...

    def predict(self, resumes: Sequence[ResumeInput], *, job_text: str | None = None) -> Floats:
        """A row of calibrated probabilities per resume, in the order of the labels; the same whatever the batch."""


def load_classifier(
    artefact: Artefact,
    *,
    encoders: Sequence[Path | None] = (None,),
    precision: Precision = "fp32",
    cache: Path | None = None,
    threads: int = 1,
) -> Classifier:
    """`encoders` are folders to look for the model's encoder in, None for the one that ships.

    int8 is compared with fp32 before it is trusted (once, where there is a `cache`); fp32 stands in for one that
    strays, with a note. ModelError or UsageError where something is lacking.
    """
    if artefact.manifest.kind == "network":
        return load_network(artefact, encoders=encoders, precision=precision, cache=cache, threads=threads)
    if artefact.manifest.kind == "joined":
        folder = find_fitting(artefact.manifest, encoders).folder if artefact.manifest.encoder else None
        return load_linear(artefact, encoder=folder, precision=precision, cache=cache, threads=threads)
    raise ModelUnknownKind(f"Models of kind {artefact.manifest.kind!r} are not judged by this version of Evenhand.")
