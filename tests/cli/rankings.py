"""A small ranking worked out by hand, for what shows rankings."""

from __future__ import annotations

from dataclasses import replace

from evenhand.records.document import Failure
from evenhand.records.job import Demand, Job, Place
from evenhand.records.profile import Evidence
from evenhand.records.ranking import Flag, Match, Part, Ranking, Result, Score, Snippet, Unread
from evenhand.search.matching import CandidateFacts, RankingWithFacts

TEXT = "Java Developer\nAt least 3 years of Java or Kotlin, and SQL. Docker is a plus."
JOB = Job(
    text=TEXT,
    title="Java Developer",
    demands=(
        Demand(("java", "kotlin"), True, 36, places=(Place(35, 39), Place(43, 49))),
        Demand(("sql",), True, places=(Place(55, 58),)),
        Demand(("docker",), False, places=(Place(60, 66),)),
    ),
    months=36,
    degree="bachelor",
    fields=("computer science",),
    city="Lisbon",
)
SEEN = (Evidence(0, 4, 1, "lexicon", 1.0),)
ANA = Result(
    1,
    "inbox/ana.pdf",
    "Ana Reyes",
    Score((Part("words in common", 3.0, "java, sql"), Part("must-haves", 1.0, "2 of 2"))),
    (Match("java", 48, 36, True, SEEN), Match("sql", None, None, True, SEEN)),
    snippets=(Snippet("Four years of Java and SQL.", ((14, 18), (23, 26)), 120),),
)
BEN = Result(
    2,
    "inbox/ben.docx",
    "Ben Okoro",
    Score((Part("words in common", 1.5, "kotlin"), Part("must-haves", 0.5, "1 of 2"))),
    (Match("kotlin", 24, 36, True, SEEN), Match("docker", 6, None, False, SEEN)),
    ("sql",),
    (Flag("duplicate", "Nearly the same text as cara.txt (0.91)."),),
)
CARA = Result(
    3, "inbox/cara.txt", None, Score((Part("words in common", 0.0), Part("must-haves", 0.0))), missing=("java", "sql")
)
FACTS = (
    CandidateFacts("Backend Developer", "Fennick Tools", True, 60, 48, 2, 2, "master", "Porto", ("ana@example.com",)),
    CandidateFacts("Android Developer", None, False, 30, 24, 0, 2, phones=("+1 404 555 0125",)),
    CandidateFacts(None, None, False, None, None, 0, 2),
)
ERROR = Unread("inbox/locked.pdf", Failure("encrypted_document", "The file is protected by a password."))
RANKED = RankingWithFacts(Ranking(JOB, "tfidf", 3, (ANA, BEN, CARA), (ERROR,)), FACTS, "2026-10")


def with_first(result: Result, facts: CandidateFacts = FACTS[0]) -> RankingWithFacts:
    """The ranking with another first result."""
    ranking = replace(RANKED.ranking, results=(result, BEN, CARA))
    return replace(RANKED, ranking=ranking, facts=(facts, *FACTS[1:]))
