"""A machine whose kernel offers neither Landlock nor seccomp, as far as the processes that Evenhand starts can tell."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
WITHOUT = """
from evenhand.documents.sandbox import confinement
confinement.landlock_version = lambda: 0
confinement.ARCHITECTURES = {}
"""


@pytest.fixture
def unconfined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python runs this module at the start of every process, so that none of them finds Landlock or seccomp."""
    (tmp_path / "sitecustomize.py").write_text(WITHOUT)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(ROOT)]))
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path / "data"))
