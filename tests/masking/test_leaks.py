"""Ways in which a masked resume told who its owner is: each is one that was found, and closed."""

from __future__ import annotations

import pytest

from evenhand.records.profile import Profile
from tests.masking.resumes import masked, profile

NAME = "Tamsin Vanderquist"
HEAD = f"{NAME}\ntvanderquist@example.com\n\nSUMMARY\n"
FIRM = "Vanderquist Consulting"


def resume(body: str, **facts: object) -> tuple[str, Profile]:
    text = HEAD + body
    sections = facts.pop("sections", (("profile", "SUMMARY"),))
    found = profile(text, name=NAME, email="tvanderquist@example.com", sections=sections, **facts)  # type: ignore[arg-type]
    return text, found


def shown(body: str, *kinds: str, **facts: object) -> str:
    """What is left of the body of Tamsin Vanderquist's resume."""
    return masked(*resume(body, **facts), *kinds).partition("SUMMARY\n")[2]


def test_a_firm_of_the_applicants_name_hides_it_there_and_elsewhere() -> None:
    body = f"Founder of {FIRM}. Vanderquist's method. Asked Vanderquist for it. VANDERQUIST"
    expected = "Founder of [name] Consulting. [name]'s method. Asked [name] for it. [name]"
    assert shown(body, "name", jobs=(("Founder", FIRM),)) == expected


def test_a_company_that_everybody_knows_keeps_its_name() -> None:
    text = "Ratan Tata\n\nSUMMARY\nEngineer at Tata Consultancy Services"
    found = profile(text, name="Ratan Tata", jobs=(("Engineer", "Tata Consultancy Services"),))
    assert masked(text, found, "name") == "[name]\n\nSUMMARY\nEngineer at Tata Consultancy Services"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("T. Vanderquist and A. Smith", "[name] and A. Smith"),
        ("T. R. Vanderquist", "[name]"),
        ("T R Vanderquist", "[name]"),
        ("Vanderquist T. R. (2020)", "[name] (2020)"),
        ("Tammy led the team.", "[name] led the team."),
        ("tvanderquist on most sites", "[name] on most sites"),
        ("user name vanderquist", "user name [name]"),
        ("vanderquist/infra-tools", "[name]/infra-tools"),
        ("mail t.vanderquist", "mail [name]"),
        ("as t_vanderquist", "as [name]"),
    ],
)
def test_forms_of_the_name(body: str, expected: str) -> None:
    assert shown(body, "name") == expected


def test_a_user_name_in_small_letters_does_not_make_the_name_a_common_word() -> None:
    body = "My user name vanderquist is old. Vanderquist wrote it."
    assert shown(body, "name") == "My user name [name] is old. [name] wrote it."


@pytest.mark.parametrize(
    ("name", "body", "expected"),
    [
        ("Robert Ellison", "Everybody calls Bob a friend.", "Everybody calls [name] a friend."),
        ("Bob Ellison", "Robert Ellison, page 2", "[name], page 2"),
        ("Robert Ellison", "BobEllison77", "[name]"),
        ("Ling Wu", "L. Wu: On soil", "[name]: On soil"),
        ("Ling Wu", "Wu, L. (2019)", "[name] (2019)"),
        ("Joy Carter", "Joy is looking for work. Joy of cooking.", "[name] is looking for work. Joy of cooking."),
        ("Robert Ellison", "Bob Evans Restaurants", "Bob Evans Restaurants"),
    ],
)
def test_nicknames_short_names_and_sentences(name: str, body: str, expected: str) -> None:
    text = f"{name}\n\nSUMMARY\n{body}"
    jobs = ((None, "Bob Evans Restaurants"),) if "Evans" in body else ()
    found = profile(text, name=name, jobs=jobs, sections=(("profile", "SUMMARY"),))
    assert masked(text, found, "name") == f"[name]\n\nSUMMARY\n{expected}"


