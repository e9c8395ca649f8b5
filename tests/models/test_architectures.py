"""The twelve networks, by the letters of their names."""

from __future__ import annotations

import pytest

from evenhand.errors import UsageError
from evenhand.models.architectures import (
    ARCHITECTURES,
    FIT_ARCHITECTURES,
    LEVEL_ARCHITECTURES,
    architecture_from_json,
    find_architecture,
)


def test_there_are_five_for_levels_and_seven_for_fit() -> None:
    assert LEVEL_ARCHITECTURES == ("Wr", "P", "P+I", "C", "C+I")
    assert FIT_ARCHITECTURES == ("Wr+b", "P+I+J", "P+I+J+A", "P+I+J+A-E", "C+I+J", "C+I+J+A", "C+I+J+A-E")


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_a_name_says_what_a_network_is_made_of(name: str) -> None:
    architecture = ARCHITECTURES[name]
    assert architecture.cut == {"W": "whole", "P": "pruned", "C": "chunked"}[name[0]]
    assert architecture.sections == ("+I" in name)
    assert architecture.needs_job == ("+b" in name or "+J" in name)
    assert (architecture.job == "attention") == ("+A" in name)
    assert architecture.embeddings == (not name.endswith("-E"))


def test_the_defaults_are_the_documented_resolutions() -> None:
    architecture = find_architecture("C+I+J+A")
    assert (architecture.heads, architecture.shared_attention, architecture.pooling, architecture.concat_job) == (
        12,
        True,
        "sum",
        False,
    )
    assert (architecture.whole_tokens, architecture.chunk_tokens) == (510, 126)


def test_an_unknown_network_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"no network 'X'; there are Wr, P, "):
        find_architecture("X")


def test_a_design_survives_json_but_not_another_version() -> None:
    architecture = find_architecture("P+I+J")
    assert architecture_from_json(architecture.to_json()) == architecture
    with pytest.raises(UsageError, match="another version"):
        architecture_from_json({**architecture.to_json(), "colour": "red"})
