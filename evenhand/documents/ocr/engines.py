"""Which engine reads scanned pages: Tesseract where it is installed, else the models of rapidocr-onnxruntime."""

from __future__ import annotations

import importlib.util
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from evenhand.documents.ocr.geometry import Engine, Grey, OcrResult, OcrWord, level_lines
from evenhand.documents.sandbox.child import WORKING_FOLDER, environment
from evenhand.documents.sandbox.confinement import die_with_parent
from evenhand.errors import UsageError
from evenhand.extras import missing_modules

# The Tesseract program: a picture through standard input, words through standard output, no file in between.


AUTOMATIC_LAYOUT = "3"
ORIENTATION_ONLY = "0"
WORD_LEVEL = "5"
FIELDS = 12  # of a TSV row; the last is the text

LANGUAGES = ("eng", "deu", "fra", "spa", "ita", "por", "nld", "pol")
MAX_LANGUAGES = 4  # each one more costs time on every page
SIZE_PER_HEIGHT = 1.06  # of its lines, which reach from the tallest letter to the lowest
LONG_WORD = 4  # letters, which make it wider than high
DOUBTFUL = 0.6  # mean confidence below which the page may lie on its side


@dataclass(frozen=True)
class Tesseract:
    program: str

    name = "tesseract"

    def read(self, image: Grey, *, dpi: float, deadline: float) -> OcrResult:
        try:
            words = self._words(image, dpi, deadline)
            if mean_confidence(words) >= DOUBTFUL and not lies_on_side(words):
                return OcrResult(words)
            # Counterclockwise turns that make the page upright; 0 too when it cannot be told.
            report = self._run(image, ["--psm", ORIENTATION_ONLY], dpi, deadline)
            pairs = (line.partition(":")[::2] for line in report.splitlines())
            degrees = (value for name, value in pairs if name == "Orientation in degrees" and value.strip().isdigit())
            turns = int(next(degrees, "0")) // 90 % 4 or int(lies_on_side(words))
            if turns:
                turned = self._words(np.ascontiguousarray(np.rot90(image, turns)), dpi, deadline)
                if lies_on_side(words) or mean_confidence(turned) > mean_confidence(words):
                    return OcrResult(turned, turns)
            return OcrResult(words)
        except subprocess.TimeoutExpired:
            return OcrResult([], complete=False)

    def _words(self, image: Grey, dpi: float, deadline: float) -> list[OcrWord]:
        options = ["-l", "+".join(self.languages)] if self.languages else []
        table = self._run(image, [*options, "--psm", AUTOMATIC_LAYOUT], dpi, deadline, "tsv")
        centre = (image.shape[1] / 2, image.shape[0] / 2)
        return level_lines(parse_rows(table), centre=centre, size_per_height=SIZE_PER_HEIGHT)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        listed = self._call([self.program, "--list-langs"], b"", 10.0).splitlines()[1:]
        known = tuple(language for language in LANGUAGES if language in listed)
        others = tuple(language for language in listed if language not in ("osd", "equ"))
        return (known or others)[:MAX_LANGUAGES]

    def _run(self, image: Grey, options: list[str], dpi: float, deadline: float, *outputs: str) -> str:
        command = [self.program, "stdin", "stdout", "--dpi", str(round(dpi)), *options, *outputs]
        return self._call(command, portable_grey_map(image), deadline - time.monotonic())

    @staticmethod
    def _call(command: list[str], given: bytes, seconds: float) -> str:
        def prepare() -> None:
            die_with_parent()  # a killed reader must not leave it running
            signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.01))  # a confined reader may send no signal

        done = subprocess.run(  # noqa: S603 - a fixed program; the page travels as data
            command,
            input=given,
            capture_output=True,
            env=environment(),
            cwd=WORKING_FOLDER,
            check=False,  # no words and a message on a page it dislikes
            preexec_fn=prepare,
        )
        if done.returncode == -signal.SIGALRM:
            raise subprocess.TimeoutExpired(command, seconds)
        return done.stdout.decode("utf-8", "replace")


def parse_rows(table: str) -> list[OcrWord]:
    """Words of Tesseract's TSV, each with the box of its own letters."""
    words: list[OcrWord] = []
    lines: dict[tuple[str, ...], int] = {}
    for row in table.splitlines():
        fields = row.split("\t")
        if len(fields) != FIELDS or fields[0] != WORD_LEVEL or not fields[11].strip():
            continue
        line = lines.setdefault(tuple(fields[1:5]), len(lines))
        left, top, width, height = map(float, fields[6:10])
        confidence = min(max(float(fields[10]) / 100, 0.0), 1.0)
        words.append(OcrWord(fields[11].strip(), (left, top, left + width, top + height), confidence, line))
    return words


def lies_on_side(words: list[OcrWord]) -> bool:
    """Whether most words stand upright on end: Tesseract reads some pages sideways, but not in order."""
    long = [word.box for word in words if len(word.text) >= LONG_WORD]
    standing = sum(box[3] - box[1] > box[2] - box[0] for box in long)
    return standing > len(long) / 2


def mean_confidence(words: list[OcrWord]) -> float:
    letters = sum(len(word.text) for word in words)
    return sum(word.confidence * len(word.text) for word in words) / letters if letters else 0.0


def portable_grey_map(image: Grey) -> bytes:
    height, width = image.shape
    return b"P5 %d %d 255\n" % (width, height) + image.tobytes()


RAPIDOCR_PACKAGE = "rapidocr_onnxruntime"
"""Only its models are used. Without what it declares: that is OpenCV, and a refusal of Python 3.13."""
INSTALL_MODELS = 'pip install --no-deps --ignore-requires-python "rapidocr-onnxruntime==1.4.4"'

PREFERENCES = ("auto", "tesseract", "rapidocr", "off")


@lru_cache(maxsize=len(PREFERENCES))  # an engine keeps its models, which take half a second to load
def choose_engine(preference: str = "auto") -> Engine | None:
    """The engine for a preference; None when it is "off" or not installed."""
    if preference not in PREFERENCES:
        raise UsageError(f"OCR is one of {', '.join(PREFERENCES)}, not {preference!r}.")
    program = shutil.which("tesseract") if preference in ("auto", "tesseract") else None
    if program:
        return Tesseract(program)
    package = importlib.util.find_spec(RAPIDOCR_PACKAGE) if preference in ("auto", "rapidocr") else None
    if package is None or missing_modules("ocr"):
        return None
    from evenhand.documents.ocr.rapid import FINDER, READER, RapidOcr  # noqa: PLC0415 - needs what the extra brings

    for folder in package.submodule_search_locations or []:
        models = Path(folder) / "models"
        if (models / FINDER).is_file() and (models / READER).is_file():
            return RapidOcr(models)
    return None


def how_to_recognise(preference: str) -> str:
    """Says what would read the scans; empty where they are left unread on purpose, or could be read."""
    if preference == "off" or choose_engine(preference) is not None:
        return ""
    if preference == "tesseract":
        return "install the program tesseract"
    extra = 'pip install "evenhand[ocr]" and ' if missing_modules("ocr") else ""
    return f"install the program tesseract, or {extra}{INSTALL_MODELS}"
