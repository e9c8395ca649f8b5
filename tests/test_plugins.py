"""What other packages register: found, missing, or broken, which must not take anything else with it."""

from __future__ import annotations

import logging
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import evenhand
import evenhand_lab
from evenhand import plugins
from evenhand.audit.models.resumes import read_audited
from evenhand.debias.before_after import read_corpus_truth
from evenhand.errors import UsageError
from evenhand.models.competence import TrainingOptions, train_model
from evenhand.plugins import CORPORA, generated_resumes, is_corpus, load_group
from evenhand.progress import no_progress
from evenhand.settings import Settings
from tests.models.manifests import make_manifest

MISSING = "package evenhand-lab, which is not installed: pip install evenhand-lab"


def register(monkeypatch: pytest.MonkeyPatch, **targets: str) -> None:
    """As if these alone were registered in the group of corpora."""
    entries = [EntryPoint(name, target, CORPORA) for name, target in targets.items()]

    def found(*, group: str, name: str | None = None) -> list[EntryPoint]:
        return [each for each in entries if each.group == group and name in (None, each.name)]

    monkeypatch.setattr(plugins, "entry_points", found)


def test_what_is_registered_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch, generated="string:digits", other="string:hexdigits")
    assert load_group(CORPORA) == {"generated": "0123456789", "other": "0123456789abcdefABCDEF"}
    assert load_group("evenhand.nothing") == {}
    loaded: object = generated_resumes()
    assert loaded == "0123456789"


def test_what_does_not_load_is_told_and_the_rest_is_there(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    register(monkeypatch, generated="no_such_module:here", other="string:digits", third="string:nothing")
    with caplog.at_level(logging.WARNING):
        assert load_group(CORPORA) == {"other": "0123456789"}
    assert [message.split(" (")[0] for message in caplog.messages] == [
        "The plug-in generated cannot be loaded",
        "The plug-in third cannot be loaded",
    ]
    with pytest.raises(UsageError, match="ModuleNotFoundError: No module named 'no_such_module'"):
        generated_resumes()


def test_without_the_package_everything_that_needs_it_names_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    register(monkeypatch)
    assert not is_corpus(tmp_path)
    (tmp_path / "corpus.json").write_text("{}")
    assert is_corpus(tmp_path)
    with pytest.raises(UsageError, match=MISSING):
        read_audited(
            "occupation",
            tmp_path,
            make_manifest(),
            variables=None,
            most=None,
            seed=0,
            settings=Settings(),
            progress=no_progress,
        )
    with pytest.raises(UsageError, match=MISSING):
        read_corpus_truth(tmp_path, "gender", Settings())
    with pytest.raises(UsageError, match=MISSING):
        train_model("level", tmp_path / "model", TrainingOptions())


def test_the_lab_has_the_version_of_evenhand() -> None:
    assert evenhand_lab.__version__ == evenhand.__version__
