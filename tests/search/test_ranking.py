"""Resumes of a folder ranked for a job, from files to Ranking."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

import evenhand
from evenhand.errors import UsageError
from evenhand.records import canonical_json
from evenhand.records.job import Demand, Job
from evenhand.search.criteria import SkillCondition
from evenhand.search.matching import RankingWithFacts, Watchlists
from evenhand.search.rankers.registry import RANKERS, make_ranker
from evenhand.search.ranking import ResumePool, encoder_of, mine_pool, rank, rank_pool
from evenhand.settings import Settings

JOB = Job(
    "Python developer\nWe need Python and SQL for our reports.",
    title="Python developer",
    demands=(Demand(("python",), True, 48), Demand(("sql", "mysql"), True), Demand(("git",), False)),
)
MARIA = """\
Maria Gonzalez
maria@example.com | (404) 555-0125

Experience
Software Engineer, Fennick Tools Ltd.
March 2021 - Present
- Built reports in Python and SQL.

Data Analyst, Northwind Bank
January 2017 - December 2018
- Wrote SQL for the monthly accounts.

Education
Bachelor of Science in Mathematics, University of Oxford, 2016

Skills
Python, SQL, Git
"""
PETER = """\
Peter Holm
peter@example.com

Experience
Baker, Holm & Sons
May 2015 - June 2020
- Baked bread and cakes and trained two apprentices.

Skills
Baking, Customer service
"""
AS_OF = "2026-10"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inbox")
    (folder / "maria.txt").write_text(MARIA)
    (folder / "copy.txt").write_text(MARIA.replace("Maria Gonzalez", "Marta Gomes").replace("maria@", "mg@"))
    (folder / "peter.txt").write_text(PETER)
    (folder / "peter-again.txt").write_text(PETER)
    (folder / "empty.txt").write_text("")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing")
    return folder


@pytest.fixture(scope="module")
def pool(folder: Path) -> ResumePool:
    return mine_pool(folder.iterdir(), as_of=AS_OF, settings=Settings())


@pytest.fixture(scope="module")
def ranked(pool: ResumePool) -> RankingWithFacts:
    return rank_pool(JOB, pool, make_ranker("tfidf"), lists=Watchlists(no_hire=["Fennick Tools"]))


def test_who_stands_where(ranked: RankingWithFacts, folder: Path) -> None:
    """Equal texts have equal scores: they stand by the names of their files."""
    ranking = ranked.ranking
    assert [(result.rank, Path(result.file or "").name) for result in ranking.results] == [
        *((1, "copy.txt"), (2, "maria.txt"), (3, "peter-again.txt"), (4, "peter.txt"))
    ]
    assert [result.candidate for result in ranking.results] == [
        *("Marta Gomes", "Maria Gonzalez", "Peter Holm", "Peter Holm")
    ]
    scores = [result.score.value for result in ranking.results]
    assert scores[0] == scores[1] > scores[2] == scores[3]
    assert (ranking.ranker, ranking.total, ranking.job, ranked.as_of) == ("tfidf", 4, JOB, AS_OF)


def test_one_path_is_a_path_and_not_its_characters(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder, a pattern, one file, a list of these; what is not there is an error by its name."""
    monkeypatch.chdir(folder.parent)

    def files(named: object) -> tuple[list[str], list[str]]:
        ranking = evenhand.rank(JOB, named, ranker="tfidf", as_of=AS_OF)  # type: ignore[arg-type]
        return [Path(result.file or "").name for result in ranking.results], [error.file for error in ranking.errors]

    everyone = ["copy.txt", "maria.txt", "peter-again.txt", "peter.txt"]
    assert files(folder.name) == (everyone, [f"{folder.name}/broken.pdf", f"{folder.name}/empty.txt"])
    assert files(f"{folder.name}/*e*r*.txt") == (["peter-again.txt", "peter.txt"], [])
    assert files(folder / "maria.txt") == (["maria.txt"], [])
    assert files([f"{folder.name}/ma*.txt", folder / "peter.txt"]) == (["maria.txt", "peter.txt"], [])
    assert files("nobody") == ([], ["nobody"])
    assert files("nobody/*.pdf") == ([], ["nobody/*.pdf"])
    assert [document.file for document in evenhand.read_many(f"{folder.name}/ma*.txt")] == [f"{folder.name}/maria.txt"]
    [profile] = evenhand.mine_many(f"{folder.name}/maria.txt", as_of=AS_OF)
    assert profile.name
    assert profile.name.value == "Maria Gonzalez"


@pytest.mark.parametrize(
    ("named", "kind"), [(5, "int"), (None, "None"), (b"resume", "bytes"), ([5], "int"), ({"a": "b"}, "dict")]
)
def test_what_is_no_path_is_refused_in_a_sentence(named: object, kind: str) -> None:
    sentence = f"Resumes are given as paths, folders or patterns, or a list of these, not as {kind}."
    with pytest.raises(TypeError, match=re.escape(sentence)):
        evenhand.rank(JOB, named)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="A job is given as a Job, a path or its text, not as int"):
        evenhand.rank(5, "resumes")  # type: ignore[arg-type]


def test_what_could_not_be_read_is_named(ranked: RankingWithFacts, folder: Path) -> None:
    assert [(error.file, error.failure.code) for error in ranked.ranking.errors] == [
        (str(folder / "broken.pdf"), "corrupt_document"),
        (str(folder / "empty.txt"), "empty_document"),
    ]


