"""A15 and A16: names on watch lists are highlighted, with the entry that matched, and nobody is rejected."""

from __future__ import annotations

from evenhand.records.profile import Education, Evidence, Fact, Period, Position, Profile, Source
from evenhand.records.ranking import Flag
from evenhand.search.matching import Watchlists

PLACE = Evidence(0, 1, 0, "crf", 0.9)
LISTED = "Hewlett Packard India Pvt. Ltd."


def profile(*, employers: tuple[str, ...] = (), universities: tuple[str, ...] = ()) -> Profile:
    positions = tuple(
        Position(Fact(name.lower(), name, PLACE), None, None, Period(None, None, None, None), (), PLACE)
        for name in employers
    )
    education = tuple(
        Education(Fact(name.lower(), name, PLACE), None, None, None, None, None, PLACE) for name in universities
    )
    source = Source("a.pdf", "0" * 64, "pdf", 1, "parsed", (), None)
    return Profile(source, "2024-01", positions=positions, education=education)


def test_a15_an_employer_on_the_no_hire_list() -> None:
    lists = Watchlists(no_hire=[LISTED, "Acme Corporation"])
    assert lists.flags(profile(employers=("Infosys", "HP India Pvt. Ltd."))) == (
        Flag(
            "no_hire",
            'Employer "HP India Pvt. Ltd." matches "Hewlett Packard India Pvt. Ltd." on the no-hire list '
            "(another name of it, similarity 0.99).",
        ),
    )
    assert lists.flags(profile(employers=("Harper India Ltd",))) == ()


def test_a16_a_university_that_is_not_accredited() -> None:
    lists = Watchlists(not_accredited=["Harlington University of Professional Studies"])
    assert lists.flags(profile(universities=("Harlington Univ. of Professional\nStudies",))) == (
        Flag(
            "not_accredited",
            'University "Harlington Univ. of Professional Studies" matches "Harlington University of Professional '
            'Studies" on the list of those not accredited (the same name, similarity 1.00).',
        ),
    )
    assert lists.flags(profile(universities=("Harrington University",))) == ()


def test_each_list_looks_at_its_own_names() -> None:
    name = "Harlington University"
    lists = Watchlists(no_hire=[name], not_accredited=["Infosys"])
    assert lists.flags(profile(employers=("Infosys",), universities=(name,))) == ()
    assert [flag.code for flag in lists.flags(profile(employers=(name,)))] == ["no_hire"]


def test_form_data_is_looked_at_too() -> None:
    form = {
        "name": LISTED,
        "Current Employer": "HP India Pvt Ltd",
        "experience": [{"company": "Infosys", "note": LISTED}, {"company": LISTED}],
        "years": 3,
        "employers": {"first": {"name": "H.P. India"}},
    }
    flags = Watchlists(no_hire=[LISTED]).flags(profile(), form)
    assert [flag.message.partition(" matches ")[0] for flag in flags] == [
        'Employer "HP India Pvt Ltd" (form data)',
        f'Employer "{LISTED}" (form data)',
        'Employer "H.P. India" (form data)',
    ]


def test_the_same_name_twice_is_one_flag() -> None:
    assert len(Watchlists(no_hire=[LISTED]).flags(profile(employers=(LISTED, LISTED)))) == 1


def test_empty_lists_flag_nobody() -> None:
    assert Watchlists().flags(profile(employers=("Infosys",)), {"employer": None}) == ()
