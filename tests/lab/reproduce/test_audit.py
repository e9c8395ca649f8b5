"""Published audits on a small scale: gaps, ties and contrasts whose answer is known."""

from __future__ import annotations

import csv
import gzip
import json
from io import StringIO
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from evenhand.errors import UsageError
from evenhand.progress import no_progress
from evenhand.settings import Settings
from evenhand_lab.reproduce.audit import CONTRASTS, measure_callbacks, measure_effect, run
from evenhand_lab.reproduce.audit_names import measure_pairs, measure_top, mine_texts, occupation_logits, written_by

RESUME = """{name}

EXPERIENCE

Accountant, Northwind Traders, January 2018 - Present
- Closed the books each month and prepared tax returns.
- Audited ledgers in Excel and SAP.

EDUCATION

Bachelor of Science in Accounting, 2017

SKILLS

Excel, SAP, bookkeeping
"""
OTHER = RESUME.replace("Accountant", "Bookkeeper").replace("tax returns", "payroll")
JOB = "We look for an accountant with experience in Excel, SAP, bookkeeping and tax."
TIERS, BINARY = ("top_tier", "unranked", "omitted"), (("stuffed", "natural"), ("gap_present", "no_gap"))


def callback_rows() -> list[dict[str, str]]:
    """30 of 100 white and 10 of 100 African American names are called back; only women, only with a gap."""
    base = {"gender": "female", "quality": "high", "holes": "yes"}
    return [
        {**base, "ethnicity": group, "call": "1" if place < called else "0"}
        for group, called in (("cauc", 30), ("afam", 10))
        for place in range(100)
    ]


def test_callbacks_by_hand() -> None:
    gaps, traits = measure_callbacks(callback_rows())
    assert [row.among for row in gaps] == [
        "all",
        "resumes of high quality",
        "with a gap in the career",
        "women's names",
    ]
    assert gaps[0].gap.value == pytest.approx(0.2)
    assert gaps[0].ratio.value == pytest.approx(3.0)
    assert gaps[0].p < 0.001
    assert traits == []  # all have both traits: there is nothing to compare with


def test_names_without_effect_are_first_equally_often() -> None:
    groups = np.array([name for name in "abcdefgh" for _ in range(3)])
    table = np.tile(np.arange(8.0), (24, 1))
    found = measure_top("job", "ranker", table, groups, seed=0)
    assert found.disparity == 1.0
    assert {rate.part for rate in found.shares.values()} == {125}
    assert found.ties.part == 0
    pairs = measure_pairs("job", "ranker", table, groups, seed=0)
    assert (pairs.ties.part, pairs.p, pairs.largest) == (192, 1.0, 0.0)
    assert str(pairs) == "all 192 scores are exactly those of the same resume under other names"


def test_every_group_has_every_resume() -> None:
    """Of twelve names each stands on one of eight resumes; of three on three; of one on all."""
    for size, each in ((12, 1), (3, 3), (1, 8)):
        found = written_by(np.array(["a"] * size + ["b"] * size), 8)
        assert set(found.sum(axis=1).tolist()) == {each}
        assert found[:size].any(axis=0).all()
        assert found[size:].any(axis=0).all()


def test_names_that_stand_on_one_resume_only() -> None:
    groups = np.array([name for name in "abcdefgh" for _ in range(8)])
    table = np.where(written_by(groups, 8), np.arange(8.0), np.nan)
    assert measure_top("job", "ranker", table, groups, seed=0).disparity == 1.0
    pairs = measure_pairs("job", "ranker", table, groups, seed=0)
    assert (pairs.ties.part, pairs.ties.whole) == (64, 64)


def test_a_tie_is_nobodys_win() -> None:
    groups = np.array(list("abcdefgh"))
    found = measure_top("job", "ranker", np.zeros((8, 8)), groups, seed=0)
    assert (found.ties.part, found.ties.whole, found.disparity) == (1000, 1000, None)
    assert str(found) == "always a tie at the top (1,000 of 1,000)"


def test_a_planted_effect_of_names_is_found() -> None:
    """Names of one group take two resumes' worth off every score; a third of the names are a little noisy."""
    rng = np.random.default_rng(0)
    groups = np.array([name for name in "abcdefgh" for _ in range(10)])
    table = np.tile(np.arange(8.0), (80, 1)) + 0.01 * rng.normal(size=(80, 1)) * (rng.random((80, 1)) < 0.3)
    table[groups == "c"] -= 2.0
    top = measure_top("job", "ranker", table, groups, seed=0)
    assert top.shares["c"].part == 0
    assert top.disparity == 0.0
    pairs = measure_pairs("job", "ranker", table, groups, seed=0)
    assert pairs.group == "c"
    assert pairs.effect.value == pytest.approx(-2 / np.arange(8.0).std(), abs=0.01)
    assert pairs.p < 0.001


