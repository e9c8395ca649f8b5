"""Tags of words, the two ways to score them, and training from examples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evenhand.mining.annotations import Annotations
from evenhand.mining.crf import Crf
from evenhand.mining.line_features import line_facts
from evenhand.mining.recognizer import Entity, Recognizer, entities, view_words, word_places
from evenhand.mining.segmenter import label_lines
from evenhand_lab.training.crf import (
    PARTS,
    AnnotatedExample,
    TrainingSettings,
    train_recognizer,
    train_segmenter,
    unseen_labels,
    word_tags,
)
from evenhand_lab.training.examples import LabelledSpan, MiningExample
from evenhand_lab.training.miner import prepare_all
from tests.mining.pages import annotated, page, vocabulary

SKILLS = ("Java", "Python", "Oracle", "Linux", "Docker", "Git", "Perl")
EMPLOYERS = ("Acme", "Globex", "Initech", "Umbrella", "Hooli", "Stark", "Wayne")


def example(number: int) -> MiningExample:
    """One of several resumes that differ only in the employer and one skill."""
    employer, skill = EMPLOYERS[number], SKILLS[number]
    document = page("Experience", f"{employer} Ltd, Developer", "Skills", f"{skill}, HTML")
    text = document.text
    names = (f"{employer} Ltd", "employer"), ("Developer", "title"), (skill, "skill"), ("HTML", "skill")
    spans = tuple(LabelledSpan(text.index(name), text.index(name) + len(name), label) for name, label in names)
    labels = ("experience.heading", "experience.entry", "skills.heading", "skills.body")
    return MiningExample(str(number), document, labels, spans)


def all_lines(annotations: Annotations, labels: Sequence[str]) -> range:
    return range(len(annotations.layout.lines))


def prepared(count: int = len(SKILLS)) -> list[AnnotatedExample]:
    examples = [example(number) for number in range(count)]
    return prepare_all(examples, vocabulary(), None)


def test_tags_begin_and_go_on_over_the_end_of_a_line() -> None:
    annotations = annotated("Worked at Acme Tools", "India Ltd as tester")
    text = annotations.layout.document.text
    whole = LabelledSpan(text.index("Acme"), text.index(" as"), "employer")
    expected = ["O", "O", "B-employer", "I-employer", "I-employer", "I-employer", "O", "O"]
    assert word_tags(annotations, [whole], ["employer"]) == expected
    middle = text.index("\n")
    parts = [
        LabelledSpan(whole.start, middle, "employer"),
        LabelledSpan(middle + 1, whole.end, "employer", is_rest=True),
    ]
    assert word_tags(annotations, parts, ["employer"]) == expected
    assert word_tags(annotations, parts, ["title"]) == ["O"] * 8


def test_entities_of_tags() -> None:
    annotations = annotated("Worked at Acme Tools", "India Ltd as tester")
    tags = ["O", "O", "B-employer", "I-employer", "I-employer", "I-employer", "O", "B-title"]
    chances = [1.0, 1.0, 0.9, 0.8, 0.7, 0.6, 1.0, 0.5]
    assert entities(annotations, [range(4), range(4, 8)], tags, chances) == [
        Entity("employer", 2, 4, 0, 0.8),
        Entity("employer", 4, 6, 1, 0.6, is_rest=True),
        Entity("title", 7, 8, 1, 0.5),
    ]


def test_remembered_sums_are_the_written_out_attributes() -> None:
    """What the recognizer adds up from look-ups is the sum over the attributes it was trained on."""
    annotations = annotated("Senior Developer, Acme Ltd", "", "Skills: Java, C++ and Java", ("B.Tech", {"bold": True}))
    views = view_words(annotations, line_facts(annotations), ["experience.entry", "skills.body", "education.entry"])
    lexical = vocabulary().lexical
    places = word_places(views, lexical)
    names = sorted({name for place in places for name in place})
    rng = np.random.default_rng(2)
    labels = ("B-skill", "I-skill", "O")
    weights = rng.normal(size=(len(names), 3)).astype(np.float32)
    transitions = rng.normal(size=(3, 3)).astype(np.float32)
    model = Crf(labels, {name: row for row, name in enumerate(names)}, weights, transitions, {})
    lengths = [line.last - line.first for line in annotations.layout.lines]
    written = np.array([sum(weights[model.attributes[name]] for name in place) for place in places])
    np.testing.assert_allclose(model.scores(places), written, rtol=1e-4, atol=1e-4)
    recognizer = Recognizer(model, lexical)
    tags, chances = model.decode(written.astype(np.float32), lengths)
    chains = [range(line.first, line.last) for line in annotations.layout.lines]
    expected = entities(annotations, chains, tags, chances.max(1).tolist())
    for _ in range(2):  # with new words, and with remembered ones
        found = recognizer.recognise(views, range(len(lengths))).entities
        assert [(each.label, each.first, each.last) for each in found] == [
            (each.label, each.first, each.last) for each in expected
        ]
        np.testing.assert_allclose(
            [each.confidence for each in found], [each.confidence for each in expected], atol=1e-4
        )


def test_models_learn_what_the_examples_show() -> None:
    known, new = prepared()[:-1], prepared()[-1]
    settings = TrainingSettings(l2=0.1, iterations=50)
    segmenter = train_segmenter(known, settings)
    labels = [label.name for label in label_lines(segmenter, new.annotations, new.facts)]
    assert labels == new.line_labels
    lexical = vocabulary().lexical
    seen = [each.line_labels for each in known]
    model = train_recognizer(known, seen, lexical, settings, labels=("employer", "skill"), choose=all_lines)
    found = Recognizer(model, lexical).recognise(view_words(new.annotations, new.facts, labels), range(4)).entities
    words = new.annotations.layout.tokens.words
    assert [(each.label, " ".join(words[each.first : each.last])) for each in found] == [
        ("employer", "Wayne Ltd"),
        ("skill", "Perl"),
        ("skill", "HTML"),
    ]


def test_no_word_of_fewer_than_five_resumes_is_kept() -> None:
    settings = TrainingSettings(iterations=20, documents=5)
    given = prepared()
    labels = [each.line_labels for each in given]
    wanted = ("employer", "skill")
    models = [
        train_segmenter(given, settings),
        train_recognizer(given, labels, vocabulary().lexical, settings, labels=wanted, choose=all_lines),
    ]
    rare = {word.lower() for word in (*EMPLOYERS, *SKILLS)}
    for model in models:
        assert model.attributes
        assert not [name for name in model.attributes if rare & set(name.split("=")[-1].split())]
    assert any(name.endswith("w=ltd") for name in models[1].attributes)  # all resumes have it


def test_unseen_labels_come_from_a_model_without_the_resume() -> None:
    """Every resume has a line that only it holds: a model that saw it would know its label."""
    examples = []
    for number in range(PARTS):
        document = page(f"zzq{number}", "and so on")
        kind = "skills.body" if number == 0 else "other.body"
        examples.append(MiningExample(str(number), document, (kind, kind), ()))
    given = prepare_all(examples, vocabulary(), None)
    settings = TrainingSettings(l2=0.01, iterations=50)
    model = train_segmenter(given, settings)
    assert [label.name for label in label_lines(model, given[0].annotations, given[0].facts)] == ["skills.body"] * 2
    assert unseen_labels(given, settings) == [["other.body"] * 2] * PARTS
