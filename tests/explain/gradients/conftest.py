"""One small encoder for all tests of gradients."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.models.encoder.tiny_bert import write_tiny_bert_for_transformers


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_bert_for_transformers(tmp_path_factory.mktemp("encoder") / "tiny")
