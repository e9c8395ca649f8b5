"""Applications for levels: who applies for what."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from evenhand_lab.corpora.kinds.crc import LEVEL_SHARES
from evenhand_lab.corpora.kinds.crc_applications import (
    APPLIED,
    applications_of,
    applied_levels,
    dedup,
    level_text,
    sample_applied,
)
from evenhand_lab.corpora.kinds.kinds import sample_career


def test_match_rates_are_near_the_published_ones() -> None:
    """40.5% overall; 62.5, 14.5, 29.6 and 4.3% by applied level."""
    rng = Random(1)
    levels = rng.choices(list(LEVEL_SHARES), list(LEVEL_SHARES.values()), k=20000)
    applied = [(level, annotated) for annotated in levels for level in sample_applied(rng, annotated)]
    totals = Counter(level for level, _ in applied)
    matches = Counter(level for level, annotated in applied if level == annotated)
    assert matches.total() / len(applied) == pytest.approx(0.405, abs=0.015)
    rates = {level: matches[level] / totals[level] for level in APPLIED}
    assert rates == pytest.approx({"CRC1": 0.625, "CRC2": 0.145, "CRC3": 0.296, "CRC4": 0.043}, abs=0.025)


def test_applications_are_repeatable_and_reduce_to_their_levels() -> None:
    career, _ = sample_career("crc", seed=3, number=21)
    applications = applications_of(career, seed=3)
    assert applications == applications_of(career, seed=3)
    assert tuple(one.level for one in dedup(applications).within_level) == applied_levels(career, seed=3)
    assert [one.level for one in dedup(applications).across_levels] == [applied_levels(career, seed=3)[-1]]


def test_each_level_has_a_text_of_its_own() -> None:
    texts = {level_text(level) for level in APPLIED}
    assert len(texts) == 4
    assert all(len(text.split()) > 60 for text in texts)
