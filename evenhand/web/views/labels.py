"""Names that people read for facets and their values."""

from __future__ import annotations

from evenhand.search.criteria import NOT_STATED, SkillCondition
from evenhand.store import STATUS_NAMES
from evenhand.web.wording import duration
from evenhand.workflows.wording import degree_words

FACET_TITLES = {
    "degree": "Highest degree",
    "relevant_years": "Relevant experience",
    "total_years": "Experience in all",
    "skill": "Skills",
    "city": "City",
    "source": "Source",
    "status": "Status",
}
"""In the order in which they are shown."""

BAND_LABELS = {
    "0-1": "Under 1 year",
    "1-3": "1 to 3 years",
    "3-5": "3 to 5 years",
    "5-10": "5 to 10 years",
    "10+": "10 years or more",
}
UNSTATED = {"skill": "None found", "total_years": "Not dated", "relevant_years": "Not dated"}


def value_label(facet: str, value: str) -> str:
    if value == NOT_STATED:
        return UNSTATED.get(facet, "Not stated")
    if facet == "degree":
        words = degree_words(value)
        return words[:1].upper() + words[1:]
    if facet in ("total_years", "relevant_years"):
        return BAND_LABELS.get(value, value)
    if facet == "status":
        return STATUS_NAMES.get(value, value)
    return value


def condition_label(condition: SkillCondition) -> str:
    """ "at least 3 y", "2 y to 5 y", "at most 1 y"; nothing where months do not matter."""
    least, most = condition.at_least, condition.at_most
    if least is None and most is None:
        return ""
    if most is None:
        return f"at least {duration(least)}" if least else "dated"
    if not least:
        return f"at most {duration(most)}"
    return f"{duration(least)} to {duration(most)}"
