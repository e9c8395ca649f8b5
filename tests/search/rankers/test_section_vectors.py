"""Sections as an encoder sees them, with one whose vectors are counted by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evenhand.records.profile import Profile, Section, Source
from evenhand.search.rankers.semantic import section_vectors

SOURCE = Source("a.txt", "0" * 64, "txt", 1, "parsed", (), None)
TEXT = "Ana Reyes\nskills: sql\nwork work work"


class Lengths:
    """Reads ten characters at once; a vector is how many of them there are."""

    def encode(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        return np.array([[len(text)] for text in texts], np.float32).reshape(-1, 1)

    def windows(self, text: str, /) -> list[tuple[int, int]]:
        return [(start, min(start + 10, len(text))) for start in range(0, len(text), 10)]


def test_sections_in_stretches_without_the_personal_one() -> None:
    sections = (Section("personal", None, 0, 10), Section("skills", None, 10, 22), Section("experience", None, 22, 36))
    vectors = section_vectors(TEXT, Profile(SOURCE, "2026-10", sections=sections), Lengths())
    assert vectors.kinds == ("skills", "skills", "experience", "experience")
    assert vectors.values.tolist() == [[10.0], [2.0], [10.0], [4.0]]
    assert vectors.values.dtype == np.float16


def test_a_text_without_sections_is_one() -> None:
    vectors = section_vectors(TEXT, Profile(SOURCE, "2026-10"), Lengths())
    assert vectors.kinds == ("other",) * 4


def test_blank_stretches_are_left_out() -> None:
    vectors = section_vectors(" " * 10 + "work", Profile(SOURCE, "2026-10"), Lengths())
    assert vectors.values.tolist() == [[4.0]]
    assert section_vectors("", Profile(SOURCE, "2026-10"), Lengths()).kinds == ()
