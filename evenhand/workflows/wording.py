"""Words for degrees and rankers, the same in reports and on pages."""

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
    "best": "Up to 100 points for what the job asks for: its words in the resume, more for those used in jobs lately; "
    "must-haves and nice-to-haves with their months; related experience; titles; education. A resume's points "
    "depend on the job and the resume alone, not on who else applied.",
}


def ranker_words(ranker: str) -> str:
    return RANKERS.get(ranker, "")


def degree_words(level: str | None) -> str:
    return DEGREES.get(level, level) if level else ""


def full_words(full: float | None) -> str:
    """What a whole bar stands for."""
    return f"the {full:g} points of a perfect fit" if full else "the best score of this list"


def sureness(probability: float) -> str:
    """In per cent; never 100 of what is not certain, nor 0 of what is possible."""
    rounded = round(100 * probability)
    if rounded == 100 and probability < 1:
        return ">99%"
    return f"{rounded}%" if rounded or not probability else "<1%"
