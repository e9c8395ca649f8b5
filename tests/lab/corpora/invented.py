"""A resume written by hand, with everything that a manuscript can hold."""

from __future__ import annotations

from evenhand_lab.corpora.manuscript import (
    Manuscript,
    ManuscriptLine,
    ManuscriptSection,
    ManuscriptTable,
    TextRun,
    Words,
)


def words(*parts: str | TextRun) -> Words:
    return tuple(TextRun(part) if isinstance(part, str) else part for part in parts)


def line(*parts: str | TextRun, role: str = "text", bullet: bool = False, aside: str = "") -> ManuscriptLine:
    return ManuscriptLine(words(*parts), bullet=bullet, aside=words(aside) if aside else (), role=role)


def row(*cells: str) -> tuple[Words, ...]:
    return tuple(words(cell) for cell in cells)


TITLE = "Integration Engineer"
HEAD = ManuscriptSection(
    "personal",
    None,
    (
        line(TextRun("Zoë Kestrel-Ñandú", "name"), role="name"),
        line(TITLE, role="tagline"),
        line(
            TextRun("zoe.kestrel@example.com", "email"),
            " | ",
            TextRun("+1 404 555 0125", "phone"),
            " | ",
            TextRun("Grafton", "city"),
            ", Upper Vale | ",
            TextRun("https://example.com/zoe", "link"),
            role="contact",
        ),
    ),
)
PROFILE = ManuscriptSection(
    "profile",
    "Summary",
    (line("Nine years of “quiet” integration work – message brokers, batch files & the odd fax; 100 % remote."),),
)
DUTIES = (
    "Moved the nightly settlement run from shell scripts to queues and cut its time from six hours to one.",
    "Wrote the runbook that the operators of four countries still use when a counterparty sends nothing.",
    "Looked after {brokers} \\ certificates #1-#40, with <angle> brackets where the parser wanted them.",
)


def job(number: int) -> tuple[ManuscriptLine, ...]:
    return (
        line(TextRun(TITLE, "title"), f", Pallister & Wren {number} Ltd.", role="title", aside="Jan 2014 – Mar 2019"),
        line("Grafton", role="subtitle"),
        line("Client: a building society, with ", TextRun("Kafka", "skill", "kafka", bold=True), " in the middle."),
        *(line(duty, bullet=True, role="item") for duty in DUTIES),
    )  # fmt: skip


TABLE = ManuscriptTable((
    row("Degree", "University", "Year", "Marks"),
    row("Bachelor of Engineering (Electronics)", "Harrowfield Institute of Technology", "2012", "71 %"),
    row("Higher secondary", "St. Brannoc College, Vale", "2008", "84 %"),
))  # fmt: skip
SKILLS = ManuscriptSection(
    "skills",
    "Technical Skills",
    (line(TextRun("Brokers", bold=True), ": Kafka, MQ"), line(TextRun("Languages", bold=True), ": Java, Python, SQL")),
)
MORE = (
    ManuscriptSection("certifications", "Certificates", (line("Certified Broker Administrator, 2017", bullet=True),)),
    ManuscriptSection("activities", "Interests", (line("Fell running; the parish choir."),)),
)


def resume(jobs: int = 3) -> Manuscript:
    experience = ManuscriptSection("experience", "Work Experience", tuple(x for n in range(jobs) for x in job(n)))
    education = ManuscriptSection("education", "Education", (TABLE,))
    return Manuscript(7, (HEAD, PROFILE, experience, education, SKILLS, *MORE))
