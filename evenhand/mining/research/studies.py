"""Degrees as a guideline for clinical research looks at them: how high, in a science or not, a doctor's from abroad."""

from __future__ import annotations

import re

from evenhand.mining.lexicon.places import cities_named, countries
from evenhand.records.profile import DEGREE_LEVELS, Education, Profile

HOME = "United States"
DOCTORATE = DEGREE_LEVELS.index("doctorate")

SCIENTIFIC = re.compile(
    r"\b(?:bio\w*|(?:neuro|micro|immuno|patho|pharmaco|physio|epidemio|toxico|psycho)\w*|chem\w*|genetics?|physics"
    r"|(?:life|health|medical|biomedical|clinical|nutrition\w*|exercise|behaviou?ral|natural|laboratory) "
    r"(?:sciences?|technology|research|psychology|assisting)|nursing|nurse"
    r"|(?:public|global) health|health (?:policy|sciences?)"
    r"|medicine|surg\w+|anatomy|kinesiology|nutrition|diet\w*|statistics|biostatistics|mathematics|pharmac\w+|dent\w+"
    r"|phlebotomy|respiratory|radiolog\w+|patient care|B\.?S\.?N|M\.?S\.?N|M\.?P\.?H|M\.?B\.?B\.?S)\b",
    re.IGNORECASE,
)
FIRST_MEDICAL_DEGREE = re.compile(
    r"\bM\.?B\.?,? ?(?:B\.?S|Ch\.?B|B\.?Ch)\b|\bbachelor of medicine\b", re.IGNORECASE
)
MEDICAL_DOCTOR = re.compile(r"\bdoctor of medicine\b|\bM\.?D\b\.?", re.IGNORECASE)
FOREIGN_GRADUATE = re.compile(r"\bECFMG\b|\b(?:foreign|international) medical graduate\b", re.IGNORECASE)
DIPLOMA = re.compile(r"\bdip(?:l|loma)?\b", re.IGNORECASE)
UNFINISHED = re.compile(
    r"\b(?:present|expected|anticipated|in progress|ongoing|current(?:ly)?|candidate|pursuing"
    r"|(?:to|till|until) (?:date|now))\b",
    re.IGNORECASE,
)
_CAPITALIZED = re.compile(r"[A-ZÀ-Þ][\w'’.-]+(?: (?:de |do |da |al |of )?[A-ZÀ-Þ][\w'’.-]+){0,2}")


def degree_of(profile: Profile, text: str) -> tuple[int, bool]:
    """The highest completed one as its place among DEGREE_LEVELS, and whether its field is a science.

    Between two of the same height a science counts. 0 where there is none.
    """
    found = [
        (_height(entry, head), _is_medical(head) or SCIENTIFIC.search(head) is not None)
        for entry, head in _heads(profile, text)
        if not UNFINISHED.search(head)
    ]
    return max(found, default=(0, False))


def is_foreign_doctor(profile: Profile, text: str) -> bool:
    """Trained as a doctor in another country than that of the address (the United States where there is none)."""
    home = profile.country or HOME
    for entry, head in _heads(profile, text):
        if FIRST_MEDICAL_DEGREE.search(head) and home == HOME:
            return True  # no school of the United States gives it
        is_doctor = _is_medical(head)
        if is_doctor and (FOREIGN_GRADUATE.search(text) or _is_abroad(_own_text(entry, text), home)):
            return True
    return False


def _heads(profile: Profile, text: str) -> list[tuple[Education, str]]:
    """Each study with the lines that say what it was, without the name of the school: "Medical College" is no field."""
    heads = []
    for entry in profile.education:
        head = _own_text(entry, text)
        if entry.university is not None:
            head = head.replace(entry.university.surface, " ")
        heads.append((entry, head))
    return heads


def _own_text(entry: Education, text: str) -> str:
    """From the start of the entry to the end of the line with the last of its facts; courses and theses are below."""
    facts = (entry.university, entry.degree, entry.field, entry.year)
    last = max((fact.evidence.end for fact in facts if fact is not None), default=entry.evidence.start)
    first = min((fact.evidence.start for fact in facts if fact is not None), default=entry.evidence.start)
    end = text.find("\n", last)
    return text[min(first, entry.evidence.start) : end if end >= 0 else len(text)]


def _height(entry: Education, head: str) -> int:
    if _is_medical(head):
        return DOCTORATE
    level = entry.level or ("diploma" if DIPLOMA.search(head) else "other")
    return DEGREE_LEVELS.index(level)


def _is_medical(head: str) -> bool:
    return FIRST_MEDICAL_DEGREE.search(head) is not None or MEDICAL_DOCTOR.search(head) is not None


def _is_abroad(head: str, home: str) -> bool:
    """Whether a place is named that lies elsewhere, and none that may lie at home."""
    named = [_countries_of(match[0]) for match in _CAPITALIZED.finditer(head)]
    there = [found for found in named if found]
    return bool(there) and all(home not in found for found in there)


def _countries_of(name: str) -> frozenset[str]:
    code = countries().get(name.lower())
    if code is not None:
        from_name = next((city.country for city in cities_named(name)), None)
        return frozenset({name, *((from_name,) if from_name else ())})
    return frozenset(city.country for city in cities_named(name))
