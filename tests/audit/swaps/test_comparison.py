"""Three rows for each resume become pairs, flips, worst pairs and a verdict."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from evenhand.audit.swaps.comparison import Share, SwapComparison, compare_all, rank_bands
from evenhand.audit.swaps.effects import TrialOutcome, Trials, columns_of, telling_part
from evenhand.audit.swaps.plan import Family, Group, SwapVariant, load_families, plan
from evenhand.audit.swaps.wording import findings_of
from evenhand.errors import UsageError
from tests.audit.swaps.resumes import marked

NAMES = Family(
    "names",
    "first_name",
    "?",
    (
        Group("men", ("Adam", "Ian", "Colin"), "a man's name"),
        Group("women", ("Amy", "Erin", "Grace"), "a woman's name"),
    ),
)


def trials_of(differences: list[float], placebo: list[float], *, with_ranks: bool = False) -> Trials:
    """Resume i scores 10 + i with the first name; the other reference adds `placebo`, the other group `differences`."""
    rows: list[tuple[int, SwapVariant]] = []
    scores: list[float] = []
    men, women = NAMES.groups
    for number, (difference, same) in enumerate(zip(differences, placebo, strict=True)):
        for group, at, added in ((men, 0, 0.0), (men, 1, same), (women, 0, difference)):
            rows.append((number, SwapVariant("names", group.name, group.values[(number + at) % 3], ())))
            scores.append(10 + number + added)
    score, base = np.array(scores), 10.0 + np.arange(len(differences), dtype=np.float64)
    rank = np.array([1 + int((base > each).sum()) for each in scores]) if with_ranks else None
    base_rank = np.arange(len(base), 0, -1) if with_ranks else None
    on_list = (rank <= 2).astype(np.int64) if rank is not None else (score > 12).astype(np.int64)
    listed = (base_rank <= 2).astype(np.int64) if base_rank is not None else (base > 12).astype(np.int64)
    outcome = TrialOutcome("ranker x", score, on_list, base, listed, rank, base_rank)
    return replace(columns_of(rows, (NAMES,)), outcomes=(outcome,))


def compared(differences: list[float], placebo: list[float], *, with_ranks: bool = False) -> SwapComparison:
    (found,) = compare_all(trials_of(differences, placebo, with_ranks=with_ranks))
    return found


def test_what_moves_everybody_is_a_concern() -> None:
    found = compared([-1.5 - 0.01 * (at % 7) for at in range(60)], [0.02 * (at % 5 - 2) for at in range(60)])
    assert found.score.effect.mean == pytest.approx(-1.53, abs=0.001)
    assert found.is_finding
    assert found.severity == "watch"  # a tenth of the spread of 17 points is more than 1.5
    assert replace(found, score=replace(found.score, unit=10.0)).severity == "concern"


def test_what_moves_nobody_is_clear() -> None:
    found = compared([0.0] * 60, [0.0] * 60)
    assert (found.severity, found.corrected_p, found.flips.changed) == ("clear", 1.0, 0)


def test_few_pairs_tell_nothing_however_clear_they_look() -> None:
    assert compared([-5.0] * 19, [0.0] * 19).severity == "unknown"
    assert compared([-5.0 - 0.001 * at for at in range(20)], [0.0] * 20).severity == "concern"


def test_words_that_weigh_no_more_than_their_number_are_only_watched() -> None:
    light = Share(6, attribution=0.004, tokens=0.01, signed=0.0)
    small = compared([-0.5 - 0.01 * (at % 7) for at in range(60)], [0.0] * 60)
    assert small.is_finding
    assert not replace(small, share=light).is_finding
    assert replace(small, share=light).severity == "watch"
    # What people would notice stays a concern, whatever it weighs in a few resumes.
    large = compared([-8.0 - 0.01 * (at % 7) for at in range(60)], [0.0] * 60)
    assert (large.severity, replace(large, share=light).severity) == ("concern", "concern")


def test_flips_and_worst_pairs() -> None:
    # Four resumes with bases 10 to 13; the best two are on the list. The best falls to the bottom.
    found = compared([0.0, 0.0, 0.0, -10.0], [0.0] * 4, with_ranks=True)
    assert (found.flips.number, found.flips.changed, found.flips.lost, found.flips.gained) == (4, 1, 1, 0)
    (worst,) = found.worst
    assert (worst.resume, worst.reference_rank, worst.other_rank, worst.difference) == (3, 1, 5, -10.0)


def test_a_resume_that_was_lost_costs_its_own_pair_only() -> None:
    trials = trials_of([-1.0] * 30, [0.0] * 30)
    score = trials.outcomes[0].score.copy()
    score[5] = np.nan
    (found,) = compare_all(replace(trials, outcomes=(replace(trials.outcomes[0], score=score),)))
    assert found.score.effect.number == 29


def test_rank_bands_cover_harmless_edits() -> None:
    rows = [(0, SwapVariant("placebo", "placebo", "a", ())), (0, SwapVariant("placebo", "placebo", "b", ()))]
    outcome = TrialOutcome(
        "ranker x",
        score=np.array([1.0, 1.0]),
        label=np.zeros(2, np.int64),
        base=np.array([1.0, 2.0]),
        base_label=np.zeros(2, np.int64),
        rank=np.array([2, 9]),
        base_rank=np.array([3, 1]),
    )
    bands = rank_bands(replace(columns_of(rows, (NAMES,)), outcomes=(outcome,)), outcome)
    assert [(band.resume, band.rank, band.best, band.worst) for band in bands] == [(1, 1, 1, 1), (0, 3, 2, 9)]


def test_a_plan_is_the_same_for_the_same_seed() -> None:
    families = (NAMES,)
    first = list(plan(marked(), families, number=0, seed=4))
    assert first == list(plan(marked(), families, number=0, seed=4))
    assert first != list(plan(marked(), families, number=0, seed=5))
    assert [each.group for each in first[:3]] == ["men", "men", "women"]
    assert first[0].value != first[1].value


def test_paired_values_stand_at_the_same_place() -> None:
    family = replace(NAMES, paired=True)
    for number in range(20):
        first, _, other = list(plan(marked(), (family,), number=number, seed=0))[:3]
        assert family.groups[0].values.index(first.value) == family.groups[1].values.index(other.value)


def test_an_edit_that_does_not_exist_is_named() -> None:
    with pytest.raises(UsageError, match="no edit 'haircut'"):
        list(plan(marked(), (replace(NAMES, edit="haircut"),), number=0, seed=0))


def test_cities_of_a_country_are_one_word() -> None:
    assert [telling_part(each) for each in ("Lagos, Nigeria", "Abuja, Nigeria", "Amy")] == ["Nigeria", "Nigeria", "Amy"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[a]\nedit = 'home'\nreference = 'x'\n", "lacks or misspells"),
        ("[a]\nedit='home'\nquestion='?'\nreference='x'\n[a.groups]\nx=['1']\ny=['1','2','3']", "3 values or more"),
        ("[a]\nedit='home'\nquestion='?'\nreference='x'\n[a.groups]\nx='cities:moon'", "cities:moon"),
        ("not toml", "cannot be read"),
    ],
)
def test_values_that_do_not_fit_are_refused(tmp_path, text, message) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "values.toml"
    file.write_text(text)
    with pytest.raises(UsageError, match=message):
        load_families({}, path=file)


def sentences(comparison: SwapComparison) -> tuple[str, str, str]:
    """Severity, title and sentence of the one finding that a reader gets."""
    audit = SimpleNamespace(comparisons=[comparison], trials=SimpleNamespace(families=(NAMES,)), pool=60, shortlist=10)
    [finding] = findings_of(audit)  # type: ignore[arg-type]
    return finding.severity, finding.title, finding.sentence


def test_a_small_effect_that_is_no_chance_is_told_as_a_small_one() -> None:
    """All 60 lose between 0.1 and 0.3 points where scores spread over 17.3: about a hundredth of that."""
    found = compared([-0.1 - 0.04 * (at % 6) for at in range(60)], [0.01 * (at % 5 - 2) for at in range(60)])
    low, high = (bound / found.score.unit for bound in found.score.effect.interval)
    assert -0.018 < low < high < -0.005
    severity, title, sentence = sentences(found)
    assert (severity, title) == ("watch", "A woman's name moves what the ranker x says a little")
    assert "The score changes by -0.0" in sentence
    assert "No effect" not in sentence


def test_an_interval_that_excludes_zero_is_not_called_nothing_found() -> None:
    """Not after correction for many comparisons either: then it cannot be told."""
    found = compared([-0.1 - 0.04 * (at % 6) for at in range(60)], [0.01 * (at % 5 - 2) for at in range(60)])
    severity, title, sentence = sentences(replace(found, corrected_p=0.21))
    assert (severity, title) == ("unknown", "Too little to tell whether 1 kind of words moves the ranker x")
    assert sentence.startswith("With a woman's name, the ranker x moved by -0.01")
    assert "corrected for the number of comparisons that may be chance (p = 0.21)." in sentence


def test_one_kind_of_words_does_not_move() -> None:
    severity, title, _ = sentences(compared([0.0] * 60, [0.0] * 60))
    assert (severity, title) == ("clear", "1 kind of words does not move the ranker x")
