"""`evenhand bench order`: blocks of known resumes, kept whole and in the order a person reads them.

People looked at each page and wrote down which lines belong together and what comes after what. The resumes
are other people's, so their lines are kept as fingerprints only; reading_order.json says which files they are of.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from importlib.resources import files
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, ClassVar

from evenhand.documents.reading import read_many
from evenhand.errors import UsageError
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.document import Document
from evenhand_lab.benchmarks.inputs import key_of, resume_files
from evenhand_lab.benchmarks.kit import Measurement, share

NATIVE = ("templates", "multiformat", "docs-excelr")
FOLDERS = (*(f"native-resume-files/{name}" for name in NATIVE), *NATIVE)
DIGITS = 10  # of a line's fingerprint
STRAY = 2  # letters between two lines that are not foreign text: an icon or a list marker drawn as one
SLIP = 3  # letters by which a line that was misread may have become shorter or longer

# A block is a list of lines; {"then": [...]} are parts read in this order, {"any": [...]} parts that may follow
# each other in any order. No part may begin before another one has ended.
Node = Sequence[str] | Mapping[str, Any]
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class OrderCase:
    """How one resume came out."""

    key: str
    format: str | None
    blocks: int
    intact: int  # their lines follow each other without foreign words between them
    unread: int  # lines that are nowhere in the text, mostly for a letter the file does not say how to read
    violations: int  # parts that begin before the one they should follow has ended
    broken: list[int]  # which blocks are not intact, counted from 0 as the expectation lists them

    @property
    def is_interleaved(self) -> bool:
        return self.intact < self.blocks or self.violations > 0


@dataclass(frozen=True, slots=True)
class OrderBenchmark(Measurement):
    """All resumes whose order is known. `interleaved` must be empty."""

    title: ClassVar[str] = "columns, side bars and tables, in the order a person reads them"
    known: int
    cases: list[OrderCase]

    @property
    def interleaved(self) -> list[OrderCase]:
        return [case for case in self.cases if case.is_interleaved]

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"interleaved": [case.key for case in self.interleaved]}

    def rows(self) -> list[tuple[str, str]]:
        blocks, intact = sum(case.blocks for case in self.cases), sum(case.intact for case in self.cases)
        return [
            ("resumes read, known", f"{len(self.cases)}, {self.known}"),
            ("blocks, intact", f"{blocks}, {intact} ({intact / blocks:.2%})"),
            ("lines not found as they stand, a letter misread", str(sum(case.unread for case in self.cases))),
            ("parts out of order", str(sum(case.violations for case in self.cases))),
            ("resumes interleaved", f"{share(len(self.interleaved), len(self.cases))} (none may be)"),
            *(
                (
                    f"  {case.key} ({case.format})",
                    f"{case.intact} of {case.blocks} blocks intact, {case.violations} out of order",
                )
                for case in self.interleaved
            ),
        ]


def run(data: Path | None = None, *, progress: Progress = no_progress) -> OrderBenchmark:
    """Read the files under `data` whose order is known."""
    if data is None:
        raise UsageError("This bench needs --data with the folder of the resumes whose order is known.")
    expected = known_orders()
    paths = [path for path in resume_files(data, FOLDERS) if sha256(path.read_bytes()).hexdigest() in expected]
    if not paths:
        raise UsageError(f"None of the {len(expected)} resumes whose order is known is under {data}.")
    documents = with_progress(read_many(paths), progress, "reading", len(paths))
    return OrderBenchmark(len(expected), [examine(document, expected[document.sha256]) for document in documents])


def known_orders() -> dict[str, Node]:
    """Expected order by the file's hash."""
    text = files("evenhand_lab.benchmarks.reading").joinpath("reading_order.json").read_text(encoding="utf-8")
    orders: dict[str, Node] = json.loads(text)
    return orders


def letters(text: str) -> str:
    """What is compared: letters and digits alone, so that spaces, markers and line ends do not matter."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text.casefold())))


def fingerprint(line: str) -> str:
    """Length and hash of a line's letters."""
    text = letters(line)
    return f"{len(text)}:{_digits(text)}"


