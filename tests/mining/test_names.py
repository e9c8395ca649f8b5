"""The same organisation under different names, and different ones under similar names."""

from __future__ import annotations

import pytest

from evenhand.mining.organisations import NameList, core_of


@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        ("HP India Pvt. Ltd.", "Hewlett Packard India Pvt. Ltd.", "alias"),
        ("IIT Bombay", "Indian Institute of Technology, Bombay", "alias"),
        ("TCS", "Tata Consultancy Services Ltd", "alias"),
        ("L&T", "Larsen and Toubro Limited", "alias"),
        ("PwC", "PricewaterhouseCoopers LLP", "alias"),
        ("UCLA", "University of California, Los Angeles", "alias"),
        ("Mumbai University", "University of Mumbai", "alias"),
        ("Microsoft", "Microsoft India (R&D) Pvt Ltd", "equal"),
        ("Universidad Carlos III Madrid, Spain", "Universidad Carlos III de Madrid", "alias"),
        ("Northwind Widget Systems Pvt Ltd", "Northwind Widget System", "equal"),
        ("NWS", "Northwind Widget Systems", "acronym"),
        ("Northwnid Widget Systems", "Northwind Widget Systems Inc.", "similar"),
        ("Breyer State Univ.", "Breyer State University", "equal"),
        ("Fictional College, Chennai", "Fictional College", "equal"),
    ],
)
def test_the_same(a: str, b: str, why: str) -> None:
    for first, second in ((a, b), (b, a)):
        match = NameList([second]).best(first)
        assert match is not None, (first, second)
        assert (match.entry, match.surface, match.why) == (second, first, why)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Harper India Ltd", "Hewlett Packard India Pvt. Ltd."),
        ("IIT Delhi", "Indian Institute of Technology, Bombay"),
        ("University of California, Berkeley", "UCLA"),
        ("State Bank of India", "State Bank of Patiala"),
        ("First National Bank", "First Federal Bank"),
        ("Boston College", "Boston University"),
        ("Bharath University", "Bharathiar University"),
        ("ABC Corp", "ABD Corp"),
        ("Sun Microsystems", "Sun Pharma"),
        ("HCL Technologies", "HP Technologies"),
        ("Ltd", "Inc"),
        ("", "Hewlett Packard"),
    ],
)
def test_not_the_same(a: str, b: str) -> None:
    assert NameList([b]).best(a) is None
    assert NameList([a]).best(b) is None


def test_the_address_is_no_part_of_the_core() -> None:
    core = core_of("Fictional University of Letters, Madrid, Spain")
    assert core.words == ("fictional", "university", "letter")
    assert core.places == ("madrid", "spain")


def test_the_best_entry_of_a_list() -> None:
    entries = ["Harper India Ltd", "Hewlett Packard India Pvt. Ltd.", "Hanover Packaging"]
    match = NameList(entries).best("HP India Pvt. Ltd.")
    assert match is not None
    assert match.entry == "Hewlett Packard India Pvt. Ltd."
    assert NameList(entries).best("Zebra Crossing Ltd") is None
    assert NameList([]).best("HP") is None


def test_among_equals_the_one_in_the_same_place() -> None:
    names = NameList(["Fictional College, Chennai", "Fictional College, Pune"])
    match = names.best("Fictional College, Pune, India")
    assert match is not None
    assert match.entry == "Fictional College, Pune"


def test_a_long_list_is_searched() -> None:
    entries = [f"{first} {second} Systems" for first in _made_up("kor") for second in _made_up("bel")]
    names = NameList(entries)
    assert len(entries) == 10_000
    for entry in entries[::500]:
        match = names.best(f"{entry} Pvt. Ltd.")
        assert match is not None
        assert match.entry == entry


def _made_up(stem: str) -> list[str]:
    """A hundred names that no two letters apart have: Korabab, Korabac..."""
    letters = "bcdfghjklm"
    return [f"{stem}{a}a{b}o{a}{b}".title() for a in letters for b in letters]
