"""Counts from the profiles themselves, without index, facets or counters: what the numbers on a page have to be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from playwright.sync_api import Page

from evenhand.search.evidence import complete_for_job
from tests.browser.served import Served

NOT_STATED = "not stated"
YEARS = (("0-1", 0, 12), ("1-3", 12, 36), ("3-5", 36, 60), ("5-10", 60, 120), ("10+", 120, 10_000))


@dataclass(frozen=True)
class Person:
    """What the resume of one application says."""

    application: str
    name: str
    status: str
    source: str
    degree: str
    city: str
    total_years: str
    months: dict[str, int | None]  # by skill

    def values(self, facet: str) -> list[str]:
        if facet == "skill":
            return list(self.months) or [NOT_STATED]
        return [str(getattr(self, facet))]


def people_of(served: Served, job: str) -> list[Person]:
    found = []
    wanted = served.store.jobs.get(job).requirements
    for application in served.applications(job):
        text = served.store.documents.get(application.document).text
        profile = complete_for_job(served.profile(application), text, wanted)
        found.append(
            Person(
                application=application.id,
                name=profile.name.value if profile.name else "",
                status=application.status,
                source=application.source or NOT_STATED,
                degree=profile.highest_degree or NOT_STATED,
                city=profile.city.value if profile.city else NOT_STATED,
                total_years=_band(profile.total_months),
                months={skill.name: skill.months for skill in profile.skills},
            )
        )
    return found


def counted(people: Iterable[Person], facet: str) -> dict[str, int]:
    return dict(Counter(value for person in people for value in person.values(facet)))


def having(people: Iterable[Person], *conditions: Callable[[Person], bool]) -> list[Person]:
    return [person for person in people if all(holds(person) for holds in conditions)]


def ranked(page: Page) -> list[str]:
    """Applications in the order of the list."""
    read = "cards => cards.map(card => card.dataset.application)"
    return [str(id) for id in page.locator("article.card").evaluate_all(read)]


def on_page(page: Page, facet: str) -> dict[str, int]:
    """The counts beside the values that a page offers to tick."""
    read = """boxes => boxes.map(box => [box.value, box.closest("label").querySelector(".tick-count").textContent])"""
    found = page.locator(f"#facets input[name={facet}]").evaluate_all(read)
    return {value: int(number.replace(",", "")) for value, number in found}


def _band(months: int | None) -> str:
    if months is None:
        return NOT_STATED
    return next(name for name, least, below in YEARS if least <= months < below)