def test_what_is_met_and_missing(ranked: RankingWithFacts) -> None:
    """March 2021 to October 2026 is 68 months; with January 2017 to December 2018 SQL has 92."""
    maria, peter = ranked.ranking.results[1], ranked.ranking.results[3]
    assert [(match.skill, match.months, match.required_months, match.must) for match in maria.matched] == [
        ("python", 68, 48, True),
        ("sql", 92, None, True),
        ("git", None, None, False),
    ]
    assert maria.missing == ()
    assert (peter.matched, peter.missing) == ((), ("python", "sql"))
    text = MARIA
    for match in maria.matched:
        assert {text[place.start : place.end].lower() for place in match.evidence} == {match.skill}


def test_facts_beside_the_score(ranked: RankingWithFacts) -> None:
    maria, peter = ranked.facts[1], ranked.facts[3]
    assert (maria.title, maria.employer, maria.is_current) == ("Software Engineer", "Fennick Tools Ltd.", True)
    assert (maria.relevant_months, maria.total_months, maria.musts_met, maria.musts_asked) == (92, 92, 2, 2)
    assert (peter.relevant_months, peter.musts_met) == (0, 0)


def test_flags_name_duplicates_and_list_entries(ranked: RankingWithFacts, folder: Path) -> None:
    flags = ranked.ranking.results[0].flags
    assert [flag.code for flag in flags] == ["duplicate", "no_hire"]
    assert f"Maria Gonzalez in {folder / 'maria.txt'} (all of it)" in flags[0].message
    assert '"Fennick Tools Ltd."' in flags[1].message
    assert [flag.code for flag in ranked.ranking.results[3].flags] == ["duplicate"]


def test_snippets_show_what_was_asked_for(ranked: RankingWithFacts) -> None:
    maria = ranked.ranking.results[1]
    shown = {snippet.text[start:end] for snippet in maria.snippets for start, end in snippet.highlights}
    assert {"Python", "SQL"} <= shown
    assert all(MARIA[snippet.start :].startswith(snippet.text) for snippet in maria.snippets)


def test_json_has_the_promised_shape(ranked: RankingWithFacts) -> None:
    value = ranked.ranking.to_json()
    assert {"job", "ranker", "total", "results", "errors"} <= value.keys()
    assert {"title", "skills", "years", "degree"} <= value["job"].keys()
    assert all({"name", "must", "months"} <= skill.keys() for skill in value["job"]["skills"])
    for result in value["results"]:
        promised = "rank file candidate score parts matched missing flags snippets"
        assert set(promised.split()) <= result.keys()
        assert math.fsum(part["value"] for part in result["parts"]) == result["score"]
    assert value["errors"][0].keys() == {"file", "code", "message"}


def test_the_order_of_the_files_changes_nothing(ranked: RankingWithFacts, folder: Path) -> None:
    files = sorted(folder.iterdir(), reverse=True)
    again = rank(JOB, [*files, files[0]], ranker="tfidf", as_of=AS_OF)  # and one of them is given twice
    without_lists = [result.to_json() | {"flags": []} for result in ranked.ranking.results]
    assert [result.to_json() | {"flags": []} for result in again.results] == without_lists
    assert canonical_json([error.to_json() for error in again.errors]) == canonical_json(
        [error.to_json() for error in ranked.ranking.errors]
    )


def test_a_condition_leaves_out_and_changes_no_score(ranked: RankingWithFacts, pool: ResumePool) -> None:
    kept = rank_pool(JOB, pool, make_ranker("tfidf"), skills=[SkillCondition("python", 60)], top=1).ranking
    assert (kept.total, len(kept.results)) == (2, 1)
    assert kept.results[0].score == ranked.ranking.results[0].score


def test_nobody_is_left(pool: ResumePool) -> None:
    nobody = rank_pool(JOB, pool, make_ranker("bm25"), skills=[SkillCondition("cobol")])
    assert (nobody.ranking.total, nobody.ranking.results, nobody.facts) == (0, (), ())
    assert len(nobody.ranking.errors) == 2
    assert rank_pool(JOB, ResumePool(AS_OF, ()), make_ranker("kl")).ranking.results == ()


@pytest.mark.parametrize("name", RANKERS)
def test_every_ranker_puts_her_who_fits_first(pool: ResumePool, name: str) -> None:
    encoder = encoder_of(name, Settings())
    ranking = rank_pool(JOB, pool, make_ranker(name, encoder=encoder), encoder=encoder).ranking
    assert ranking.ranker == name
    assert ranking.results[0].candidate == "Marta Gomes"
    for result in ranking.results:
        assert math.fsum(part.value for part in result.score.parts) == result.score.value


def test_what_was_wrongly_asked(folder: Path) -> None:
    with pytest.raises(UsageError, match="no ranker 'bm26'"):
        rank(JOB, folder.iterdir(), ranker="bm26")
    with pytest.raises(UsageError, match="2026-13"):
        rank(JOB, folder.iterdir(), ranker="bm25", as_of="2026-13")
    for top in (0, -1):
        with pytest.raises(UsageError, match=re.escape("How many of the best (top) is at least 1.")):
            evenhand.rank(JOB, folder, top=top)
    with pytest.raises(TypeError, match="How many of the best is a whole number, not str"):
        evenhand.rank(JOB, folder, top="3")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="The job is empty: give its text"):
        evenhand.rank(" ", folder)
    with pytest.raises(UsageError, match=r"^The job nowhere\.txt: The file cannot be opened"):
        evenhand.rank("nowhere.txt", folder)
