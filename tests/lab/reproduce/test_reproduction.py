"""The published experiments: folds by resume, blocks, concepts, the histogram, and how results are shown."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evenhand.records.profile import Profile, Skill, Source
from evenhand_lab.benchmarks.fact_scores import Count
from evenhand_lab.reproduce.experience import Histograms, SkillEstimate, found_months, histogram
from evenhand_lab.reproduce.miner_inputs import Fold, Labels, folds, labels_by_fold
from evenhand_lab.reproduce.recognizer import FIGURE_10, LABELS, SETS, stretches
from evenhand_lab.reproduce.registry import REPRODUCTIONS
from evenhand_lab.reproduce.results import Ablation, Published, grows, measured
from evenhand_lab.reproduce.segmenter import FIGURE_9, blocks, reduced
from evenhand_lab.training.examples import LabelledSpan
from tests.mining.pages import annotated, page

TEXTS = [" ".join(f"word{number}{letter}" for letter in "abcdefghij") for number in range(23)]


def test_no_resume_is_learned_from_and_measured_on() -> None:
    parts = folds(TEXTS)
    assert [len(part.test) for part in parts] == [5, 5, 5, 4, 4]
    for part in parts:
        assert not set(part.train) & set(part.test)
        assert set(part.train) | set(part.test) == set(range(23))
    assert sorted(place for part in parts for place in part.test) == list(range(23))


def test_editions_of_one_resume_share_a_fold() -> None:
    long = "a developer who wrote many programs in several languages for a bank in the north of the country"
    texts = [long, "one", "two", f"{long} since then", "four", f"Now {long}"]
    kept = next(part for part in folds(texts) if 0 in part.test)
    assert {0, 3, 5} <= set(kept.test)


def test_labels_never_come_from_a_model_that_saw_the_resume_or_the_test() -> None:
    parts = folds(TEXTS)

    def label(tasks: Sequence[Fold]) -> list[Labels]:
        """Names, for each resume to label, the ones the model learned from."""
        return [[[str(place) for place in task.train] for _ in task.test] for task in tasks]

    for part, labels in zip(parts, labels_by_fold(parts, label), strict=True):
        assert sorted(labels) == list(range(23))
        for place, learned in labels.items():
            assert learned
            assert not {str(place), *map(str, part.test)} & set(learned)


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("education.heading", "education"),
        ("education.entry", "education"),
        ("experience.heading", "other"),
        ("experience.entry", "project begins"),
        ("experience.head", "project"),
        ("projects.project", "project begins"),
        ("projects.body", "project"),
        ("personal.body", "personal"),
        ("skills.body", "other"),
        ("project begins", "project begins"),  # a published label stays itself
        ("project", "project"),
    ],
)
def test_published_labels(label: str, expected: str) -> None:
    assert reduced(label) == expected


def test_blocks_are_runs_of_lines_and_projects_may_touch() -> None:
    layout = annotated("Study", "Degree", "Work", "One", "more", "Two").layout
    labels = ["education.heading", "education.entry", "experience.heading"]
    labels += ["experience.entry", "experience.body", "experience.project"]
    assert blocks(layout, labels) == [(0, 12, "education"), (13, 17, "other"), (18, 26, "project"), (27, 30, "project")]


def test_parts_of_a_broken_name_are_one_stretch() -> None:
    spans = [
        LabelledSpan(0, 4, "employer"),
        LabelledSpan(5, 9, "skill"),
        LabelledSpan(10, 13, "employer", is_rest=True),
        LabelledSpan(20, 22, "skill"),
    ]
    assert stretches(spans) == [(0, 13, "employer"), (5, 9, "skill"), (20, 22, "skill")]


def test_published_figures_agree_with_themselves() -> None:
    assert len(FIGURE_9) == 6
    assert len(FIGURE_10) == len(LABELS) * len(SETS)
    for published in (*FIGURE_9.values(), *FIGURE_10.values()):
        both = published.precision + published.recall
        # The printed figures are rounded to three digits.
        assert published.f1 == pytest.approx(2 * published.precision * published.recall / both, abs=1.1e-3)


def test_an_ablation_shows_published_and_measured_side_by_side() -> None:
    first = measured("real", "skill", "CR-1", [Count(1, 2, 1)], Published(0.8, 0.7, 0.75))
    last = measured("real", "skill", "CR-3", [Count(2, 2, 2)], None)
    check = grows([first, last], "real", "skill", "CR-1", "CR-3")
    result = Ablation("Figure 10", {"real": "1"}, [first, last], [check])
    assert result.rows() == [
        ("resumes", "real: 1"),
        ("real: skill, CR-1", "published 0.800 0.700 0.750; here 1.000 0.500 0.667 (P R F1, n = 2)"),
        ("real: skill, CR-3", "here 1.000 1.000 1.000 (P R F1, n = 2)"),
        ("real: skill, CR-3 at least CR-1", "yes"),
    ]
    assert result.to_json()["figures"][0]["published"] == {"precision": 0.8, "recall": 0.7, "f1": 0.75}
    assert result.table().row_count == len(result.figures)


def test_errors_of_months_by_hand() -> None:
    judged = [
        SkillEstimate("a", "java", 20, 20),
        SkillEstimate("a", "sql", 20, 22),  # a tenth
        SkillEstimate("a", "perl", 20, 17),  # 0.15
        SkillEstimate("b", "java", 10, 40),  # three times
        SkillEstimate("b", "sql", 10, None),
    ]
    result = histogram("made up", judged)
    assert (result.resumes, result.pairs, result.exact, result.beyond, result.missing) == (2, 5, 1, 1, 1)
    assert result.within == [2, *[3] * 9]
    rows = dict(Histograms([result]).rows())
    assert rows["made up: within 10%"] == "2 (0.400 [0.000, 0.667])"  # of two resumes: none, both or one of them
    assert Histograms([result]).table().row_count == len(rows)


def test_months_of_a_skill_by_any_of_its_names() -> None:
    skills = (Skill("java server pages", ("JSP",), 14, 14, "2020-01", ()), Skill("c++", ("C++",), None, None, None, ()))
    profile = Profile(Source.of(page("x")), "2026-10", skills=skills)
    assert found_months(profile, ("jsp",)) == 14
    assert found_months(profile, ("Java Server Pages",)) == 14
    assert found_months(profile, ("C",)) is None
    assert found_months(profile, ("c++",)) is None


def test_every_experiment_has_a_name() -> None:
    assert list(REPRODUCTIONS)[:5] == ["segmenter", "recognizer", "tables", "experience", "ranking"]
    assert "competence" in REPRODUCTIONS


@pytest.mark.long
def test_more_features_segment_better() -> None:
    result = REPRODUCTIONS["segmenter"].run(n=25)
    assert [check.holds for check in result.checks] == [True]
    ours = {each.kind: each.f1 for each in result.figures if each.features == "ours"}
    assert min(ours.values()) > 0.7


@pytest.mark.long
def test_more_features_recognise_better() -> None:
    result = REPRODUCTIONS["recognizer"].run(n=20)
    assert len(result.checks) == 4
    best = {each.kind: each.f1 for each in result.figures if each.features == "ours"}
    text = {each.kind: each.f1 for each in result.figures if each.features == "CR-1"}
    assert all(best[kind] > text[kind] for kind in best)
