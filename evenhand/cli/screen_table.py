"""A page of screening for the terminal: the ranked table comes from `ranking_table`, the facets from here."""

from __future__ import annotations

from rich.console import Group
from rich.text import Text

from evenhand.cli.terminal import printable
from evenhand.search.facets import Facet
from evenhand.workflows.candidate_facts import CandidateFacts, Ranked, is_met
from evenhand.workflows.screening import Listed, Screen

VALUES = 8  # of a facet, in one line
TITLES = {
    "source": "Source",
    "degree": "Degree",
    "total_years": "Years in all",
    "relevant_years": "Years relevant",
    "city": "City",
    "status": "Status",
    "skill": "Skill",
}


def ranked_from(screen: Screen) -> Ranked:
    """As the table of a ranking wants it."""
    return Ranked(screen.ranking, tuple(_facts(listed, screen) for listed in screen.listed), None)


def _facts(listed: Listed, screen: Screen) -> CandidateFacts:
    entry = listed.entry
    return CandidateFacts(
        title=entry.card.get("title"),
        employer=entry.card.get("employer"),
        is_current=False,
        total_months=entry.total_months,
        relevant_months=entry.relevant_months,
        musts_met=sum(match.must and is_met(match) for match in listed.result.matched),
        musts_asked=sum(demand.must for demand in screen.job.demands),
        degree=entry.degree,
        city=entry.city,
    )


def facet_lines(screen: Screen) -> Group:
    """One line each. A Text that is printed by itself would forget that it must not wrap."""
    return Group(Text(), *map(_line, screen.facets.facets))


def _line(facet: Facet) -> Text:
    line = Text(f"{TITLES[facet.name]:<15}", style="dim", no_wrap=True, overflow="ellipsis")
    values = [value for value in facet.values if value.count or value.chosen]
    for at, value in enumerate(values[:VALUES]):
        mark = "*" if value.chosen else ""
        line.append("   " if at else "", style="default")
        line.append(f"{mark}{printable(value.value)} ", style="bold" if value.chosen else "default")
        line.append(f"{value.count:,}", style="cyan")
    more = len(values) - VALUES
    if more > 0 or facet.others:
        line.append("   ...", style="dim")
    return line
