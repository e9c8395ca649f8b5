"""Sentences of the report that depend on the ranker or the degree."""

from __future__ import annotations

DEGREES = {
    "other": "other degree",
    "highschool": "high school",
    "diploma": "diploma",
    "associate": "associate degree",
    "bachelor": "bachelor's degree",
    "master": "master's degree",
    "doctorate": "doctorate",
}
RANKERS = {
    "bm25": "Words of the job that the resume has too. Rare words count more; a repeated word counts less each time "
    "(Okapi BM25).",
    "tfidf": "Words of the job that the resume has too. Rare words count more, long resumes are not favoured "
    "(TF-IDF, as Lucene's classic similarity has it).",
    "tfidf+skills": "Words of the job that the resume has too, as TF-IDF counts them; those that name a skill count "
    "more.",
    "kl": "How likely the words of the job are in a text like this resume (language models with Dirichlet smoothing). "
    "Scores are logarithms, so they lie below zero.",
    "semantic": "How near sentences of the resume come in meaning to those of the job, as a sentence encoder sees it.",
    "best": "Several views added up: words in common, meaning, must-haves, months of experience. Each is shown as a "
    "part of its own.",
}


def ranker_words(ranker: str) -> str:
    return RANKERS.get(ranker, "")


def degree_words(level: str | None) -> str:
    return DEGREES.get(level, level) if level else ""
