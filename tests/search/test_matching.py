"""A job's demands held against a Profile."""

from __future__ import annotations

from evenhand.records.job import Demand, Job
from evenhand.records.profile import Evidence, Profile, Skill, Source
from evenhand.records.ranking import Match
from evenhand.search.matching import Matching, match_job

SOURCE = Source("a.txt", "0" * 64, "txt", 1, "parsed", (), None)
SEEN = (Evidence(3, 7, 1, "lexicon", 1.0),)


def skill(name: str, months: int | None) -> Skill:
    return Skill(name, (name,), months, months, None, SEEN)


def match(demands: list[Demand], *skills: Skill) -> Matching:
    return match_job(Job("text", demands=tuple(demands)), Profile(SOURCE, "2026-10", skills=skills))


def test_what_is_there_and_what_is_not() -> None:
    demands = [Demand(("sql",), True, 24), Demand(("go",), True), Demand(("docker",), False)]
    assert match(demands, skill("sql", 30)) == Matching((Match("sql", 30, 24, True, SEEN),), ("go",))


def test_of_alternatives_the_longest_counts() -> None:
    either = [Demand(("java", "c#", "go"), True, 36)]
    assert match(either, skill("java", None), skill("c#", 40), skill("go", 12)).matched == (
        Match("c#", 40, 36, True, SEEN),
    )
    assert match(either, skill("go", None), skill("c#", None)).matched[0].skill == "c#"  # the first one named
    assert match(either, skill("java", 0), skill("c#", None)).matched[0].skill == "java"  # 0 is known
    assert match(either, skill("rust", 60)) == Matching((), ("java",))


def test_a_wish_that_is_lacking_is_not_missing() -> None:
    assert match([Demand(("docker",), False)]) == Matching((), ())
