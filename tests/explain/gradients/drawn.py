"""Small networks from random numbers, opened for gradients, and resumes of which every character has a place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from evenhand.explain.gradients.networks import OpenNetwork, open_network
from evenhand.explain.places import AlignedSegment, PlacedResume, PlacedText
from evenhand.models.architectures import Architecture
from evenhand.models.inputs import ResumeInput, SectionText
from evenhand.models.registry import Artefact
from tests.explain.gradients.by_hand import draw_network

WORDS = ("java", "javascript", "nurse", "engineer", "ward", "(", ")")
LOUDER = 20


def place(resume: ResumeInput) -> PlacedResume:
    """The document is the sections, one below the other."""
    sections, at = [], 0
    for section in resume.sections:
        sections.append(PlacedText(section.text, (AlignedSegment(0, len(section.text), at),)))
        at += len(section.text) + 1
    return PlacedResume(resume, tuple(sections), (), max(at - 1, 0))


def long_resume(words: int, seed: int = 0) -> ResumeInput:
    rng = np.random.default_rng(seed)
    text = " ".join(rng.choice(WORDS, words))
    return ResumeInput((SectionText("Work Experience", text),), features={"months": 30.0})


def draw(folder: Path, encoder: Path, architecture: Architecture, **changes: Any) -> Artefact:
    """With logits as large as trained networks have: the gate is absolute where differences are small."""
    artefact = draw_network(folder, encoder, architecture, **changes)
    decoder = artefact.tensors["decoder.weight"].astype(np.float32) * LOUDER
    return replace(artefact, tensors={**artefact.tensors, "decoder.weight": decoder})


def opened(folder: Path, encoder: Path, architecture: Architecture, **changes: Any) -> tuple[Artefact, OpenNetwork]:
    artefact = draw(folder, encoder, architecture, **changes)
    return artefact, open_network(artefact, encoders=(encoder,))


def ranks(values: Sequence[float]) -> np.ndarray:
    return np.argsort(np.argsort(np.array(values)))
