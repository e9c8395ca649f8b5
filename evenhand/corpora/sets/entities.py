"""Resumes with entity spans: DataTurks, dotin (both editions) and the corpus of 36 labels, without repeated resumes."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from evenhand.corpora.sets.files import json_lines
from evenhand.corpora.sets.mending import RawSpan, mend
from evenhand.corpora.sets.records import Spanned

_WORD = re.compile(r"\w+")
SHINGLE = 6  # words
SAMPLED = 4  # one shingle in four is remembered
SAME = 0.4  # of the shorter resume's shingles: names and addresses differ between editions, the rest does not


def read_dataturks(folder: Path) -> Iterator[Spanned]:
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
            yield Spanned(f"{name.split('.')[0]}-{number}", "dataturks", row["content"], spans, mending)


def read_dotin(folder: Path, *, anonymised: bool = True) -> Iterator[Spanned]:
    """The test resumes first. The edition with real names keeps line breaks, the anonymised one is free of rights."""
    if anonymised:
        names = ("test_anonymised.jsonl", "train_anonymised.jsonl")
    else:
        names = ("juanfpinzon_set_aside_test_v2_50cvs.json", "juanfpinzon_545_cvs_train_v2.json")
    source = "dotin" if anonymised else "dotin-lines"
    for name in names:
        for number, row in enumerate(json_lines(folder / name)):
            raw = [
                RawSpan(start, end, label)
                for start, end, label in row.get("spans") or row.get("labels") or ()
            ]
            spans, mending = mend(row["text"], raw)
            yield Spanned(f"{name.split('.')[0]}-{number}", source, row["text"], spans, mending)


def read_36_labels(folder: Path) -> Iterator[Spanned]:
    """Only the resumes somebody annotated; a third has no spans, which does not mean there was nothing to mark."""
    for row in json_lines(folder / "resumes_spans.jsonl"):
        if row["spans"]:
            raw = [RawSpan(start, end, label) for start, end, label in row["spans"]]
            spans, mending = mend(row["text"], raw)
            yield Spanned(str(row["id"]), "36-labels", row["text"], spans, mending)


def read_entities(data: Path) -> Iterator[Spanned]:
    """All entity sets under one folder, each resume once: the first of two that are the same stays."""
    seen = Seen()
    readers: tuple[Callable[[], Iterator[Spanned]], ...] = (
        lambda: read_dataturks(data / "dataturks-resume-ner"),
        lambda: read_dotin(data / "dotin-resume-ner", anonymised=False),
        lambda: read_dotin(data / "dotin-resume-ner"),
        lambda: read_36_labels(data / "resume-corpus-36ent"),
    )
    for read in readers:
        yield from without_repeats(read(), seen)


class Seen:
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


def without_repeats(records: Iterable[Spanned], seen: Seen) -> Iterator[Spanned]:
    return (record for record in records if seen.add(record.text))


def _shingles(text: str) -> set[int]:
    words = [word.casefold() for word in _WORD.findall(text)]
    hashes = {
        zlib.crc32(" ".join(words[place : place + SHINGLE]).encode())
        for place in range(max(1, len(words) - SHINGLE + 1))
    }
    sampled = {value for value in hashes if value % SAMPLED == 0}
    return sampled or hashes  # of a short text all are kept
