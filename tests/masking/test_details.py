"""Age, sex, family, pictures and schools: what tells of them is masked, what only sounds so is not."""

from __future__ import annotations

import pytest

from tests.masking.resumes import masked, profile

HEAD = "Jane Doe\n\nSUMMARY\n"


def shown(body: str, *kinds: str, **facts: object) -> str:
    text = f"{HEAD}{body}"
    found = profile(text, name="Jane Doe", sections=(("profile", "SUMMARY"),), **facts)  # type: ignore[arg-type]
    return masked(text, found, *kinds).removeprefix(HEAD)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Date of Birth: 12/03/1988", "Date of Birth: [age]"),
        ("DOB : 12th March, 1988", "DOB : [age]"),
        ("Date of birth" + 25 * " " + ": 12/03/1988", "Date of birth" + 25 * " " + ": [age]"),
        ("D.O.B. 12-Mar-88", "D.O.B. [age]"),
        ("Date of Birth (dd/mm/yyyy): 12.03.1988", "Date of Birth (dd/mm/yyyy): [age]"),
        ("Date of birth\n1988-03-12", "Date of birth\n[age]"),
        ("Date of birth\nGender\n12 March 1988\nFemale", "Date of birth\nGender\n[age]\nFemale"),
        ("Born in 1988 in Leeds", "Born in [age] in Leeds"),
        ("born on March 12, 1988", "born on [age]"),
        ("Geburtsdatum: 12.03.1988", "Geburtsdatum: [age]"),
        ("Year of birth: 1988", "Year of birth: [age]"),
        ("Age: 34", "Age: [age]"),
        ("Age 34 years", "Age [age]"),
        ("I am 34 years old.", "I am [age]."),
        ("a 34-year-old baker", "a [age] baker"),
        ("34 y/o", "[age]"),
        ("thirty-four years old", "[age]"),
        ("Age/Sex: 34/F", "Age/Sex: [personal]"),
    ],
)
def test_age(body: str, expected: str) -> None:
    assert shown(body, "age") == expected


@pytest.mark.parametrize(
    "body",
    [
        "34 years of experience",
        "B.Sc., graduated 1998, since March 2001",
        "a 50-year-old company",
        "patients 65 years old and older",
        "children aged 3-5, ages 16 to 18, aged 20 and over",
        "average age 45-50",
        "New age, old code, stone age 2",
        "Birthday parties, date of birth checks",
        "over 21 years old",
    ],
)
def test_other_years_stay(body: str) -> None:
    assert shown(body, "age") == body


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("She said he knows her and his work.", "[pronoun] said [pronoun] knows [pronoun] and [pronoun] work."),
        ("Himself or herself", "[pronoun] or [pronoun]"),
        ("Jane Doe (she/her)", "Jane Doe ([pronoun])"),
        ("Jane Doe (they/them/theirs)", "Jane Doe ([pronoun])"),
        ("Pronouns: they", "Pronouns: [pronoun]"),
        ("SHE LEADS THEIR TEAM", "[pronoun] LEADS THEIR TEAM"),
        ("Mr. Smith, Mrs Jones and Ms. Miller", "[salutation] Smith, [salutation] Jones and [salutation] Miller"),
        ("Dear Sir", "Dear [salutation]"),
        ("Ms. [First Name] Hart", "[salutation] [First Name] Hart"),
        ("He'd go, she’ll stay, he's in", "[pronoun]'d go, [pronoun]’ll stay, [pronoun]'s in"),
        ("lives with her wife and two dogs", "lives with [pronoun] [family] and two dogs"),
        ("the mother of two and a step-father of 3", "the [family] and a step-[family]"),
        ("Proud father of two", "Proud [family]"),
        ("mother of three children, my husband", "[family], my [family]"),
        ("Gender: Female", "Gender: [personal]"),
        ("Sex : M", "Sex : [personal]"),
        ("Gender\tMale", "Gender\t[personal]"),
        ("Marital Status: Married, 2 children", "Marital Status: [personal]"),
        ("Marital status - Unmarried", "Marital status - [personal]"),
        ("Familienstand: ledig", "Familienstand: [personal]"),
        ("Member of a sorority", "Member of a [society]"),
        ("Delta Gamma Chi, treasurer", "[society], treasurer"),
        ("Society of Women Engineers, member", "[society], member"),
        ("women's soccer team captain", "[personal] team captain"),
        ("Girl Scouts leader", "[society] leader"),
        ("Chairman of the board", "[chair] of the board"),
        ("Waitress, then waiter", "[server], then [server]"),
        ("Stewardess at Acme Air", "[flight attendant] at Acme Air"),
        ("Took maternity leave in 2019", "Took [leave] in 2019"),
        ("Maiden name: Quill", "[personal]"),
        ("Military service: completed", "[personal]"),
        ("Completed compulsory military service in 2010.", "[personal]."),
        ("Exempted from military service", "[personal]"),
        ("D/o Mr. Ram Kumar, Pune", "[family], Pune"),
        ("Husband's name: Tom", "[family]"),
        ("A dynamic young man", "A dynamic young [personal]"),
    ],
)
def test_sex_and_family(body: str, expected: str) -> None:
    assert shown(body, "gender") == expected