@pytest.mark.parametrize(
    ("link", "body", "expected"),
    [
        ("github.com/marlinspike77", "Known as marlinspike77.", "Known as [link]."),
        ("github.com/marlinspike77", "See marlinspike77.org", "See [link]"),
        ("github.com/marlinspike77", "git clone marlinspike77/soil", "git clone [link]/soil"),
        ("github.com/design", "I design soil.", "I design soil."),
        ("github.com/marlinspike77/soil", "By marlinspike77.", "By [link]."),
    ],
)
def test_user_names_of_profile_pages(link: str, body: str, expected: str) -> None:
    text = f"Jane Doe\n{link}\n\nSUMMARY\n{body}"
    found = profile(text, name="Jane Doe", link=link, sections=(("profile", "SUMMARY"),))
    assert masked(text, found, "contact") == f"Jane Doe\n[link]\n\nSUMMARY\n{expected}"


def test_a_link_that_a_line_end_cuts_is_masked_to_its_end() -> None:
    text = "Jane Doe\nsite.example/r/Jane-\nDoe/7fd59212dcc556bd\n\nSUMMARY\nBakes"
    found = profile(text, name="Jane Doe", sections=(("profile", "SUMMARY"),))
    assert masked(text, found, "contact") == "Jane Doe\n[link]\n\nSUMMARY\nBakes"


@pytest.mark.parametrize(
    "head", ["RESUME OF THORA QUILL", "Resume for Thora Quill", "NAME\nThora Quill", "Martha Quill Graphic Designer CV"]
)
def test_a_head_that_the_miner_did_not_understand(head: str) -> None:
    text = f"{head}\n\nSUMMARY\nQuill pens by Quill."
    left = masked(text, profile(text, sections=(("profile", "SUMMARY"),)), "name")
    assert "quill" not in left.lower()


@pytest.mark.parametrize(
    "head",
    [
        "Oakhurst Bakery\nMartha Quill, Baker",  # a known first name
        "Oakhurst Bakery\nThora Quill\nlinkedin.com/in/thora-quill-4?trk=x",  # an address that tells it
        "Thora Quill\nOakhurst Bakery",  # the first line that may be one
        "Thora Quill thora@example.com\nOakhurst Bakery",
        "Thora de Quill\nOakhurst Bakery",
        "Oakhurst Bakery\nName\n:\nThora Quill",
        "T HO RA QU ILL\nOakhurst Bakery",
    ],
)
def test_a_head_in_which_the_miner_took_something_else_for_the_name(head: str) -> None:
    text = f"{head}\n\nSUMMARY\nBakes."
    left = masked(text, profile(text, name="Oakhurst Bakery", sections=(("profile", "SUMMARY"),)), "name", "contact")
    assert not {"thora", "martha", "quill", "ill"} & set(left.lower().replace(",", " ").split())


@pytest.mark.parametrize(
    "end",
    [
        "PERSONAL\nName : Thora Quill",
        "PERSONAL\nFull Name - Thora Quill",
        "PERSONAL\nName of the candidate: THORA QUILL",
        "DECLARATION\nI hereby declare that all this is true.\n\n(Thora Quill)",
        "DECLARATION\nDate: 3 May 2020\nPlace: Ghent\nThora Quill",
        "LETTER\nYours sincerely,\nThora Quill",
    ],
)
def test_a_name_that_stands_at_the_end_only(end: str) -> None:
    text = f"Resume\nEngineer\n\nSUMMARY\nBakes\n{end}"
    left = masked(text, profile(text, sections=(("profile", "SUMMARY"), ("other", end.partition("\n")[0]))), "name")
    assert "quill" not in left.lower()


@pytest.mark.parametrize("end", ["Project Name: Harl Ledger", "Name: Harl Ledger"])
def test_the_name_of_a_project_stays(end: str) -> None:
    body = f"Bakes\nPROJECTS\n{end}"
    assert shown(body, "name", sections=(("profile", "SUMMARY"), ("projects", "PROJECTS"))) == body


