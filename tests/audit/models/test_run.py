"""A model with a planted bias, the same without, and what the report, the card and the command say of each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evenhand.audit.models import leakage
from evenhand.audit.models import resumes as audited_resumes
from evenhand.audit.models.measures import thirds
from evenhand.audit.models.resumes import read_audited
from evenhand.audit.models.run import audit_model, update_card
from evenhand.cli.main import app
from evenhand.errors import UsageError
from evenhand.models.registry import CARD, WEIGHTS, load_manifest
from evenhand.progress import no_progress
from evenhand.records.report import Chart, Finding, Report, ReportTable
from evenhand.rendering.report_pdf import html_bytes
from evenhand.settings import Settings
from evenhand_lab.corpora.generate import generate
from evenhand_lab.corpora.plugin import LABELS as OCCUPATIONS
from tests.audit.models.hand_model import write_model, write_resumes
from tests.models.manifests import make_manifest
from tests.screening.service_fixtures import mine_here


@pytest.fixture(scope="module", autouse=True)
def here() -> Iterator[None]:
    """Mined in this process, and without the sentence encoder, as where none is installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(audited_resumes, "mine_with_documents", mine_here)
        patch.setattr(leakage, "encoder_for", lambda settings: None)
        yield


@pytest.fixture(scope="module")
def resumes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_resumes(tmp_path_factory.mktemp("audit") / "resumes")


@pytest.fixture(scope="module")
def unfair_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("models") / "unfair", penalty=12.0)


@pytest.fixture(scope="module")
def unfair(resumes: Path, unfair_model: Path) -> Report:
    return audit_model("occupation", resumes, model=str(unfair_model))


def finding(report: Report, code: str) -> Finding:
    return next(each for each in report.findings if each.code == code)


def test_a_planted_bias_is_a_concern(unfair: Report) -> None:
    """Nurses who play netball are called cooks: half of the women's labels, so -50 points, and -100 of one label."""
    found = finding(unfair, "model.gap.gender")
    assert found.severity == "concern"
    assert found.figures["gap"] == pytest.approx(-0.5)
    assert found.figures["group"] == "female"
    assert "less often" in found.sentence
    leak = finding(unfair, "model.leakage.gender.last_layer")
    assert leak.severity == "watch"
    assert leak.figures["balanced_accuracy"] == pytest.approx(1.0)
    worst = unfair.data["slices"]["worst"][0]
    assert worst["conditions"] == [["gender", "female"], ["label", "NURSE"]]
    assert (worst["errors"]["part"], worst["errors"]["whole"], worst["others"]["part"]) == (20, 20, 0)
    assert unfair.worst == "concern"
    gaps = unfair.data["variables"][0]["gaps"][0]
    assert gaps["rms"] == pytest.approx((1 / 2) ** 0.5)


def test_too_few_are_unknown_and_never_clear(unfair: Report) -> None:
    """Four resumes are from the north."""
    assert finding(unfair, "model.gap.origin").severity == "unknown"
    assert all(each.severity != "clear" for each in unfair.findings if "origin" in each.code)


def test_without_the_bias_nothing_is_found(resumes: Path, tmp_path: Path) -> None:
    report = audit_model(
        "occupation", resumes, model=str(write_model(tmp_path / "fair", penalty=0.0)), variables=["gender"]
    )
    found = finding(report, "model.gap.gender")
    assert found.severity == "clear"
    assert found.figures["gap"] == 0.0
    assert finding(report, "model.slices").severity == "clear"
    assert not [each for each in report.findings if each.severity == "concern"]


def test_the_report_can_be_shown_and_read_again(unfair: Report) -> None:
    blocks = [block for section in unfair.sections for block in section.blocks]
    assert any(isinstance(block, ReportTable) and block.title == "By gender" for block in blocks)
    assert any(isinstance(block, Chart) for block in blocks)
    assert b"data:image/svg+xml" in html_bytes(unfair)
    again = Report.from_json(json.loads(json.dumps(unfair.to_json())))
    assert again.findings == unfair.findings


