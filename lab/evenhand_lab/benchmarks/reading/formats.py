"""`evenhand bench formats`: the same resume in several formats, and how far the words agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import ClassVar

from evenhand.audit.statistics import ConfidenceInterval
from evenhand.documents.reading import read_many
from evenhand.errors import UsageError
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.document import Document
from evenhand_lab.benchmarks.inputs import distinct_words, jaccard, key_of, resume_files
from evenhand_lab.benchmarks.kit import Measurement, bootstrap, in_brackets

FOLDERS = ("native-resume-files/multiformat",)
LOW = 0.95

# Files of public repositories that are one resume, by the start of their SHA-256. Left out are files of one owner
# that differ in content: editions of other years, or a PDF of the first page only. That was judged by the words
# themselves, and pdftotext and LibreOffice find each of those pairs just as different (at most 0.92 in common).
SAME_RESUME = (
    ("fa24d2967d0e", "5e359b382e2f"),
    ("e04e55b33b8e", "8619d4d3d16a", "141da09b84e9"),
    ("852573aa8100", "c98afdab3927", "390db30eb4fa"),
    ("87367fdb32dd", "5eaa83a8216e", "cd989b939929"),
    ("231a3d4947bd", "45aca7e143d3", "566cd2aa7094"),
    ("5e3a962b126a", "defb963683b1", "082f5c2c2e5e"),
    ("5c5e897555de", "0641f21e18b8"),
    ("5d1d4a7931e4", "765f330ee174", "b7bdbd133500", "320dbdc5bab3"),
    ("8f287db85853", "aae250b65839", "3afc7521c984"),
    ("854b2e22a756", "ebd04d4a1c28", "c6863788cfca"),
)

Group = Sequence[Document]


@dataclass(frozen=True, slots=True)
class FormatPair:
    """Two formats of one resume."""

    keys: tuple[str, str]
    formats: tuple[str, str]
    jaccard: float
    only_first: int
    only_second: int

    def __str__(self) -> str:
        first, second = self.formats
        return f"{self.jaccard:.3f}: {self.only_first} only in {first}, {self.only_second} only in {second}"


@dataclass(frozen=True, slots=True)
class Formats(Measurement):
    """How far the formats of each resume agree on its words."""

    title: ClassVar[str] = "the same resume in several formats: words in both against words in either"
    resumes: int
    files: int
    mean: float
    interval: ConfidenceInterval | None  # drawing resumes, with all their pairs
    by_formats: dict[str, tuple[int, float]]  # pairs, mean
    pairs: list[FormatPair]

    def rows(self) -> list[tuple[str, str]]:
        low = [pair for pair in self.pairs if pair.jaccard < LOW]
        return [
            ("resumes, files, pairs", f"{self.resumes}, {self.files}, {len(self.pairs)}"),
            ("Jaccard of distinct words, mean", f"{self.mean:.4f}{in_brackets(self.interval, 4)} (at least {LOW})"),
            *((f"  {names}: pairs, mean", f"{n}, {mean:.4f}") for names, (n, mean) in self.by_formats.items()),
            ("lowest pair", f"{min(pair.jaccard for pair in self.pairs):.4f}"),
            (f"pairs under {LOW}", str(len(low))),
            *((f"  {' and '.join(pair.keys)}", str(pair)) for pair in low),
        ]


def run(data: Path | None = None, *, progress: Progress = no_progress) -> Formats:
    """Compare the known groups of files under `data`; without any, files that differ only in their suffix."""
    if data is None:
        raise UsageError("This bench needs --data with a folder of resumes, each in several formats.")
    paths = resume_files(data, FOLDERS)
    documents = list(with_progress(read_many(paths), progress, "reading", len(paths)))
    by_stem: dict[Path, list[Document]] = {}
    for path, document in zip(paths, documents, strict=True):
        by_stem.setdefault(path.with_suffix(""), []).append(document)
    return summary(known_groups(documents) or [group for group in by_stem.values() if len(group) > 1])


def known_groups(documents: Sequence[Document]) -> list[Group]:
    by_key = {key_of(document): document for document in documents}
    groups = ([by_key[key] for key in keys if key in by_key] for keys in SAME_RESUME)
    return [group for group in groups if len(group) > 1]


def summary(groups: Sequence[Group]) -> Formats:
    if not groups:
        raise UsageError("No resume is there in several formats: their files would differ only in the suffix.")
    by_resume = [[compare(*two) for two in combinations(group, 2)] for group in groups]
    pairs = [pair for some in by_resume for pair in some]
    units = [(sum(pair.jaccard for pair in some), len(some)) for some in by_resume]
    by_formats: dict[str, list[float]] = {}
    for pair in pairs:
        by_formats.setdefault(" and ".join(sorted(pair.formats)), []).append(pair.jaccard)
    return Formats(
        resumes=len(groups),
        files=sum(map(len, groups)),
        mean=fmean(pair.jaccard for pair in pairs),
        interval=bootstrap(units, lambda sums: sums[:, 0] / sums[:, 1]),
        by_formats={name: (len(values), fmean(values)) for name, values in sorted(by_formats.items())},
        pairs=sorted(pairs, key=lambda pair: pair.jaccard),
    )


def compare(first: Document, second: Document) -> FormatPair:
    """The visible words; a file that could not be read has none."""
    a, b = distinct_words(first.text), distinct_words(second.text)
    return FormatPair(
        keys=(key_of(first), key_of(second)),
        formats=(first.format or "unknown", second.format or "unknown"),
        jaccard=jaccard(a, b),
        only_first=len(a - b),
        only_second=len(b - a),
    )
