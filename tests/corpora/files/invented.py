"""A resume written by hand, with everything that a manuscript can hold."""

from __future__ import annotations

from evenhand.corpora.manuscript import Line, Manuscript, Run, Section, Table, Words


def words(*parts: str | Run) -> Words:
    return tuple(Run(part) if isinstance(part, str) else part for part in parts)


def line(*parts: str | Run, role: str = "text", bullet: bool = False, aside: str = "") -> Line:
    return Line(words(*parts), bullet=bullet, aside=words(aside) if aside else (), role=role)


def row(*cells: str) -> tuple[Words, ...]:
    return tuple(words(cell) for cell in cells)


TITLE = "Integration Engineer"
HEAD = Section(
    "personal",
    None,
    (
        line(Run("Zoë Kestrel-Ñandú", "name"), role="name"),
        line(TITLE, role="tagline"),
        line(
            Run("zoe.kestrel@example.com", "email"),
            " | ",
            Run("+1 404 555 0125", "phone"),
            " | ",
            Run("Grafton", "city"),
            ", Upper Vale | ",
            Run("https://example.com/zoe", "link"),
            role="contact",
        ),
    ),
)
PROFILE = Section(
    "profile",
    "Summary",
    (
        line(
            "Nine years of “quiet” integration work – message brokers, batch files & the odd fax; 100 % remote."
        ),
    ),
)
DUTIES = (
    "Moved the nightly settlement run from shell scripts to queues and cut its time from six hours to one.",
    "Wrote the runbook that the operators of four countries still use when a counterparty sends nothing.",
    "Looked after {brokers} \\ certificates #1-#40, with <angle> brackets where the parser wanted them.",
)


def job(number: int) -> tuple[Line, ...]:
    return (
        line(Run(TITLE, "title"), f", Pallister & Wren {number} Ltd.", role="title", aside="Jan 2014 – Mar 2019"),
        line("Grafton", role="subtitle"),
        line("Client: a building society, with ", Run("Kafka", "skill", "kafka", bold=True), " in the middle."),
        *(line(duty, bullet=True, role="item") for duty in DUTIES),
    )  # fmt: skip


TABLE = Table((
    row("Degree", "University", "Year", "Marks"),
    row("Bachelor of Engineering (Electronics)", "Harrowfield Institute of Technology", "2012", "71 %"),
    row("Higher secondary", "St. Brannoc College, Vale", "2008", "84 %"),
))  # fmt: skip
SKILLS = Section(
    "skills",
    "Technical Skills",
    (
        line(Run("Brokers", bold=True), ": Kafka, MQ"),
        line(Run("Languages", bold=True), ": Java, Python, SQL"),
    ),
)
MORE = (
    Section("certifications", "Certificates", (line("Certified Broker Administrator, 2017", bullet=True),)),
    Section("activities", "Interests", (line("Fell running; the parish choir."),)),
)


def resume(jobs: int = 3) -> Manuscript:
    experience = Section("experience", "Work Experience", tuple(x for n in range(jobs) for x in job(n)))
    education = Section("education", "Education", (TABLE,))
    return Manuscript(7, (HEAD, PROFILE, experience, education, SKILLS, *MORE))
