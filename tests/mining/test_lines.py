"""What the segmenter sums is what it was trained on."""

from __future__ import annotations

import numpy as np

from evenhand.mining.crf import Crf
from evenhand.mining.line_features import line_facts
from evenhand.mining.segmenter import label_lines, line_attributes
from tests.mining.pages import annotated


def test_labels_follow_from_the_written_out_attributes() -> None:
    annotations = annotated(
        ("EXPERIENCE", {"bold": True}), "Acme Ltd, Developer, May 2014 - present", "", "Skills: Java, C++"
    )
    facts = line_facts(annotations)
    attributes = line_attributes(annotations, facts)
    names = sorted({name for place in attributes for name in place})
    rng = np.random.default_rng(3)
    labels = ("experience.heading", "experience.entry", "skills.body")
    weights = rng.normal(size=(len(names), 3)).astype(np.float32)
    transitions = rng.normal(size=(3, 3)).astype(np.float32)
    model = Crf(labels, {name: row for row, name in enumerate(names)}, weights, transitions, {})
    expected, chances = model.tag(attributes)
    for _ in range(2):  # with new pieces, and with remembered ones
        found = label_lines(model, annotations, facts)
        assert [label.name for label in found] == expected
        np.testing.assert_allclose([label.confidence for label in found], chances, atol=1e-4)


def test_attributes_of_a_line_and_of_those_around_it() -> None:
    annotations = annotated("Java", "Perl")
    first, second = line_attributes(annotations, line_facts(annotations))
    assert {"w=java", "w0=java", "w01=java", "w-1=java", "all=java", "bias", "row=0", "-1none"} <= set(first)
    assert {"sort=phrase", "1sort=phrase", "long=1", "1long=1", "under=none"} <= set(first)
    assert {"-1sort=phrase", "sort=phrase>sort=phrase", "1none", "row=1"} <= set(second)
    assert not {"w=java", "-1none", "1sort=phrase"} & set(second)
