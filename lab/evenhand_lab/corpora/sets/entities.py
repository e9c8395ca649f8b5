"""Resumes with entity spans: DataTurks, dotin (both editions) and the corpus of 36 labels, without repeated resumes."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from evenhand_lab.corpora.sets.records import RecordSpan, SpanRecord, SpanRepairs, json_lines

# Spans as annotators left them, brought in line with their text: trimmed, moved back into place, or dropped.


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


def mend(text: str, raw: Iterable[RawSpan]) -> tuple[tuple[RecordSpan, ...], SpanRepairs]:
    """Spans in order of the text, none over another; of two that overlap the longer one stays."""
    found: list[RecordSpan] = []
    trimmed = moved = lost = 0
    for span in raw:
        place = _place(text, span)
        if place is None:
            lost += 1
            continue
        shift, start, end = place
        moved += shift != 0
        trimmed += shift == 0 and (start, end) != (span.start, span.end)
        found.append(RecordSpan(start, end, span.label))
    kept = _without_overlaps(found)
    return kept, SpanRepairs(len(kept), trimmed, moved, lost, len(found) - len(kept))


def _place(text: str, span: RawSpan) -> tuple[int, int, int] | None:
    """How far the span was shifted, and where it belongs; None where that cannot be told."""
    if not 0 <= span.start < span.end or span.start >= len(text):
        return None
    if span.value is not None:
        return _place_by_value(text, span, span.value)
    start, end = _trim(text, span.start, min(span.end, len(text)))
    if start >= end:
        return None
    for shift in sorted(range(-REACH, REACH + 1), key=abs):
        if _is_whole(text, start + shift, end + shift):
            return shift, start + shift, end + shift
    return None


def _place_by_value(text: str, span: RawSpan, value: str) -> tuple[int, int, int] | None:
    wanted = value.strip(_EDGE)
    if not wanted:
        return None
    start, end = _trim(text, span.start, min(span.end, len(text)))
    if text[start:end] == wanted:
        return 0, start, end
    places = []
    place = text.find(wanted, max(0, span.start - VALUE_REACH))
    while place != -1 and place <= span.start + VALUE_REACH:
        places.append(place)
        place = text.find(wanted, place + 1)
    if not places:
        return None
    nearest = min(places, key=lambda found: abs(found - start))
    return nearest - start, nearest, nearest + len(wanted)


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


_WORD = re.compile(r"\w+")
SHINGLE = 6  # words
SAMPLED = 4  # one shingle in four is remembered
SAME = 0.4  # of the shorter resume's shingles: names and addresses differ between editions, the rest does not


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
            spans, mending = mend(row["content"], raw)
            yield SpanRecord(f"{name.split('.')[0]}-{number}", "dataturks", row["content"], spans, mending)


def read_dotin(folder: Path, *, anonymised: bool = True) -> Iterator[SpanRecord]:
    """The test resumes first. The edition with real names keeps line breaks, the anonymised one is free of rights."""
    if anonymised:
        names = ("test_anonymised.jsonl", "train_anonymised.jsonl")
    else:
        names = ("juanfpinzon_set_aside_test_v2_50cvs.json", "juanfpinzon_545_cvs_train_v2.json")
    source = "dotin" if anonymised else "dotin-lines"
    for name in names:
        for number, row in enumerate(json_lines(folder / name)):
            raw = [RawSpan(start, end, label) for start, end, label in row.get("spans") or row.get("labels") or ()]
            spans, mending = mend(row["text"], raw)
            yield SpanRecord(f"{name.split('.')[0]}-{number}", source, row["text"], spans, mending)


def read_36_labels(folder: Path) -> Iterator[SpanRecord]:
    """Only the resumes somebody annotated; a third has no spans, which does not mean there was nothing to mark."""
    for row in json_lines(folder / "resumes_spans.jsonl"):
        if row["spans"]:
            raw = [RawSpan(start, end, label) for start, end, label in row["spans"]]
            spans, mending = mend(row["text"], raw)
            yield SpanRecord(str(row["id"]), "36-labels", row["text"], spans, mending)


def read_entities(data: Path) -> Iterator[SpanRecord]:
    """All entity sets under one folder, each resume once: the first of two that are the same stays."""
    seen = ResumeMemory()
    readers: tuple[Callable[[], Iterator[SpanRecord]], ...] = (
        lambda: read_dataturks(data / "dataturks-resume-ner"),
        lambda: read_dotin(data / "dotin-resume-ner", anonymised=False),
        lambda: read_dotin(data / "dotin-resume-ner"),
        lambda: read_36_labels(data / "resume-corpus-36ent"),
    )
    for read in readers:
        yield from without_repeats(read(), seen)


class ResumeMemory:
    """Remembers resumes by some of their word sequences, enough to know them again under another name."""

    def __init__(self) -> None:
        self._owners: dict[int, list[int]] = {}
        self._sizes: list[int] = []

    def add(self, text: str) -> bool:
        """Whether the text is new; if it is, it is remembered."""
        shingles = _shingles(text)
        shared: dict[int, int] = {}
        for shingle in shingles:
            for owner in self._owners.get(shingle, ()):
                shared[owner] = shared.get(owner, 0) + 1
        for owner, count in shared.items():
            if count >= SAME * max(1, min(len(shingles), self._sizes[owner])):
                return False
        for shingle in shingles:
            self._owners.setdefault(shingle, []).append(len(self._sizes))
        self._sizes.append(len(shingles))
        return True


def without_repeats(records: Iterable[SpanRecord], seen: ResumeMemory) -> Iterator[SpanRecord]:
    return (record for record in records if seen.add(record.text))


def _shingles(text: str) -> set[int]:
    words = [word.casefold() for word in _WORD.findall(text)]
    hashes = {
        zlib.crc32(" ".join(words[place : place + SHINGLE]).encode())
        for place in range(max(1, len(words) - SHINGLE + 1))
    }
    sampled = {value for value in hashes if value % SAMPLED == 0}
    return sampled or hashes  # of a short text all are kept
