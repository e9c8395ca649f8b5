"""A resume's text laid out to be read like the original: pages, headings, lists, tables, and the evidence marked in it.

Read one after the other, the segments and gaps are the text of the document, to the character.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Literal

from evenhand.records import Document, Evidence, Fact, Line, Period, Profile
from evenhand.records.document import Box
from evenhand.text.wording import dates_words, duration

# Where the facts of a resume stand in its text: every place under one id, with the words for what was read there.

METHODS = {
    "crf": "a trained model",
    "lexicon": "the dictionary",
    "rule": "a pattern",
    "table": "the columns of a table",
    "completed": "a trained model, completed from its surroundings",
    "person": "a person",
    "text": "a search of the text",
    "name": "the dictionary, in the name of an employer or school",
}
"""What found a fact, in words."""


@dataclass(frozen=True, slots=True)
class LocatedFact:
    """A fact and its places; `is_entry` where they are those of a whole job or study, not of words in it."""

    label: str
    value: str
    places: tuple[Evidence, ...]
    is_entry: bool = False

    @property
    def words(self) -> str:
        return f"{self.label}: {self.value}"


def place_id(place: Evidence) -> str:
    """Facts that were read from the same words share it."""
    return f"p{place.start}-{place.end}"


def place_words(place: Evidence) -> str:
    """ "page 2, found by a pattern, 98 % sure"."""
    return f"page {place.page}, found by {METHODS.get(place.method, place.method)}, {sureness(place)} sure"


def sureness(place: Evidence) -> str:
    return f"{100 * place.confidence:.0f} %"


def placed_facts(profile: Profile) -> list[LocatedFact]:
    """Every fact of the profile, in the order in which a page shows them."""
    return [
        *_person(profile),
        *_entries(profile),
        *(fact for entry in profile.certifications for fact in _named("Certificate", entry.name, entry.year)),
        *(LocatedFact("Skill", skill.name, skill.evidence) for skill in profile.skills if skill.evidence),
        *(_one("Language", fact) for fact in profile.languages),
    ]


def _person(profile: Profile) -> Iterator[LocatedFact]:
    lists: tuple[tuple[str, Sequence[Fact | None]], ...] = (
        ("Name", [profile.name]),
        ("E-mail", profile.emails),
        ("Phone", profile.phones),
        ("Link", profile.links),
        ("City", [profile.city]),
    )
    for label, facts in lists:
        yield from (_one(label, fact) for fact in facts if fact)


def _entries(profile: Profile) -> Iterator[LocatedFact]:
    """Jobs, projects and studies: each as a whole, then the facts in it."""
    for number, job in enumerate(profile.positions, 1):
        yield LocatedFact("Job", entry_name(job.title, job.employer) or str(number), (job.evidence,), is_entry=True)
        yield from _facts(Title=job.title, Employer=job.employer, City=job.city)
        yield from _dates(job.period)
    for number, project in enumerate(profile.projects, 1):
        name = entry_name(project.name, project.client) or str(number)
        yield LocatedFact("Project", name, (project.evidence,), is_entry=True)
        yield from _facts(Project=project.name, Client=project.client, Role=project.role)
        yield from _dates(project.period)
    for number, study in enumerate(profile.education, 1):
        name = entry_name(study.degree, study.university) or str(number)
        yield LocatedFact("Study", name, (study.evidence,), is_entry=True)
        yield from _facts(Degree=study.degree, Field=study.field, University=study.university)
        yield from _facts(Year=study.year, Grade=study.performance)


def _dates(period: Period) -> Iterator[LocatedFact]:
    if period.evidence:
        yield LocatedFact("Dates", _period_words(period), (period.evidence,))


def _period_words(period: Period) -> str:
    """The dates, or for want of them how long it was: "2019-03 to present", "1 year 2 months"."""
    return dates_words(period.start, period.end) if period.start or period.end else duration(period.months)


def entry_name(what: Fact | None, where: Fact | None) -> str:
    """ "Accountant, Initech", of which either may be missing."""
    return ", ".join(fact.value for fact in (what, where) if fact)


def _named(label: str, name: Fact, year: Fact | None) -> Iterator[LocatedFact]:
    yield _one(label, name)
    if year:
        yield _one(f"Year of the {label.lower()}", year)


def _facts(**facts: Fact | None) -> Iterator[LocatedFact]:
    yield from (_one(label, fact) for label, fact in facts.items() if fact)


def _one(label: str, fact: Fact) -> LocatedFact:
    return LocatedFact(label, fact.value, (fact.evidence,))


# Lines of a resume cut where facts begin and end, with how large they look and which of them only wrap.

MAX_FACTS = 6  # facts named at one stretch of text
FULL_SHARE = 0.8  # of its column: a line that leaves more room was ended on purpose
SENTENCE = 40  # letters: shorter lines are names, dates, skills
COLUMN_POINTS = 24  # lines that begin within so many points stand in one column
SIZES = ((1.7, "largest"), (1.3, "larger"), (1.12, "large"), (0.88, ""))  # from so many times the size of most text


@dataclass(frozen=True, slots=True)
class LineSegment:
    """A stretch of a line that belongs to the same places throughout."""

    text: str
    places: tuple[str, ...] = ()
    begins: tuple[str, ...] = ()  # of the places, those that begin here
    says: str = ""  # which facts were read from it; empty where it is only part of a whole entry


@dataclass(frozen=True, slots=True)
class TextLine:
    segments: tuple[LineSegment, ...]
    gap: str  # the white space between it and the next line
    look: str = ""  # class names
    wraps: bool = False  # goes on in the next line, which is one only because the page was full


def _cutter(text: str, facts: Sequence[LocatedFact]) -> Callable[[int, int], Iterator[LineSegment]]:
    """Cuts stretches, given in the order of the text, at the ends of all places. Overlapping ones share segments."""
    spans: dict[tuple[int, int], list[LocatedFact]] = defaultdict(list)
    ids = {}
    for fact in facts:
        for place in fact.places:
            if place.start < place.end:
                spans[place.start, place.end].append(fact)
                ids[place.start, place.end] = place_id(place)
    waiting = sorted(spans, key=lambda span: (span[0], -span[1]), reverse=True)  # the next one is the last
    current: list[tuple[int, int]] = []
    begun: set[tuple[int, int]] = set()

    def cut(start: int, end: int) -> Iterator[LineSegment]:
        while start < end:
            while waiting and waiting[-1][0] <= start:
                current.append(waiting.pop())
            current[:] = [span for span in current if span[1] > start]
            stop = min([end, *(span[1] for span in current), *([waiting[-1][0]] if waiting else [])])
            fresh = [span for span in current if span not in begun]
            begun.update(fresh)
            yield LineSegment(
                text[start:stop],
                tuple(ids[span] for span in current),
                tuple(ids[span] for span in fresh),
                _said([fact for span in current for fact in spans[span]]),
            )
            start = stop

    return cut


def _said(facts: Sequence[LocatedFact]) -> str:
    words = list(dict.fromkeys(fact.words for fact in facts if not fact.is_entry))
    more = len(words) - MAX_FACTS
    return "; ".join(words[:MAX_FACTS]) + (f"; and {more} more" if more > 0 else "")


def _looks(lines: Sequence[Line]) -> Callable[[Line], str]:
    """How much larger or smaller than most of the text; what is all bold is bold to nobody."""
    sizes = Counter[float]()
    for line in lines:
        sizes[line.size or 0.0] += line.end - line.start
    body = sizes.most_common(1)[0][0] if sizes else 0.0

    def look(line: Line) -> str:
        ratio = line.size / body if body and line.size else 1.0
        names = [next((name for least, name in SIZES if ratio >= least), "small")]
        names += ["bold"] * line.bold + ["italic"] * line.italic
        return " ".join(name for name in names if name)

    return look


def _wrapping(document: Document, lines: Sequence[Line]) -> set[int]:
    """Lines that ended only because the first word of the next one would not have fitted."""
    # By page and column, where its longest line ends.
    edges: dict[tuple[int, int], float] = defaultdict(float)
    for line in lines:
        if line.box:
            edges[_column(line)] = max(edges[_column(line)], line.box[2])
    return {
        at
        for at, (line, after) in enumerate(pairwise(lines))
        if _is_one_look(line, after)
        and (
            _is_full(line.box, after.box, _first_word_share(document, after), edges.get(_column(line), 0.0))
            or _goes_on(document, line, after)
        )
    }


def _is_one_look(line: Line, after: Line) -> bool:
    same = (line.page, line.size, line.bold, line.table) == (after.page, after.size, after.bold, after.table)
    return same and not after.list and after.start == line.end + 1 and line.furniture == after.furniture


def _is_full(box: Box | None, after: Box | None, word_share: float, edge: float) -> bool:
    """`word_share` is what the first word takes of the line after."""
    if box is None or after is None or after[1] <= box[1] or after[0] >= box[2]:  # not known, or not beneath
        return False
    word = word_share * (after[2] - after[0])
    return box[2] - box[0] >= FULL_SHARE * (edge - box[0]) and box[2] + word > edge


def _goes_on(document: Document, line: Line, after: Line) -> bool:
    """In the middle of a sentence, on a page where lines have a place."""
    words, rest = document.line_text(line), document.line_text(after)
    is_sentence = len(words) >= SENTENCE and not words.endswith((".", ":", ";", "!", "?"))
    return line.box is not None and is_sentence and rest[:1].islower()


def _first_word_share(document: Document, line: Line) -> float:
    text = document.line_text(line)
    return (len(text.split(maxsplit=1)[0]) + 1) / len(text) if text.strip() else 0.0


def _column(line: Line) -> tuple[int, int]:
    return line.page, round(line.box[0] / COLUMN_POINTS) if line.box else -1


MAX_LINES = 900  # about 15 full pages; more only when asked for
NEXT_BLOCK = "\n\n"


@dataclass(frozen=True, slots=True)
class TextParagraph:
    kind: Literal["heading", "text", "item", "furniture"]
    lines: tuple[TextLine, ...]


@dataclass(frozen=True, slots=True)
class Bullets:
    items: tuple[TextParagraph, ...]
    kind: Literal["list"] = "list"


@dataclass(frozen=True, slots=True)
class TextTable:
    """Rows of cells; a cell without text has no lines."""

    rows: tuple[tuple[tuple[TextLine, ...], ...], ...]
    kind: Literal["table"] = "table"


Block = TextParagraph | Bullets | TextTable


@dataclass(frozen=True, slots=True)
class TextPage:
    page: int
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class ResumeText:
    sheets: tuple[TextPage, ...]
    pages: int
    reached: int  # where the shown text ends
    lines_left_out: int

    def shows(self, start: int) -> bool:
        return start < self.reached or not self.lines_left_out


def lay_out(
    document: Document,
    profile: Profile | None,
    *,
    most_lines: int | None = MAX_LINES,
    found_at: tuple[int, int] | None = None,
) -> ResumeText:
    """Of a long one the first lines only, unless `most_lines` is None. What a search `found_at` is marked too."""
    first_lines = document.lines[:most_lines]
    reached = first_lines[-1].end if first_lines else 0
    facts = placed_facts(profile) if profile else []
    if found_at and document.text[slice(*found_at)].strip():
        place = Evidence(*found_at, page=1, method="rule", confidence=1.0)
        facts.append(LocatedFact("Found by the search", document.text[slice(*found_at)], (place,)))
    headings = {section.start for section in profile.sections if section.heading} if profile else set()
    cut, look, wraps = _cutter(document.text, facts), _looks(document.lines), _wrapping(document, first_lines)
    ends = [*(line.start for line in first_lines[1:]), reached]
    lines = [
        TextLine(tuple(cut(line.start, line.end)), document.text[line.end : end], look(line), number in wraps)
        for number, (line, end) in enumerate(zip(first_lines, ends, strict=False))
    ]
    sheets = []
    for page, numbers in groupby(range(len(first_lines)), key=lambda at: first_lines[at].page):
        blocks = _blocks([(first_lines[at], lines[at]) for at in numbers], headings)
        sheets.append(TextPage(page, tuple(blocks)))
    return ResumeText(tuple(sheets), document.pages, reached, len(document.lines) - len(first_lines))


Pair = tuple[Line, TextLine]


def _blocks(pairs: Sequence[Pair], headings: set[int]) -> Iterator[Block]:
    for kind, stretch in groupby(_paragraphs(pairs, headings), key=lambda pair: pair[0]):
        paragraphs = [paragraph for _, paragraph in stretch]
        if kind == "item":
            # The further lines of an item are there only because the page is no wider.
            items = [tuple(replace(line, wraps=True) for _, line in paragraph) for paragraph in paragraphs]
            yield Bullets(tuple(TextParagraph("item", item) for item in items))
        elif isinstance(kind, int):
            yield from _grid([pair for paragraph in paragraphs for pair in paragraph])
        else:
            yield from (TextParagraph(kind, _lines(paragraph)) for paragraph in paragraphs)


Kind = Literal["heading", "text", "item", "furniture"] | int
"""What a paragraph is; a number is that of the table it stands in."""


def _paragraphs(pairs: Sequence[Pair], headings: set[int]) -> Iterator[tuple[Kind, list[Pair]]]:
    open_kind: Kind = "text"
    paragraph: list[Pair] = []
    for pair in pairs:
        kind = _kind(pair[0], headings)
        goes_on = paragraph and _belongs(paragraph[-1], pair, open_kind, kind)
        if paragraph and not goes_on:
            yield open_kind, paragraph
            paragraph = []
        if not paragraph:
            open_kind = kind
        paragraph.append(pair)
    if paragraph:
        yield open_kind, paragraph


def _kind(line: Line, headings: set[int]) -> Kind:
    if line.table is not None:
        return line.table[0]
    if line.furniture:
        return "furniture"
    if line.start in headings:
        return "heading"
    return "item" if line.list else "text"


def _belongs(before: Pair, after: Pair, open_kind: Kind, kind: Kind) -> bool:
    if before[1].gap == NEXT_BLOCK and not isinstance(kind, int):
        return False
    if open_kind == "item":  # its further lines have no mark of their own; those of the next paragraph are not set in
        box, next_box = before[0].box, after[0].box
        is_set_in = box is not None and next_box is not None and next_box[0] > box[0] + 3
        return kind == "text" and (before[1].wraps or is_set_in)
    return kind == open_kind and kind != "heading"


def _lines(pairs: Sequence[Pair]) -> tuple[TextLine, ...]:
    return tuple(line for _, line in pairs)


def _grid(pairs: Sequence[Pair]) -> Iterator[Block]:
    """As a table where its cells come row by row; else as text, so that nothing changes its order."""
    places = [(line.table[1], line.table[2]) for line, _ in pairs if line.table]
    if any(later < earlier for earlier, later in pairwise(places)):
        yield TextParagraph("text", _lines(pairs))
        return
    width = max(column for _, column in places) + 1
    rows = []
    for _, in_row in groupby(zip(places, pairs, strict=True), key=lambda placed: placed[0][0]):
        cells: dict[int, list[TextLine]] = defaultdict(list)
        for (_, column), (_, line) in in_row:
            cells[column].append(line)
        rows.append(tuple(tuple(cells[column]) for column in range(width)))
    yield TextTable(tuple(rows))