def test_a_place_and_a_month_above_the_first_section_are_no_name() -> None:
    text = "Baker at Harl\nGhent Flanders May 2019 to Present\n\nSUMMARY\nBakes"
    assert masked(text, profile(text, sections=(("profile", "SUMMARY"),)), "name") == text


@pytest.mark.parametrize("firm", ["Engineer - Harl Belgium", "Harl Belgium Ltd"])
def test_a_firm_keeps_the_country_in_its_name(firm: str) -> None:
    text = f"{NAME}\n{firm}\nGhent, Belgium\n\nSUMMARY\nBakes in Belgium"
    found = profile(text, name=NAME, city="Ghent", country="Belgium", sections=(("profile", "SUMMARY"),))
    assert masked(text, found, "address") == f"{NAME}\n{firm}\n[place]\n\nSUMMARY\nBakes in [place]"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Gender - Femal", "Gender - [personal]"),
        ("Sex ..... : F", "Sex ..... : [personal]"),
        ("Religion - Hindu", "Religion - [origin]"),
        ("Nationality. : Belgian", "Nationality. : [origin]"),
        ("Civil status. : Bachelor", "Civil status. : [personal]"),
        ("Date of birth: 12 03 1990", "Date of birth: [age]"),
        ("D.O.B. - 12thMarch1990", "D.O.B. - [age]"),
        ("DOB: Aug’88", "DOB: [age]"),
        ("Family: married", "Family: [personal]"),
        ("gender-neutral wording, a race-condition", "gender-neutral wording, a race-condition"),
    ],
)
def test_labels_of_personal_details_in_any_form(line: str, expected: str) -> None:
    assert shown(line, "address", "age", "gender") == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("I was born in Ghent and bake.", "I was born in [place] and bake."),
        ("Born and raised in Ghent, Belgium.", "Born and raised in [place]."),
        ("born 1988 in Ghent", "born [age] in [place]"),
        ("Born in Ghent, 3 May 1988", "Born in [place], [age]"),
        ("Date of birth: 3 May 1988, Married", "Date of birth: [age], [personal]"),
        ("Date of Birth 19880503", "Date of Birth [age]"),
        ("Belgian citizen, single", "Belgian citizen, [personal]"),
        ("• Married", "• [personal]"),
        ("Divorced.", "[personal]."),
        ("I am happily married.", "I am happily [personal]."),
        ("I am single and bake.", "I am [personal] and bake."),
        ("a single page, married to the idea", "a single page, married to the idea"),
    ],
)
def test_birth_and_marriage_wherever_they_stand(line: str, expected: str) -> None:
    assert shown(line, "address", "age", "gender") == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("SR Harl College (SRHC)", "[school] ([school])"),
        ("MSc, NIIT, Pune", "MSc, [school], Pune"),
        ("Harl Academy of\nDesign, 2012", "[school], 2012"),
        ("MA, St.\nJoseph University, 2012", "MA, [school], 2012"),
        ("Technical University Delft", "[school]"),
        ("Harl Graduate School of Management", "[school]"),
        ("Instituto Harl de Empresas", "[school]"),
    ],
)
def test_schools_by_all_their_names(body: str, expected: str) -> None:
    left = shown(f"Bakes\nEDUCATION\n{body}", "school", sections=(("profile", "SUMMARY"), ("education", "EDUCATION")))
    assert left == f"Bakes\nEDUCATION\n{expected}"


@pytest.mark.parametrize("section", ["activities", "other"])
def test_schools_outside_of_studies(section: str) -> None:
    body = "Bakes\nMORE\nVisiting student, Harl University"
    left = shown(body, "school", sections=(("profile", "SUMMARY"), (section, "MORE")))
    assert left == "Bakes\nMORE\nVisiting student, [school]"


