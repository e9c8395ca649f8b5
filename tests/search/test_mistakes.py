"""A wrong search text gets one plain sentence and the place of the mistake, and never anything else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.errors import QueryError, UsageError
from evenhand.search.query_language import parse

LEVELS = "other, highschool, diploma, associate, bachelor, master, doctorate"
UNFINISHED = "“{}” needs a skill before it and a number of months after it, as in java>=36."
EQUALS = "Months are compared with >= or <=, or by a range: java>=36, java:24..60."


@pytest.mark.parametrize(
    ("text", "wrong", "sentence"),
    [
        ("(java", "(", "This parenthesis is never closed."),
        ("java) perl", ")", "This parenthesis closes nothing."),
        ("()", "(", "There is nothing to search between the parentheses."),
        ("(the of)", "(", "There is nothing to search between the parentheses."),
        ('perl ""', '""', "There is nothing between the quotes."),
        ('perl "java', '"', "A quote is opened and never closed."),
        ("java AND", "AND", "“AND” needs something after it."),
        ("OR java", "OR", "“OR” needs something before it."),
        ("java AND OR perl", "AND", "“AND” needs something after it."),
        ("(NOT)", "NOT", "“NOT” needs something after it."),
        ("(java OR)", "OR", "“OR” needs something after it."),
        ("(AND java)", "AND", "“AND” needs something before it."),
        ("java AND the", "the", "“the” is too common to search for."),
        ("+the", "the", "“the” is too common to search for."),
        ("title:the", "title:the", "“the” is too common to search for."),
        ("java title:", "title:", "“title:” needs a word or a phrase in quotes right after it."),
        ("city: Rome", "city:", "“city:” needs a word or a phrase in quotes right after it."),
        ("titel:java", "titel:", "There is no field “titel”. Did you mean “title:”? Quotes make a colon plain text."),
        (
            "AWS:EC2",
            "AWS:",
            "There is no field “AWS”. There are title, employer, school, skill, city, degree, source, status. "
            "Quotes make a colon plain text.",
        ),
        ("degree:best", "degree:best", f"“best” is not a level of degree. Levels are {LEVELS}."),
        ("java:60..24", "60..24", "The first number of a range is the smaller one."),
        ("java<0", "<0", "Nobody has less than 0 months."),
        ("java>=", ">=", UNFINISHED.format(">=")),
        ("java >= much", ">=", UNFINISHED.format(">=")),
        ("java>=-5", ">=", UNFINISHED.format(">=")),
        ("java>=9999999999", ">=", UNFINISHED.format(">=")),
        ('"spring boot"≥', "≥", UNFINISHED.format("≥")),
        ("java=24", "java=24", EQUALS),
        ("java==24", "java==24", EQUALS),
        ("java=24-60", "java=24-60", EQUALS),
        ("java>24<36", ">24<36", "Months between two numbers are written like java:24..60."),
        ("java>=101y", ">=101y", "Months go up to 1,200; 1,212 is more than a life's work."),
        ("x" * 2_001, "x", "The search is longer than 2,000 characters."),
        ("(" * 21 + "a", "(", "Parentheses are nested more than 20 deep."),
    ],
)
def test_mistakes_are_named_with_their_place(text: str, wrong: str, sentence: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse(text)
    assert str(caught.value) == sentence
    assert text[caught.value.start : caught.value.end] == wrong
    assert isinstance(caught.value, UsageError)


OPERATORS = ("AND", "OR", "NOT", "(", ")", "+", "-", '"', "“", "'", ":", "*", " ", "  ")
PARTS = ("java", "the", "title:", "skill:", "java>=", ">=36", ":24..60", "degree>=", "master", "36", "y", "c++")
ODD = ("é", "\ud800", "\x00", "日本")
PIECES = st.sampled_from((*OPERATORS, *PARTS, *ODD))


@given(st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=200) | st.text(st.characters(), max_size=20))
def test_any_text_is_understood_or_refused(text: str) -> None:
    mistake = None
    try:
        found = parse(text)
    except QueryError as error:
        mistake = error
    if mistake:
        assert 0 <= mistake.start < mistake.end <= len(text)
        assert str(mistake).endswith((".", "?"))
    else:
        assert all(words.terms and words.where is None for words in found.wishes)
