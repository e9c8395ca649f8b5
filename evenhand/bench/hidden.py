"""`evenhand bench hidden`: hidden words found, by kind and format; nothing that can be seen set apart."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

from rich.table import Table

from evenhand.bench.hiding.cases import Case, as_doc, cases
from evenhand.bench.inputs import key_of, resume_files
from evenhand.bench.measurements import as_table
from evenhand.bench.words import distinct_words
from evenhand.records.document import Document
from evenhand.settings import Settings
from evenhand.workflows.order import in_order
from evenhand.workflows.reading import open_pool, read_many, reading_limits
from evenhand.workflows.watching import Watch, unwatched, watched

VARIANTS = 5
FOLDERS = (
    "livecareer-pdf",
    "native-resume-files/templates",
    "native-resume-files/multiformat",
    "native-resume-files/docs-excelr",
    "gold/files",
    "vacancy-resume-matching/CV",
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one generated file."""

    format: str
    kind: str
    is_control: bool
    unseen: int
    found: int  # of the unseen words, set apart
    leaked: int  # of the unseen words, in the text
    lost: int  # of the words to be seen, set apart or missing
    reason_right: bool

    @property
    def is_right(self) -> bool:
        return self.found == self.unseen and not self.leaked and not self.lost and self.reason_right


@dataclass(frozen=True, slots=True)
class Figures:
    """All generated files of one format."""

    kinds: int
    files: int
    recall: float  # of hidden words
    leaked: int
    lost: int
    reasons_right: float  # share of the files with hidden words
    controls: int
    false_alarms: int  # controls in which anything was set apart or lost

    @classmethod
    def of(cls, outcomes: Sequence[Outcome]) -> Figures:
        hiding = [item for item in outcomes if not item.is_control]
        controls = [item for item in outcomes if item.is_control]
        return cls(
            kinds=len({item.kind for item in hiding}),
            files=len(hiding),
            recall=sum(item.found for item in hiding) / sum(item.unseen for item in hiding),
            leaked=sum(item.leaked for item in hiding),
            lost=sum(item.lost for item in hiding),
            reasons_right=sum(item.reason_right for item in hiding) / len(hiding),
            controls=len(controls),
            false_alarms=sum(not item.is_right for item in controls),
        )

    def __str__(self) -> str:
        return (
            f"{self.kinds} kinds, {self.files} files, {self.recall:.4f} found, {self.leaked} words leaked, "
            f"{self.lost} lost, {self.reasons_right:.2%} reasons right; {self.false_alarms} of {self.controls} controls"
        )


@dataclass(frozen=True, slots=True)
class Real:
    """Real resumes in which something was set apart; a person has to look at each."""

    files: int
    flagged: dict[str, str]  # file -> reasons

    @property
    def share(self) -> float:
        return len(self.flagged) / self.files


@dataclass(frozen=True, slots=True)
class HiddenWords:
    """How hidden words fare in generated files, and how often real files are suspected."""

    title: ClassVar[str] = "words hidden on purpose, set apart; visible words, left alone"
    all: Figures
    formats: dict[str, Figures]
    wrong: dict[str, int]  # "format, kind" -> files that did not come out exactly right
    real: Real | None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def rows(self) -> list[tuple[str, str]]:
        return [
            ("hidden words set apart", f"{self.all.recall:.4f} (at least 0.95)"),
            ("hidden words in the text", str(self.all.leaked)),
            ("visible words lost", str(self.all.lost)),
            ("files with the right reason", f"{self.all.reasons_right:.2%}"),
            ("controls with a false alarm", f"{self.all.false_alarms} of {self.all.controls}"),
            *((f"  {name}", str(figures)) for name, figures in self.formats.items()),
            (
                "kinds that are not always right",
                "; ".join(f"{k}: {n}" for k, n in self.wrong.items()) or "none",
            ),
            *self._real_rows(),
        ]

    def _real_rows(self) -> list[tuple[str, str]]:
        if self.real is None:
            return []
        share = f"{len(self.real.flagged)} of {self.real.files}, {self.real.share:.2%} (at most 1%)"
        return [
            ("real resumes with hidden text", share),
            *((f"  {key}", reasons) for key, reasons in self.real.flagged.items()),
        ]

    def table(self) -> Table:
        return as_table(self.title, self.rows())


def run(data: Path | None = None, *, n: int = VARIANTS, watch: Watch = unwatched) -> HiddenWords:
    """Read `n` generated files of every kind and format, and then the real resumes under `data`."""
    made = list(cases(n))
    if shutil.which("soffice"):  # only LibreOffice writes the old Word format
        with tempfile.TemporaryDirectory(prefix="evenhand-") as folder:
            made += as_doc([case for case in made if case.format == "docx"], Path(folder))
    outcomes = [judge(case, document) for case, document in zip(made, read_cases(made, watch), strict=True)]
    return summary(outcomes, look_at_real(data, watch) if data else None)


def read_cases(made: Sequence[Case], watch: Watch) -> Iterable[Document]:
    settings = Settings()
    with open_pool(settings) as pool:
        limits = reading_limits(settings)
        documents = in_order(lambda case: pool.read(case.data, limits=limits), made, threads=pool.workers)
        yield from watched(documents, watch, "generated files", len(made))


def judge(case: Case, document: Document) -> Outcome:
    text = distinct_words(document.text)
    apart = distinct_words(*(item.text for item in document.hidden))
    reasons = {item.reason for item in document.hidden}
    return Outcome(
        format=case.format,
        kind=case.kind,
        is_control=case.is_control,
        unseen=len(case.unseen),
        found=len(case.unseen & apart),
        leaked=len(case.unseen & text),
        lost=len(case.seen - text | case.seen & apart),
        reason_right=reasons <= set(case.reasons) and bool(reasons) != case.is_control,
    )


def look_at_real(data: Path, watch: Watch) -> Real:
    paths = resume_files(data, FOLDERS)
    readable = {
        key_of(document): document
        for document in watched(read_many(paths), watch, "real resumes", len(paths))
        if document.error is None
    }
    flagged = {
        key: f"{document.format}: {', '.join(sorted({item.reason for item in document.hidden}))}, "
        f"{sum(len(item.text.split()) for item in document.hidden)} words"
        for key, document in readable.items()
        if document.hidden
    }
    return Real(len(readable), flagged)


def summary(outcomes: Sequence[Outcome], real: Real | None) -> HiddenWords:
    formats = dict.fromkeys(item.format for item in outcomes)
    wrong: dict[str, int] = {}
    for item in outcomes:
        if not item.is_right:
            name = f"{item.format}, {item.kind}"
            wrong[name] = wrong.get(name, 0) + 1
    return HiddenWords(
        all=Figures.of(outcomes),
        formats={name: Figures.of([item for item in outcomes if item.format == name]) for name in formats},
        wrong=wrong,
        real=real,
    )
