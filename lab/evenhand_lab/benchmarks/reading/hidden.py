"""`evenhand bench hidden`: hidden words found, by kind and format; nothing that can be seen set apart."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import ClassVar

from evenhand.documents.reading import in_order, open_pool, read_many, reading_limits
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.document import Document
from evenhand.settings import Settings
from evenhand_lab.benchmarks.inputs import Words, convert, distinct_words, key_of, resume_files
from evenhand_lab.benchmarks.kit import Measurement
from evenhand_lab.benchmarks.reading.hiding import docx, flat, odt, pdf
from evenhand_lab.benchmarks.reading.hiding.resumes import Build, Kinds, make_resume, words_of

# Every way of hiding in every format, and everything that only looks like it, as files with known answers.


KINDS: Mapping[str, Kinds] = {
    "pdf": pdf.KINDS,
    "docx": docx.KINDS,
    "odt": odt.KINDS,
    "rtf": flat.RTF_KINDS,
    "html": flat.KINDS,
    "txt": flat.PLAIN_KINDS,
}
CONTROLS: Mapping[str, Mapping[str, Build]] = {
    "pdf": pdf.CONTROLS,
    "docx": docx.CONTROLS,
    "odt": odt.CONTROLS,
    "rtf": flat.RTF_CONTROLS,
    "html": flat.CONTROLS,
    "txt": flat.PLAIN_CONTROLS,
}
MORE_KINDS: Mapping[str, Kinds] = {
    "pdf": pdf.MORE_KINDS,
    "docx": docx.MORE_KINDS,
    "odt": odt.MORE_KINDS,
    "rtf": flat.MORE_RTF_KINDS,
    "html": flat.MORE_KINDS,
}
MORE_CONTROLS: Mapping[str, Mapping[str, Build]] = {
    "pdf": pdf.MORE_CONTROLS,
    "docx": docx.MORE_CONTROLS,
    "odt": odt.MORE_CONTROLS,
    "rtf": flat.MORE_RTF_CONTROLS,
    "html": flat.MORE_CONTROLS,
}
LATER_KINDS: Mapping[str, Kinds] = {
    "pdf": pdf.LATER_KINDS,
    "docx": docx.LATER_KINDS,
    "odt": odt.LATER_KINDS,
    "html": flat.LATER_KINDS,
}
FIRST, DEVELOPMENT, HELD_BACK, LATER = "first", "development", "held back", "later"
"""The kinds the readers were built with; further ones they were mended with; those kept from whoever mends them; and
those written when the readers were finished: at first all words of 24 of the 30 were found; 3 causes were mended."""
# LibreOffice writes the old Word format; these are the kinds that are still hidden in what it writes.
KEPT_IN_DOC = (
    *("hidden font", "hidden character style", "hidden paragraph style", "white", "near white", "background colour"),
    *("highlight colour", "tiny", "squeezed", "off page", "frame off page", "far indent", "no room", "flat line"),
    *("covered by a shape", "covered by a picture"),
)


@dataclass(frozen=True, slots=True)
class HiddenTextCase:
    """One file. One without unseen words is a control. Without reasons any reason is right; by the reason "absent"
    the words may be left out, because they are no text of the page at all."""

    format: str
    kind: str
    reasons: tuple[str, ...]
    seen: Words
    unseen: Words
    data: bytes

    @property
    def is_control(self) -> bool:
        return not self.unseen


def held_back(kinds: Iterable[str]) -> frozenset[str]:
    """Every third of a format's kinds, in an order that nobody chooses: by the hash of the name."""
    return frozenset(sorted(kinds, key=lambda kind: hashlib.sha256(kind.encode()).digest())[2::3])


def kinds_of(subset: str) -> dict[str, tuple[Kinds, Mapping[str, Build]]]:
    """Kinds and controls of each format; all the further controls are among those for development."""
    if subset == FIRST:
        return {name: (kinds, CONTROLS[name]) for name, kinds in KINDS.items()}
    if subset == LATER:
        return {name: (kinds, {}) for name, kinds in LATER_KINDS.items()}
    chosen = {}
    for name, kinds in MORE_KINDS.items():
        apart = held_back(kinds)
        of_subset = {kind: kinds[kind] for kind in kinds if (kind in apart) == (subset == HELD_BACK)}
        chosen[name] = (of_subset, {} if subset == HELD_BACK else MORE_CONTROLS[name])
    return chosen


