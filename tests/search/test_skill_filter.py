"""Conditions on months of a skill."""

from __future__ import annotations

import pytest

from evenhand.errors import UsageError
from evenhand.records.profile import Profile, Skill, Source
from evenhand.search.criteria import SkillCondition, fulfils, parse_skill

SOURCE = Source("a.txt", "0" * 64, "txt", 1, "parsed", (), None)


@pytest.mark.parametrize(
    ("typed", "condition"),
    [
        ("Java", SkillCondition("java")),
        ("java>=36", SkillCondition("java", 36)),
        (" java >= 36 ", SkillCondition("java", 36)),
        ("java<=60", SkillCondition("java", None, 60)),
        ("java=24-60", SkillCondition("java", 24, 60)),
        ("c++ >= 0", SkillCondition("c++", 0)),
        ("machine learning = 6 - 6", SkillCondition("machine learning", 6, 6)),
    ],
)
def test_what_is_typed(typed: str, condition: SkillCondition) -> None:
    assert parse_skill(typed, canonical=str.lower) == condition


@pytest.mark.parametrize("typed", ["", ">=36", "java>=", "java>=x", "java=36", "java>36", "java>=36>=12", "java=60-24"])
def test_what_is_wrongly_typed(typed: str) -> None:
    with pytest.raises(UsageError):
        parse_skill(typed, canonical=str.lower)


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        (SkillCondition("java", 36), {40}),
        (SkillCondition("java", 40), {40}),
        (SkillCondition("java", 24, 60), {40, 30}),
        (SkillCondition("java", None, 39), {30, 0}),
        (SkillCondition("java", 0), {40, 30, 0}),
        (SkillCondition("java"), {40, 30, 0, None}),
        (SkillCondition("go"), set()),
    ],
)
def test_who_is_kept(condition: SkillCondition, kept: set[int | None]) -> None:
    def profile(months: int | None) -> Profile:
        return Profile(SOURCE, "2026-10", skills=(Skill("java", ("Java",), months, months, None, ()),))

    assert {months for months in (40, 30, 0, None) if fulfils(profile(months), [condition])} == kept


def test_all_conditions_hold() -> None:
    skills = tuple(Skill(name, (name,), 12, 12, None, ()) for name in ("java", "sql"))
    both = Profile(SOURCE, "2026-10", skills=skills)
    assert fulfils(both, [SkillCondition("java", 12), SkillCondition("sql", 6)])
    assert not fulfils(both, [SkillCondition("java", 12), SkillCondition("sql", 13)])
    assert fulfils(both, [])
