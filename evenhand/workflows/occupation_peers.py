"""What a model of occupation is measured against: words and a linear SVM, and the frozen encoder alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import LinearSVC

from evenhand.models.calibration import Floats
from evenhand.models.inputs import ResumeInput
from evenhand.models.joined.fitting import Gold
from evenhand.models.joined.learning import micro_f1
from evenhand.workflows.occupation_learning import Figures, Labelled, Parts, judged

TFIDF, ENCODER = "TF-IDF + linear SVM", "frozen encoder + linear SVM"
COST = 1.0
BORDERS = np.linspace(-1, 1, 81)


def measure_tfidf(
    resumes: Sequence[ResumeInput], labelled: Labelled, parts: Parts, *, several: bool
) -> Figures:
    """Single words and pairs, sublinear, without stop words: what anybody would try first."""
    texts = [resume.text for resume in resumes]
    words = TfidfVectorizer(
        sublinear_tf=True, ngram_range=(1, 2), min_df=2, stop_words="english", dtype=np.float32
    )
    words.fit([texts[at] for at in parts.learned])
    return measure_rows(words.transform(texts), labelled, parts, several=several)


def measure_rows(rows: ArrayLike, labelled: Labelled, parts: Parts, *, several: bool) -> Figures:
    """Of several labels, those above a border are said, which is chosen on a part of the training resumes."""
    gold, labels = labelled.gold, labelled.labels
    border = 0.0
    if several:
        held, others = parts.train[0], sorted(at for part in parts.train[1:] for at in part)
        scores, truth = _scores(rows, gold, others, held), gold[held]
        border = float(max(BORDERS, key=lambda cut: micro_f1(scores >= cut, truth)))
    scores = _scores(rows, gold, parts.learned, parts.test)
    return Figures(judged(scores, gold, parts.test, labels, several=several, border=border), None)


def _scores(rows: ArrayLike, gold: Gold, learned: Sequence[int], asked: Sequence[int]) -> Floats:
    plane = OneVsRestClassifier(LinearSVC(C=COST, random_state=0, max_iter=5000))
    plane.fit(rows[list(learned)], gold[list(learned)].astype(int))  # type: ignore[call-overload,index]
    found: Floats = plane.decision_function(rows[list(asked)])  # type: ignore[call-overload,index]
    return found
