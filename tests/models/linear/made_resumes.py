"""Resumes of two trades in a dozen words each, enough of them for every word to be learned."""

from __future__ import annotations

import numpy as np

from evenhand.models.inputs import ResumeInput, SectionText
from evenhand.models.linear.model import TermReading
from evenhand_lab.training.linear import Gold, LinearRecipe

LABELS = ("COOK", "NURSE")
RECIPE = LinearRecipe(
    terms=(
        TermReading("body", "body", longest=1, weight=1.0, most=50, stops=False),
        TermReading("titles", "titles", longest=2, weight=0.5, most=50),
    ),
    cost=1.0,
)
_DUTIES = {
    "COOK": "baked bread, grilled fish and planned menus",
    "NURSE": "cared for patients and gave medicine on the ward",
}
_TITLES = {"COOK": "Line Cook", "NURSE": "Ward Nurse"}


def resume(trade: str, *, titled: bool = True, more: str = "") -> ResumeInput:
    sections = (SectionText("Work Experience", f"{_DUTIES[trade]} {more}".strip()),)
    return ResumeInput(sections, (_TITLES[trade],) if titled else ())


def resumes(each: int = 10) -> tuple[list[ResumeInput], Gold]:
    """Cooks and nurses in turn."""
    found = [resume(trade, titled=at % 3 > 0) for at in range(each) for trade in LABELS]
    return found, np.array([[True, False], [False, True]] * each)
