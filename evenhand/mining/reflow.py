"""Annotations of a text without its layout: paragraphs instead of lines, one kind of bullet, no fonts, sizes or boxes.

What is decided from them is the same for every format of one resume.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from evenhand.mining.annotations import TITLE_WORDS, Annotations, find_keys, mark_phrases, own_key
from evenhand.mining.assembly.blocks import Mention
from evenhand.mining.layout import INDENT, LayoutLine, ResumeLayout, column_of, find_cuts, right_margins
from evenhand.mining.vocabulary import Vocabulary
from evenhand.records.document import Line
from evenhand.text.tokens import Tokens

# Lines put together to the paragraphs, list items and table rows they are parts of, whatever the page made of them.

SLACK = 2  # letters by which a word may be wider than the letters of its line are on average
LOOSER = 1.07  # times the usual distance of lines within a paragraph: then another begins
FULL = 0.7  # of the width of the column, for a line that breaks off within a sentence
HANGING = 20.0  # points by which the second column of a row stands further right than the first
SAME_SIZE = 0.02
NEXT_LINE = (0.8, 2.5)  # font sizes between the tops of a line and of the next
BESIDE_DATE = 2  # words that are no date in a line that is nothing but one
DURATION_WORDS = 4  # "3 years 2 months"
OPEN_WORDS = frozenset(("and", "or", "of", "in", "with", "for", "the", "to", "a", "an", "&"))
OPEN_MARKS = frozenset(",-/&(")


@dataclass(frozen=True, slots=True)
class ParagraphMetrics:
    """How a resume is set: right edges of its columns, the pitch of its paragraphs, lines in each table cell."""

    margins: dict[tuple[int, int], float]
    pitch: float | None
    cells: Counter[tuple[int, int, int]]


def find_paragraphs(annotations: Annotations, places: Sequence[int]) -> list[list[int]]:
    """The lines of each, of those lines of the layout that are asked about."""
    lines = [annotations.layout.lines[place] for place in places]
    # How far below a line its paragraph goes on, in font sizes: seen where a line begins with a small letter.
    pitches = [
        pitch
        for before, line in pairwise(lines)
        if line.text[:1].islower() and not line.line.list and (pitch := _pitch(before, line)) is not None
    ]
    cells = Counter(line.line.table for line in lines if line.line.table)
    setting = ParagraphMetrics(right_margins(lines), median(pitches) if pitches else None, cells)
    result: list[list[int]] = []
    for place, line in zip(places, lines, strict=True):
        above = annotations.layout.lines[result[-1][-1]] if result else None
        if above and (_goes_on(above, line, setting) or _is_date_of(annotations, result[-1], place)):
            result[-1].append(place)
        else:
            result.append([place])
    return result


def _pitch(before: LayoutLine, line: LayoutLine) -> float | None:
    box, above = line.line.box, before.line.box
    if box is None or above is None or line.line.page != before.line.page or not line.line.size:
        return None
    pitch = (box[1] - above[1]) / line.line.size
    return pitch if NEXT_LINE[0] <= pitch <= NEXT_LINE[1] else None


def _goes_on(before: LayoutLine, line: LayoutLine, setting: ParagraphMetrics) -> bool:
    one, other = before.line.table, line.line.table
    if one or other:
        # Cells of one line each make a row that other formats show as one line; longer ones only lay out the page.
        if not one or not other or one[:2] != other[:2] or line.line.list or before.line.list:
            return False
        return setting.cells[one] == setting.cells[other] == 1
    if line.line.box is None or before.line.box is None or line.line.list or "\t" in line.text:
        return False
    if line.line.page > before.line.page:
        return line.text[:1].islower() and before.text.rstrip()[-1:] not in ".:"
    return _is_set_below(before, line, setting) and _is_broken(before, line, setting)


def _is_set_below(before: LayoutLine, line: LayoutLine, setting: ParagraphMetrics) -> bool:
    """Whether it stands where the next line of a paragraph would."""
    box, above = line.line.box, before.line.box
    pitch = _pitch(before, line)
    if box is None or above is None or pitch is None or line.gap_before:
        return False
    if abs(line.size_ratio - before.size_ratio) > SAME_SIZE:
        return False
    if setting.pitch is not None and pitch > LOOSER * setting.pitch:
        return False
    if "\t" in before.text:  # the right edge of a row is that of its last column
        return box[0] - above[0] >= HANGING
    return -2.0 <= box[0] - above[0] <= INDENT


def _is_broken(before: LayoutLine, line: LayoutLine, setting: ParagraphMetrics) -> bool:
    """Whether the line before ends because it is full, and not because what it says is over."""
    box, above = line.line.box, before.line.box
    if box is None or above is None:
        return False
    is_open = _is_open(before.text)
    if own_key(line.text) and not is_open:
        return False
    margin = max(setting.margins[column_of(before)], setting.margins[column_of(line)])
    text = line.text.strip()
    if (is_open or text[:1].islower()) and above[2] - above[0] >= FULL * (margin - above[0]):
        return True
    width = (box[2] - box[0]) / max(1, len(text))
    return above[2] + width * (len(text.split()[0]) + 1 + SLACK) > margin


def _is_open(text: str) -> bool:
    """Whether something must follow: a comma, a hyphen or "and" at the end."""
    words = text.split()
    return bool(words) and (words[-1][-1] in OPEN_MARKS or words[-1].lower() in OPEN_WORDS)


def _is_date_of(annotations: Annotations, paragraph: Sequence[int], place: int) -> bool:
    """Whether the line is but the time of what the line before names: formats set it beside or below."""
    before = annotations.layout.lines[paragraph[-1]]
    if before.line.list or annotations.titles[paragraph[-1]] or before.text.rstrip().endswith("."):
        return False
    if any(annotations.date_kinds[at] or annotations.contacts[at] for at in paragraph):
        return False
    if annotations.keys[paragraph[0]]:
        return False
    kinds, line = annotations.date_kinds[place], annotations.layout.lines[place]
    if "range" in kinds or "point" in kinds:
        return annotations.marks["date"][line.first : line.last].count(0) <= BESIDE_DATE
    return "duration" in kinds and line.last - line.first <= DURATION_WORDS


BULLET = "•"
LOOK: tuple[object, ...] = (1.0, False, False, None, False)


def reflow(annotations: Annotations, vocabulary: Vocabulary) -> Annotations:
    """The same words in other lines; page footers are left out."""
    lines = annotations.layout.lines
    places = [place for place, line in enumerate(lines) if line.line.furniture != "footer"]
    places = places or list(range(len(lines)))  # a page that is nothing but a footer
    paragraphs = find_paragraphs(annotations, places)
    plain = Annotations(_plain_layout(annotations.layout, paragraphs), {})
    for kind, marks in annotations.marks.items():
        plain.marks[kind] = bytearray(b"".join(marks[lines[at].first : lines[at].last] for at in places))
    plain.date_kinds = [tuple(kind for at in part for kind in annotations.date_kinds[at]) for part in paragraphs]
    plain.contacts = [tuple(kind for at in part for kind in annotations.contacts[at]) for part in paragraphs]
    plain.titles = [_title(annotations, part, vocabulary) for part in paragraphs]
    plain.fuzzy = [False] * len(paragraphs)
    plain.keys = find_keys(plain.layout)
    plain.table_types = [None] * len(paragraphs)
    plain.column_types = [None] * len(paragraphs)
    _annotate_skills(annotations, plain, paragraphs, vocabulary)
    return plain


def _plain_layout(layout: ResumeLayout, paragraphs: Sequence[Sequence[int]]) -> ResumeLayout:
    lines: list[LayoutLine] = []
    words: list[str] = []
    lower: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    traits: list[bytes] = []
    for part in paragraphs:
        first = len(words)
        for line in (layout.lines[place] for place in part):
            words += layout.tokens.words[line.first : line.last]
            lower += layout.lower[line.first : line.last]
            starts += layout.tokens.starts[line.first : line.last]
            ends += layout.tokens.ends[line.first : line.last]
            traits.append(layout.traits[line.first : line.last])
        opening = layout.lines[part[0]]
        if opening.line.list and first < len(words) and not words[first][0].isalnum():
            words[first] = lower[first] = BULLET
        lines.append(_plain_line(layout, part, first, len(words)))
    tokens = Tokens(words, starts, ends)
    cuts = find_cuts(layout.document.text, tokens)
    return ResumeLayout(
        layout.document,
        tokens,
        lines,
        lower=lower,
        line_of=[place for place, line in enumerate(lines) for _ in range(line.first, line.last)],
        traits=b"".join(traits),
        cuts=list(cuts),
        cut_kinds=list(cuts.values()),
        looks=Counter({LOOK: len(lines)}),
        line_starts=[line.start for line in lines],
    )


def _plain_line(layout: ResumeLayout, part: Sequence[int], first: int, last: int) -> LayoutLine:
    opening = layout.lines[part[0]]
    end = layout.lines[part[-1]].end
    return LayoutLine(
        line=Line(opening.start, end, 1, None, None, None, False, False, None, opening.line.list, None),
        text=opening.text if len(part) == 1 else " ".join(layout.lines[place].text for place in part),
        first=first,
        last=last,
        gap_before=False,
        new_block=True,
        size_ratio=1.0,
        odd_color=False,
        is_caps=False,
        look=LOOK,
    )


def _title(annotations: Annotations, part: Sequence[int], vocabulary: Vocabulary) -> str | None:
    """The type of section it would open by its words alone; a title that is only similar must look like one."""
    if len(part) == 1:
        return None if annotations.fuzzy[part[0]] else annotations.titles[part[0]]
    lines = [annotations.layout.lines[place] for place in part]
    if sum(line.last - line.first for line in lines) > TITLE_WORDS:
        return None
    title = vocabulary.section_title(" ".join(line.text for line in lines), fuzzy=False)
    return title[0] if title else None


def _annotate_skills(
    annotations: Annotations, plain: Annotations, paragraphs: Sequence[Sequence[int]], vocabulary: Vocabulary
) -> None:
    """Phrases are looked up again in lines that were put together: one may have been broken."""
    shifts: dict[int, int] = {}
    joined: list[LayoutLine] = []
    for part, line in zip(paragraphs, plain.layout.lines, strict=True):
        if len(part) == 1:
            shifts[part[0]] = line.first - annotations.layout.lines[part[0]].first
        else:
            joined.append(line)
    for first, last, name in annotations.sure_skills:
        shift = shifts.get(annotations.layout.line_of[first])
        if shift is not None:
            plain.sure_skills.append((first + shift, last + shift, name))
    for line in joined:
        for kind, marks in plain.marks.items():
            if kind != "date":
                marks[line.first : line.last] = bytes(line.last - line.first)
    mark_phrases(plain, vocabulary, joined)
    plain.sure_skills.sort()


def placed(mentions: Sequence[Mention], layout: ResumeLayout) -> list[Mention]:
    """Mentions found among paragraphs, in the lines of the page."""
    return [
        replace(
            mention,
            line=bisect_right(layout.line_starts, mention.start) - 1,
            last_line=bisect_right(layout.line_starts, mention.end - 1) - 1,
        )
        for mention in mentions
    ]
