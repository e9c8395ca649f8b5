"""A career made by hand, whose months can be worked out on paper."""

from __future__ import annotations

from evenhand_lab.corpora.career import (
    Activity,
    Career,
    CareerJob,
    CareerPeriod,
    CareerProject,
    CareerSkill,
    CareerStudy,
    Certificate,
    Person,
    month,
)

AS_OF = month(2026, 10)


def hand_made(number: int = 7, country: str = "India") -> Career:
    """Two employers; at the first one two projects that overlap by three months."""
    claims = CareerProject(
        name="Claims Portal",
        client="a large insurer in the UK",
        role="Module Lead",
        period=CareerPeriod(month(2020, 1), month(2020, 6)),
        uses=(CareerSkill("Java", "8"), CareerSkill("JSP")),
        duties=("develop claim screens in {JSP}", "write batch jobs in {Java}"),
        team=8,
    )
    payments = CareerProject(
        name="Payments Hub",
        client=None,
        role=None,
        period=CareerPeriod(month(2020, 4), month(2020, 9)),
        uses=(CareerSkill("Java", "11"), CareerSkill("Oracle Database")),
        duties=("tune slow queries in {Oracle Database}", "migrate reports to {Java}"),
    )
    latest = CareerJob(
        employer="Northwind Systems Pvt. Ltd.",
        title="Senior Software Engineer",
        city="Pune",
        period=CareerPeriod(month(2020, 1), None),
        projects=(claims, payments),
        uses=(CareerSkill("Git"),),
        duties=("review code of the team", "coordinate releases with the client"),
    )
    first = CareerJob(
        employer="Bluefield Infotech",
        title="Software Engineer",
        city="Mumbai",
        period=CareerPeriod(month(2016, 7), month(2019, 12)),
        projects=(),
        uses=(CareerSkill("SQL"), CareerSkill("Linux")),
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
            CareerStudy(
                "Kaveri University",
                "Pune",
                "Bachelor of Engineering",
                "bachelor",
                "Computer Science",
                CareerPeriod(month(2012, 7), month(2016, 6)),
                "72%",
            ),
        ),
        certificates=(Certificate("Certified Scrum Master", 2021),),
        languages=(("English", "fluent"), ("Marathi", "native")),
        activities=(Activity("organizer of a blood drive"),),
        extra_skills=(CareerSkill("Python"),),
    )
