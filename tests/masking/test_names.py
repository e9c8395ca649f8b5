"""The applicant's name is masked wherever it stands, and words that happen to be names are not."""

from __future__ import annotations

import pytest

from tests.masking.resumes import masked, profile

HEAD = "Jane Doe\n\nSUMMARY\n"


def hidden(body: str, *, name: str = "Jane Doe", **facts: object) -> str:
    """What is left of the body of a resume whose first line is the name."""
    text = f"{name}\n\nSUMMARY\n{body}"
    found = profile(text, name=name, sections=(("profile", "SUMMARY"),), **facts)  # type: ignore[arg-type]
    shown = masked(text, found, "name")
    assert shown.startswith("[name]\n\nSUMMARY\n")
    return shown.removeprefix("[name]\n\nSUMMARY\n")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Jane Doe leads a team.", "[name] leads a team."),
        ("JANE DOE - page 2", "[name] - page 2"),
        ("Doe, Jane", "[name]"),
        ("J. Doe, A. Smith: On soil. 2019", "[name], A. Smith: On soil. 2019"),
        ("J Doe", "[name]"),
        ("Doe, J. and Smith, A.", "[name] and Smith, A."),
        ("Jane D. won it.", "[name] won it."),
        ("Jane Q. Doe", "[name]"),
        ("Jane Marie Doe", "[name]"),
        ("Jane's work and Doe's method", "[name]'s work and [name]'s method"),
        ("Jane’s work", "[name]’s work"),
        ("Everybody liked Jane.", "Everybody liked [name]."),
        ("Ms. Doe was kind.", "Ms. [name] was kind."),
        ("J A N E   D O E", "[name]"),
        ("Jane\nDoe", "[name]"),
        ("github: janedoe", "github: [name]"),
        ("JaneDoe88 on the web", "[name] on the web"),
        ("Skype: jdoe", "Skype: [name]"),
        ("login jdoe_77", "login [name]_77"),
        ("DOE/Jane", "[name]"),
        ("(Jane Doe)", "([name])"),
        ("jane.doe@example.com", "[e-mail]"),
        ("jdoe@example.com", "[e-mail]"),
        ("linkedin.example/in/jane-doe-77", "[link]"),
        ("Jane-Doe-Resume.pdf", "[name]-Resume.pdf"),
        ("Jane_Doe_CV.docx", "[name]_CV.docx"),
        ("Father's Name : John Doe", "Father's Name : [name]"),
        ("jane doe", "[name]"),
    ],
)
def test_every_form_of_a_name(body: str, expected: str) -> None:
    assert hidden(body) == expected


@pytest.mark.parametrize(
    ("name", "body", "expected"),
    [
        ("José Núñez", "Jose Nunez", "[name]"),
        ("Jose Nunez", "JOSÉ NÚÑEZ", "[name]"),
        ("Jürgen Groß", "Juergen Gross", "[name]"),
        ("Jürgen Groß", "Jurgen", "[name]"),
        ("Łukasz Wójcik", "Lukasz WOJCIK", "[name]"),
        ("José Díaz", "Jose\u0301 Di\u0301az", "[name]"),
        ("Siobhán O'Brien", "Siobhan O’Brien", "[name]"),
        ("Siobhán O'Brien", "OBrien", "[name]"),
        ("Mary-Jane Smith-Jones", "Mary Jane Jones", "[name]"),
        ("Li Wu", "Li Wu and Li-ion cells", "[name] and Li-ion cells"),
        ("Ma Yun", "Ma Yun", "[name]"),
        ("Dr. Jane Doe, PhD, PMP", "Jane Doe, PMP", "[name], PMP"),
        ("Ludwig van der Berg", "Berg drove a van", "[name] drove a van"),
        ("Anna Page", "Page 2 of 3", "Page 2 of 3"),
        ("Anna Page", "Anna Page, page 2", "[name], page 2"),
        ("jane doe", "jane did it", "[name] did it"),
        ("王小明", "我是王小明。", "我是[name]。"),
    ],
)
def test_names_of_all_kinds(name: str, body: str, expected: str) -> None:
    assert hidden(body, name=name) == expected


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("May Lin", "May 2019 to June 2020: May be relocated."),
        ("Will Grant", "I will grant access. Will be there. Grant writing and grants."),
        ("Will Grant", "The Grant Office gave a Research Grant."),
        ("Mark Stone", "Mark up pages. STONE WORK. Stone floors."),
        ("Rich Page", "Rich clients; Page layout"),
        ("Grace Young", "Young adults, Grace periods"),
        ("Ruby Case", "Case studies"),
        ("Hope Summers", "Summers in Maine. Hope for the best."),
        ("Austin Miller", "Moved to Austin, Texas"),
        ("Jordan Bell", "Trade with Jordan"),
        ("Jane Doe", "A deer and a doe"),
        ("Jane Doe", "Janet Doering"),
        ("Art Long", "As long as it takes; Long hours in Art direction"),
        ("Dean Law", "Dean of Law"),
        ("Don Day", "Day shifts"),
        ("Rob Ott", "Robust Otto motors"),
        ("Jose Diego", "San Jose and San Diego, Fort Diego"),
        ("Jane Doe", "J. Smith, D. Miller"),
        ("Anna Grant", "A Grant was given"),
    ],
)
def test_false_friends_stay(name: str, body: str) -> None:
    assert hidden(body, name=name) == body


