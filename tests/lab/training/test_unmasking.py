"""Invented names take the place of masks and of generated employers, and every label stays with its words."""

from __future__ import annotations

import random
from dataclasses import replace

from evenhand.records.document import Line
from evenhand_lab.training.examples import LabelledSpan, MiningExample
from evenhand_lab.training.miner import invented_employer, renamed, unmasked
from tests.lab.training.documents import plain_document

TEXT = "Chef 10/2006 to 08/2015 Company Name City , State\nCooked.\nBaker at Acme Ltd"


def example() -> MiningExample:
    document = plain_document(TEXT)
    starts = [0, TEXT.index("Cooked"), TEXT.index("Baker")]
    ends = [starts[1] - 1, starts[2] - 1, len(TEXT)]
    blank = Line(0, 0, 1, None, None, None, False, False, None, None, None)
    lines = tuple(replace(blank, start=start, end=end) for start, end in zip(starts, ends, strict=True))
    words = (("Company Name", "employer"), ("City , State", "location"), ("Baker", "title"), ("Acme Ltd", "employer"))
    spans = tuple(LabelledSpan(TEXT.index(word), TEXT.index(word) + len(word), label) for word, label in words)
    return MiningExample("one", replace(document, lines=lines), ("experience.entry",) * 3, spans)


def words_of(example: MiningExample) -> list[str]:
    return [example.document.text[span.start : span.end] for span in example.spans]


def test_masks_are_filled_and_labels_stay_with_their_words() -> None:
    for seed in range(20):
        filled = unmasked(example(), random.Random(seed))
        employer, location, title, other = words_of(filled)
        assert (title, other) == ("Baker", "Acme Ltd")
        assert filled.document.text == (f"Chef 10/2006 to 08/2015 {employer} {location}\nCooked.\nBaker at Acme Ltd")
        lines = [filled.document.text[line.start : line.end] for line in filled.document.lines]
        assert lines == filled.document.text.split("\n")


def test_most_masks_are_filled_and_some_stay() -> None:
    kept = sum(words_of(unmasked(example(), random.Random(seed)))[0] == "Company Name" for seed in range(200))
    assert 10 < kept < 80


def test_employers_are_renamed_and_nothing_else_is() -> None:
    new = renamed(example(), random.Random(1))
    masked, location, title, other = words_of(new)
    assert masked != "Company Name"
    assert other != "Acme Ltd"
    assert (location, title) == ("City , State", "Baker")
    assert new.document.text.endswith(f"Baker at {other}")


def test_the_same_seed_gives_the_same_names() -> None:
    assert unmasked(example(), random.Random(5)) == unmasked(example(), random.Random(5))
    names = {invented_employer(random.Random(seed)) for seed in range(300)}
    assert len(names) > 280
    assert all(name == name.strip() and "  " not in name for name in names)
