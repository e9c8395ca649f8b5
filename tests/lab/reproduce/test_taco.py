"""The table of `reproduce taco` from splits whose figures are known, and how biographies are read for it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from evenhand.debias.fitting import ERASERS
from evenhand.errors import UsageError
from evenhand_lab.reproduce import biographies
from evenhand_lab.reproduce.biographies import Turned, generate
from evenhand_lab.reproduce.taco import CHOSEN, generated_row, run, summarise
from tests.debias.planted import planted

SENSITIVE = {"origin": {"linear": [0.5, 0.5], "mlp": [0.6, 0.6], "rbf": [0.4, 0.6], "tpr_gap": [0.1, 0.1]}}


def score(name: str, task: float, linear: float, mlp: float, rbf: float) -> dict[str, object]:
    leak = {"linear": [linear], "mlp": [mlp, mlp], "rbf": [rbf, rbf], "tpr_gap": [0.1, 0.2]}
    return {"name": name, "task": [task, task], "sensitive": {"gender": leak}}


def split(shift: float) -> dict[str, object]:
    scores = [score("original", 0.86 + shift, 0.96, 0.97, 0.97)]
    scores += [score(name, 0.85 + shift, 0.55, 0.76, 0.80) for name in ERASERS]
    scores += [score(CHOSEN, 0.845 + shift, 0.55, 0.66 + shift, 0.70)]
    sweep = [(k, 0.9 - k / 100, 0.8) for k in range(20)]
    turned = [Turned(name, 50, -0.2 + shift, -0.3, -0.1, 2.0, 0.4, 0.1, 0.06, 0.01, 0.12) for name in ("a", "b")]
    return {"reason": "because", "scores": scores, "sweep": sweep, "turned": [each.to_json() for each in turned]}


def test_the_table_has_means_spreads_and_the_published_series() -> None:
    found = summarise([split(0.0), split(0.02)], planted(60), 1.0)
    chosen = found.methods[-1]
    assert chosen.name == CHOSEN
    assert chosen.occupation == pytest.approx(0.855)
    assert chosen.lost == pytest.approx(0.015)
    assert chosen.worse == pytest.approx(0.70)
    assert chosen.gap == pytest.approx(0.15)
    assert chosen.spread["mlp"] == pytest.approx(np.std([0.66, 0.68], ddof=1))
    assert [check.holds for check in found.checks] == [True, True, True]
    rows = dict(found.rows())
    assert rows["k = 3: published gender, occupation; here (SVD, r = 20)"] == "79.9, 86.3; 87.0, 80.0"
    assert found.to_json()["splits"] == 2
    before, after = found.turned
    assert (before.name, after.name) == ("as it is", "without gender, as validation chose")
    assert before.effect == pytest.approx(-0.19)
    assert "woman less man -0.190 logits (-0.300 to -0.100; logits differ by 2.00)" in rows["  as it is"]


def test_generated_resumes_have_a_row_for_each_method_and_group() -> None:
    found = generated_row(score("LEACE", 0.85, 0.55, 0.76, 0.80) | {"sensitive": SENSITIVE}, "origin", 0.87)
    assert found.name == "origin: LEACE"
    assert found.lost == pytest.approx(0.02)
    assert found.rbf == pytest.approx(0.5)
    assert found.spread["rbf"] == pytest.approx(np.std([0.4, 0.6], ddof=1))


def test_groups_that_are_too_small_are_not_known() -> None:
    made = generate(40, seed=3)
    assert set(made.groups) == {"gender", "origin"}
    assert None not in made.groups["gender"]
    counts = Counter(made.groups["origin"])
    assert min(count for group, count in counts.items() if group is not None) >= 2
    names = [text.splitlines()[0] for text in made.texts]
    assert len(set(names)) > 35  # whole resumes, names and all


def test_biographies_need_volume_and_both_labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(biographies, "MIN_TEXTS", 2)
    (tmp_path / "combined.csv").write_text(
        "text,profession,gender,source,label_kind\n"
        "She treats teeth.,dentist,f,x,gold\nHe drills. Mary helps.,dentist,m,x,gold\n"
        "She paints.,painter,f,x,gold\nNobody knows.,dentist,,x,gold\n"
        "He adds.,accountant,m,x,gold\nShe counts.,accountant,f,x,gold\n"
    )
    found = biographies.read_all(tmp_path)
    assert found.professions == ("dentist", "dentist", "accountant", "accountant")
    assert found.genders == ("female", "male", "male", "female")
    assert found.neutralised()[1] == "They drills. Sam helps."
    assert len(biographies.read_all(tmp_path, n=2).texts) == 2
    with pytest.raises(UsageError, match="needs biographies"):
        run()
