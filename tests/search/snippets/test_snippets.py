"""Snippets show what job and screener ask for, marked, cut where a reader would cut."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.records.job import Demand, Job
from evenhand.records.ranking import Snippet
from evenhand.search.analysis import spans
from evenhand.search.rankers.base import make_query
from evenhand.search.snippets import (
    MAX_FRAGMENT_LENGTH,
    MAX_FRAGMENTS,
    SnippetQuery,
    find,
    make_snippet_query,
    make_snippets,
)
from evenhand.search.statistics import PoolStatistics
from tests.search.rankers.resumes import digest


def looking_for(
    job: str, *typed: str, demands: tuple[Demand, ...] = (), pool: tuple[str, ...] | None = None
) -> SnippetQuery:
    """`pool`: the resumes that decide what is rare; unless given, one that has every word."""
    texts = pool or (" ".join((job, *typed)),)
    statistics = PoolStatistics([digest(text) for text in texts])
    return make_snippet_query(make_query(Job(job, demands=demands), search_terms=typed, with_common=True), statistics)


def marked(snippet: Snippet) -> list[str]:
    return [snippet.text[start:end] for start, end in snippet.highlights]


FILLER = "Organised the annual meeting of a club and kept its books in good order for years. " * 4


def test_a_whole_sentence_is_shown_and_its_words_marked() -> None:
    text = FILLER + "Built pipelines in Python for banks. " + FILLER
    (snippet,) = make_snippets(text, looking_for("python pipeline"))
    assert snippet.text.startswith("Built pipelines in Python for banks. Organised")
    assert snippet.text.endswith("for years.")
    assert marked(snippet) == ["pipelines", "Python"]
    assert text[snippet.start : snippet.start + len(snippet.text)] == snippet.text


def test_nothing_is_shown_where_nothing_matches() -> None:
    assert make_snippets(FILLER, looking_for("python pipeline")) == ()
    assert make_snippets("", looking_for("python")) == ()
    assert make_snippets(FILLER, looking_for("the of and")) == ()


def test_each_further_fragment_shows_something_new() -> None:
    lines = ["Python and SQL.", FILLER, "Python again.", FILLER, "Only Kafka.", FILLER, "Cobol.", FILLER, "Lisp."]
    found = make_snippets("\n".join(lines), looking_for("python sql kafka cobol lisp"))
    assert [marked(snippet) for snippet in found] == [["Python", "SQL"], ["Kafka"], ["Cobol"]]
    assert len(found) == MAX_FRAGMENTS


def test_rare_words_typed_words_and_demands_come_first() -> None:
    text = f"Excel.\n{FILLER}\nKafka.\n{FILLER}\nCobol.\n{FILLER}\nLisp.\n{FILLER}\nPerl."
    pool = ("excel", "excel", "excel kafka lisp perl", "excel kafka lisp cobol perl", "kafka lisp perl")
    demand = Demand(("lisp",), must=True)
    wanted = looking_for("excel kafka cobol lisp", "perl", demands=(demand,), pool=pool)
    # ln(1 + 5/4) is the weight of kafka, lisp (demanded: 3 times) and perl (typed: 4 times); cobol has ln(1 + 5/2).
    assert [marked(snippet) for snippet in make_snippets(text, wanted)] == [["Perl"], ["Lisp"], ["Cobol"]]


def test_phrases_count_only_together() -> None:
    wanted = looking_for("nothing", "machine learning")
    (snippet,) = make_snippets(f"Learning about machines.\n{FILLER}\nMachine-learning models.", wanted)
    assert marked(snippet) == ["Machine-learning"]


def test_mined_places_of_a_skill_are_marked() -> None:
    text = f"{FILLER}\nOwned J2EE services.\n{FILLER}"
    start = text.index("J2EE")
    wanted = looking_for("nothing", demands=(Demand(("java ee", "spring"), must=True),))
    assert make_snippets(text, wanted) == ()
    (snippet,) = make_snippets(text, wanted, places={"java ee": [(start, start + 4)], "sql": [(0, 9)]})
    assert marked(snippet) == ["J2EE"]
    assert snippet.text.startswith("Owned J2EE services.")


def test_alternatives_of_one_demand_are_one_wish() -> None:
    text = f"Java.\n{FILLER}\nKotlin.\n{FILLER}\nSQL."
    wanted = looking_for("nothing", demands=(Demand(("java", "kotlin"), must=True), Demand(("sql",), must=True)))
    assert [marked(snippet) for snippet in make_snippets(text, wanted)] == [["Java"], ["SQL"]]


def test_common_words_are_marked_only_where_nothing_better_is() -> None:
    pool = ("team",) * 30 + ("team kafka",)
    wanted = looking_for("team kafka", pool=pool)
    assert marked(make_snippets("A team used Kafka.", wanted)[0]) == ["Kafka"]
    assert marked(make_snippets("A team.", wanted)[0]) == ["team"]


def test_words_are_never_cut() -> None:
    text = " ".join(f"word{at}" for at in range(100)) + " python " + " ".join(f"term{at}" for at in range(100))
    (snippet,) = make_snippets(text, looking_for("python"))
    assert set(snippet.text.split()) <= set(text.split())
    assert 150 < len(snippet.text) <= MAX_FRAGMENT_LENGTH


def test_overlapping_marks_become_one() -> None:
    (snippet,) = make_snippets("Used machine learning.", looking_for("machine", "machine learning"))
    assert marked(snippet) == ["machine learning"]


def test_a_match_longer_than_a_fragment_is_left_out() -> None:
    wanted = looking_for("nothing", demands=(Demand(("x y",), must=True),))
    assert make_snippets("a" * 300, wanted, places={"x y": [(0, 300)]}) == ()


def test_words_are_found_as_the_analyzer_finds_them() -> None:
    """In whatever company they stand: every term of a text of odd forms, and nothing inside another term."""
    text = (
        "(Java,C++;C#) asp.NET/node.js U.S.A. résumés Lying&dying R&D team's 3.5GHz e-mail: x_y «Łódź» 日本 "
        "re-engineered... dot.Managed [SQL]{R} it’s y*z café\u0301s skies"
    )
    expected = [(span.term, span.start, span.end) for span in spans(text)]
    found = find(text, looking_for(text))
    assert [(match.sought.key, match.start, match.end) for match in found] == expected
    assert not find("asp.net javascript relying", looking_for("net java lying"))


def test_another_word_between_breaks_a_phrase_and_a_stop_word_does_not() -> None:
    wanted = looking_for("nothing", "head of sales")
    assert make_snippets("Head, regional sales.", wanted) == ()
    assert marked(make_snippets("Head of the sales.", wanted)[0]) == ["Head of the sales"]


WORDS = st.sampled_from(
    ["Python", "pythons", "SQL", "kafka\n", "the", "club.", "•", "Ünïcode", "日本語", "a" * 90, "|"]
)


@given(st.lists(WORDS, max_size=200).map(" ".join))
@settings(deadline=None)
def test_every_snippet_keeps_its_promises(text: str) -> None:
    wanted = looking_for("python sql kafka", "ünïcode")
    found = make_snippets(text, wanted)
    assert bool(found) == bool(find(text, wanted))
    assert len(found) <= MAX_FRAGMENTS
    spans = sorted((snippet.start, snippet.start + len(snippet.text)) for snippet in found)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    for snippet in found:
        assert 0 < len(snippet.text) <= MAX_FRAGMENT_LENGTH
        assert text[snippet.start : snippet.start + len(snippet.text)] == snippet.text
        assert snippet.highlights
        for mark in marked(snippet):
            assert mark.lower() in ("python", "pythons", "sql", "kafka", "ünïcode")
