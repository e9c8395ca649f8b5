"""Why a model said what it said of one resume: a score per word, how far the scores add up, how far to trust them.

Scores are parts of the difference between the output for this resume and the output for the baseline, in logits. What
is not a word of the resume (special tokens, mined facts, words that a baseline has and the resume lacks) is in
`special`, and the facts among it are named in `facts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evenhand.records.conversion import JsonRecord, to_json


@dataclass(frozen=True, slots=True)
class ModelStamp(JsonRecord):
    """`encoder` is None for a model that stands on none."""

    name: str
    version: str
    encoder: str | None


@dataclass(frozen=True, slots=True)
class LabelProbability(JsonRecord):
    label: str
    probability: float


@dataclass(frozen=True, slots=True)
class Prediction(JsonRecord):
    """What a model says of a resume: never a decision. `labels` are all of them, the most probable first; `label` is
    None where the model abstains, since it is not sure enough of any."""

    file: str | None
    task: str
    label: str | None
    labels: tuple[LabelProbability, ...]
    model: ModelStamp
    abstained: bool


@dataclass(frozen=True, slots=True)
class WordScore(JsonRecord):
    """`text` is the document's text from `start` to `end` (code points, half open)."""

    text: str
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class SectionScore(JsonRecord):
    """`type` as the models know sections: Profile, Education, Work Experience, Activities, Skills, Others."""

    type: str
    score: float


@dataclass(frozen=True, slots=True)
class FactScore(JsonRecord):
    """A mined number, None where the resume lacks it, and what it adds."""

    name: str
    value: float | None
    score: float


@dataclass(frozen=True, slots=True)
class WordRemoval(JsonRecord):
    """What the output loses when this share of the words is taken out, and when only they are kept.

    `random` is the mean loss when as many words are taken out that a random attribution chose.
    """

    fraction: float
    comprehensiveness: float
    sufficiency: float
    random: float


@dataclass(frozen=True, slots=True)
class Faithfulness(JsonRecord):
    """Means over the fractions; `beats_random` is what a reader needs to know first."""

    removals: tuple[WordRemoval, ...]

    @property
    def comprehensiveness(self) -> float:
        return _mean([removal.comprehensiveness for removal in self.removals])

    @property
    def sufficiency(self) -> float:
        return _mean([removal.sufficiency for removal in self.removals])

    @property
    def random_comprehensiveness(self) -> float:
        return _mean([removal.random for removal in self.removals])

    @property
    def beats_random(self) -> bool:
        return self.comprehensiveness > self.random_comprehensiveness

    def to_json(self) -> dict[str, Any]:
        return {
            "comprehensiveness": self.comprehensiveness,
            "sufficiency": self.sufficiency,
            "random_comprehensiveness": self.random_comprehensiveness,
            "beats_random": self.beats_random,
            **to_json(self),
        }


@dataclass(frozen=True, slots=True)
class Counterfactual(JsonRecord):
    """The fewest lines found without which the model would say something else, and the labels it gives then."""

    lines: tuple[WordScore, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Explanation(JsonRecord):
    """`delta` is what the scores miss: words and `special` sum to `output` - `baseline_output` + `delta`.

    `steps` is the largest number of points along the path, 0 for methods without one. `spread` is the standard
    deviation of the words' scores over random baselines, in the order of the words, empty for other baselines.
    """

    file: str | None
    task: str
    target: str
    model: ModelStamp
    method: str
    baseline: str
    layer: str | None
    output: float
    baseline_output: float
    delta: float
    steps: int
    converged: bool
    words: tuple[WordScore, ...]
    sections: tuple[SectionScore, ...]
    special: float
    facts: tuple[FactScore, ...] = ()
    faithfulness: Faithfulness | None = None
    change: Counterfactual | None = None  # None where nothing that could be taken away changes what is said
    spread: tuple[float, ...] = ()
    tokens: int = 0  # that the model read
    unread: int = 0  # of the resume that the model never saw, because it reads only so far
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0
