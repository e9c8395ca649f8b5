"""`evenhand bench recall`: the words other readers find in the same files, and how many of them we have."""

from __future__ import annotations

import re
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import ClassVar

from evenhand.audit.statistics import ConfidenceInterval
from evenhand.documents.reading import available_cores, in_order, read_many
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.document import Document
from evenhand_lab.benchmarks import inputs
from evenhand_lab.benchmarks.inputs import distinct_words, key_of, share_found
from evenhand_lab.benchmarks.kit import Measurement, bootstrap_mean, in_brackets

# Why a word of another reader is not among ours, as far as the two texts can tell.


SINGLE = "single characters (icons, initials)"
HYPHEN = "parts of words hyphenated at a line end"
ENCODED = "characters we normalise (look-alikes, private use)"
SPLIT = "parted by the peer, one word with us"
GLUED = "one word with the peer, parted by us"
LONGER = "one letter longer with the peer"
MARKUP = "control words that the peer took for text"
UNKNOWN = "not found"

_CONTROL_WORD = re.compile(r"\\([a-z]+-?\d*)")
_HYPHENATED = re.compile(r"(\w+)[-\u00ad\u2010]\s*\n\s*(\w+)")


def causes_of(missing: Iterable[str], document: Document, peer_text: str) -> Iterator[str]:
    """One cause for each missing word."""
    missing = sorted(missing)
    if not missing:
        return
    texts = [document.text, *(item.text for item in document.hidden)]
    ours = distinct_words(*texts)
    raw = distinct_words(*(line.raw for line in document.lines if line.raw))
    halves = distinct_words(*(half for pair in _HYPHENATED.findall(peer_text) for half in pair))
    # All words of the text without the gaps between them.
    letters = "".join(re.findall(r"\w+", unicodedata.normalize("NFKC", "\n".join(texts).casefold())))
    markup = distinct_words(*_CONTROL_WORD.findall(peer_text))
    joined = "\n".join(sorted(ours))
    for word in missing:
        if len(word) == 1:
            yield SINGLE
        elif word in halves:
            yield HYPHEN
        elif word in raw:
            yield ENCODED
        elif word in joined:
            yield SPLIT
        elif word in letters:
            yield GLUED
        elif word in markup:
            yield MARKUP
        elif word[:-1] in ours:
            yield LONGER
        else:
            yield UNKNOWN


FOLDERS = (
    "livecareer-pdf",
    "native-resume-files/templates",
    "native-resume-files/multiformat",
    "native-resume-files/docs-excelr",
    "gold/files",
)
OFFICE = ("docx", "doc", "odt", "fodt", "rtf", "html")
LOW = 0.97


@dataclass(frozen=True, slots=True)
class WordRecall:
    """One file: our words against the peer's."""

    key: str
    format: str
    recall: float
    precision: float
    hidden_words: int  # of the peer's, which we read and set apart
    missing: int
    causes: dict[str, int]  # of the missing words


@dataclass(frozen=True, slots=True)
class Recall(Measurement):
    """Means per format, and the files that fall short, with what explains it."""

    title: ClassVar[str] = "words found, against pdftotext (PDF) and LibreOffice (office formats)"
    files: int
    formats: dict[str, tuple[int, float, float]]  # files, mean recall, mean precision
    recall: float
    precision: float
    recall_interval: ConfidenceInterval | None  # drawing files
    precision_interval: ConfidenceInterval | None
    low: list[WordRecall]
    set_apart: dict[str, int]  # files with words we call hidden and the peer does not -> how many
    refused: dict[str, str]  # files we did not read, though the peer found text -> code
    silent: int  # files in which the peer finds nothing

    def rows(self) -> list[tuple[str, str]]:
        return [
            ("files compared", str(self.files)),
            (
                "recall of distinct words, mean",
                f"{self.recall:.4f}{in_brackets(self.recall_interval, 4)} (at least 0.99)",
            ),
            ("precision, mean", f"{self.precision:.4f}{in_brackets(self.precision_interval, 4)}"),
            *(
                (f"  {name}: files, recall, precision", f"{count}, {recall:.4f}, {precision:.4f}")
                for name, (count, recall, precision) in self.formats.items()
            ),
            (f"files with recall under {LOW}", str(len(self.low))),
            *((f"  {item.key} ({item.format})", _explained(item)) for item in self.low),
            ("files with words set apart as hidden", _listed(self.set_apart)),
            ("files not read, though the peer found text", _listed(self.refused)),
            ("files without text for the peer, left out", str(self.silent)),
        ]


