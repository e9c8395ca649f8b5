"""Truth told of the plain text, carried over to a document in which the same words stand elsewhere."""

from __future__ import annotations

from evenhand_lab.corpora.kinds.kinds import sample_career
from evenhand_lab.corpora.manuscript import Manuscript, ManuscriptLine, ManuscriptSection, Plain, TextRun, to_plain
from evenhand_lab.corpora.truth import Truth, build_truth
from evenhand_lab.training.examples import LabelledSpan, example_of
from tests.lab.training.documents import plain_document

MANUSCRIPT = Manuscript(
    0,
    (
        ManuscriptSection("personal", None, (ManuscriptLine((TextRun("Ann Lee", "name"),)),)),
        ManuscriptSection(
            "experience",
            "Work",
            (
                ManuscriptLine(
                    (
                        TextRun("Tester", "title", of="job 0"),
                        TextRun(", "),
                        TextRun("Acme Ltd", "employer", of="job 0"),
                    ),
                    aside=(TextRun("Jan 2011", "date", "2011-01", of="job 0"),),
                ),
                ManuscriptLine(
                    (TextRun("Wrote "), TextRun("Java", "skill", "java", of="job 0"), TextRun(" tests")), bullet=True
                ),
                ManuscriptLine((TextRun("Project "), TextRun("Apollo", "project", of="job 0 project 0"))),
            ),
        ),
        ManuscriptSection(
            "skills",
            "Skills",
            (ManuscriptLine((TextRun("Java", "skill", "java"), TextRun(", "), TextRun("C++", "skill", "c++"))),),
        ),
    ),
)
READ = "\n".join(
    (
        "Skills",
        "Java, C++",
        "",
        "Ann Lee",
        "Work",
        "Jan 2011",
        "Tester, Acme",
        "Ltd",
        "• Wrote Java tests",
        "Project Apollo",
    )
)


def truth_of(plain: Plain) -> Truth:
    """Marks and sections of the manuscript; the rest, of some career, does not matter here."""
    career, _ = sample_career("it", seed=0, number=0)
    return build_truth(career, MANUSCRIPT, plain)


def test_marks_go_where_their_words_are() -> None:
    plain = to_plain(MANUSCRIPT)
    document = plain_document(READ)
    found = example_of(truth_of(plain), plain.text, document, id="one")
    assert found is not None
    shown = [(span.label, READ[span.start : span.end]) for span in found.spans]
    assert shown == [
        ("skill", "Java"),
        ("skill", "C++"),
        ("name", "Ann Lee"),
        ("dates", "Jan 2011"),
        ("title", "Tester"),
        ("employer", "Acme\nLtd"),
        ("skill", "Java"),
        ("project", "Apollo"),
    ]
    assert found.spans[0] == LabelledSpan(7, 11, "skill")
    assert (found.id, found.is_generated) == ("one", True)


def test_lines_have_the_section_and_role_of_what_stands_in_them() -> None:
    plain = to_plain(MANUSCRIPT)
    document = plain_document(READ)
    found = example_of(truth_of(plain), plain.text, document, id="one")
    assert found is not None
    assert found.line_labels == (
        "skills.heading",
        "skills.body",
        "personal.body",
        "experience.heading",
        "experience.entry",
        "experience.head",
        "experience.body",
        "experience.body",
        "experience.project",
    )


def test_a_file_with_other_words_is_no_example() -> None:
    plain = to_plain(MANUSCRIPT)
    document = plain_document("Ann Lee\nWork\nsomething else that was never written")
    assert example_of(truth_of(plain), plain.text, document, id="one") is None