def variants() -> list[dict[str, str]]:
    rows = []
    for base, tier, (keywords, gap), years in product(
        ("one", "two"), TIERS, product(*BINARY), ("explicit_years", "project_only")
    ):
        rows.append(
            {
                "base_resume_id": base,
                "university_tier": tier,
                "keyword_framing": keywords,
                "employment_gap": gap,
                "years_framing": years,
                "resume_text": RESUME.format(name=base) + f"\n{tier} {keywords} {gap} {years}\n",
            }
        )
    return rows


def test_contrasts_are_within_a_resume() -> None:
    """Scores: 10 for the second resume, less 1 for a gap (2 in the second), more 3 for keywords."""
    rows = variants()
    scores = np.array(
        [
            10.0 * (row["base_resume_id"] == "two")
            - (row["employment_gap"] == "gap_present") * (1 + (row["base_resume_id"] == "two"))
            + 3.0 * (row["keyword_framing"] == "stuffed")
            for row in rows
        ]
    )
    found = {contrast[0]: measure_effect("ranker", contrast, rows, [scores]) for contrast in CONTRASTS}
    gap = found["a stated gap in the career"]
    assert gap.effect.value == pytest.approx(-1.5 / scores.std())
    assert (gap.pairs, gap.risen, gap.fallen) == (24, 0, 24)
    # Two resumes, -1 and -2: Student's t with one degree of freedom is 12.706, the standard error 0.5.
    assert gap.effect.low == pytest.approx((-1.5 - 12.7062 * 0.5) / scores.std(), abs=1e-3)
    keywords = found["a list of keywords"]
    assert keywords.effect.value == pytest.approx(3 / scores.std())
    assert keywords.risen == 24
    assert keywords.effect.low == pytest.approx(keywords.effect.high)
    school = found["a renowned school instead of none"]
    assert (school.effect.value, school.pairs, school.risen, school.fallen, school.places) == (0.0, 16, 0, 0, 0.0)


def test_a_name_that_mining_misses_does_not_move_the_occupation_model() -> None:
    """Where the name is found it is blank; where it is not, the model still knows no names of people."""
    settings = Settings()
    names = ("Jordan Avery", "Quillon Thistlewood-Marsh", "zqx vbrthk")
    from evenhand.models.inputs import resume_input

    mined = mine_texts([RESUME.format(name=name) for name in names], settings=settings, progress=no_progress)
    assert mined[2].profile.name is None  # or there is nothing to test
    inputs = [resume_input(each.document, each.profile) for each in mined]
    assert "zqx" in inputs[2].text
    assert "Avery" not in inputs[0].text
    logits = occupation_logits(inputs, "ACCOUNTANT", settings)
    assert logits[1:] == pytest.approx(logits[0], abs=1e-6)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path / "data"))
    callbacks = tmp_path / "bertrand-mullainathan"
    callbacks.mkdir()
    rows = callback_rows()
    with gzip.open(callbacks / "ResumeNames.csv.gz", "wt", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    names = tmp_path / "bloomberg-hiring-audit"
    (names / "input").mkdir(parents=True)
    (names / "intermediary").mkdir()
    for sex, name in (("mens", "ROBIN"), ("womens", "KIM")):
        lists = {race: [f"{name} {last}"] for race, last in zip("WBAH", ("DALE", "HART", "WEST", "FENN"), strict=True)}
        (names / "input" / f"top_{sex}_names.json").write_text(json.dumps(lists))
    jobs = {"financial analyst": {"jd": JOB, "resumes": [RESUME, OTHER]}}
    (names / "intermediary" / "resumes_to_rank.json").write_text(json.dumps(jobs))
    variants_folder = tmp_path / "goodhart-variants"
    variants_folder.mkdir()
    some = [row for row in variants() if row["years_framing"] == "explicit_years" and row["base_resume_id"] == "one"]
    (variants_folder / "resume_variants.json").write_text(json.dumps(some))
    (variants_folder / "job_descriptions.csv").write_text(f'jd_id,title,description\n1,Accountant,"{JOB}"\n')
    return tmp_path


def test_the_whole_experiment(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from evenhand_lab.reproduce import audit

    monkeypatch.setattr(audit, "CONTRASTS", CONTRASTS[2:3])
    result = run(data, small=True)
    rankers = ["bm25", "tfidf", "kl", "tfidf+skills", "semantic", "best", "occupation model"]
    assert [row.ranker for row in result.names.tops] == rankers
    assert [row.ranker for row in result.effects] == rankers
    assert result.effects[0].pairs == 6
    assert result.names.names == 8
    assert result.names.blanking.moved_where_found == 0.0
    assert [check.holds for check in result.checks[:2]] == [False, True]  # 30% and 10% are not the published ones
    assert json.loads(json.dumps(result.to_json()))["names"]["names"] == 8
    console = Console(width=160, file=StringIO())
    with console.capture() as capture:
        console.print(result.table())
    assert "first among eight" in capture.get()
    assert result.rows()[0][1].startswith("30.00% (30 of 100) against 10.00% (10 of 100)")


def test_without_data_it_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs --data"):
        run()
    with pytest.raises(UsageError, match="There are no callbacks"):
        run(tmp_path)
