"""Training is repeatable, learns no rare words, and does well on fixtures it has not seen."""

from __future__ import annotations

from functools import cache

import pytest

from evenhand.mining.tables.analysis import SHIPPED, TableModel, analyse, shipped_model
from evenhand.mining.tables.features import HEAD, WORD
from evenhand_lab.training.examples import LabelledSpan, MiningExample
from evenhand_lab.training.table_fixtures import Fixture, make_fixture
from evenhand_lab.training.tables import MIN_RESUMES, AnswerTally, evaluate, fold_of, measure, train_tables, true_tables
from tests.mining.tables.tables_by_hand import EMPLOYERS, STUDIES, document_of

SEED = 20  # the shipped model learned from another


@cache
def fixtures(count: int = 200) -> tuple[Fixture, ...]:
    return tuple(make_fixture(SEED, number) for number in range(count))


def examples(count: int = 200) -> list[MiningExample]:
    return [fixture.example for fixture in fixtures(count)]


@pytest.mark.long
def test_held_out_fixtures_in_five_folds() -> None:
    found = evaluate(examples())
    assert found.tables.macro_f1() >= 0.95
    assert found.columns.macro_f1() >= 0.95
    assert set(found.tables.right) == {"education", "past_employer", "personal", "other"}
    assert len(set(found.columns.right)) == 9


def test_the_shipped_model_on_fixtures_it_has_not_seen() -> None:
    found = measure(shipped_model(), examples())
    assert found.tables.macro_f1() >= 0.958
    assert found.columns.macro_f1() >= 0.941


def test_tables_that_are_no_grid_never_get_columns() -> None:
    for fixture in fixtures():
        for reading in analyse(fixture.example.document, shipped_model()).tables:
            assert not reading.columns or reading.is_grid
            assert not reading.columns or reading.type in ("education", "past_employer")
    flat = [
        reading
        for fixture in fixtures()
        for reading in analyse(fixture.example.document, shipped_model()).tables
        if not fixture.tables[reading.index].is_grid
    ]
    assert len(flat) > 100
    assert not [reading for reading in flat if reading.columns]


def test_grids_of_studies_and_employers_are_seen_as_such() -> None:
    wanted = seen = 0
    for fixture in fixtures():
        for reading in analyse(fixture.example.document, shipped_model()).tables:
            table = fixture.tables[reading.index]
            if table.is_grid and table.section in ("education", "experience"):
                wanted += 1
                seen += reading.is_grid
    assert wanted > 150
    assert seen >= 0.98 * wanted


def test_the_same_examples_in_another_order_give_the_same_bytes() -> None:
    some = examples(60)
    assert train_tables(some).to_bytes() == train_tables(list(reversed(some))).to_bytes()


def test_the_shipped_file_is_what_a_model_writes() -> None:
    data = SHIPPED.read_bytes()
    assert TableModel.from_bytes(data).to_bytes() == data
    assert len(data) < 150_000


def test_words_are_learned_only_when_several_resumes_have_them() -> None:
    assert MIN_RESUMES >= 5
    some = examples(60)
    model = train_tables(some)
    learned = [name for name in model.tables.features if name.startswith((HEAD, WORD))]
    assert learned
    texts = [example.document.text.lower().replace(".", "") for example in some]
    for name in learned:
        word = name.partition(":")[2]
        assert sum(word in text for text in texts) >= MIN_RESUMES, word


def test_names_of_people_are_never_learned() -> None:
    some = examples(60)
    names = {
        word.lower()
        for example in some
        for span in example.spans
        if span.label == "name"
        for word in example.document.text[span.start : span.end].split()
    }
    model = train_tables(some)
    words = {name.partition(":")[2] for name in (*model.tables.features, *model.columns.features)}
    assert names
    assert not names & words


def test_resumes_of_different_folds_share_no_wording_of_a_header() -> None:
    def headers(fold: int) -> set[str]:
        return {
            "".join(run.text for run in cell).lower()
            for fixture in fixtures()
            if fold_of(fixture.example.id) == fold
            for table in fixture.tables
            for cell in table.rows[0]
        }

    assert "year of passing" in headers(1)
    assert "year of passing" not in headers(0) | headers(2) | headers(3) | headers(4)


def test_truth_comes_from_lines_and_spans() -> None:
    document = document_of(STUDIES[:2], EMPLOYERS[:2])
    spans = []
    for text, label in (
        ("B.Tech", "degree"),
        ("Computer Science", "field"),
        ("Northfield Technical University", "university"),
        ("2014", "dates"),
        ("71.5%", "performance"),
        ("Mar 2018 to till date", "dates"),
        ("Lindqvist Information Systems Pvt. Ltd.", "employer"),
        ("Software Engineer", "title"),
    ):
        at = document.text.index(text)
        spans.append(LabelledSpan(at, at + len(text), label))
    labels = ("personal.body", *["education.body"] * 8, *["experience.entry"] * 6)
    studies, employers = true_tables(MiningExample("by hand 1", document, labels, tuple(spans)))
    assert (studies.type, studies.columns) == ("education", {0: "degree", 1: "university", 2: "year", 3: "performance"})
    assert (employers.type, employers.columns) == ("past_employer", {0: "work_period", 1: "employer", 2: "designation"})


def test_f1_by_hand() -> None:
    tally = AnswerTally(["a", "a", "a", "a", "b", "b"], ["a", "a", "a", "b", "b", "b"])
    assert tally.f1() == pytest.approx({"a": 6 / 7, "b": 4 / 5})
    assert tally.macro_f1() == pytest.approx((6 / 7 + 4 / 5) / 2)
