"""Texts told of a woman and of a man, with an encoder that counts words: what removal of one word does is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from evenhand.audit.statistics import Floats
from evenhand.debias.fitting import FittingPlan, fit_removal
from evenhand.debias.heads import Protocol
from evenhand.debias.importance import ImportanceSettings
from evenhand.debias.probes import ProbeSettings
from evenhand.debias.samples import make_samples, variable
from evenhand.debias.scoring import RecipeGrid
from evenhand.models.concept_removal import subtract
from evenhand_lab.reproduce.biographies import turn_biographies

WORDS = ("he", "she", "teeth", "books", "numbers", "ledger", "clinic", "library")


def embed(texts: Sequence[str]) -> Floats:
    return np.array([[text.lower().replace(".", " ").split().count(word) for word in WORDS] for text in texts], float)


def test_removal_takes_the_effect_of_the_pronoun_away() -> None:
    rng = np.random.default_rng(0)
    jobs = {"dentist": ("teeth", "clinic"), "librarian": ("books", "library"), "accountant": ("numbers", "ledger")}
    texts, professions, genders = [], [], []
    for _ in range(360):
        job = str(rng.choice(list(jobs)))
        is_woman = rng.random() < {"dentist": 0.2, "librarian": 0.8, "accountant": 0.5}[job]
        pronoun = "She" if is_woman else "He"
        told = " ".join(rng.choice(jobs[job], 2)) if rng.random() < 0.8 else str(rng.choice(WORDS[2:]))
        texts.append(f"{pronoun} likes {told}. {pronoun} works.")
        professions.append(job)
        genders.append("female" if is_woman else "male")
    samples = make_samples(embed(texts), variable("occupation", professions), [variable("gender", genders)])
    quick = ProbeSettings(seeds=(0,), protocol=Protocol(rates=(1e-2,), epochs=30), rbf_rows=200)
    plan = FittingPlan(
        RecipeGrid(("svd",), (6,), most=0), ImportanceSettings(points=32, texts=20), quick, most_lost=0.5
    )
    fitted = fit_removal(samples, plan)
    # He less she is all that turning changes: without that direction nothing can change.
    direction = np.array([[1.0], [-1.0], *[[0.0]] * 6]) / np.sqrt(2)
    fitted = replace(fitted, removal=replace(fitted.removal, change=subtract(direction)))
    before, after = turn_biographies(texts, fitted, embed)
    assert before.texts == after.texts > 50
    assert before.size > 0.2
    assert before.flips > 0
    assert after.size == pytest.approx(0.0, abs=1e-5)
    assert after.flips == 0.0
    assert before.placebo_size == after.placebo_size == pytest.approx(0.0)  # none of these phrases is there
