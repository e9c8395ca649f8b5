"""Resumes with entity spans: the DataTurks set, its spans brought in line with its texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from evenhand_lab.corpora.sets.records import RecordSpan, SpanRecord, json_lines

REACH = 3  # characters by which a span may be shifted and still be recognised by word borders
VALUE_REACH = 40  # and where the annotator's own words tell what to look for
_EDGE = " \t\r\n\f\v\xa0,;:•·"


@dataclass(frozen=True, slots=True)
class RawSpan:
    """Half-open; `value` is the text the annotator saw, where the set kept it."""

    start: int
    end: int
    label: str
    value: str | None = None


def mend(text: str, raw: Iterable[RawSpan]) -> tuple[RecordSpan, ...]:
    """Spans in order of the text, none over another; of two that overlap the longer one stays."""
    placed = [(place, span.label) for span in raw if (place := _place(text, span))]
    return _without_overlaps([RecordSpan(start, end, label) for (start, end), label in placed])


def _place(text: str, span: RawSpan) -> tuple[int, int] | None:
    """Where the span belongs; None where that cannot be told."""
    if not 0 <= span.start < span.end or span.start >= len(text):
        return None
    if span.value is not None:
        return _place_by_value(text, span, span.value)
    start, end = _trim(text, span.start, min(span.end, len(text)))
    if start >= end:
        return None
    for shift in sorted(range(-REACH, REACH + 1), key=abs):
        if _is_whole(text, start + shift, end + shift):
            return start + shift, end + shift
    return None


def _place_by_value(text: str, span: RawSpan, value: str) -> tuple[int, int] | None:
    wanted = value.strip(_EDGE)
    if not wanted:
        return None
    start, end = _trim(text, span.start, min(span.end, len(text)))
    if text[start:end] == wanted:
        return start, end
    places = []
    place = text.find(wanted, max(0, span.start - VALUE_REACH))
    while place != -1 and place <= span.start + VALUE_REACH:
        places.append(place)
        place = text.find(wanted, place + 1)
    if not places:
        return None
    nearest = min(places, key=lambda found: abs(found - start))
    return nearest, nearest + len(wanted)


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in _EDGE:
        start += 1
    while start < end and text[end - 1] in _EDGE:
        end -= 1
    return start, end


def _is_whole(text: str, start: int, end: int) -> bool:
    """Begins and ends at the border of a word, on something to see."""
    if start < 0 or end > len(text) or text[start] in _EDGE or text[end - 1] in _EDGE:
        return False
    return not _splits_word(text, start) and not _splits_word(text, end)


def _splits_word(text: str, place: int) -> bool:
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()


def _without_overlaps(spans: list[RecordSpan]) -> tuple[RecordSpan, ...]:
    kept: list[RecordSpan] = []
    taken: set[int] = set()
    for span in sorted(spans, key=lambda one: (one.start - one.end, one.start, one.label)):
        if taken.isdisjoint(range(span.start, span.end)):
            kept.append(span)
            taken.update(range(span.start, span.end))
    return tuple(sorted(kept, key=lambda one: one.start))


def read_dataturks(folder: Path) -> Iterator[SpanRecord]:
    """200 + 20 resumes; ends are inclusive there, and the words of a span are kept with it."""
    for name in ("testdata.json", "traindata.json"):
        for number, row in enumerate(json_lines(folder / name)):
            raw = [
                RawSpan(point["start"], point["end"] + 1, entry["label"][0], point["text"])
                for entry in row["annotation"] or ()
                if entry["label"]
                for point in entry["points"]
            ]
            yield SpanRecord(f"{name.split('.')[0]}-{number}", "dataturks", row["content"], mend(row["content"], raw))
