"""Tables of skills, languages, certificates and prizes, and the frames that hold a page in two columns."""

from __future__ import annotations

from evenhand.corpora.manuscript import Run, Words
from evenhand.corpora.rng import chance, some
from evenhand.workflows.table_fixtures.making import FOLDS, MadeTable, Maker, duty, grid, plain
from evenhand.workflows.table_fixtures.wordings import SKILL_GROUPS, TRAITS

_FEATS = ("Finalist", "Speaker", "2nd place", "Winner", "Volunteer", "Organizer", "Participant", "Certificate of merit",
          "Attended workshop", "Paper presented", "Mentor", "Jury member")  # fmt: skip
_OCCASIONS = (
              "national coding contest", "annual sales conference", "science fair", "open source summit",
              "city marathon",
              "inter college quiz", "developer meetup", "leadership training", "charity run", "hackathon",
              "safety training", "poster session", "design week", "debating championship")  # fmt: skip


def skills_of(maker: Maker) -> list[str]:
    career = maker.career
    uses = [*career.extra_skills, *(use for job in career.jobs for use in job.uses)]
    uses += [use for job in career.jobs for project in job.projects for use in project.uses]
    return list(dict.fromkeys(use.skill for use in uses)) or list(TRAITS)


def skill_groups(maker: Maker) -> MadeTable:
    skills = skills_of(maker)
    groups = some(maker.rng, SKILL_GROUPS[maker.fold :: FOLDS], 2, 7)
    colon = maker.rng.choice(("", "", ":"))
    rows = [(plain(group + colon), plain(", ".join(some(maker.rng, skills, 1, 6)))) for group in groups]
    return MadeTable("skills", tuple(rows), False)


def skill_matrix(maker: Maker) -> MadeTable:
    items = some(maker.rng, skills_of(maker) if chance(maker.rng, 0.6) else list(TRAITS), 4, 15)
    width = maker.rng.choice((2, 3, 4))
    items = items[: max(width * 2, len(items) // width * width)]
    rows = [items[at : at + width] for at in range(0, len(items), width)]
    return MadeTable(
        "skills", tuple(tuple(map(plain, (*row, *[""] * (width - len(row))))) for row in rows), False
    )


def one_column(maker: Maker) -> MadeTable:
    """Boxes below each other: skills, links, sentences."""
    rng, career = maker.rng, maker.career
    items = {
        "skills": [*some(rng, skills_of(maker), 2, 6)],
        "projects": [
            f"www.{skill.lower().replace(' ', '')}.example.com" for skill in some(rng, skills_of(maker), 2, 4)
        ],
        "other": [f"{name} ({level})" for name, level in career.languages] or [*some(rng, TRAITS, 2, 4)],
        "profile": [maker.word("duties"), *(duty(job) for job in career.jobs[:2])],
    }
    section = rng.choice(list(items))
    texts = items[section]
    if chance(rng, 0.3) and section != "profile":
        texts.insert(0, maker.word("skills heading"))
    return MadeTable(section, tuple((plain(text),) for text in texts), False)


def skill_lengths(maker: Maker) -> MadeTable:
    skills = some(maker.rng, skills_of(maker), 3, 10)
    lengths = [
        plain(f"{maker.rng.randint(1, 15)}{maker.rng.choice(('+ yrs', ' years', ' yrs', '+ years'))}")
        for _ in skills
    ]
    return grid(maker, "skills", [("skill", list(map(plain, skills))), ("experience", lengths)], fixed=True)


def language_grid(maker: Maker) -> MadeTable:
    rng = maker.rng
    names = [name for name, _ in maker.career.languages] or ["English"]
    names += [name for name in ("English", "German", "Hindi", "Spanish") if name not in names]
    names = names[: rng.randint(2, 4)]
    levels = rng.choice((("Yes", "No"), ("Good", "Fluent", "Basic"), ("B2", "C1", "A2"), ("✓", "-")))
    columns = [("language", list(map(plain, names)))]
    columns += [(skill, [plain(rng.choice(levels)) for _ in names]) for skill in ("read", "write", "speak")]
    return grid(maker, "skills", columns, fixed=True)


def certificates(maker: Maker) -> MadeTable | None:
    found = maker.career.certificates
    if len(found) < 2:
        return events(maker)
    columns: list[tuple[str, list[Words]]] = [
        ("certificate", [(Run(one.name, "certification"),) for one in found]),
        ("issuer", [plain(one.issuer or "-") for one in found]),
        ("year", [plain(str(one.year or "-")) for one in found]),
    ]
    return grid(maker, "certifications", columns)


def events(maker: Maker) -> MadeTable:
    """Talks, prizes and courses with their years: much like jobs, but none."""
    rng = maker.rng
    count = rng.randint(3, 8)
    what = [plain(f"{rng.choice(_FEATS)}, {rng.choice(_OCCASIONS)}") for _ in range(count)]
    years = [plain(str(rng.randint(2005, 2025))) for _ in range(count)]
    columns = [("year", years), ("event", what)]
    if chance(rng, 0.6):
        columns.append(("place", [plain(maker.career.person.city) for _ in range(count)]))
    return grid(maker, "activities", columns, fixed=chance(rng, 0.6))


def layout(maker: Maker) -> MadeTable:
    """The page in two columns: a frame, not a table."""
    career, rng = maker.career, maker.rng
    side = [
        career.person.name,
        career.person.phone,
        career.person.email,
        "Skills",
        *some(rng, skills_of(maker), 3, 8),
    ]
    side += ["Languages", *(name for name, _ in career.languages)]
    main = ["Profile", f"{career.occupation} with many years of experience in the field.", "Experience"]
    for job in career.jobs[:3]:
        main += [
            f"{job.title}, {job.employer}",
            *[duty for project in job.projects for duty in project.duties][:5],
        ]
    main += ["Education", *(f"{study.degree}, {study.school}" for study in career.studies)]
    sides: list[Words] = [plain("\n".join(side)), plain("\n".join(main).replace("{", "").replace("}", ""))]
    if chance(rng, 0.3):
        sides.reverse()
    return MadeTable("profile", (tuple(sides),), False)