def cases(variants: int, subset: str = FIRST) -> Iterator[HiddenTextCase]:
    """`variants` files of every kind and control, always the same ones."""
    for name, (kinds, visible) in kinds_of(subset).items():
        controls = {kind: ("", build) for kind, build in visible.items()}
        for methods, is_control in ((kinds, False), (controls, True)):
            for kind, (reasons, build) in methods.items():
                for variant in range(variants):
                    resume = make_resume(f"{name} {kind}", variant)
                    seen, special = words_of([part.text for part in resume.parts]), words_of(resume.words)
                    seen |= special if is_control else frozenset()
                    yield HiddenTextCase(name, kind, tuple(reasons.split()), seen, special - seen, build(resume))


def as_doc(written: Sequence[HiddenTextCase], folder: Path) -> list[HiddenTextCase]:
    """The Word cases once more in the old format, written by LibreOffice."""
    chosen = [case for case in written if case.is_control or case.kind in KEPT_IN_DOC]
    files = {}
    (folder / "made").mkdir(parents=True, exist_ok=True)
    for number, case in enumerate(chosen):
        path = folder / "made" / f"{number}.docx"
        path.write_bytes(case.data)
        files[path.name] = path
    converted = convert(files, folder, target="doc:MS Word 97")
    return [
        replace(case, format="doc", data=converted[name].read_bytes())
        for name, case in zip(files, chosen, strict=True)
        if name in converted
    ]


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
class HiddenTextOutcome:
    """What became of one generated file."""

    format: str
    kind: str
    is_control: bool
    unseen: int
    found: int  # of the unseen words, set apart, or rightly absent
    leaked: int  # of the unseen words, in the text
    lost: int  # of the words to be seen, set apart or missing
    reason_right: bool

    @property
    def is_right(self) -> bool:
        return self.found == self.unseen and not self.leaked and not self.lost and self.reason_right


@dataclass(frozen=True, slots=True)
class HiddenTextMetrics:
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
    def of(cls, outcomes: Sequence[HiddenTextOutcome]) -> HiddenTextMetrics:
        hiding = [item for item in outcomes if not item.is_control]
        controls = [item for item in outcomes if item.is_control]
        return cls(
            kinds=len({item.kind for item in hiding}),
            files=len(hiding),
            recall=sum(item.found for item in hiding) / sum(item.unseen for item in hiding),
            leaked=sum(item.leaked for item in hiding),
            lost=sum(item.lost for item in hiding),
            reasons_right=fmean(item.reason_right for item in hiding),
            controls=len(controls),
            false_alarms=sum(not item.is_right for item in controls),
        )

    def __str__(self) -> str:
        return (
            f"{self.kinds} kinds, {self.files} files, {self.recall:.4f} found, {self.leaked} words leaked, "
            f"{self.lost} lost, {self.reasons_right:.2%} reasons right; {self.false_alarms} of {self.controls} controls"
        )


@dataclass(frozen=True, slots=True)
class HiddenTextResult:
    """All generated files of one subset of the kinds."""

    all: HiddenTextMetrics
    formats: dict[str, HiddenTextMetrics]
    wrong: dict[str, int]  # "format, kind", or the format alone -> files that did not come out exactly right

    @classmethod
    def of(cls, outcomes: Sequence[HiddenTextOutcome], *, named: bool = True) -> HiddenTextResult:
        """Kinds that are held back are not named: whoever mends the readers may see the figures."""
        formats = dict.fromkeys(item.format for item in outcomes)
        return cls(
            all=HiddenTextMetrics.of(outcomes),
            formats={
                name: HiddenTextMetrics.of([item for item in outcomes if item.format == name]) for name in formats
            },
            wrong=dict(
                Counter(
                    f"{item.format}, {item.kind}" if named else item.format for item in outcomes if not item.is_right
                )
            ),
        )

    def rows(self, subset: str) -> list[tuple[str, str]]:
        return [
            (f"{subset} kinds: hidden words set apart", f"{self.all.recall:.4f} (at least 0.95)"),
            ("hidden words in the text", str(self.all.leaked)),
            ("visible words lost", str(self.all.lost)),
            ("files with the right reason", f"{self.all.reasons_right:.2%}"),
            ("controls with a false alarm", f"{self.all.false_alarms} of {self.all.controls}"),
            *((f"  {name}", str(figures)) for name, figures in self.formats.items()),
            ("kinds that are not always right", "; ".join(f"{k}: {n}" for k, n in self.wrong.items()) or "none"),
        ]


