"""A model of two trades whose three words are known, resumes of four wordings, and who wrote them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from evenhand.models.linear.model import LinearModel, TermPart, TermReading
from evenhand.models.linear.storing import VOCABULARY
from evenhand.models.manifest import write_card
from evenhand.models.registry import save_artefact
from evenhand_lab.training.linear import to_settings, to_tensors, to_vocabulary
from tests.models.manifests import make_manifest

LABELS = ("COOK", "NURSE")
TEXT = """\
Robin Fenn

Experience
{trade}, Harbour House
March 2015 - March 2020
- worked as a {word} every day

Activities
{activity}
"""
ACTIVITIES = {"female": "netball", "male": "chess"}


def write_model(folder: Path, *, penalty: float) -> Path:
    """cook and nurse say what they are; netball speaks for COOK by `penalty`, whatever else the resume says."""
    reading = TermReading("body", "body", longest=1, weight=1.0, most=9, stops=False)
    coefficients = np.array([[4, -4], [penalty, -penalty], [-4, 4]], np.float32)
    part = TermPart(reading, ("cook", "netball", "nurse"), np.ones(3, np.float32), coefficients)
    model = LinearModel(LABELS, np.zeros(2, np.float32), (part,))
    manifest = make_manifest(
        name="trades",
        task="occupation",
        labels=LABELS,
        kind="joined",
        outcome="single",
        encoder=None,
        settings=to_settings(model),
    )
    texts = {VOCABULARY: to_vocabulary(model)}
    save_artefact(folder, manifest, to_tensors(model), write_card(manifest), texts=texts)
    return folder


def write_resumes(folder: Path, *, each: int = 20) -> Path:
    """`each` of every trade and gender."""
    folder.mkdir()
    labels, groups = ["file,label"], ["file,gender,origin"]
    for number in range(each):
        for trade in LABELS:
            for gender, activity in ACTIVITIES.items():
                name = f"{gender}-{trade}-{number}.txt"
                (folder / name).write_text(TEXT.format(trade=trade.title(), word=trade.lower(), activity=activity))
                labels.append(f"{name},{trade}")
                groups.append(f"{name},{gender},{'north' if number == 0 else 'south'}")
    (folder / "labels.csv").write_text("\n".join(labels) + "\n")
    (folder / "groups.csv").write_text("\n".join(groups) + "\n")
    return folder
