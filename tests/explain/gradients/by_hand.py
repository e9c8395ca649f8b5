"""A network drawn from random numbers, and what it says worked out by the letter: one sequence at a time, in float64,
with keys and values of every token, and LoRA as a second product instead of merged weights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.models.architectures import Architecture
from evenhand.models.encoder.weights import find_source
from evenhand.models.inputs import KINDS, ResumeInput, SectionText
from evenhand.models.manifest import EncoderStamp, write_card
from evenhand.models.registry import Artefact, load_artefact, save_artefact
from tests.models.encoder.tiny_bert import NumpyBert
from tests.models.manifests import make_manifest

Floats = NDArray[np.float64]
LABELS = ("low", "middle", "high")
FEATURES = ("months", "degree")
ADAPTED = ("encoder.layer.1.attention.self.query", "encoder.layer.1.output.dense", "encoder.layer.0.intermediate.dense")
SIZES = {ADAPTED[0]: (32, 32), ADAPTED[1]: (32, 64), ADAPTED[2]: (64, 32)}
WORDS = {"java": 4, "nurse": 6, "ward": 9, "(": 10, ")": 11}
JOB = "ward nurse ( java )"
RESUMES = (
    ResumeInput(
        (
            SectionText("Profile", "nurse ward nurse"),
            SectionText("Work Experience", "java java ward ( nurse ) ward java nurse ward nurse java"),
        ),
        features={"months": 30.0, "degree": 2.0},
    ),
    ResumeInput((SectionText("Others", "ward"),), features={"months": 6.0}),
    ResumeInput((SectionText("Skills", "java ( ward )"), SectionText("Others", "nurse nurse ward"))),
)


def draw_network(
    folder: Path, encoder: Path, architecture: Architecture, *, features: bool = False, **changes: Any
) -> Artefact:
    """Written to a folder and read back, as a trained one would be."""
    rng = np.random.default_rng(3)
    tensors: dict[str, NDArray[Any]] = {}

    def draw(name: str, *shape: int, spread: float = 0.4) -> None:
        tensors[name] = rng.normal(0, spread, shape).astype(np.float16)

    for linear, (outputs, inputs) in SIZES.items():
        draw(f"lora.{linear}.down", 2, inputs)
        draw(f"lora.{linear}.up", outputs, 2)
    if architecture.sections:
        draw("sections", 6, 32)
    if architecture.job == "attention":
        for block in ("shared",) if architecture.shared_attention else ("r2b", "b2r"):
            for part in ("query", "key", "value", "output"):
                draw(f"attention.{block}.{part}.weight", 32, 32)
                draw(f"attention.{block}.{part}.bias", 32)
    own_job = architecture.job in {"concat", "attention"}
    if features:
        tensors["features.mean"] = np.array([12, 1], np.float32)
        tensors["features.scale"] = np.array([6, 2], np.float32)
        draw("features.hidden.weight", 5, 2 + 32 * own_job)
        draw("features.hidden.bias", 5)
    width = 32 + 32 * (architecture.job == "concat" or architecture.concat_job) + 5 * features
    draw("decoder.weight", len(LABELS), width, spread=0.1)
    draw("decoder.bias", len(LABELS))
    stamp = EncoderStamp("tiny", find_source(encoder).sha256)
    settings = {"design": architecture.to_json(), "features": list(FEATURES if features else ()), "pruning": None}
    given = {"labels": LABELS, "encoder": stamp, "settings": settings, "temperature": 2.0, **changes}
    manifest = make_manifest(**given)
    save_artefact(folder, manifest, tensors, write_card(manifest))
    return load_artefact(folder)


class ByHand:
    """Only for designs that chunk, whose chunks hold `size` words: every word of WORDS is one token."""

    def __init__(self, artefact: Artefact, encoder: Path, architecture: Architecture) -> None:
        self.tensors = {name: array.astype(np.float64) for name, array in artefact.tensors.items()}
        self.architecture = architecture
        self.bert = _AdaptedBert(encoder, self.tensors)

    def probabilities(self, resume: ResumeInput, job_text: str | None) -> Floats:
        logits = self.tensors["decoder.weight"] @ self.representation(resume, job_text)
        powers = np.exp((logits + self.tensors["decoder.bias"]) / 2.0)
        found: Floats = powers / powers.sum()
        return found

    def representation(self, resume: ResumeInput, job_text: str | None) -> Floats:
        job = self.bert.states(ids_of(job_text)) if job_text and self.architecture.job != "joined" else None
        rows = [
            self._say(self.bert.states(ids), KINDS.index(section.kind), job)
            for section in resume.sections
            for ids in cut(section.text, self.architecture.chunk_tokens)
        ]
        parts = [np.sum(rows, axis=0) if self.architecture.pooling == "sum" else np.mean(rows, axis=0)]
        if job is not None and (self.architecture.job == "concat" or self.architecture.concat_job):
            parts.append(job[0])
        if "features.mean" in self.tensors:
            parts.append(self._features(resume, job))
        return np.concatenate(parts)

    def _say(self, states: Floats, kind: int, job: Floats | None) -> Floats:
        row = states[0] if self.architecture.embeddings else np.zeros(32)
        if self.architecture.job == "attention" and job is not None:
            blocks = ("shared", "shared") if self.architecture.shared_attention else ("r2b", "b2r")
            row = row + self._attend(blocks[0], states[0], job) + self._attend(blocks[1], job[0], states)
        if self.architecture.sections:
            row = row + self.tensors["sections"][kind]
            if self.architecture.binding == "gelu":
                row = np.array([value * 0.5 * (1 + math.erf(value / math.sqrt(2))) for value in row])
        return row

    def _attend(self, block: str, query: Floats, states: Floats) -> Floats:
        def linear(part: str, rows: Floats) -> Floats:
            name = f"attention.{block}.{part}"
            found: Floats = rows @ self.tensors[f"{name}.weight"].T + self.tensors[f"{name}.bias"]
            return found

        asked, keys, values = linear("query", query), linear("key", states), linear("value", states)
        size = 32 // self.architecture.heads
        mixed = np.empty(32)
        for start in range(0, 32, size):
            head = slice(start, start + size)
            powers = np.exp(keys[:, head] @ asked[head] / math.sqrt(size))
            mixed[head] = powers / powers.sum() @ values[:, head]
        return linear("output", mixed)

    def _features(self, resume: ResumeInput, job: Floats | None) -> Floats:
        inputs = [
            (resume.features[name] - mean) / scale if name in resume.features else 0.0
            for name, mean, scale in zip(
                FEATURES, self.tensors["features.mean"], self.tensors["features.scale"], strict=True
            )
        ]
        given = np.concatenate([inputs, job[0]]) if job is not None else np.array(inputs)
        hidden = self.tensors["features.hidden.weight"] @ given + self.tensors["features.hidden.bias"]
        found: Floats = np.maximum(hidden, 0)
        return found


class _AdaptedBert(NumpyBert):
    def __init__(self, folder: Path, tensors: dict[str, Floats]) -> None:
        super().__init__(folder)
        self.tensors = tensors

    def _linear(self, name: str, rows: Floats) -> Floats:
        found = super()._linear(name, rows)
        if name in ADAPTED:
            found = found + rows @ self.tensors[f"lora.{name}.down"].T @ self.tensors[f"lora.{name}.up"].T
        return found


def cut(text: str, size: int) -> list[list[int]]:
    words = [WORDS[word] for word in text.split()]
    return [[2, *words[start : start + size], 3] for start in range(0, len(words), size)]


def ids_of(text: str) -> list[int]:
    return [2, *(WORDS[word] for word in text.split()), 3]


def small(architecture: Architecture, **changes: Any) -> Architecture:
    """Fit for an encoder of 32 numbers and 16 places."""
    return replace(architecture, chunk_tokens=4, whole_tokens=14, heads=4, **changes)


def expected(artefact: Artefact, encoder: Path, architecture: Architecture, job_text: str | None) -> Floats:
    return np.array([ByHand(artefact, encoder, architecture).probabilities(each, job_text) for each in RESUMES])


def shuffled(resumes: Sequence[ResumeInput], order: Sequence[int]) -> list[ResumeInput]:
    return [resumes[place] for place in order]
