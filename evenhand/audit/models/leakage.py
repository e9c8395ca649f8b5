"""How well a group can be read from a representation, on rows that the reader did not learn from.

Three readers: a linear one, a small network and a kernel machine. Every figure is balanced accuracy, the mean over
groups of the share recognised, so that a large group gives nobody a good figure. It stands against three floors: always
the same answer, what the true label alone gives away, and the same reader after groups were shuffled.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.class_weight import compute_sample_weight

from evenhand.audit.models.gaps import MIN_GROUP_SIZE
from evenhand.audit.statistics import DRAWS, Estimate, Floats, Ints, around, shuffled_within, sign_flip_p
from evenhand.models.encoder.loading import encoder_for
from evenhand.models.inference.loading import Classifier
from evenhand.models.inference.network import NetworkClassifier
from evenhand.models.inputs import ResumeInput
from evenhand.models.linear.model import VectorReading
from evenhand.models.linear.storing import LinearClassifier
from evenhand.progress import Progress, with_progress
from evenhand.settings import Settings

FOLDS = 3
SEEDS = 2  # every reader begins anew with each, on folds of its own
MAX_COLUMNS = 256  # wider tables are turned into so many principal components first, without knowing the groups
HIDDEN = 128

ProbeKind = Callable[[int], Any]
PROBE_KINDS: dict[str, tuple[str, ProbeKind]] = {
    "linear": ("logisticregression", lambda seed: LogisticRegression(C=0.1, max_iter=500, random_state=seed)),
    "network": (
        "mlpclassifier",
        lambda seed: MLPClassifier((HIDDEN,), alpha=1.0, max_iter=40, random_state=seed, tol=1e-3),
    ),
    "kernel": ("svc", lambda seed: SVC(C=1.0, kernel="rbf", random_state=seed)),
}
PROBE_WORDS = {
    "linear": "linear (logistic regression)",
    "network": f"non-linear (network with {HIDDEN} hidden units)",
    "kernel": "non-linear (RBF support vectors)",
}


@dataclass(frozen=True, slots=True)
class Probe:
    """`beyond_floor` is the balanced accuracy less that of knowing the true label alone, row by row, or less that of
    always the same answer where the label alone is worse; `p` is of it being none or less, by exchanging the two."""

    reader: str
    resumes: int
    groups: tuple[str, ...]
    balanced: Estimate
    accuracy: float
    majority: float  # accuracy of always saying the largest group
    chance: float  # balanced accuracy of always saying the same
    label_floor: float  # balanced accuracy of what the true label alone tells
    shuffled: float  # balanced accuracy of the same reader on shuffled groups
    beyond_floor: Estimate
    p: float


def probe_leakage(
    vectors: Floats,
    groups: Sequence[str],
    labels: Sequence[str],
    *,
    seed: int = 0,
    readers: Sequence[str] = tuple(PROBE_KINDS),
) -> tuple[Probe, ...]:
    """One per reader; none where fewer than two groups have enough members. Rows without a group are left out."""
    given = np.asarray(groups)
    names, counts = np.unique(given[given != ""], return_counts=True)
    names = names[counts >= MIN_GROUP_SIZE]
    if len(names) < 2:
        return ()
    rows = np.isin(given, names)
    table = np.asarray(vectors, np.float64)[rows]
    if table.shape[1] > MAX_COLUMNS * 2:
        narrow = PCA(min(MAX_COLUMNS, len(table) - 1), svd_solver="randomized", random_state=seed)
        table = np.asarray(narrow.fit_transform(table))
    truth = np.searchsorted(names, given[rows]).astype(np.int64)
    strata = np.unique(np.asarray(labels)[rows], return_inverse=True)[1].astype(np.int64)
    return tuple(_probe(reader, table, truth, strata, names.tolist(), seed) for reader in readers)


def _probe(reader: str, table: Floats, truth: Ints, strata: Ints, names: list[str], seed: int) -> Probe:
    """Hits are means over seeds: a row that is read rightly in one of two counts half."""
    said, floors = [], []
    for turn in range(SEEDS):
        own = seed + 1000 * turn
        said.append(_read(reader, table, truth, own) == truth)
        floors.append(_by_label(strata, truth, own) == truth)
    mixed = shuffled_within(truth, np.zeros_like(truth), rng=np.random.default_rng(seed)).astype(np.int64)
    shuffled = balanced(_read(reader, table, mixed, seed) == mixed, mixed)
    hits, by_label = np.mean(said, axis=0), np.mean(floors, axis=0)
    sizes = np.bincount(truth)
    label_floor, chance = balanced(by_label, truth), 1 / len(sizes)
    # A label that tells nothing misleads as often as it helps: nobody should seem good by being compared with it.
    floor = by_label if label_floor > chance else np.full(len(truth), chance)
    difference = (hits - floor) * len(truth) / (len(sizes) * sizes[truth])  # its mean is the difference of both
    return Probe(
        reader,
        len(truth),
        tuple(names),
        _interval(hits, truth, seed),
        float(hits.mean()),
        float(sizes.max() / len(truth)),
        chance,
        label_floor,
        shuffled,
        _interval(hits - floor, truth, seed),
        sign_flip_p(difference, seed=seed, is_one_sided=True),
    )


def _read(reader: str, table: Floats, truth: Ints, seed: int) -> Ints:
    """What the reader says of every row, having learned from the folds that the row is not in."""
    step, make = PROBE_KINDS[reader]
    said = np.zeros_like(truth)
    for learn, rest in StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(table, truth):
        weights = compute_sample_weight("balanced", truth[learn])
        model = make_pipeline(StandardScaler(), make(seed))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # a reader stopped early is a reader all the same
            model.fit(table[learn], truth[learn], **{f"{step}__sample_weight": weights})
        said[rest] = model.predict(table[rest])
    return said


def _by_label(strata: Ints, truth: Ints, seed: int) -> Ints:
    """The group that a label is most telling of among the rows learned from: its share of the group, not of all."""
    said = np.zeros_like(truth)
    for learn, rest in StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(strata, truth):
        counts = np.zeros((strata.max() + 1, truth.max() + 1))
        np.add.at(counts, (strata[learn], truth[learn]), 1.0)
        said[rest] = (counts / counts.sum(axis=0)).argmax(axis=1)[strata[rest]]
    return said


def balanced(hits: Any, truth: Ints) -> float:
    """The mean over groups of the share of hits."""
    sums = np.bincount(truth, weights=np.asarray(hits, np.float64))
    return float((sums / np.bincount(truth)).mean())


def _interval(hits: Floats, truth: Ints, seed: int) -> Estimate:
    """Rows drawn again within each group."""
    rng = np.random.default_rng(seed)
    drawn = np.zeros(DRAWS)
    for group in np.unique(truth):
        mine = hits[truth == group]
        drawn += mine[rng.integers(0, len(mine), (DRAWS, len(mine)))].mean(axis=1)
    return around(balanced(hits, truth), drawn / len(np.unique(truth)))


# What a probe reads: what the last layer of a model is given of each resume, and the sentence encoder's view.

Table = NDArray[np.float32]
BODY = VectorReading("sentence encoder", "body", 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Representation:
    name: str  # "last layer", "sentence encoder"
    words: str  # the same, for a person
    table: Table


def represent(
    classifier: Classifier,
    resumes: Sequence[ResumeInput],
    job_texts: Sequence[str | None],
    *,
    settings: Settings,
    progress: Progress,
) -> list[Representation]:
    """That of the model where its kind has one, and that of the encoder where one is installed."""
    representations = []
    rows = list(with_progress(_own(classifier, resumes, job_texts), progress, "Looking into the model", len(resumes)))
    if rows:
        representations.append(Representation("last layer", "what the model's last layer is given", np.stack(rows)))
    encoder = encoder_for(settings)
    if encoder is not None:
        stream = with_progress(resumes, progress, "Encoding resumes", len(resumes))
        table = np.stack([BODY.vector(resume, encoder) for resume in stream])
        representations.append(Representation("sentence encoder", "the sentence encoder's view of the resume", table))
    return representations


def _own(classifier: Classifier, resumes: Sequence[ResumeInput], job_texts: Sequence[str | None]) -> Iterator[Table]:
    if isinstance(classifier, NetworkClassifier):
        for resume, job_text in zip(resumes, job_texts, strict=True):
            yield classifier.represent([resume], job_text=job_text)[0]
    elif isinstance(classifier, LinearClassifier):
        for resume in resumes:  # the weighted terms of every part side by side, and the vectors of the neural ones
            parts: list[Table] = []
            for part in classifier.model.terms:
                row = np.zeros(len(part.terms), np.float32)
                places, values = part.row(part.reading.count(resume))
                row[places] = values
                parts.append(row)
            if classifier.encoder is not None:
                parts += [part.reading.vector(resume, classifier.encoder) for part in classifier.model.vectors]
            yield np.concatenate(parts)
