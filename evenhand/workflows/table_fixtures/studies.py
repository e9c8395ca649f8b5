"""Tables of studies: a row for each, labels and values for one, degree over school, and grades by course."""

from __future__ import annotations

from evenhand.corpora.career import Study, year_of
from evenhand.corpora.manuscript import Run, Words
from evenhand.corpora.rng import chance, some
from evenhand.corpora.writing.dates import write_month
from evenhand.corpora.writing.forms import degree_forms
from evenhand.workflows.table_fixtures.making import MadeTable, Maker, Row, grid, keys, plain
from evenhand.workflows.table_fixtures.wordings import COURSES

_BOARDS = ("State Board", "Central Board", "C.B.S.E.", "I.C.S.E.", "Board of Secondary Education", "State University",
           "Board of Intermediate Education", "Open University", "Technical University")  # fmt: skip


def _degree(maker: Maker, study: Study) -> Run:
    short = degree_forms(study.degree)
    return Run(maker.rng.choice(short) if short and chance(maker.rng, 0.6) else study.degree, "degree")


def _studies(maker: Maker) -> list[Study]:
    return list(maker.career.studies) if chance(maker.rng, 0.8) else list(reversed(maker.career.studies))


def _year(maker: Maker, study: Study, form: str) -> Words:
    end = study.period.last(maker.career.as_of)
    match form:
        case "range":
            return (Run(f"{year_of(study.period.start)}{maker.joint}{year_of(end)}", "year"),)
        case "month":
            return (Run(write_month(end, "mon_year" if maker.dates == "yyyy" else maker.dates), "year"),)
    return (Run(str(year_of(end)), "year"),)


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
                (
                    "First Class",
                    "Distinction",
                    "First",
                    "Second Class",
                    "1st Division",
                    "First class with distinction",
                )
            )
        case _:
            text = f"{rng.uniform(2.6, 4):.2f}{rng.choice(('', '/4.0', '/4.00', ' GPA'))}"
    return (Run(text, "performance"),)


def education_grid(maker: Maker) -> MadeTable:
    rng, studies = maker.rng, _studies(maker)
    joins_field = chance(rng, 0.5)
    form, years = (
        rng.choice(("percent", "percent", "points", "class", "gpa")),
        rng.choice(("year", "year", "range", "month")),
    )
    columns: list[tuple[str, list[Words]]] = [
        ("degree", [_degree_cell(maker, study, with_field=joins_field) for study in studies]),
        ("university", [(Run(study.school, "university"), *_place(maker, study)) for study in studies]),
    ]
    if chance(rng, 0.88):
        columns.append(("year", [_year(maker, study, years) for study in studies]))
    if chance(rng, 0.75):
        columns.append(("performance", [_result(maker, form) for _ in studies]))
    if not joins_field and chance(rng, 0.75):
        columns.append(
            (
                "specialization",
                [(Run(study.field, "field"),) if study.field else plain("-") for study in studies],
            )
        )
    if chance(rng, 0.2):
        board: list[Words] = [(Run(maker.rng.choice(_BOARDS), "university"),) for _ in studies]
        columns.append(("university", board))
    if chance(rng, 0.12):
        columns.append(("place", [plain(study.city) for study in studies]))
    return grid(maker, "education", columns)


def _degree_cell(maker: Maker, study: Study, *, with_field: bool) -> Words:
    degree = _degree(maker, study)
    if not with_field or not study.field or study.field in study.degree:
        return (degree,)
    before, behind = maker.rng.choice(((" in ", ""), (" (", ")"), (" - ", ""), (", ", "")))
    return (degree, Run(before), Run(study.field, "field"), Run(behind))


def _place(maker: Maker, study: Study) -> Words:
    return (Run(", "), Run(study.city, "location")) if study.city and chance(maker.rng, 0.2) else ()


def education_keys(maker: Maker) -> MadeTable | None:
    if not maker.career.studies:
        return None
    study = maker.career.studies[0]
    facts: list[tuple[str, Words]] = [
        ("degree", (_degree(maker, study),)),
        ("university", (Run(study.school, "university"),)),
        ("year", _year(maker, study, "year")),
    ]
    if study.field:
        facts.append(("specialization", (Run(study.field, "field"),)))
    if chance(maker.rng, 0.6):
        facts.append(("performance", _result(maker, "percent")))
    return keys(maker, "education", facts)


def education_stack(maker: Maker) -> MadeTable:
    """Degree over school, with the year beside: one record takes two rows."""
    rows: list[Row] = []
    for study in _studies(maker):
        rows.append(((_degree_cell(maker, study, with_field=True)), ()))
        rows.append(((Run(study.school, "university"), *_place(maker, study)), _year(maker, study, "range")))
    return MadeTable("education", tuple(rows), False)


def transcript(maker: Maker) -> MadeTable:
    courses = some(maker.rng, COURSES, 4, 12)
    grades: list[Words] = [
        (Run(maker.rng.choice(("A", "A-", "B+", "B", "A+", "C")), "performance"),) for _ in courses
    ]
    credits = [plain(str(maker.rng.randint(1, 6))) for _ in courses]
    return grid(
        maker,
        "education",
        [("course", list(map(plain, courses))), ("performance", grades), ("credits", credits)],
        fixed=True,
    )