@dataclass(frozen=True, slots=True)
class Real:
    """Real resumes in which something was set apart; a person has to look at each."""

    files: int
    flagged: dict[str, str]  # file -> reasons


@dataclass(frozen=True, slots=True)
class HiddenWords(Measurement):
    """How hidden words fare in generated files, and how often real files are suspected."""

    title: ClassVar[str] = "words hidden on purpose, set apart; visible words, left alone"
    subsets: dict[str, HiddenTextResult]
    real: Real | None

    def rows(self) -> list[tuple[str, str]]:
        rows = [row for subset, result in self.subsets.items() for row in result.rows(subset)]
        if self.real:
            flagged, files = self.real.flagged, self.real.files
            share = f"{len(flagged)} of {files}, {len(flagged) / files:.2%} (at most 1%)"
            rows += [("real resumes with hidden text", share), *((f"  {key}", why) for key, why in flagged.items())]
        return rows


def run(data: Path | None = None, *, n: int = VARIANTS, progress: Progress = no_progress) -> HiddenWords:
    """Read `n` generated files of every kind and format, and then the real resumes under `data`."""
    subsets = {}
    for subset in (FIRST, DEVELOPMENT, HELD_BACK, LATER):
        made = list(cases(n, subset))
        if subset == FIRST and shutil.which("soffice"):  # only LibreOffice writes the old Word format
            with tempfile.TemporaryDirectory(prefix="evenhand-") as folder:
                made += as_doc([case for case in made if case.format == "docx"], Path(folder))
        subsets[subset] = HiddenTextResult.of(outcomes_of(made, progress), named=subset not in (HELD_BACK, LATER))
    return HiddenWords(subsets, look_at_real(data, progress) if data else None)


def outcomes_of(made: Sequence[HiddenTextCase], progress: Progress = no_progress) -> list[HiddenTextOutcome]:
    return [judge(case, document) for case, document in zip(made, read_cases(made, progress), strict=True)]


def read_cases(made: Sequence[HiddenTextCase], progress: Progress) -> Iterable[Document]:
    settings = Settings()
    with open_pool(settings) as pool:
        limits = reading_limits(settings)
        documents = in_order(lambda case: pool.read(case.data, limits=limits), made, threads=pool.workers)
        yield from with_progress(documents, progress, "generated files", len(made))


def judge(case: HiddenTextCase, document: Document) -> HiddenTextOutcome:
    text = distinct_words(document.text)
    apart = distinct_words(*(item.text for item in document.hidden))
    reasons = {item.reason for item in document.hidden}
    may_be_absent = "absent" in case.reasons
    right_reasons = not reasons if case.is_control else not case.reasons or reasons <= set(case.reasons)
    return HiddenTextOutcome(
        format=case.format,
        kind=case.kind,
        is_control=case.is_control,
        unseen=len(case.unseen),
        found=len(case.unseen - text if may_be_absent else case.unseen & apart),
        leaked=len(case.unseen & text),
        lost=len(case.seen - text | case.seen & apart),
        reason_right=right_reasons and (bool(reasons) != case.is_control or may_be_absent),
    )


def look_at_real(data: Path, progress: Progress) -> Real:
    paths = resume_files(data, FOLDERS)
    documents = with_progress(read_many(paths), progress, "real resumes", len(paths))
    readable = {key_of(document): document for document in documents if document.error is None}
    flagged = {
        key: f"{document.format}: {', '.join(sorted({item.reason for item in document.hidden}))}, "
        f"{sum(len(item.text.split()) for item in document.hidden)} words"
        for key, document in readable.items()
        if document.hidden
    }
    return Real(len(readable), flagged)