@pytest.mark.parametrize(
    ("name", "body", "expected"),
    [
        ("Will Grant", "I worked with Grant on it.", "I worked with [name] on it."),
        ("Will Grant", "Mr. Grant praised me.", "Mr. [name] praised me."),
        ("Will Grant", "W. Grant", "[name]"),
        ("Will Grant", "Grant - Page 2", "[name] - Page 2"),
        ("May Lin", "May Lin, May 2019", "[name], May 2019"),
        ("May Lin", "Lin wrote it in May.", "[name] wrote it in May."),
    ],
)
def test_common_words_are_names_where_nothing_else_can_stand(name: str, body: str, expected: str) -> None:
    assert hidden(body, name=name) == expected


def test_a_skill_or_an_employer_keeps_its_name() -> None:
    body = "Ruby on Rails for Jackson Supplies. Ruby gems, Jackson parser."
    shown = hidden(body, name="Ruby Jackson", skills=("Ruby on Rails",), jobs=((None, "Jackson Supplies"),))
    assert shown == body
    shown = hidden("Ms. Jackson at Jackson Supplies", name="Ruby Jackson", jobs=((None, "Jackson Supplies"),))
    assert shown == "Ms. [name] at Jackson Supplies"


def test_an_employer_named_as_the_applicant_is_masked() -> None:
    body = "Owner, Thora Quill\nOwner, Thora Quill Bakery"
    assert hidden(body, name="Thora Quill") == "Owner, [name]\nOwner, [name] Bakery"
    text = "Thora Quill\n\nSUMMARY\nbaker at Thora Quill"
    found = profile(text, name="Thora Quill", jobs=(("baker", "Thora Quill"),))
    assert masked(text, found, "name") == "[name]\n\nSUMMARY\nbaker at [name]"


def test_a_firm_of_the_applicant_does_not_make_the_name_a_common_word() -> None:
    body = "Thora bakes for Thora Quill Bakery. Quill pens."
    shown = hidden(body, name="Thora Quill", jobs=((None, "Thora Quill Bakery"),))
    assert shown == "[name] bakes for [name] Bakery. [name] pens."


def test_a_maiden_name_is_a_name() -> None:
    assert hidden("Jane Doe (née Quill); Quill, 2001") == "[name] (née [name]); [name], 2001"


BODY = "Resume\nThora Quill\nthora.quill@example.com\n\nSUMMARY\nThora bakes. Quill pens."


def test_without_a_mined_name_the_address_knows_it() -> None:
    found = profile(BODY, email="thora.quill@example.com", sections=(("profile", "SUMMARY"),))
    assert masked(BODY, found, "name") == "Resume\n[name]\n[e-mail]\n\nSUMMARY\n[name] bakes. [name] pens."


@pytest.mark.parametrize(
    "given",
    [
        {"form": {"name": "Thora Quill"}},
        {"form": {"last_name": "Quill", "first_name": "Thora", "company_name": "Resume"}},
        {"file": "Resume_ThoraQuill_2024.pdf"},
        {"file": "uploads/thora-quill-resume.docx"},
    ],
)
def test_without_a_mined_name_form_and_file_know_it(given: dict[str, object]) -> None:
    text = "Resume\nThora Quill\n\nSUMMARY\nThora bakes. Quill pens."
    found = profile(text, sections=(("profile", "SUMMARY"),))
    assert masked(text, found, "name", **given) == "Resume\n[name]\n\nSUMMARY\n[name] bakes. [name] pens."


def test_a_first_line_that_may_be_a_name_is_masked_there_alone() -> None:
    text = "Srilatha Vemu\n\nSUMMARY\nSrilatha bakes.\nSrilatha Vemu"
    found = profile(text, sections=(("profile", "SUMMARY"),))
    assert masked(text, found, "name") == "[name]\n\nSUMMARY\nSrilatha bakes.\n[name]"


@pytest.mark.parametrize("line", ["Senior Accountant", "Curriculum Vitae", "PROFESSIONAL EXPERIENCE"])
def test_a_first_line_that_is_no_name_stays(line: str) -> None:
    text = f"{line}\n\nSUMMARY\nBakes."
    assert masked(text, profile(text, sections=(("profile", "SUMMARY"),)), "name") == text


def test_a_file_that_speaks_of_work_names_nobody() -> None:
    text = "Senior Accountant\n\nSUMMARY\nJava Backend for Sample Ltd"
    found = profile(text, sections=(("profile", "SUMMARY"),), skills=("Java",))
    assert masked(text, found, "name", file="Sample_Java_Backend.pdf") == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tomas\nOkonjo-Reyes\nProduct Designer\n", "[name]\nProduct Designer\n"),
        ("Tomas\nProduct Designer\n", "[name]\nProduct Designer\n"),
        ("Tomas\nlives and works in Rome\n", "[name]\nlives and works in Rome\n"),
        ("Tomas, Designer\nOkonjo House\n", "[name], Designer\nOkonjo House\n"),
    ],
)
def test_a_name_that_is_set_on_two_lines(text: str, expected: str) -> None:
    """The miner found the first line only."""
    found = profile(text, name="Tomas")
    assert masked(text, found, "name") == expected
