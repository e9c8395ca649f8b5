"""A joined model of two trades whose every number is known by hand, and resumes for it."""

from __future__ import annotations

import numpy as np

from evenhand.explain.attribution import ModelWords, ScoringModel, words_of
from evenhand.explain.places import AlignedSegment, PlacedResume, PlacedText
from evenhand.models.inputs import ResumeInput, SectionText
from evenhand.models.linear.model import LinearModel, TermPart, TermReading
from evenhand.models.linear.storing import LinearClassifier
from evenhand.models.manifest import Outcome
from tests.models.manifests import make_manifest

LABELS = ("COOK", "NURSE")
BODY = TermPart(
    TermReading("words", "body", longest=2, weight=1.0, most=9, stops=False),
    ("bread", "fresh bread", "patients", "ward"),
    np.array([1, 1, 1, 2], np.float32),
    np.array([[1, 0], [0.5, 0], [-0.5, 2], [-1, 1]], np.float32),
)
TITLES = TermPart(
    TermReading("titles", "titles", longest=1, weight=0.5, most=9),
    ("cook", "nurse"),
    np.array([1, 1], np.float32),
    np.array([[2, -1], [-1, 2]], np.float32),
)
MODEL = LinearModel(LABELS, np.array([0.5, -0.25], np.float32), (BODY, TITLES))


def scoring_model(outcome: Outcome = "single") -> ScoringModel:
    manifest = make_manifest(
        name="trades", task="occupation", labels=LABELS, kind="joined", outcome=outcome, encoder=None
    )
    return ScoringModel(LinearClassifier(manifest, MODEL, None))


def place(text: str, *titles: str) -> PlacedResume:
    """All of the text is one section; each title stands where the text has it first, or nowhere."""
    resume = ResumeInput((SectionText("Work Experience", text),) if text.strip() else (), titles)
    placed = tuple(
        PlacedText(title, (AlignedSegment(0, len(title), text.index(title)),) if title in text else ())
        for title in titles
    )
    sections = (PlacedText(text, (AlignedSegment(0, len(text), 0),)),) if text.strip() else ()
    return PlacedResume(resume, sections, placed, len(text))


def placed_words(text: str, *titles: str) -> tuple[PlacedResume, ModelWords]:
    placed = place(text, *titles)
    return placed, words_of(text, placed)
