"""One small encoder for all tests of learning."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.models.training.small_bert import write_small_bert


@pytest.fixture(scope="session")
def small_bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_bert(tmp_path_factory.mktemp("encoder") / "small")
