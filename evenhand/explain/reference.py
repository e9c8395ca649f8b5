"""Resumes to compare with: what an average resume looks like to a model, or one that lacks a label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from evenhand.models.calibration import CHOSEN
from evenhand.models.inputs import ResumeInput
from evenhand.models.manifest import Manifest

DRAWS = 16  # of random baselines, when nobody says how many
FEWEST_NEGATIVES = 5  # below, their mean says more about them than about the label


@dataclass(frozen=True, eq=False)
class Reference:
    """`about` tells people what they are, as in "60 generated resumes"."""

    inputs: tuple[ResumeInput, ...]
    about: str

    @cached_property
    def words(self) -> Counter[str]:
        """As they are written, parted by blanks: what random texts are drawn from."""
        return Counter(word for resume in self.inputs for word in resume.text.split())

    def draw(self, number: int, rng: np.random.Generator) -> list[str]:
        """So many words, each as probable as it is frequent."""
        return [self._types[place] for place in rng.choice(len(self._types), number, p=self._shares).tolist()]

    @cached_property
    def _types(self) -> list[str]:
        return sorted(self.words)

    @cached_property
    def _shares(self) -> NDArray[np.float64]:
        counts = np.array([self.words[word] for word in self._types], np.float64)
        return np.asarray(counts / counts.sum())


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
    found = [
        f"The baseline is the mean of {negatives} resumes without the label {label}; "
        f"the model gives them {len(set(covered))} of its {others} other labels."
        if manifest.outcome != "several"
        else f"The baseline is the mean of {negatives} resumes to which the model does not give {label}.",
        "Such a mean is no resume that anybody wrote: the model may say odd things of it.",
    ]
    if negatives < FEWEST_NEGATIVES:
        found.append(f"{negatives} resumes are few for a mean.")
    if baseline_output >= 0:
        found.append(
            f"The model leans towards {label} for the baseline already ({baseline_output:+.2f}): "
            "what the scores explain is only the rest."
        )
    return tuple(found)
