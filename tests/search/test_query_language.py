"""What a search text means: which of its parts rank and which filter."""

from __future__ import annotations

import pytest

from evenhand.search.query_language import (
    All,
    AnyOf,
    Degree,
    ExperienceCondition,
    Months,
    Node,
    Not,
    PhraseCondition,
    SearchText,
    parse,
)


def word(text: str, *terms: str, where: str | None = None, prefix: bool = False) -> PhraseCondition:
    listed = terms or (text,)
    return PhraseCondition(text, listed, tuple(range(len(listed))), prefix, where)


JAVA, PERL, LISP = word("java"), word("perl"), word("lisp")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("", ()),
        ("   \n ", ()),
        ("java perl", (JAVA, PERL)),
        ("c++ developer", (word("c++"), word("developer", "develop"))),
        ("C# and .NET", (word("C#", "c#"), word(".NET", ".net"))),
        ("R&D", (word("R&D", "r", "d"),)),
        ("e-mail@x.y", (word("e-mail@x.y", "e", "mail", "x.i"),)),
        ("BRANDY ORACLE", (word("BRANDY", "brandi"), word("ORACLE", "oracl"))),
        ("java and perl or lisp", (JAVA, PERL, LISP)),
        ("java / perl - lisp -> & +", (JAVA, PERL, LISP)),
        ("Skills: java", (word("Skills:", "skill"), JAVA)),
        ("10:30 std::java", (word("10:30", "10", "30"), word("std::java", "std", "java"))),
        ("http://java.perl", (word("http://java.perl", "http", "java", "perl"),)),
        ("React(JS)", (word("React(JS)", "react", "js"),)),
        ("java > perl", (JAVA, PERL)),
        ("'java' bachelor's", (word("'java'", "java"), word("bachelor's", "bachelor"))),
        ("разработчик 開発", (word("разработчик"), word("開発"))),
        ('"java perl"', (word("java perl", "java", "perl"),)),
        ("“java perl” „lisp“ «perl»", (word("java perl", "java", "perl"), LISP, PERL)),
        ("java\udcff perl", (word("java?", "java"), PERL)),
        ('"AND"', ()),
        ("jav*", (word("jav", prefix=True),)),
    ],
)
def test_plain_words_and_phrases_only_rank(text: str, meaning: tuple[PhraseCondition, ...]) -> None:
    assert parse(text) == SearchText(meaning)


def test_stop_words_leave_their_place_in_a_phrase() -> None:
    assert parse('"head of sales"').wishes == (PhraseCondition("head of sales", ("head", "sale"), (0, 2)),)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("+java", JAVA),
        ("-java", Not(JAVA)),
        ("NOT java", Not(JAVA)),
        ("NOT NOT java", JAVA),
        ("-.NET", Not(word(".NET", ".net"))),
        ('-"java perl"', Not(word("java perl", "java", "perl"))),
        ("java AND perl", All((JAVA, PERL))),
        ("java OR perl", AnyOf((JAVA, PERL))),
        ("java OR perl AND lisp", AnyOf((JAVA, All((PERL, LISP))))),
        ("(java OR perl) AND lisp", All((AnyOf((JAVA, PERL)), LISP))),
        ("java AND NOT perl", All((JAVA, Not(PERL)))),
        ("(java)", JAVA),
        ("(java perl)", All((JAVA, PERL))),
        ("(the java)", JAVA),
        ("-(java perl)", Not(All((JAVA, PERL)))),
        ("(React(JS) OR lisp)", AnyOf((word("React(JS)", "react", "js"), LISP))),
        ("title:java", word("java", where="title")),
        ("Employer:java", word("java", where="employer")),
        ('school:"java perl"', word("java perl", "java", "perl", where="school")),
        ("city:perl*", word("perl", where="city", prefix=True)),
        ("degree:PhD", Degree(("doctorate",))),
        ("degree:Master's", Degree(("master",))),
        ("degree>=master", Degree(("master", "doctorate"))),
        ("degree < diploma", Degree(("other", "highschool"))),
        ("skill:java", Months("java")),
        ("java>=36", Months("java", 36)),
        ("java >= 36", Months("java", 36)),
        ("java>36", Months("java", 37)),
        ("java≤36", Months("java", 0, 36)),
        ("java<36", Months("java", 0, 35)),
        ("java>=3y", Months("java", 36)),
        ("java >= 3 years", Months("java", 36)),
        ("java>=2.5 years", Months("java", 30)),
        ("skill:java>=36", Months("java", 36)),
        ("java:24..60", Months("java", 24, 60)),
        ("skill:java:2..5y", Months("java", 24, 60)),
        ("c++>=24", Months("c++", 24)),
        ("C#<12", Months("C#", 0, 11)),
        ('"spring  boot">=24', Months("spring boot", 24)),
        ("-java>=36", Not(Months("java", 36))),
        ("total>=60", ExperienceCondition("total", 60)),
        ("relevant:0..11", ExperienceCondition("relevant", 0, 11)),
    ],
)
def test_operators_fields_and_months_filter(text: str, meaning: Node) -> None:
    assert parse(text) == SearchText((), (meaning,))


def test_wishes_and_conditions_stand_side_by_side() -> None:
    assert parse('java -perl "java lisp" perl OR lisp c++>=12 lisp') == SearchText(
        (JAVA, word("java lisp", "java", "lisp"), LISP), (Not(PERL), AnyOf((PERL, LISP)), Months("c++", 12))
    )


def test_skills_are_resolved_to_their_canonical_names() -> None:
    found = parse("JS>=12 skill:TS", resolve_skill={"JS": "javascript", "TS": "typescript"}.__getitem__)
    assert found.conditions == (Months("javascript", 12), Months("typescript"))
