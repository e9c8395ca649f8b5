"""Tables of skills, languages, certificates and prizes, and the frames that hold a page in two columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import Career, CareerJob, CareerStudy, year_of
from evenhand_lab.corpora.lexicon import chance, some, weighted
from evenhand_lab.corpora.manuscript import TextRun, Words
from evenhand_lab.corpora.writing.dates import degree_forms, write_month


def _listed(text: str) -> dict[str, tuple[str, ...]]:
    lists = {}
    for part in text.split("\n[")[1:]:
        name, _, items = part.partition("]")
        lists[name] = tuple(item.strip() for item in items.replace("\n", " ").split(";"))
    return lists


WORDINGS: Mapping[str, tuple[str, ...]] = _listed("\n" + lexicon.text("table_wordings.txt"))
"""How people word the labels of their tables. Each list is dealt out to five folds: none of them sees another's."""
SKILL_GROUPS = WORDINGS["skill groups"]
COURSES = WORDINGS["courses"]
PASTIMES = WORDINGS["pastimes"]
TRAITS = WORDINGS["traits"]


FOLDS = 5
Row = tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class MadeTable:
    """`section` is the type of its lines; `is_grid` whether its rows are records."""

    section: str
    rows: tuple[Row, ...]
    is_grid: bool
    bold_header: bool = False


@dataclass(frozen=True, slots=True)
class Maker:
    """What the tables of one resume are written from; wordings are those of its fold, so that others never see them."""

    rng: Random
    career: Career
    fold: int
    dates: str
    joint: str
    present: str

    def word(self, name: str) -> str:
        options = WORDINGS[name]
        own = options[self.fold :: FOLDS]
        return self.rng.choice(own or options)

    def header(self, names: Sequence[str]) -> Row:
        case = self.rng.choice((str, str, str, str.upper, str.title, str.capitalize))
        return tuple((TextRun(case(self.word(name))),) if name else () for name in names)

    def period(self, start: int, end: int | None) -> Words:
        last = self.present if end is None else write_month(end, self.dates, is_end=True)
        return (TextRun(write_month(start, self.dates) + self.joint + last, "date"),)


def plain(text: str) -> Words:
    return (TextRun(text),)


def grid(maker: Maker, section: str, fields: Sequence[tuple[str, list[Words]]], *, fixed: bool = False) -> MadeTable:
    """Columns of (name of the wording, cells): in any order, with a header mostly, with a running number at times."""
    columns = list(fields)
    if not fixed:
        maker.rng.shuffle(columns)
    if chance(maker.rng, 0.12):
        count = len(columns[0][1])
        columns.insert(0, ("number", [plain(f"{place + 1}{maker.rng.choice(('', '.'))}") for place in range(count)]))
    rows: list[Row] = list(zip(*(cells for _, cells in columns), strict=True))
    if chance(maker.rng, 0.82) or columns[0][0] == "number" or len(rows) < 2:
        rows.insert(0, maker.header([name for name, _ in columns]))
    if chance(maker.rng, 0.06):
        rows.insert(0, (plain(maker.word(f"{section} heading")), *((),) * (len(columns) - 1)))
    return MadeTable(section, tuple(rows), True, chance(maker.rng, 0.5))


def keys(maker: Maker, section: str, facts: Sequence[tuple[str, Words]]) -> MadeTable:
    """Label and value: in two columns, with a column of colons, or two pairs beside each other."""
    rng = maker.rng
    colon = rng.choice(("", "", ":", " :"))
    case = rng.choice((str, str, str.upper, str.title))
    pairs = [(plain(case(maker.word(name)) + colon), value) for name, value in facts]
    form = weighted(rng, {"two": 6.0, "colons": 2.0, "pairs": 1.0, "before": 1.0})
    rows: list[Row]
    if form == "colons":
        rows = [(plain(case(maker.word(name))), plain(":"), value) for name, value in facts]
    elif form == "before":
        rows = [(plain(case(maker.word(name))), (TextRun(": "), *value)) for name, value in facts]
    elif form == "pairs" and len(pairs) >= 4:
        half = (len(pairs) + 1) // 2
        rows = [
            (*left, *(right if right else ((), ())))
            for left, right in zip(pairs[:half], [*pairs[half:], None][:half], strict=True)
        ]
    else:
        rows = list(pairs)
    return MadeTable(section, tuple(rows), False)


def duty(job: CareerJob) -> str:
    duties = [duty for project in job.projects for duty in project.duties] + list(job.duties)
    return "; ".join(duties[:3]).replace("{", "").replace("}", "") or "daily business"


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
    return MadeTable("skills", tuple(tuple(map(plain, (*row, *[""] * (width - len(row))))) for row in rows), False)


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
        plain(f"{maker.rng.randint(1, 15)}{maker.rng.choice(('+ yrs', ' years', ' yrs', '+ years'))}") for _ in skills
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
        ("certificate", [(TextRun(one.name, "certification"),) for one in found]),
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
    side = [career.person.name, career.person.phone, career.person.email, "Skills", *some(rng, skills_of(maker), 3, 8)]
    side += ["Languages", *(name for name, _ in career.languages)]
    main = ["Profile", f"{career.occupation} with many years of experience in the field.", "Experience"]
    for job in career.jobs[:3]:
        main += [f"{job.title}, {job.employer}", *[duty for project in job.projects for duty in project.duties][:5]]
    main += ["Education", *(f"{study.degree}, {study.school}" for study in career.studies)]
    sides: list[Words] = [plain("\n".join(side)), plain("\n".join(main).replace("{", "").replace("}", ""))]
    if chance(rng, 0.3):
        sides.reverse()
    return MadeTable("profile", (tuple(sides),), False)


