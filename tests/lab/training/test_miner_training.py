"""Training of the miner: reproducible, small, and without words that tell of a person."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evenhand.errors import UsageError
from evenhand.mining.crf import Crf
from evenhand.mining.tables.analysis import shipped_model
from evenhand_lab.training.examples import LabelledSpan, MiningExample, annotated_examples, generated_examples
from evenhand_lab.training.miner import personal_tokens, small, train_on
from tests.lab.training.documents import plain_document


def model_of(*names: str) -> Crf:
    weights = np.ones((len(names), 2), np.float32)
    attributes = {name: row for row, name in enumerate(names)}
    return Crf(("a", "b"), attributes, weights, np.zeros((2, 2), np.float32), {})


def resumes(count: int, *, name: str = "Quillon Marsh") -> list[MiningExample]:
    text = f"{name}\nquillon@example.com\nTester"
    span = LabelledSpan(0, len(name), "name")
    return [
        MiningExample(str(number), plain_document(text), ("personal.body",) * 3, (span,)) for number in range(count)
    ]


def test_words_of_a_name_or_address_are_found_in_a_model() -> None:
    model = model_of("0w=quillon", "-1w=marsh", "w01=senior marsh", "all=quillon@example.com", "0w=tester", "0s3=rsh")
    assert personal_tokens(model, resumes(4)) == [
        "-1w=marsh",
        "0w=quillon",
        "all=quillon@example.com",
        "w01=senior marsh",
    ]


def test_a_word_that_five_resumes_share_tells_of_nobody() -> None:
    assert personal_tokens(model_of("0w=quillon"), resumes(5)) == []


def test_names_of_generated_persons_are_nobodys() -> None:
    made = [MiningExample(each.id, each.document, each.line_labels, each.spans, True) for each in resumes(1)]
    assert personal_tokens(model_of("0w=quillon"), made) == []


def test_small_leaves_out_what_weighs_nothing() -> None:
    weights = np.array([[0.5, 0.0001], [0.0002, -0.0003], [0.0, -0.25]], np.float32)
    model = Crf(("a", "b"), {"x": 0, "y": 1, "z": 2}, weights, np.zeros((2, 2), np.float32), {})
    result = small(model)
    assert result.attributes == {"x": 0, "z": 1}
    np.testing.assert_array_equal(result.weights, np.array([[0.5, 0.0], [0.0, -0.25]], np.float32))


def test_generated_examples_are_the_same_each_time() -> None:
    first = generated_examples("it", 4, 5, ("docx", "txt"))
    assert first == generated_examples("it", 4, 5, ("docx", "txt"))
    assert [each.id for each in first] == ["it-5-0", "it-5-1", "it-5-2", "it-5-3"]
    assert all(each.is_generated and len(each.line_labels) == len(each.document.lines) for each in first)


def test_without_the_files_there_are_no_annotated_examples(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="None of the annotated resumes"):
        annotated_examples(tmp_path)


@pytest.mark.long
def test_the_same_resumes_give_the_same_files(tmp_path: Path) -> None:
    examples = generated_examples("it", 8, 2, ("docx", "pdf"))
    reports = [train_on(examples, shipped_model(), tmp_path / name) for name in ("one", "two")]
    assert reports[0] == reports[1]
    assert (reports[0].real, reports[0].generated) == (0, len(examples))
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert files == ["card.json", "entities.crf", "segmenter.crf", "skills.crf"]
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
