"""The readers on the sets themselves, where `--data` names the folder.

Counts are those of the sets' descriptions, but for gold (29 of the 30 described are there) and judged, whose
numbers are what the readers found: for these two the test only notices a change.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from evenhand.corpora.sets.entities import read_entities
from evenhand.corpora.sets.occupations import FLOREX_LABELS
from evenhand.corpora.sets.survey import SetCount, survey

RECORDS = {
    "gold": 29,
    "judged": 147,
    "livecareer": 1984,
    "florex": 10000,
    "biographies": 3019,
    "section lines": 40001,
    "dataturks": 220,
    "dotin": 360,
    "dotin with lines": 595,
    "36 labels": 224,
    "skillspan": 4800 + 3174 + 3569,
    "soft skills": 3705 + 1855 + 1851,
    "vacancies": 5,
    "vacancy rankings": 50,
    "job ads of Monster": 1000,
    "posts by occupation": 77,
    "posts by seniority": 897,
    "posts by relevance": 641,
}


@pytest.fixture(scope="module")
def data(request: pytest.FixtureRequest) -> Path:
    folder = request.config.getoption("--data")
    if folder is None:
        pytest.skip("needs --data")
    return Path(folder)


@pytest.fixture(scope="module")
def counts(data: Path) -> dict[str, SetCount]:
    return {count.name: count for count in survey(data)}


def test_records(counts: dict[str, SetCount]) -> None:
    assert {name: counts[name].records for name in RECORDS} == RECORDS


def test_labels(counts: dict[str, SetCount]) -> None:
    assert len(counts["livecareer"].labels) == 24
    assert len(counts["biographies"].labels) == 28
    assert set(counts["florex"].labels) <= set(FLOREX_LABELS)
    assert counts["vacancy rankings"].labels["not a permutation"] == 2
    assert "meta otherse" not in counts["section lines"].labels


def test_few_spans_are_lost(counts: dict[str, SetCount]) -> None:
    for name in ("dataturks", "dotin", "dotin with lines", "36 labels"):
        mending = counts[name].mending
        assert mending.lost + mending.overlapping < 0.05 * mending.kept


def test_every_span_is_in_its_text(data: Path) -> None:
    for record in read_entities(data):
        ends = [(span.start, span.end) for span in record.spans]
        assert all(0 <= start < end <= len(record.text) for start, end in ends)
        assert all(before[1] <= after[0] for before, after in pairwise(ends))
        assert all(record.text[start:end].strip() == record.text[start:end] for start, end in ends)
