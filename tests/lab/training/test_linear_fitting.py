"""What is learned from two trades of invented resumes, and which terms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from evenhand_lab.training.linear import choose_terms, compact, fit, logits_of, prepare
from tests.models.linear.made_resumes import LABELS, RECIPE, resume, resumes


def anything(term: str) -> bool:
    return True


def test_a_term_of_fewer_than_five_resumes_is_never_learned() -> None:
    made, gold = resumes()
    made[:4] = [resume("COOK", more="quennell") for _ in range(4)]
    five = [*made[:12], *(resume("NURSE", more="catheter") for _ in range(5)), *made[17:]]
    prepared = prepare(five, RECIPE, allowed=anything)
    assert "catheter" in prepared.tables[0].terms
    assert "quennell" not in prepared.tables[0].terms
    part = choose_terms(prepared.tables[0], gold[:15], chosen=range(15))  # with three that say catheter
    assert "catheter" not in part.terms


def test_forbidden_terms_are_not_learned() -> None:
    made, _ = resumes()
    prepared = prepare(made, RECIPE, allowed=lambda term: "bread" not in term.split())
    assert "bread" not in prepared.tables[0].terms
    assert "fish" in prepared.tables[0].terms


def test_the_most_telling_terms_are_kept() -> None:
    made, gold = resumes()
    prepared = prepare(
        [resume("COOK" if truth[0] else "NURSE", more="team") for truth in gold], RECIPE, allowed=anything
    )
    few = replace(prepared.tables[0], reading=replace(RECIPE.terms[0], most=3))
    part = choose_terms(few, gold, chosen=range(len(made)))
    assert len(part.terms) == 3
    assert "team" not in part.terms


def test_trades_are_told_apart_and_the_model_agrees_with_the_table() -> None:
    made, gold = resumes()
    prepared = prepare(made, RECIPE, allowed=anything)
    model = compact(fit(prepared, gold, LABELS, RECIPE, chosen=range(16), seed=0))
    rows = logits_of(model, prepared, range(16, 20))
    assert (rows.argmax(axis=1) == gold[16:].argmax(axis=1)).all()
    assert np.abs(rows - model.logits(made[16:])).max() < 1e-6


def test_the_same_seed_gives_the_same_numbers() -> None:
    made, gold = resumes()
    prepared = prepare(made, RECIPE, allowed=anything)
    first, second = (fit(prepared, gold, LABELS, RECIPE, chosen=range(20), seed=3) for _ in range(2))
    for one, other in zip(first.terms, second.terms, strict=True):
        assert one.coefficients.tobytes() == other.coefficients.tobytes()
    assert first.bias.tobytes() == second.bias.tobytes()


def test_a_small_model_drops_terms_that_say_nothing() -> None:
    made, gold = resumes()
    prepared = prepare(
        [resume("COOK" if truth[0] else "NURSE", more="team") for truth in gold], RECIPE, allowed=anything
    )
    whole = fit(prepared, gold, LABELS, RECIPE, chosen=range(len(made)), seed=0)
    small = compact(whole)
    assert set(small.terms[0].terms) <= set(whole.terms[0].terms)
    assert all(part.coefficients.any(axis=1).all() for part in small.terms)