def run(data: Path | None = None, *, n: int | None = None, progress: Progress = no_progress) -> Recall:
    """Compare every resume under `data`, or the samples; `n` of them, evenly chosen, for a quick look."""
    for peer in ("pdftotext", "soffice"):
        inputs.program(peer)
    paths = inputs.resume_files(data, FOLDERS) if data else inputs.samples()
    paths = inputs.spread_evenly(paths, n) if n else paths
    documents: dict[str, tuple[Document, Path]] = {}
    readings = with_progress(read_many(paths), progress, "reading", len(paths))
    for path, document in zip(paths, readings, strict=True):
        if document.format == "pdf" or document.format in OFFICE:
            documents.setdefault(key_of(document), (document, path))  # a file that lies there twice counts once
    return summary([document for document, _ in documents.values()], peer_texts(documents, progress))


def peer_texts(documents: Mapping[str, tuple[Document, Path]], progress: Progress) -> dict[str, str]:
    """The peer's text by key."""
    pdfs = {key: path for key, (document, path) in documents.items() if document.format == "pdf"}
    found = in_order(inputs.pdf_text, pdfs.values(), threads=available_cores())
    texts = dict(zip(pdfs, with_progress(found, progress, "pdftotext", len(pdfs)), strict=True))
    files = {f"{key}.{document.format}": path for key, (document, path) in documents.items() if key not in pdfs}
    with tempfile.TemporaryDirectory(prefix="evenhand-") as folder, progress("LibreOffice", len(files)) as bar:
        office = inputs.office_texts(files, Path(folder), advance=bar.advance)
    return texts | {name.partition(".")[0]: text for name, text in office.items()}


def summary(documents: Sequence[Document], texts: Mapping[str, str]) -> Recall:
    wanted = {key: distinct_words(text) for key, text in texts.items()}
    speaking = [document for document in documents if wanted.get(key_of(document))]
    refused = {key_of(item): item.error.code for item in speaking if item.error}
    compared = [compare(document, texts[key_of(document)]) for document in speaking]
    by_format = {
        name: [item for item in compared if item.format == name]
        for name, _ in Counter(item.format for item in compared).most_common()
    }
    return Recall(
        files=len(compared),
        formats={
            name: (len(items), fmean(x.recall for x in items), fmean(x.precision for x in items))
            for name, items in by_format.items()
        },
        recall=fmean(item.recall for item in compared),
        precision=fmean(item.precision for item in compared),
        recall_interval=bootstrap_mean([item.recall for item in compared]),
        precision_interval=bootstrap_mean([item.precision for item in compared]),
        low=sorted((item for item in compared if item.recall < LOW), key=lambda item: item.recall),
        set_apart={item.key: item.hidden_words for item in compared if item.hidden_words},
        refused=refused,
        silent=len(documents) - len(speaking),
    )


def compare(document: Document, peer_text: str) -> WordRecall:
    """Text set apart was read, and set apart on purpose: it counts as found."""
    peer, ours = distinct_words(peer_text), distinct_words(document.text)
    apart = distinct_words(*(item.text for item in document.hidden)) - ours
    missing = peer - ours - apart
    return WordRecall(
        key=key_of(document),
        format=document.format or "",
        recall=share_found(peer, ours | apart),
        precision=share_found(ours, peer) if ours else 0.0,
        hidden_words=len(peer & apart),
        missing=len(missing),
        causes=dict(Counter(causes_of(missing, document, peer_text)).most_common()),
    )


def _explained(item: WordRecall) -> str:
    causes = ", ".join(f"{count} {cause}" for cause, count in item.causes.items())
    return f"{item.recall:.3f}, {item.missing} missing: {causes}"


def _listed(items: Mapping[str, object]) -> str:
    return f"{len(items)}: " + ", ".join(f"{key} {value}" for key, value in items.items()) if items else "0"
