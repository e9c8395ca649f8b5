"""Near-duplicates in a folder name each other."""

from __future__ import annotations

import re

from evenhand.records.profile import Evidence, Fact, Profile, Source
from evenhand.search.ranking import PooledResume, duplicate_flags

SOURCE = Source("a.txt", "0" * 64, "txt", 1, "parsed", (), None)
DUTIES = [
    f"Planned the {what} of {where} and wrote the report that the {who} read every {when}."
    for what, where, who, when in zip(
        ["repair", "cleaning", "painting", "survey", "sale", "move"],
        ["bridges", "harbours", "stations", "museums", "libraries", "bakeries"],
        ["mayor", "owner", "council", "auditor", "director", "board"],
        ["week", "month", "spring", "quarter", "winter", "year"],
        strict=True,
    )
]


def resume(file: str, name: str, duties: list[str]) -> PooledResume:
    text = "\n".join([name, f"{name[:3].lower()}@example.com", "", "Experience", *duties])
    place = Evidence(0, len(name), 1, "rule", 1.0)
    return PooledResume(file, text, Profile(SOURCE, "2026-10", name=Fact(name, name, place)))


def test_the_same_text_under_two_names() -> None:
    flags = duplicate_flags(
        [resume("a.txt", "Ana Reyes", DUTIES), resume("b.txt", "Bea Lund", DUTIES), resume("c.txt", "Cy Ode", [])]
    )
    assert {file: (flag.code, flag.message) for file, flag in flags.items()} == {
        "a.txt": ("duplicate", "Shares much of its text, contact lines apart, with Bea Lund in b.txt (all of it)."),
        "b.txt": ("duplicate", "Shares much of its text, contact lines apart, with Ana Reyes in a.txt (all of it)."),
    }


def test_a_share_of_the_text() -> None:
    edited = [*DUTIES[:5], DUTIES[5].replace("Planned the move", "Organised a move")]
    flags = duplicate_flags([resume("a.txt", "Ana Reyes", DUTIES), resume("b.txt", "Bea Lund", edited)])
    share = re.search(r"\((\d+)% in common\)", flags["a.txt"].message)
    assert share is not None
    assert 80 <= int(share[1]) < 100


def test_many_are_counted() -> None:
    flags = duplicate_flags([resume(f"{at}.txt", "Ana Reyes", DUTIES) for at in range(8)])
    assert flags["0.txt"].message.endswith("Ana Reyes in 5.txt (all of it) and 2 more.")


def test_nobody_alike() -> None:
    assert duplicate_flags([resume("a.txt", "Ana Reyes", DUTIES[:3]), resume("b.txt", "Bea", DUTIES[3:])]) == {}
    assert duplicate_flags([]) == {}


def test_copies_of_a_short_text() -> None:
    flags = duplicate_flags([resume("a.txt", "Ana Reyes", []), resume("b.txt", "Ana Reyes", [])])
    assert flags["b.txt"].message.endswith("with Ana Reyes in a.txt (all of it).")
