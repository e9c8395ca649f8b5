"""A planted bias of one logit is found, whatever it hangs on, and nothing is found where nothing was planted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evenhand.audit.swaps.editing import read_subjects
from evenhand.audit.swaps.plan import swap_families
from evenhand_lab.benchmarks.swaps import EditTrials, InjectedBias, audit_injected, found_groups, try_edits
from evenhand_lab.corpora.generate import generate

PLANTS = [("name_gender", "female"), ("place_rural", "rural"), ("school_type", "elite"), ("career_gap", "gap")]


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> EditTrials:
    folder = tmp_path_factory.mktemp("pool")
    generate(folder, n=60, seed=5, kind="mixed", formats=("txt",))
    subjects, errors = read_subjects(sorted(map(str, Path(folder, "resumes").rglob("*.txt"))), as_of="2026-11")
    assert not errors
    families = swap_families([family for family, _ in PLANTS])
    # One group beside the reference each, so that sixty resumes are enough.
    wanted = dict(PLANTS)
    narrow = tuple(
        replace(
            family,
            groups=(family.reference, next(group for group in family.others if group.name == wanted[family.name])),
        )
        for family in families
    )
    return try_edits(subjects, narrow, seed=0)


def test_forty_judges_without_bias_give_no_finding(tried: EditTrials) -> None:
    silent = [not found_groups(audit_injected(tried, seed=seed, as_ranker=seed % 2 == 0)) for seed in range(40)]
    assert sum(silent) >= 38


@pytest.mark.parametrize(("family", "group"), PLANTS)
@pytest.mark.parametrize("as_ranker", [True, False])
def test_one_logit_is_found(tried: EditTrials, family: str, group: str, as_ranker: bool) -> None:
    found = [
        found_groups(audit_injected(tried, seed=seed, plant=InjectedBias(family, group, 1.0), as_ranker=as_ranker))
        for seed in range(100, 105)
    ]
    assert found == [{(family, group)}] * 5


def test_the_sign_is_told(tried: EditTrials) -> None:
    worse = audit_injected(tried, seed=7, plant=InjectedBias("name_gender", "female", -1.0))
    (finding,) = [each for each in worse if each.is_finding]
    assert finding.score.effect.mean == pytest.approx(-1.0, abs=0.3)
    assert finding.severity == "concern"
