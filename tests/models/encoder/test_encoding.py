"""Which encoder the settings give."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from evenhand.errors import UsageError
from evenhand.models.encoder.loading import encoder_for, why_no_encoder
from evenhand.settings import Settings
from tests.models.encoder.tiny_bert import write_tiny_bert


def test_the_folder_named_is_opened_once_and_kept_in_the_data_folder(tmp_path: Path) -> None:
    folder = write_tiny_bert(tmp_path / "tiny")
    settings = Settings(encoder=str(folder), data=str(tmp_path / "data"))
    encoder = encoder_for(settings)
    assert encoder is not None
    assert (encoder.name, encoder.precision, encoder.dimension) == ("tiny", "int8", 32)
    assert encoder_for(settings) is encoder
    assert (tmp_path / "data" / "encoder" / f"{encoder.version}.onnx").is_file()
    assert why_no_encoder(settings) == ""


def test_without_weights_there_is_none_and_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    settings = Settings(data=str(tmp_path))
    assert encoder_for(settings) is None
    assert why_no_encoder(settings).startswith("The sentence encoder is not installed")


def test_a_folder_that_is_none_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"has no readable model\.safetensors"):
        encoder_for(Settings(encoder=str(tmp_path), data=str(tmp_path)))