# Tables of studies: a row for each, labels and values for one, degree over school, and grades by course.

_BOARDS = ("State Board", "Central Board", "C.B.S.E.", "I.C.S.E.", "Board of Secondary Education", "State University",
           "Board of Intermediate Education", "Open University", "Technical University")  # fmt: skip


def _degree(maker: Maker, study: CareerStudy) -> TextRun:
    short = degree_forms(study.degree)
    return TextRun(maker.rng.choice(short) if short and chance(maker.rng, 0.6) else study.degree, "degree")


def _studies(maker: Maker) -> list[CareerStudy]:
    return list(maker.career.studies) if chance(maker.rng, 0.8) else list(reversed(maker.career.studies))


def _year(maker: Maker, study: CareerStudy, form: str) -> Words:
    end = study.period.last(maker.career.as_of)
    match form:
        case "range":
            return (TextRun(f"{year_of(study.period.start)}{maker.joint}{year_of(end)}", "year"),)
        case "month":
            return (TextRun(write_month(end, "mon_year" if maker.dates == "yyyy" else maker.dates), "year"),)
    return (TextRun(str(year_of(end)), "year"),)


def _result(maker: Maker, form: str) -> Words:
    rng = maker.rng
    percent = rng.uniform(50, 96)
    match form:
        case "percent":
            text = f"{percent:.{rng.choice((0, 1, 2))}f}{rng.choice(('%', '%', ' %', ''))}"
            text = text if "." in text or "%" in text else text + "%"
        case "points":
            text = f"{percent / 10:.{rng.choice((1, 2))}f}{rng.choice(('', '/10', ' CGPA', ' GPA'))}"
        case "class":
            text = rng.choice(
                ("First Class", "Distinction", "First", "Second Class", "1st Division", "First class with distinction")
            )
        case _:
            text = f"{rng.uniform(2.6, 4):.2f}{rng.choice(('', '/4.0', '/4.00', ' GPA'))}"
    return (TextRun(text, "performance"),)


def education_grid(maker: Maker) -> MadeTable:
    rng, studies = maker.rng, _studies(maker)
    joins_field = chance(rng, 0.5)
    form, years = (
        rng.choice(("percent", "percent", "points", "class", "gpa")),
        rng.choice(("year", "year", "range", "month")),
    )
    columns: list[tuple[str, list[Words]]] = [
        ("degree", [_degree_cell(maker, study, with_field=joins_field) for study in studies]),
        ("university", [(TextRun(study.school, "university"), *_place(maker, study)) for study in studies]),
    ]
    if chance(rng, 0.88):
        columns.append(("year", [_year(maker, study, years) for study in studies]))
    if chance(rng, 0.75):
        columns.append(("performance", [_result(maker, form) for _ in studies]))
    if not joins_field and chance(rng, 0.75):
        columns.append(
            ("specialization", [(TextRun(study.field, "field"),) if study.field else plain("-") for study in studies])
        )
    if chance(rng, 0.2):
        board: list[Words] = [(TextRun(maker.rng.choice(_BOARDS), "university"),) for _ in studies]
        columns.append(("university", board))
    if chance(rng, 0.12):
        columns.append(("place", [plain(study.city) for study in studies]))
    return grid(maker, "education", columns)


def _degree_cell(maker: Maker, study: CareerStudy, *, with_field: bool) -> Words:
    degree = _degree(maker, study)
    if not with_field or not study.field or study.field in study.degree:
        return (degree,)
    before, behind = maker.rng.choice(((" in ", ""), (" (", ")"), (" - ", ""), (", ", "")))
    return (degree, TextRun(before), TextRun(study.field, "field"), TextRun(behind))


def _place(maker: Maker, study: CareerStudy) -> Words:
    return (TextRun(", "), TextRun(study.city, "location")) if study.city and chance(maker.rng, 0.2) else ()


def education_keys(maker: Maker) -> MadeTable | None:
    if not maker.career.studies:
        return None
    study = maker.career.studies[0]
    facts: list[tuple[str, Words]] = [
        ("degree", (_degree(maker, study),)),
        ("university", (TextRun(study.school, "university"),)),
        ("year", _year(maker, study, "year")),
    ]
    if study.field:
        facts.append(("specialization", (TextRun(study.field, "field"),)))
    if chance(maker.rng, 0.6):
        facts.append(("performance", _result(maker, "percent")))
    return keys(maker, "education", facts)


def education_stack(maker: Maker) -> MadeTable:
    """Degree over school, with the year beside: one record takes two rows."""
    rows: list[Row] = []
    for study in _studies(maker):
        rows.append(((_degree_cell(maker, study, with_field=True)), ()))
        rows.append(((TextRun(study.school, "university"), *_place(maker, study)), _year(maker, study, "range")))
    return MadeTable("education", tuple(rows), False)


def transcript(maker: Maker) -> MadeTable:
    courses = some(maker.rng, COURSES, 4, 12)
    grades: list[Words] = [
        (TextRun(maker.rng.choice(("A", "A-", "B+", "B", "A+", "C")), "performance"),) for _ in courses
    ]
    credits = [plain(str(maker.rng.randint(1, 6))) for _ in courses]
    return grid(
        maker,
        "education",
        [("course", list(map(plain, courses))), ("performance", grades), ("credits", credits)],
        fixed=True,
    )
