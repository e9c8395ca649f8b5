"""Explanations made up number by number."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from evenhand.explain.attribution import find_spans
from evenhand.explain.pictures.page import ExplanationView
from evenhand.records.explanation import Explanation, LabelProbability, ModelStamp, Prediction, SectionScore, WordScore

STAMP = ModelStamp("trades", "1", None)


def make(text: str, scores: list[float], **changes: Any) -> Explanation:
    spans = find_spans(text)
    words = tuple(
        WordScore(text[span.start : span.end], span.start, span.end, score)
        for span, score in zip(spans, scores, strict=True)
    )
    found = Explanation(
        file="resume.txt",
        task="occupation",
        target="COOK",
        model=STAMP,
        method="ig",
        baseline="pad",
        layer="terms",
        output=sum(scores) - 1,
        baseline_output=-1.0,
        delta=0.0,
        steps=0,
        converged=True,
        words=words,
        sections=(SectionScore("Work Experience", sum(scores)),),
        special=0.0,
    )
    return replace(found, **changes)


def show(explanation: Explanation, text: str, *, is_said: bool = True) -> ExplanationView:
    labels = (LabelProbability(explanation.target, 0.83), LabelProbability("NURSE", 0.17))
    prediction = Prediction(explanation.file, explanation.task, explanation.target, labels, explanation.model, False)
    return ExplanationView(explanation, prediction, 0.83, is_said, text)
