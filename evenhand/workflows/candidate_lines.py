"""Lines of a resume cut where facts begin and end, with how large they look and which of them only wrap."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from evenhand.records import Document, Line
from evenhand.records.document import Box
from evenhand.workflows.candidate_places import Placed, place_id

MOST_SAID = 6  # facts named at one stretch of text
FULL_SHARE = 0.8  # of its column: a line that leaves more room was ended on purpose
SENTENCE = 40  # letters: shorter lines are names, dates, skills
COLUMN_POINTS = 24  # lines that begin within so many points stand in one column


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a line that belongs to the same places throughout."""

    text: str
    places: tuple[str, ...] = ()
    begins: tuple[str, ...] = ()  # of the places, those that begin here
    says: str = ""  # which facts were read from it; empty where it is only part of a whole entry


@dataclass(frozen=True, slots=True)
class TextLine:
    segments: tuple[Segment, ...]
    gap: str  # the white space between it and the next line
    look: str = ""  # class names
    wraps: bool = False  # goes on in the next line, which is one only because the page was full


def text_lines(document: Document, lines: Sequence[Line], facts: Sequence[Placed]) -> list[TextLine]:
    cut = _cutter(document.text, facts)
    look = _looks(document.lines)
    wraps = _wrapping(document, lines)
    ends = [*(line.start for line in lines[1:]), lines[-1].end if lines else 0]
    return [
        TextLine(tuple(cut(line.start, line.end)), document.text[line.end : end], look(line), at in wraps)
        for at, (line, end) in enumerate(zip(lines, ends, strict=True))
    ]


def _cutter(text: str, facts: Sequence[Placed]) -> Callable[[int, int], Iterator[Segment]]:
    """Cuts stretches, given in the order of the text, at the ends of all places. Overlapping ones share segments."""
    spans: dict[tuple[int, int], list[Placed]] = defaultdict(list)
    ids = {}
    for fact in facts:
        for place in fact.places:
            if place.start < place.end:
                spans[place.start, place.end].append(fact)
                ids[place.start, place.end] = place_id(place)
    waiting = sorted(spans, key=lambda span: (span[0], -span[1]), reverse=True)  # the next one is the last
    current: list[tuple[int, int]] = []
    begun: set[tuple[int, int]] = set()

    def cut(start: int, end: int) -> Iterator[Segment]:
        while start < end:
            while waiting and waiting[-1][0] <= start:
                current.append(waiting.pop())
            current[:] = [span for span in current if span[1] > start]
            stop = min([end, *(span[1] for span in current), *([waiting[-1][0]] if waiting else [])])
            fresh = [span for span in current if span not in begun]
            begun.update(fresh)
            yield Segment(
                text[start:stop],
                tuple(ids[span] for span in current),
                tuple(ids[span] for span in fresh),
                _said([fact for span in current for fact in spans[span]]),
            )
            start = stop

    return cut


def _said(facts: Sequence[Placed]) -> str:
    words = list(dict.fromkeys(fact.words for fact in facts if not fact.is_entry))
    more = len(words) - MOST_SAID
    return "; ".join(words[:MOST_SAID]) + (f"; and {more} more" if more > 0 else "")


def _looks(lines: Sequence[Line]) -> Callable[[Line], str]:
    """How much larger or smaller than most of the text; what is all bold is bold to nobody."""
    sizes = Counter[float]()
    for line in lines:
        sizes[line.size or 0.0] += line.end - line.start
    body = sizes.most_common(1)[0][0] if sizes else 0.0

    def look(line: Line) -> str:
        names = [_size_name(line.size / body)] if body and line.size else []
        names += ["bold"] * line.bold + ["italic"] * line.italic
        return " ".join(name for name in names if name)

    return look


def _size_name(ratio: float) -> str:
    steps = ((1.7, "largest"), (1.3, "larger"), (1.12, "large"), (0.88, ""))
    return next((name for least, name in steps if ratio >= least), "small")


def _wrapping(document: Document, lines: Sequence[Line]) -> set[int]:
    """Lines that ended only because the first word of the next one would not have fitted."""
    edges = _right_edges(lines)
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


def _right_edges(lines: Sequence[Line]) -> dict[tuple[int, int], float]:
    """By page and column, where its longest line ends."""
    edges: dict[tuple[int, int], float] = defaultdict(float)
    for line in lines:
        if line.box:
            edges[_column(line)] = max(edges[_column(line)], line.box[2])
    return edges
