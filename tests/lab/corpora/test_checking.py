"""Every kind of career, written and checked against itself."""

from __future__ import annotations

import pytest

from evenhand_lab.corpora.checks import check
from evenhand_lab.corpora.kinds.kinds import KINDS, sample_career
from evenhand_lab.corpora.manuscript import to_plain
from evenhand_lab.corpora.truth import build_truth
from evenhand_lab.corpora.writing.writer import write


def faults(kind: str, numbers: range) -> list[str]:
    found = []
    for number in numbers:
        career, _ = sample_career(kind, seed=11, number=number)
        manuscript = write(career, seed=11)
        plain = to_plain(manuscript)
        found += [f"{number}: {fault}" for fault in check(build_truth(career, manuscript, plain), plain.text)]
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_truth_of_every_kind_agrees_with_its_text(kind: str) -> None:
    assert faults(kind, range(40)) == []


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_a_thousand_of_every_kind(kind: str) -> None:
    assert faults(kind, range(40, 1040)) == []
