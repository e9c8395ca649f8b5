"""A resume with its job titles readable, only as text, or not at all: a title nearly names the occupation."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from evenhand.models.inputs import ResumeInput, SectionText
from evenhand.models.joined.sources import Source, texts_of

View = Callable[[ResumeInput], ResumeInput]
READABLE, BODY, MASKED = "titles readable", "body only", "titles masked"


def readable(resume: ResumeInput) -> ResumeInput:
    return resume


def body_only(resume: ResumeInput) -> ResumeInput:
    """Titles stand in the text like any other words."""
    return replace(resume, titles=())


def masked(resume: ResumeInput, source: Source = "titles") -> ResumeInput:
    """Without titles, and without their words wherever the text repeats them as written."""
    phrases = sorted({tuple(text.split()) for text in texts_of(resume, source)} - {()}, key=len, reverse=True)
    if not phrases:
        return resume
    words = (r"\s+".join(map(re.escape, phrase)) for phrase in phrases)
    pattern = re.compile("|".join(rf"(?<!\w){phrase}(?!\w)" for phrase in words), re.IGNORECASE)
    sections = (SectionText(section.kind, pattern.sub(" ", section.text)) for section in resume.sections)
    return replace(resume, sections=tuple(section for section in sections if section.text.strip()), titles=())
