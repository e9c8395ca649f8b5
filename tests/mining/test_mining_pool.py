"""Mining processes: what a resume does to one of them is a warning in its own Profile and nothing else."""

from __future__ import annotations

import json
import os
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import evenhand
from evenhand.errors import EvenhandError
from evenhand.mining.in_process import is_failed, shortened
from evenhand.mining.process_pool import MiningPool, profile_from
from evenhand.records import Document, Profile, Source
from evenhand.records.profile import PRESENT, Education, Evidence, Fact, Period, Project, Section, Skill
from evenhand.settings import Settings
from tests.lab.training.documents import plain_document

TROUBLED = "troubled_miner"  # beside this file


@pytest.fixture(autouse=True)
def module_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package called tests may be installed; the mining process is to find ours."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))


@pytest.fixture
def pool() -> Iterator[MiningPool]:
    with MiningPool(Settings(wall_seconds=2.0), miner=TROUBLED) as pool:
        yield pool


def mined(pool: MiningPool, text: str) -> Profile:
    return pool.mine(plain_document(text), as_of="2026-10")


def test_a_profile_comes_back_as_it_was(pool: MiningPool) -> None:
    profile = mined(pool, "Ada Example")
    assert profile.name is not None
    assert (profile.name.value, profile.as_of) == ("Ada Example", "2026-10")
    assert profile.document == Source.of(plain_document("Ada Example"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("die", "This resume ended the mining process; there are no facts."),
        ("hang", "Mining took too long and was stopped; there are no facts."),
        ("raise", "Mining stopped at a fault (KeyError); there are no facts."),
        ("recurse", "Mining stopped at a fault (RecursionError); there are no facts."),
    ],
)
def test_trouble_is_a_warning_and_the_next_one_is_mined(pool: MiningPool, text: str, message: str) -> None:
    profile = mined(pool, text)
    assert [(warning.code, warning.message) for warning in profile.warnings] == [("mining_failed", message)]
    assert is_failed(profile)
    assert (profile.document.status, profile.name) == ("parsed", None)
    assert not is_failed(mined(pool, "Bo Sample"))


def test_a_text_that_takes_its_process_over_cannot_rewrite_the_next_one() -> None:
    with MiningPool(Settings(), miner=TROUBLED) as pool:
        mined(pool, "take over")
        profile = mined(pool, "Bo Sample")
    assert profile.name is not None
    assert profile.name.value == "Bo Sample"


def test_a_mining_process_writes_no_files(pool: MiningPool) -> None:
    assert is_failed(mined(pool, "write"))
    assert not Path("/tmp/evenhand-must-not-exist").exists()


def test_a_closed_pool_leaves_no_processes_and_takes_no_more() -> None:
    pool = MiningPool(Settings(), miner=TROUBLED)
    mined(pool, "Ada Example")
    pids = pool.pids()
    assert len(pids) == 1
    pool.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)
    with pytest.raises(EvenhandError, match="closed"):
        mined(pool, "Bo Sample")


def test_a_miner_that_cannot_be_loaded_is_told() -> None:
    told = pytest.raises(EvenhandError, match=r"The mining process does not start: .*no_miner")
    with MiningPool(Settings(), miner="no_miner") as pool, told:
        mined(pool, "Ada Example")


TEXT = "Ada Example, Pilot"
PLACE = Evidence(0, 11, 1, "rule", 0.5)
PROFILE = Profile(
    Source.of(plain_document(TEXT)),
    "2026-10",
    name=Fact("Ada Example", "Ada Example", PLACE),
    sections=(Section("profile", None, 0, 11),),
    education=(Education(None, None, "master", None, None, None, PLACE),),
    projects=(Project(None, None, None, Period("2020", PRESENT, 12, PLACE), ("Go",), None, PLACE),),
    skills=(Skill("Go", ("Go",), 3, None, None, (PLACE,)),),
)


def reply(**changes: Any) -> Profile:
    body = json.dumps(PROFILE.to_json() | changes).encode()
    return profile_from(body, plain_document(TEXT), "2026-10")


def test_a_reply_is_the_profile_with_our_own_source_and_month() -> None:
    other = Source.of(plain_document("Bo Sample")).to_json() | {"file": "else.pdf"}
    assert reply(document=other, as_of="1999-01") == PROFILE


def changed(path: str, value: object) -> dict[str, Any]:
    """The JSON of the profile, with another value at a path such as skills.0.months."""
    data = json.loads(json.dumps(PROFILE.to_json()))
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    inner = data
    for step in steps:
        inner = inner[step]
    inner[last] = value
    return data  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("name", 7),
        ("name", ["Ada"]),
        ("places.name.start", -1),
        ("places.name.end", 19),
        ("places.name.start", "0"),
        ("places.name.page", True),
        ("places.name.confidence", 1.5),
        ("places.name.confidence", 10**400),
        ("places.name.method", None),
        ("sections.0.type", "secrets"),
        ("sections.0.end", 999),
        ("education.0.level", "emperor"),
        ("projects.0.position", 0),
        ("projects.0.months", 2**40),
        ("projects.0.start", 2020),
        ("skills.0.name", {"a": 1}),
        ("skills.0.surfaces", [["Go"]]),
        ("skills.0.evidence", "PLACE"),
        ("skills", None),
        ("warnings", [{"code": "x", "message": 5}]),
        ("total_months", "many"),
        ("total_months", float("nan")),
        ("country", False),
    ],
)
def test_a_reply_that_contradicts_the_schema_is_refused(path: str, value: object) -> None:
    with pytest.raises(ValueError, match=r"reply|integer string"):
        reply(**changed(path, value))


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b"[" * 100_000, b'"\\ud800"', b"\xff", pickle.dumps(PROFILE)])
def test_a_reply_that_is_no_profile_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"reply|Expecting|decode"):
        profile_from(body, plain_document(TEXT), "2026-10")


def test_nothing_in_the_package_unpickles() -> None:
    """A pickle is a program: a reader or miner that was taken over would run it in the parent."""
    package = Path(evenhand.__file__).parent
    loads = re.compile(
        r"^\s*(?:import|from) (?:pickle|marshal|shelve|dill|joblib|cloudpickle)\b|allow_pickle=True", re.M
    )
    torch_loads = re.compile(r"\b(?:torch|np|numpy)\.load\((?!.*(?:weights_only=True|allow_pickle=False))")
    texts = {path: path.read_text(encoding="utf-8") for path in package.rglob("*.py")}
    assert [path.name for path, text in texts.items() if loads.search(text) or torch_loads.search(text)] == []


def test_a_long_text_is_cut_between_lines() -> None:
    document = plain_document("Ada Example\nEngineer\nPilot")
    part, warnings = shortened(document, 21)
    assert (part.text, len(part.lines)) == ("Ada Example\nEngineer", 2)
    message = "Only the first 20 of 26 characters were mined."
    assert [(warning.code, warning.message) for warning in warnings] == [("mined_in_part", message)]
    assert shortened(document, 26) == (document, ())


def test_a_first_line_that_is_too_long_leaves_nothing() -> None:
    part, warnings = shortened(plain_document("Ada Example"), 5)
    assert isinstance(part, Document)
    assert (part.text, part.lines, len(warnings)) == ("", (), 1)
