"""What the tables of one made-up resume are written with: its wordings, its dates, and the two forms of table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import Career, CareerJob
from evenhand_lab.corpora.lexicon import chance, weighted
from evenhand_lab.corpora.manuscript import TextRun, Words
from evenhand_lab.corpora.writing.dates import write_month


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
