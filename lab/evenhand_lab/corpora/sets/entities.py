"""Resumes with entity spans: the DataTurks, dotin and 36-entity sets, their spans brought in line with the texts."""

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
    placed = [RecordSpan(*place, span.label) for span in raw if (place := _place(text, span))]
    spans: list[RecordSpan] = []
    taken: set[int] = set()
    for span in sorted(placed, key=lambda span: (span.start - span.end, span.start, span.label)):
        if taken.isdisjoint(range(span.start, span.end)):
            spans.append(span)
            taken.update(range(span.start, span.end))
    return tuple(sorted(spans, key=lambda span: span.start))


def _place(text: str, span: RawSpan) -> tuple[int, int] | None:
    """Where the span belongs; None where that cannot be told."""
    if not 0 <= span.start < span.end or span.start >= len(text):
        return None
    start, end = _trim(text, span.start, min(span.end, len(text)))
    if span.value is not None:
        return _place_by_value(text, start, end, span.start, span.value.strip(_EDGE))
    for shift in sorted(range(-REACH, REACH + 1), key=abs) if start < end else ():
        first, last = start + shift, end + shift
        # begins and ends at the border of a word, on something to see
        if first >= 0 and last <= len(text) and text[first] not in _EDGE and text[last - 1] not in _EDGE:
            borders = [text[max(0, place - 1) : place + 1] for place in (first, last)]
            if not any(len(pair) == 2 and pair[0].isalnum() and pair[1].isalnum() for pair in borders):
                return first, last
    return None


def _place_by_value(text: str, start: int, end: int, given: int, wanted: str) -> tuple[int, int] | None:
    """The words where they were said to stand, or where they stand nearest to it."""
    if not wanted or text[start:end] == wanted:
        return (start, end) if wanted else None
    first = max(0, given - VALUE_REACH)
    places = [place for place in range(first, given + VALUE_REACH + 1) if text.startswith(wanted, place)]
    nearest = min(places, key=lambda place: abs(place - start), default=None)
    return None if nearest is None else (nearest, nearest + len(wanted))


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Without spaces and punctuation at the ends; nothing is left as an empty place at the end."""
    start = end - len(text[start:end].lstrip(_EDGE))
    return start, start + len(text[start:end].rstrip(_EDGE))


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


def read_plain_spans(folder: Path, names: Iterable[str], field: str) -> Iterator[SpanRecord]:
    """Rows of a text and, under `field`, lists of start, end (exclusive) and label."""
    for name in names:
        for number, row in enumerate(json_lines(folder / name)):
            spans = mend(row["text"], (RawSpan(*span) for span in row[field]))
            yield SpanRecord(f"{name.split('.')[0]}-{number}", folder.name, row["text"], spans)
