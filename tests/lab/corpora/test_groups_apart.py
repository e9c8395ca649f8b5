"""Nobody can tell from a career, its truth or its text which groups a person was assigned to."""

from __future__ import annotations

import dataclasses
import json
import tomllib
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from evenhand_lab.corpora.career import Career, CareerJob, CareerProject, CareerStudy, Person
from evenhand_lab.corpora.groups import Groups
from evenhand_lab.corpora.kinds.kinds import KINDS, sample_career
from evenhand_lab.corpora.manuscript import to_plain
from evenhand_lab.corpora.truth import PositionTruth, ProjectTruth, SkillTruth, Truth, build_truth, truth_to_dict
from evenhand_lab.corpora.writing.writer import write

ROOT = Path(__file__).parents[3]
ATTRIBUTES = {field.name for field in dataclasses.fields(Groups)} - {"number"}


def keys_of(value: Any) -> set[str]:
    """All keys at any depth."""
    if isinstance(value, dict):
        return set(value) | {key for inner in value.values() for key in keys_of(inner)}
    if isinstance(value, list | tuple):
        return {key for inner in value for key in keys_of(inner)}
    return set()


@pytest.mark.parametrize(
    "record", [Career, Person, CareerJob, CareerProject, CareerStudy, Truth, SkillTruth, PositionTruth, ProjectTruth]
)
def test_no_record_of_a_resume_has_a_field_for_a_group(record: type) -> None:
    fields = {field.name for field in dataclasses.fields(record)}
    assert not fields & ATTRIBUTES
    assert Groups not in get_type_hints(record).values()


@pytest.mark.parametrize("kind", KINDS)
def test_the_truth_of_a_resume_as_json_has_no_group(kind: str) -> None:
    for number in range(12):
        career, groups = sample_career(kind, seed=5, number=number)
        manuscript = write(career, seed=5)
        truth = build_truth(career, manuscript, to_plain(manuscript))
        found = keys_of(json.loads(json.dumps(truth_to_dict(truth))))
        assert not found & ATTRIBUTES
        assert not set(manuscript.style) & ATTRIBUTES
        assert groups.number == truth.number


def test_every_module_that_reads_groups_is_protected() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    named = [name for contract in contracts for name in contract.get("protected_modules", ())]
    protected = {name for name in named if name.startswith("evenhand")}
    folder = ROOT / "lab/evenhand_lab/corpora/sets"
    readers = {f"evenhand_lab.corpora.sets.{path.stem}" for path in folder.glob("groups_*.py")}
    assert readers
    told = {"evenhand.records.groups", "evenhand.store.self_identifications"}
    assert protected == readers | told | {"evenhand_lab.corpora.groups"}
