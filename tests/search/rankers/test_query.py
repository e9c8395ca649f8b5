"""What of a job is asked, and which of its words are skills."""

from __future__ import annotations

from evenhand.records.job import Job, Passage, Place
from evenhand.search.rankers.base import QueryTerm, SkillDictionary, make_query

TEXT = "Acme is a leader.\nYou write Java, java and SQL.\nFree fruit."


def _passage(type: str, line: str) -> Passage:
    return Passage(type, Place(TEXT.index(line), TEXT.index(line) + len(line)))


def test_only_asking_passages_count() -> None:
    passages = (
        _passage("employer", "Acme is a leader."),
        _passage("duties", "You write Java, java and SQL."),
        _passage("benefits", "Free fruit."),
    )
    query = make_query(Job(TEXT, passages=passages))
    # "You" stands in most ads; so does "SQL" in those that were counted, but it names a technology.
    assert [(term.term, term.count) for term in query.terms] == [("write", 1), ("java", 2), ("sql", 1)]
    whole = make_query(Job(TEXT, passages=passages), with_common=True)
    assert [(term.term, term.count) for term in whole.terms] == [("you", 1), ("write", 1), ("java", 2), ("sql", 1)]
    titled = make_query(Job(TEXT, title="Programmer", passages=passages))
    assert titled.terms[0] == QueryTerm("programm", 1, skill=False)


def test_a_title_inside_the_passages_counts_once() -> None:
    passages = (_passage("other", "You write Java, java and SQL."),)
    query = make_query(Job(TEXT, title="Java", passages=passages))
    assert {term.term: term.count for term in query.terms}["java"] == 2


def test_without_passages_all_of_the_text_counts() -> None:
    assert "fruit" in [term.term for term in make_query(Job(TEXT)).terms]


def test_skills_are_found_as_whole_phrases() -> None:
    dictionary = SkillDictionary(["machine learning", "Java", "learning to rank", "SQL"])
    query = make_query(Job("Machine learning with java; learning"), dictionary=dictionary, with_common=True)
    assert [term.term for term in query.terms if term.skill] == ["machin", "learn", "java"]
    query = make_query(Job("Learning java on a machine"), dictionary=dictionary)
    assert [term.term for term in query.terms if term.skill] == ["java"]


def test_the_longest_skill_wins() -> None:
    dictionary = SkillDictionary(["visual basic", "visual basic script", "script writing"])
    found = dictionary.found_in(["visual", "basic", "script", "write"])
    assert found == {"visual", "basic", "script"}


def test_typed_terms_count_once() -> None:
    query = make_query(Job(""), search_terms=["Java", "java", "the", "machine learning"])
    assert [(typed.text, typed.terms) for typed in query.search_terms] == [
        ("Java", ("java",)),
        ("machine learning", ("machin", "learn")),
    ]