@pytest.mark.parametrize(
    "body",
    [
        "HIS integration, HER2 tests, HE sector, 4-Hers",
        "helped clients meet their goals",
        "MS Office, Ms Excel, MS in Physics, MR imaging",
        "mother tongue, motherboards, mother and child ward, the mother plant",
        "a shed and a shell, hell",
        "MoM growth, MOM of meetings",
        "Missed no deadline; never miss one",
        "Six Sigma, Phi Beta Kappa, Tau Beta Pi",
        "Boys and Girls Club of Elko",
        "women's shoes, men's wear, women's health",
        "single sign-on, a single page, married up two schemas",
        "freshman, workmanship, manpower, ombudsman, foremen",
        "U.S. Army, Sergeant, 2004-2008",
        "host servers, actor model, data steward",
        "sex education, gender studies, gender equality",
    ],
)
def test_words_of_work_stay(body: str) -> None:
    assert shown(body, "gender") == body


def test_titles_lose_their_sex_and_employers_keep_their_names() -> None:
    body = "Hostess and Host at Fireman Foods"
    assert shown(body, "gender", jobs=(("Hostess and Host", "Fireman Foods"),)) == "[host] and [host] at Fireman Foods"


def test_all_sexes_look_the_same() -> None:
    first = "She is chairwoman; Mrs. X, her waitress, Gender: Female, alumna"
    second = "He is chairman; Mr. X, his waiter, Gender: Male, alumnus"
    assert shown(first, "gender") == shown(second, "gender")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("\ufffc", "[photo]"),
        ("![me](me.png)", "[photo]"),
        ("[photo]", "[photo]"),
        ("see portrait.jpg", "see [photo]"),
        ("Affix passport size photo here", "[photo]"),
        ("photo editing, Photoshop (Photoshop), picture books", "photo editing, Photoshop (Photoshop), picture books"),
    ],
)
def test_pictures(body: str, expected: str) -> None:
    assert shown(body, "photo") == expected


STUDIES = (
    "Jane Doe\n\nSUMMARY\nMBA of Harl University. Was at Acme Institute.\n"
    "EXPERIENCE\nTutor, Acme Institute\nGuest, HARL UNIVERSITY\nEDUCATION\n"
    "B.Sc., Brook College of Arts, 1998\nHigh School Diploma, pragathi high school\nMBA Harl University, 2001\n"
)


def test_schools_are_masked_when_asked_for() -> None:
    found = profile(
        STUDIES,
        name="Jane Doe",
        jobs=(("Tutor", "Acme Institute"),),
        schools=("Harl University",),
        sections=(("profile", "SUMMARY"), ("experience", "EXPERIENCE"), ("education", "EDUCATION")),
    )
    assert masked(STUDIES, found, "school") == (
        "Jane Doe\n\nSUMMARY\nMBA of [school]. Was at Acme Institute.\n"
        "EXPERIENCE\nTutor, Acme Institute\nGuest, [school]\nEDUCATION\n"
        "B.Sc., [school], 1998\nHigh School Diploma, [school]\nMBA [school], 2001\n"
    )
    assert masked(STUDIES, found, "name") == STUDIES.replace("Jane Doe", "[name]")
