"""Section pruning: stop words first, then the 5 % of types in most documents, then the 30 %, then the end is cut."""

from __future__ import annotations

from evenhand.models.sequences import PruningWords, bare_word, count_words, prune

WORDS = PruningWords(frozenset({"clinical"}), frozenset({"clinical", "study", "patients"}))
TEXT = "The nurse managed (Clinical) study data and the patients of a ward"


def tokenise(text: str) -> list[int]:
    """A token per word, and two for a word of more than seven letters: word pieces."""
    return [len(word) for word in text.split() for _ in range(1 + (len(word) > 7))]


def pruned_text(limit: int) -> tuple[int, int, int]:
    found = prune(TEXT, WORDS, tokenise, limit)
    return found.steps, found.length, len(found.tokens)


def test_a_section_that_fits_is_untouched() -> None:
    # The nurse managed (Clinical) study data and the patients of a ward: 12 words, two of them in two pieces.
    found = prune(TEXT, WORDS, tokenise, 14)
    assert (found.steps, list(found.tokens), found.length) == (0, tokenise(TEXT), 14)


def test_words_go_in_order_until_the_section_fits() -> None:
    # Without the, and, the, of, a: nurse managed (Clinical) study data patients ward, 9 tokens.
    assert pruned_text(13) == (1, 9, 9)
    assert pruned_text(9) == (1, 9, 9)
    # Without (Clinical): nurse managed study data patients ward, 7 tokens.
    assert pruned_text(8) == (2, 7, 7)
    # Without study and patients: nurse managed data ward.
    assert pruned_text(6) == (3, 4, 4)
    assert list(prune(TEXT, WORDS, tokenise, 6).tokens) == [5, 7, 4, 4]


def test_what_still_does_not_fit_is_cut_and_says_so() -> None:
    found = prune(TEXT, WORDS, tokenise, 3)
    assert (list(found.tokens), found.length) == ([5, 7, 4], 4)


def test_words_are_looked_up_without_the_punctuation_around_them() -> None:
    assert bare_word("(Clinical),") == "clinical"
    assert bare_word("C++") == "c"
    assert bare_word("--") == ""
    assert list(prune("-- the --", PruningWords(), tokenise, 2).tokens) == [2, 2]


def test_frequent_types_are_counted_once_per_document() -> None:
    # 20 types: "study" in three documents, "trial" in two though five times, the others in one.
    rest = [f"word{number:02}" for number in range(18)]
    documents = ["study trial trial trial", "Study, trial trial", "study " + " ".join(rest)]
    words = count_words(documents)
    assert words.frequent == {"study"}  # 5 % of 20
    assert words.common == {"study", "trial", "word00", "word01", "word02", "word03"}  # 30 %: 6, ties by letter


def test_a_word_of_few_documents_is_never_kept() -> None:
    documents = ["study trial"] * 2 + ["study surname"] * 3
    assert count_words(documents, least_documents=5) == PruningWords(frozenset({"study"}), frozenset({"study"}))


def test_words_survive_json() -> None:
    assert PruningWords.from_json(WORDS.to_json()) == WORDS
