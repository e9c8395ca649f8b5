"""Every way of hiding in every format, and everything that only looks like it, as files with known answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evenhand.bench.hiding import docx, html, odt, pdf, plain, rtf
from evenhand.bench.hiding.resumes import Build, Kind, Resume, make_resume, words_of
from evenhand.bench.peers import convert
from evenhand.bench.words import Words

KINDS: Mapping[str, Mapping[str, Kind]] = {
    "pdf": pdf.KINDS,
    "docx": docx.KINDS,
    "odt": odt.KINDS,
    "rtf": rtf.KINDS,
    "html": html.KINDS,
    "txt": plain.KINDS,
}
CONTROLS: Mapping[str, Mapping[str, Build]] = {
    "pdf": pdf.CONTROLS,
    "docx": docx.CONTROLS,
    "odt": odt.CONTROLS,
    "rtf": rtf.CONTROLS,
    "html": html.CONTROLS,
    "txt": plain.CONTROLS,
}
# LibreOffice writes the old Word format; these are the kinds that are still hidden in what it writes.
KEPT_IN_DOC: tuple[str, ...] = (
    "hidden font",
    "hidden character style",
    "hidden paragraph style",
    "white",
    "near white",
    "background colour",
    "highlight colour",
    "tiny",
    "squeezed",
    "off page",
    "frame off page",
    "far indent",
    "no room",
    "flat line",
    "covered by a shape",
    "covered by a picture",
)


@dataclass(frozen=True, slots=True)
class Case:
    """One file; without reasons it is a control, in which everything can be seen."""

    format: str
    kind: str
    reasons: tuple[str, ...]
    seen: Words
    unseen: Words
    data: bytes

    @property
    def is_control(self) -> bool:
        return not self.unseen


def cases(variants: int) -> Iterator[Case]:
    """`variants` files of every kind and control, always the same ones."""
    for name, kinds in KINDS.items():
        for kind, (reasons, build) in kinds.items():
            for variant in range(variants):
                resume = make_resume(f"{name} {kind}", variant)
                seen, unseen = visible_words(resume), words_of(resume.words)
                yield Case(name, kind, reasons, seen, unseen - seen, build(resume))
        for kind, build in CONTROLS[name].items():
            for variant in range(variants):
                resume = make_resume(f"{name} {kind}", variant)
                seen = visible_words(resume) | words_of(resume.words)
                yield Case(name, kind, (), seen, frozenset(), build(resume))


def visible_words(resume: Resume) -> Words:
    return words_of([part.text for part in resume.parts])


def as_doc(written: Sequence[Case], folder: Path) -> list[Case]:
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
