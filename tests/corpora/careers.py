"""A career made by hand, whose months can be worked out on paper."""

from __future__ import annotations

from evenhand.corpora.career import (
    Activity,
    Career,
    Certificate,
    Job,
    Period,
    Person,
    Project,
    Study,
    Use,
    month,
)

AS_OF = month(2026, 10)


def hand_made(number: int = 7, country: str = "India") -> Career:
    """Two employers; at the first one two projects that overlap by three months."""
    claims = Project(
        name="Claims Portal",
        client="a large insurer in the UK",
        role="Module Lead",
        period=Period(month(2020, 1), month(2020, 6)),
        uses=(Use("Java", "8"), Use("JSP")),
        duties=("develop claim screens in {JSP}", "write batch jobs in {Java}"),
        team=8,
    )
    payments = Project(
        name="Payments Hub",
        client=None,
        role=None,
        period=Period(month(2020, 4), month(2020, 9)),
        uses=(Use("Java", "11"), Use("Oracle Database")),
        duties=("tune slow queries in {Oracle Database}", "migrate reports to {Java}"),
    )
    latest = Job(
        employer="Northwind Systems Pvt. Ltd.",
        title="Senior Software Engineer",
        city="Pune",
        period=Period(month(2020, 1), None),
        projects=(claims, payments),
        uses=(Use("Git"),),
        duties=("review code of the team", "coordinate releases with the client"),
    )
    first = Job(
        employer="Bluefield Infotech",
        title="Software Engineer",
        city="Mumbai",
        period=Period(month(2016, 7), month(2019, 12)),
        projects=(),
        uses=(Use("SQL"), Use("Linux")),
        duties=("maintain billing reports in {SQL}", "answer support calls and document fixes"),
    )
    return Career(
        number=number,
        kind="it",
        as_of=AS_OF,
        person=Person(
            "Asha Rao", "asha.rao@example.com", "+91 555 0101", "Pune", "Maharashtra", country, "12 Lake Road"
        ),
        occupation="Senior Software Engineer",
        jobs=(latest, first),
        studies=(
            Study(
                "Kaveri University",
                "Pune",
                "Bachelor of Engineering",
                "bachelor",
                "Computer Science",
                Period(month(2012, 7), month(2016, 6)),
                "72%",
            ),
        ),
        certificates=(Certificate("Certified Scrum Master", 2021),),
        languages=(("English", "fluent"), ("Marathi", "native")),
        activities=(Activity("organizer of a blood drive"),),
        extra_skills=(Use("Python"),),
    )