def test_studies_that_the_miner_took_for_work() -> None:
    body = "Bakes\nWORK\nBaker\nEDUCATION: Harl University\nLecturer, " + "bread " * 30 + "Dale University"
    left = shown(body, "school", sections=(("profile", "SUMMARY"), ("experience", "WORK")))
    assert left.startswith("Bakes\nWORK\nBaker\nEDUCATION: [school]\n")
    assert left.endswith("Dale University")  # an employer


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Name Ravindra Ashgrove Pell\nAddress\nGhent", "Name [name]\nAddress\nGhent"),
        ("OBJECTIVE\nName : RavindraAshgrovePell\n", "OBJECTIVE\nName : [name]"),
        ("OBJECTIVE\nName\n: Ravindra.k\nFather's name : K. Pell", "OBJECTIVE\nName\n: [name]\nFather's name : [name]"),
        ("I , RAVINDRA PELL , hereby declare that it is true", "I , [name] , hereby declare that it is true"),
        ("It is true.\nPlace: Ghent\nDate: (RavindraPell)", "It is true.\nPlace: [place]\nDate: ([name])"),
        ("It is true.\nDate: (Signature)", "It is true.\nDate: (Signature)"),
    ],
)
def test_names_in_lines_of_details_and_in_declarations(text: str, expected: str) -> None:
    assert masked(text, profile(text)).strip() == expected.strip()


def test_a_label_for_the_name_of_something_else_is_no_name() -> None:
    body = "Name of employer\nPosition\nDate: (Signature)"
    assert shown(body) == body


def test_an_initial_without_a_dot_before_the_surname_of_a_paper() -> None:
    text = (
        "Tamsin N. Quillby\n\nWORK\nOn tables (T Quillby\nand A. Burn). Quillby, Mahar. (M. Suh , T Quillby, W. Acar)"
    )
    jobs = (("On tables", "Quillby, Mahar"),)  # as the miner takes authors for an employer
    found = profile(text, name="Tamsin N. Quillby", jobs=jobs, sections=(("experience", "WORK"),))
    text = masked(text, found, "name")
    assert "tables ([name]\nand A. Burn)" in text
    assert "[name], W. Acar" in text


def test_a_first_name_before_a_title_that_comes_again_as_a_title() -> None:
    text = "Anne Software-Firmware Engineer\nanne@example.com\nWORK\nAnne Software-Firmware Engineer"
    found = profile(text, email="anne@example.com", jobs=(("Anne Software-Firmware Engineer", None),))
    assert "Anne" not in masked(text, found, "name")


def test_a_firm_called_after_the_user_name_of_its_owner() -> None:
    text = "Virginia Gagnon\nvirgie@example.com\nWORK\nOwner of Virgie's Beauty Services"
    found = profile(
        text, name="Virginia Gagnon", email="virgie@example.com", jobs=(("Owner of Virgie's Beauty", None),)
    )
    assert "Virgie" not in masked(text, found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Male, 24\nGoals", "[personal], [age]\nGoals"),
        ("Female | 27 Years", "[personal] | [age]"),
        ("Martial Status: Single", "Martial Status: [personal]"),
        ("NATIONILITY : Indian", "NATIONILITY : [origin]"),
        (
            "Nationality\nReligion\n:\n:\n3 May 1988\nIndian\nHindu",
            "Nationality\nReligion\n:\n:\n3 May 1988\n[origin]\n[origin]",
        ),
        ("Date of Birth:\n12\nth\nApril 1992", "Date of Birth:\n[age]"),
        ("Born on the 13 December in 1990", "Born on the [age]"),
        ("Phone+917095550125", "Phone[phone]"),
        ("Pan Card\nABCPZ5550F", "Pan Card\n[id]"),
        ("Permanent Address C-9 Elm colony Harl -462016\nHobbies", "Permanent Address [address]\nHobbies"),
        ("Male, 24 projects led", "Male, 24 projects led"),
        ("Indian\nrestaurants", "Indian\nrestaurants"),
    ],
)
def test_details_written_in_odd_ways(text: str, expected: str) -> None:
    head = "Tamsin Vanderquist\nx@example.com\n" + 12 * "I sold goods.\n"
    found = profile(head + text, name="Tamsin Vanderquist", email="x@example.com", sections=(("experience", "I sold"),))
    assert masked(head + text, found).endswith("goods.\n" + expected)