def test_the_card_gets_what_was_measured(unfair: Report, tmp_path: Path) -> None:
    folder = write_model(tmp_path / "unfair", penalty=12.0)
    weights = (folder / WEIGHTS).read_bytes()
    update_card(unfair, "occupation", model=str(folder))
    card = (folder / CARD).read_text()
    assert "## By group" in card
    assert f"Audited on {unfair.made[:10]} on 80 resumes of the folder resumes" in card
    assert "| female | 40 | 50.0% | -50.0 (" in card
    assert "| north | 4 | " in card
    assert "too few" in card
    assert (folder / WEIGHTS).read_bytes() == weights
    groups = load_manifest(folder).metrics["groups"]
    assert groups["variables"][0]["groups"][0]["gap"] == pytest.approx(-0.5)
    other = write_model(tmp_path / "other", penalty=0.0)
    with pytest.raises(UsageError, match="not about the model"):
        update_card(Report("model", "", "", "", (), ()), "occupation", model=str(other))


def test_the_command(resumes: Path, tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model", penalty=12.0)
    words = ["audit", "model", "occupation", str(resumes), "--model", str(folder), "--variable", "gender"]
    ran = CliRunner().invoke(app, [*words, "--json", "--card", "--fail-on", "concern"])
    assert ran.exit_code == 3, ran.output
    assert json.loads(ran.stdout)["worst"] == "concern"
    assert "## By group" in (folder / CARD).read_text()


def test_what_is_missing_is_said(resumes: Path, tmp_path: Path) -> None:
    model = str(write_model(tmp_path / "model", penalty=0.0))
    with pytest.raises(UsageError, match="There is no variable 'age'; there are gender, origin"):
        audit_model("occupation", resumes, model=model, variables=["age"])
    with pytest.raises(UsageError, match=r"no labels\.csv"):
        audit_model("occupation", tmp_path, model=model)


def test_a_generated_corpus_has_labels_jobs_and_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A level is accepted at that very level; every person applies once, so that nobody counts twice."""
    monkeypatch.setattr(audited_resumes, "MIN_RESUMES", 8)
    generate(tmp_path / "corpus", n=8, seed=3, kind="crc", formats=("txt",), jobs=0)
    truth = [json.loads(line) for line in (tmp_path / "corpus" / "truth.jsonl").read_text().splitlines()]
    manifest = make_manifest(task="fit", labels=("reject", "accept"), outcome="single")
    given = read_audited(
        "fit",
        tmp_path / "corpus",
        manifest,
        variables=None,
        most=None,
        seed=0,
        settings=Settings(),
        progress=no_progress,
    )
    assert len(given.resumes) == 8
    for row, each in zip(truth, given.resumes, strict=True):
        assert each.label == ("accept" if each.job == row["level"] else "reject")
    assert set(given.job_texts) <= {"CRC1", "CRC2", "CRC3", "CRC4"}
    assert given.variables == ("gender", "origin", "age_band", "place", "school_type", "career_gap")
    assert {each.groups["career_gap"] for each in given.resumes} <= {"yes", "no"}
    assert (given.is_generated, given.kind, given.seed) == (True, "crc", 3)


def test_thirds_by_hand() -> None:
    names = ("a", "b", "c")
    assert thirds([1, 2, 3, 4, 5, 6], names) == ["a", "a", "b", "b", "c", "c"]
    assert thirds([1, float("nan"), 9], names) == ["a", "", "c"]
    assert thirds([float("nan")], names) == [""]


def test_labels_are_those_of_the_shipped_models() -> None:
    shipped = Path(audited_resumes.__file__).parents[2] / "models" / "artefacts"
    known = {label for name in ("occupation", "it-roles") for label in load_manifest(shipped / name).labels}
    assert {label for labels in OCCUPATIONS.values() for label in labels} <= known
