"""`evenhand bench masking`: what of a person is left in masked resumes, what is masked wrongly, how long it takes.

Generated resumes, whose truth is known, or with `--data` annotated real ones; of those only counts are kept.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, ClassVar

from rich.table import Table

from evenhand.bench.hostile import quantile
from evenhand.bench.masking_cases import Case, generated, real
from evenhand.bench.measurements import as_table
from evenhand.corpora.kinds import KINDS as CORPORA
from evenhand.masking import KINDS, Mask, Masker
from evenhand.masking.folding import words
from evenhand.workflows.watching import Watch, unwatched, watched

RESUMES = 300
LONG = 200_000  # characters
MOST_MILLISECONDS, MOST_LONG_SECONDS, MOST_FALSE = 20.0, 0.2, 1.0
GOALS = {
    "name": 0.01,
    "e-mail": 0.005,
    "phone": 0.005,
    "street": 0.01,
    "link": 0.01,
    "school": 0.05,
    "pronoun": 0.0,
}
PRONOUN = re.compile(r"\b(?:[Hh]e|[Ss]he|[Hh]im|[Hh]er|[Hh]is|[Hh]ers|[Hh]imself|[Hh]erself)\b")
SHORTEST = 3  # letters of a part of a name


@dataclass(frozen=True, slots=True)
class Leak:
    """Resumes that have something of the kind, and those in which any of it can still be read."""

    having: int
    left: int

    @property
    def share(self) -> float | None:
        return self.left / self.having if self.having else None


@dataclass(frozen=True, slots=True)
class Masking:
    title: ClassVar[str] = "what is left of a person in masked resumes, and what is masked wrongly"
    source: str
    resumes: int
    words: int
    masks: dict[str, int]  # by kind
    leaks: dict[str, Leak]
    false_masks: int
    median_milliseconds: float
    p95_milliseconds: float
    long_seconds: float

    @property
    def false_per_1000(self) -> float:
        return 1000 * self.false_masks / self.words if self.words else 0.0

    def to_json(self) -> dict[str, Any]:
        shares = {kind: asdict(leak) | {"share": leak.share} for kind, leak in self.leaks.items()}
        return asdict(self) | {"leaks": shares, "false_per_1000": self.false_per_1000}

    def rows(self) -> list[tuple[str, str]]:
        each = f"{self.median_milliseconds:.1f} ms, {self.p95_milliseconds:.1f} ms"
        return [
            (f"{self.source} resumes, words", f"{self.resumes:,}, {self.words:,}"),
            ("masks", ", ".join(f"{count:,} {kind}" for kind, count in self.masks.items())),
            *(
                (f"resumes in which the {kind} is left", _leak(kind, leak))
                for kind, leak in self.leaks.items()
            ),
            (
                "masks over a fact of work, per 1,000 words",
                f"{self.false_per_1000:.2f} (at most {MOST_FALSE:g})",
            ),
            ("masking one, median and 95th percentile", f"{each} (at most {MOST_MILLISECONDS:g})"),
            (f"a text of {LONG:,} characters", f"{self.long_seconds:.3f} s (at most {MOST_LONG_SECONDS:g})"),
        ]

    def table(self) -> Table:
        return as_table(self.title, self.rows())


def _leak(kind: str, leak: Leak) -> str:
    if leak.share is None:
        return "none has any"
    return f"{leak.left} of {leak.having}, {leak.share:.1%} (at most {GOALS[kind]:.1%})"


def run(data: Path | None = None, *, n: int = RESUMES, seed: int = 1, watch: Watch = unwatched) -> Masking:
    """Mask `n` generated resumes of all kinds, or the annotated ones under `data`; everything but what work is."""
    if data is None:
        each = max(1, n // len(CORPORA))
        found = generated(each, seed)
        cases = list(watched(found, watch, "making, reading and mining", each * len(CORPORA)))
    else:
        cases = list(real(data, watch))
    return measure(cases, "generated" if data is None else "annotated real")


def measure(cases: Sequence[Case], source: str) -> Masking:
    seconds: list[float] = []
    masks: dict[str, int] = dict.fromkeys(KINDS, 0)
    having: dict[str, int] = dict.fromkeys(GOALS, 0)
    left: dict[str, int] = dict.fromkeys(GOALS, 0)
    false = 0
    for case in cases:
        started = time.process_time()
        masked = Masker(case.text, case.profile, file=case.file).masked
        seconds.append(time.process_time() - started)
        for mask in masked.masks:
            masks[mask.kind] += 1
        false += count_false(case, masked.masks)
        for kind in GOALS:
            having[kind] += has(case, kind, case.text)
            left[kind] += has(case, kind, masked.text)
    return Masking(
        source=source,
        resumes=len(cases),
        words=sum(len(case.text.split()) for case in cases),
        masks=masks,
        leaks={kind: Leak(having[kind], left[kind]) for kind in GOALS},
        false_masks=false,
        median_milliseconds=1000 * median(seconds),
        p95_milliseconds=1000 * quantile(sorted(seconds), 0.95),
        long_seconds=measure_long(cases[0]),
    )


def has(case: Case, kind: str, text: str) -> bool:
    """Whether anything of the kind can be read in the text."""
    if kind == "name":
        return any(True for _ in name_parts(case, text))
    if kind == "pronoun":
        return PRONOUN.search(text) is not None
    if kind == "phone":
        return any(_digits_in(phone, text) for phone in case.phones)
    values = {"e-mail": case.emails, "street": case.streets, "link": case.links, "school": case.schools}[kind]
    return any(value.casefold() in text.casefold() for value in values)


def name_parts(case: Case, text: str) -> Iterator[str]:
    """Parts of the name that stand there capitalised; those that the resume also uses for work do not count."""
    parts = {word.key for word in words(case.name or "") if len(word.key) >= SHORTEST}
    parts -= {word.key for value in case.work for word in words(value)}
    for word in words(text):
        if word.key in parts and text[word.start].isupper():
            yield word.key


def _digits_in(phone: str, text: str) -> bool:
    digits = re.sub(r"\D", "", phone)[-7:]
    return len(digits) == 7 and re.search(r"\D{0,3}".join(digits), text) is not None


def count_false(case: Case, masks: Iterable[Mask]) -> int:
    """Masks that take away a word of work; neutral words for jobs say the same, and schools were asked for."""
    spans = [match.span() for value in set(case.work) for match in re.finditer(re.escape(value), case.text)]
    personal = {word.key for value in case.personal for word in words(value)}
    return sum(
        mask.kind not in ("gender", "school")
        and any(start < mask.end and mask.start < end for start, end in spans)
        and not {word.key for word in words(case.text[mask.start : mask.end])} <= personal
        for mask in masks
    )


def measure_long(case: Case) -> float:
    text = case.text * (LONG // max(len(case.text), 1) + 1)
    seconds = []
    for _ in range(3):
        started = time.process_time()
        _ = Masker(text[:LONG], case.profile).masked
        seconds.append(time.process_time() - started)
    return min(seconds)
