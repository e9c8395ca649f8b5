"""Resumes to compare with: what an average resume looks like to a model, or one that lacks a label."""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evenhand.documents.reading import PathLike, files_in_folder, open_pool, read
from evenhand.errors import UsageError
from evenhand.mining.in_process import miner_for, miner_stamp
from evenhand.mining.pipeline import mine_with_documents
from evenhand.models.calibration import CHOSEN
from evenhand.models.inputs import ResumeInput, input_of_text
from evenhand.models.manifest import Manifest
from evenhand.records import canonical_json
from evenhand.records.profile import Profile
from evenhand.settings import Settings

DRAWS = 16  # of random baselines, when nobody says how many
MIN_NEGATIVES = 5  # below, their mean says more about them than about the label


@dataclass(frozen=True, eq=False)
class Reference:
    """`about` tells people what they are, as in "60 generated resumes"."""

    inputs: tuple[ResumeInput, ...]
    about: str

    @cached_property
    def words(self) -> tuple[list[str], NDArray[np.float64]]:
        """As they are written, parted by blanks, and how probable each is: what random texts are drawn from."""
        counts = Counter(word for resume in self.inputs for word in resume.text.split())
        words = sorted(counts)
        numbers = np.array([counts[word] for word in words], np.float64)
        return words, np.asarray(numbers / numbers.sum())

    def draw(self, number: int, rng: np.random.Generator) -> list[str]:
        """So many words, each as probable as it is frequent."""
        words, shares = self.words
        return [words[place] for place in rng.choice(len(words), number, p=shares).tolist()]


def lacks_label(probabilities: NDArray[np.float64], target: int, manifest: Manifest) -> NDArray[np.bool_]:
    """Of each row, whether the model does not give it the label."""
    if manifest.outcome == "several":
        return np.asarray(probabilities[:, target] < CHOSEN)
    return np.asarray(probabilities.argmax(axis=1) != target)


def negatives_warnings(
    baseline_output: float, covered: Sequence[str], negatives: int, manifest: Manifest, label: str
) -> tuple[str, ...]:
    """What to know of the mean of `negatives` resumes that the model gives `covered`, but not `label`."""
    others = len(manifest.labels) - (manifest.outcome != "several")
    warnings = [
        f"The baseline is the mean of {negatives} resumes without the label {label}; "
        f"the model gives them {len(set(covered))} of its {others} other labels."
        if manifest.outcome != "several"
        else f"The baseline is the mean of {negatives} resumes to which the model does not give {label}.",
        "Such a mean is no resume that anybody wrote: the model may say odd things of it.",
    ]
    if negatives < MIN_NEGATIVES:
        warnings.append(f"{negatives} resumes are few for a mean.")
    if baseline_output >= 0:
        warnings.append(
            f"The model leans towards {label} for the baseline already ({baseline_output:+.2f}): "
            "what the scores explain is only the rest."
        )
    return tuple(warnings)


# The resumes that explanations compare with: generated ones that ship, or those in a folder of the user's.

GENERATED = "reference_resumes.jsonl"  # in evenhand.explain; written by tools/make_reference_resumes.py
NUMBERS = {"mixed": 30, "it": 15, "crc": 15}  # of each kind that are used, the first ones
AS_OF = "2026-10"  # the month they were written for; with another their present jobs would last longer
MIN_RESUMES = 2


def find_reference(folder: PathLike | None, settings: Settings) -> Reference:
    """Of the folder, or the generated ones, which are mined once and then kept in the data folder."""
    if folder is not None:
        return _read(Path(folder), settings)
    return _generated(settings.data_path.absolute() / "explain" / f"reference-{miner_stamp()}.jsonl")


def _read(folder: Path, settings: Settings) -> Reference:
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder} with resumes to compare with.")
    files = files_in_folder(str(folder))
    mined = mine_with_documents(files, settings=settings) if len(files) >= MIN_RESUMES else ()
    inputs = [input_of_text(resume.document.text, resume.profile) for resume in mined if not resume.is_failed]
    inputs = [model_input for model_input in inputs if model_input.text.strip()]
    if len(inputs) < MIN_RESUMES:
        raise UsageError(f"{folder} holds fewer than {MIN_RESUMES} resumes that can be read, too few to compare with.")
    return Reference(tuple(inputs), f"{len(inputs)} resumes in {folder.name or folder}")


@lru_cache(maxsize=2)
def _generated(file: Path) -> Reference:
    try:
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        inputs = [input_of_text(row["text"], Profile.from_json(row["profile"], row["text"])) for row in rows]
    except (OSError, ValueError, KeyError):
        inputs = []
    if len(inputs) != sum(NUMBERS.values()):
        settings = Settings()
        miner = miner_for(settings)
        with open_pool(settings, workers=1) as pool:
            documents = [read(data, settings=settings, pool=pool) for data in _shipped()]
        mined = [(document.text, miner.mine(document, AS_OF)) for document in documents]
        inputs = [input_of_text(text, profile) for text, profile in mined]
        lines = [canonical_json({"text": text, "profile": profile.to_json()}) + "\n" for text, profile in mined]
        _keep(file, "".join(lines))
    return Reference(tuple(inputs), f"{len(inputs)} generated resumes")


def _shipped() -> Iterator[bytes]:
    """Each as the text file it was written as: some are in older charsets, which the reader has to find out."""
    with (files("evenhand.explain") / GENERATED).open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if row["number"] < NUMBERS.get(row["kind"], 0):
                yield row["text"].encode(row["charset"])


def _keep(file: Path, content: str) -> None:
    """Whole or not at all; a data folder that cannot be written to costs only time."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}")
        with os.fdopen(handle, "w", encoding="utf-8") as opened:
            opened.write(content)
        Path(name).replace(file)
    except OSError:
        return
