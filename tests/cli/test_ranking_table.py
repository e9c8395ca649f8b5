"""Rankings on the terminal: within its width, every mark also in words, nothing of a stranger's in control of it."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from evenhand.cli.ranking_table import RankingTable
from evenhand.records.ranking import Flag, Part, Ranking, Score, ScoreScale
from evenhand.search.matching import RankingWithFacts
from tests.cli.rankings import ANA, BEN, ERROR, JOB, RANKED, with_first


def shown(ranked: RankingWithFacts, *, top: int = 20, width: int = 80) -> list[str]:
    console = Console(file=StringIO(), width=width)
    with console.capture() as capture:
        console.print(RankingTable(ranked, top=top))
    return [line.rstrip() for line in capture.get().splitlines()]


def test_the_table() -> None:
    assert shown(RANKED) == [
        " #   Candidate              Score          Must  Relevant Latest job",
        "─" * 80,
        " 1   Ana Reyes              ▆▆▆▆▆▆▆▆ 4.000  2/2       4 y Backend Developer",
        " 2 ! Ben Okoro              ▆▆▆▆···· 2.000  0/2       2 y Android Developer",
        " 3   cara.txt               ········ 0.000  0/2   unknown not found",
        "! 2 Ben Okoro: Nearly the same text as cara.txt (0.91). (duplicate)",
        "1 file could not be ranked:",
        "  inbox/locked.pdf: The file is protected by a password. (encrypted_document)",
        "3 resumes ranked by tfidf, present is 2026-10.",
    ]


def test_a_wide_terminal_shows_more() -> None:
    lines = shown(RANKED, width=140)
    assert lines[0].endswith("Missing                  File")
    assert lines[3].endswith("ben.docx")
    assert "sql" in lines[3]
    assert "java or kotlin, sql" in lines[4]


def test_only_the_first_ones() -> None:
    lines = shown(RANKED, top=1)
    assert "Ben Okoro" not in "\n".join(lines)
    assert lines[-1] == "3 resumes ranked by tfidf, present is 2026-10; the first 1 are shown."


@pytest.mark.parametrize("width", [60, 80, 200])
def test_long_names_stay_within_the_width(width: int) -> None:
    long = replace(ANA, candidate="Ana " * 50, score=Score((Part("words", 123456.5),)))
    console = Console(file=StringIO(), width=width)
    with console.capture() as capture:
        console.print(RankingTable(with_first(long), top=3))
    lines = capture.get().splitlines()
    assert max(map(len, lines)) <= width
    assert lines[2].startswith(" 1   Ana Ana")


def test_names_do_not_control_the_terminal() -> None:
    wicked = replace(
        ANA, candidate="\x1b]0;owned\x07[bold red]Ana[/]\nEve", flags=(Flag("no_hire", "\x1b[2J[link=x]look[/link]"),)
    )
    text = "\n".join(shown(with_first(wicked), width=160))
    assert "\x1b" not in text
    assert "\\x1b]0;owned\\x07[bold" in text  # the name is shown as it is, in one row
    assert "\\x1b[2J[link=x]look[/link] (no_hire)" in text


def test_no_resume_at_all() -> None:
    nothing = RankingWithFacts(Ranking(JOB, "bm25", 0, (), (ERROR,)), (), "2026-10")
    assert shown(nothing)[0] == "1 file could not be ranked:"
    assert shown(nothing)[-1] == "0 resumes ranked by bm25, present is 2026-10."


def ranking_of(*values: float, ranker: str = "kl") -> Ranking:
    results = tuple(replace(BEN, score=Score((Part("all", value),))) for value in values)
    return Ranking(JOB, ranker, len(values), results)


def test_scores_below_zero_lie_between_the_worst_and_the_best() -> None:
    scale = ScoreScale(ranking_of(-2.0, -3.0, -4.0))
    assert [scale.share(value) for value in (-2.0, -3.0, -4.0)] == [1.0, 0.5, 0.0]


def test_a_ranker_with_a_perfect_score_is_shown_beside_it() -> None:
    scale = ScoreScale(ranking_of(80.0, 20.0, ranker="best"))
    assert [scale.share(value) for value in (80.0, 20.0, 130.0)] == [0.8, 0.2, 1.0]
    assert scale.share_words(80.0) == "of 100"
    assert ScoreScale(ranking_of(8.0, 2.0)).share_words(2.0) == "25% of the best"


@pytest.mark.parametrize(
    ("best", "value", "text"),
    [(0.5, 0.12345, "0.123"), (12.0, 1.0, "1.00"), (250.0, 99.96, "100.0"), (1.0, -0.0001, "0.000")],
)
def test_numbers_are_as_long_as_they_can_be_read(best: float, value: float, text: str) -> None:
    assert ScoreScale(ranking_of(best)).text(value) == text
    assert ScoreScale(ranking_of()).share(1.0) == 0.0