def fingerprinted(node: Node) -> Node:
    """An expectation with its lines replaced by their fingerprints."""
    if isinstance(node, Mapping):
        return {kind: [fingerprinted(part) for part in parts] for kind, parts in node.items()}
    return [fingerprint(line) for line in node]


def _digits(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:DIGITS]


@dataclass(slots=True)
class Letters:
    """A document's letters, in which fingerprints can be found."""

    text: str
    line_starts: frozenset[int] = frozenset()
    by_length: dict[int, dict[str, list[int]]] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str) -> Letters:
        lines = [letters(line) for line in re.split(r"[\n\t]", text)]  # a table cell counts as one
        return cls("".join(lines), frozenset(accumulate(map(len, lines), initial=0)))

    def find(self, line: str) -> list[int]:
        """Where the line with this fingerprint begins."""
        length, _, digits = line.partition(":")
        return self._places(int(length)).get(digits, [])

    def find_block(self, block: Sequence[str]) -> list[Span]:
        """Where all lines follow each other with nothing but strays between them.

        A line that is not found must at least have left a gap of its length.
        """
        found = [self.find(line) for line in block]
        if 2 * sum(map(bool, found)) < len(block):
            return []
        first = next(number for number, places in enumerate(found) if places)
        spans = [(start, start) for start in found[first]]
        slip = 0
        for line, places in zip(block[first:], found[first:], strict=True):
            length = int(line.partition(":")[0])
            if places:
                spans = [
                    (start, place + length)
                    for start, end in spans
                    for place in places
                    if end <= place <= end + STRAY + 2 * slip
                ]
                slip = 0
            else:
                spans = [(start, end + max(length - SLIP, 0)) for start, end in spans]
                slip += SLIP
        return spans

    def _places(self, length: int) -> dict[str, list[int]]:
        if length not in self.by_length:
            places: dict[str, list[int]] = {}
            for start in range(len(self.text) - length + 1):
                places.setdefault(_digits(self.text[start : start + length]), []).append(start)
            self.by_length[length] = places
        return self.by_length[length]


@dataclass(slots=True)
class OrderComparison:
    """What is noticed while an expectation is compared with a text."""

    letters: Letters
    blocks: int = 0
    broken: list[int] = field(default_factory=list)
    unread: int = 0
    violations: int = 0

    def visit(self, node: Node, after: int) -> Span | None:
        """From where to where the node's blocks reach.

        Of several places it is the first that is not before `after`, if possible at the start of a line: a
        heading's word may stand in a sentence too.
        """
        if not isinstance(node, Mapping):
            found = self.letters.find_block(node)
            if not found:
                self.broken.append(self.blocks)
            self.blocks += 1
            self.unread += sum(not self.letters.find(line) for line in node)
            starts = self.letters.line_starts
            return min(found, key=lambda span: (span[0] < after, span[0] not in starts, span), default=None)
        spans: list[Span] = []
        if "then" in node:
            for part in node["then"]:
                if span := self.visit(part, after):
                    self.violations += bool(spans) and span[0] < spans[-1][1]
                    spans.append(span)
                    after = span[1]
        else:
            spans = sorted(span for part in node["any"] if (span := self.visit(part, after)))
            self.violations += sum(low[1] > high[0] for low, high in pairwise(spans))
        return (min(low for low, _ in spans), max(high for _, high in spans)) if spans else None


def examine(document: Document, expected: Node) -> OrderCase:
    """Compare a document's text with the expected order; an unreadable file has lost every block."""
    walk = OrderComparison(Letters.of(document.text))
    walk.visit(expected, 0)
    return OrderCase(
        key=key_of(document),
        format=document.format,
        blocks=walk.blocks,
        intact=walk.blocks - len(walk.broken),
        unread=walk.unread,
        violations=walk.violations,
        broken=walk.broken,
    )
