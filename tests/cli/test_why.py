"""Why one candidate stands above another, on a ranking worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from evenhand.cli.ranking_table import find_result, why_table
from evenhand.errors import UsageError
from evenhand.records.ranking import Part, Ranking, Score
from tests.cli.rankings import ANA, BEN, RANKED

RANKING = RANKED.ranking


def shown(ranking: Ranking, first: str, second: str) -> list[str]:
    console = Console(file=StringIO(), width=80)
    with console.capture() as capture:
        console.print(why_table(ranking, first, second))
    return [" ".join(line.split()) for line in capture.get().splitlines()]


@pytest.mark.parametrize("names", [("1", "2"), ("Ben Okoro", "ana.pdf"), ("inbox/ana.pdf", "inbox/ben.docx")])
def test_differences_from_the_largest_on(names: tuple[str, str]) -> None:
    """3.0 and 1.5 differ by 1.5, 1.0 and 0.5 by 0.5: 2.0 in all, the better one first however they are named."""
    lines = shown(RANKING, *names)
    assert lines[0] == "Why 1 Ana Reyes stands above 2 Ben Okoro: 4.000 less 2.000 is 2.000"
    assert lines[3:] == [
        "words in common +1.500 3.000, java, sql 1.500, kotlin",
        "must-haves +0.500 1.000, 2 of 2 0.500, 1 of 2",
    ]


def test_a_part_that_one_lacks_and_many_small_ones() -> None:
    parts = tuple(Part(f"word {at:02}", 0.25) for at in range(12))
    ranking = replace(RANKING, results=(replace(ANA, score=Score(parts)), BEN))
    lines = shown(ranking, "1", "2")
    assert "words in common -1.500 nothing 1.500, kotlin" in lines
    assert lines[-1] == "4 smaller differences, 1.000 together, are not shown."


def test_a_name_must_mean_one_candidate() -> None:
    twice = replace(RANKING, results=(ANA, replace(BEN, candidate="Ana Reyes")))
    with pytest.raises(UsageError, match="any of the candidates 1, 2"):
        find_result(twice, "Ana Reyes")
    with pytest.raises(UsageError, match="No candidate of the 3 ranked ones is '9'"):
        find_result(RANKING, "9")
