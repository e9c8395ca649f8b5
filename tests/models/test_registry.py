"""A model comes back as it was saved, in the same bytes; anything else is refused in a sentence with a code."""

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from evenhand.errors import MODEL_ERRORS, ModelError, ModelMalformed
from evenhand.models.manifest import write_card
from evenhand.models.registry import load_artefact, load_manifest, save_artefact
from tests.models.manifests import TENSORS, make_manifest

Spoil = Callable[[Path], object]


def save(folder: Path) -> Path:
    manifest = make_manifest()
    save_artefact(folder, manifest, TENSORS, write_card(manifest), texts={"words.txt": "nurse\nward\n"})
    return folder


def test_comes_back_as_saved(tmp_path: Path) -> None:
    found = load_artefact(save(tmp_path / "tiny"))
    assert found.manifest == make_manifest(files=found.manifest.files)
    assert sorted(found.manifest.files) == ["card.md", "weights.safetensors", "words.txt"]
    assert found.manifest.stamp.encoder == "tiny-bert"
    assert found.texts == {"words.txt": "nurse\nward\n"}
    for name, expected in TENSORS.items():
        assert found.tensor(name).dtype == expected.dtype
        np.testing.assert_array_equal(found.tensor(name), expected)


def test_a_tensor_that_is_lacking_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelMalformed, match=r"tiny lack encoder\.gate"):
        load_artefact(save(tmp_path)).tensor("encoder.gate")


def test_bytes_depend_on_the_content_alone(tmp_path: Path) -> None:
    first, second = save(tmp_path / "first"), tmp_path / "second"
    turned = {name: TENSORS[name] for name in reversed(TENSORS)}
    manifest = make_manifest(settings={"chunk": 126, "model": "C"})
    save_artefact(second, manifest, turned, write_card(manifest), texts={"words.txt": "nurse\nward\n"})
    for path in first.iterdir():
        assert path.read_bytes() == (second / path.name).read_bytes()


def test_saved_over_an_older_one_it_is_the_newer(tmp_path: Path) -> None:
    save(tmp_path)
    newer = make_manifest(version="2")
    save_artefact(tmp_path, newer, {"head.bias": TENSORS["head.bias"]}, write_card(newer))
    found = load_artefact(tmp_path)
    assert found.manifest.version == "2"
    assert list(found.tensors) == ["head.bias"]
    assert not found.texts  # words.txt is still there, but nobody vouches for it


def rewrite(**changes: object) -> Spoil:
    def spoil(folder: Path) -> None:
        content = json.loads((folder / "manifest.json").read_text())
        (folder / "manifest.json").write_text(json.dumps(content | changes))

    return spoil


def without(key: str) -> Spoil:
    def spoil(folder: Path) -> None:
        content = json.loads((folder / "manifest.json").read_text())
        del content[key]
        (folder / "manifest.json").write_text(json.dumps(content))

    return spoil


def vouch(name: str, content: bytes) -> Spoil:
    """A file whose sum the manifest has, as somebody would write it who means harm."""

    def spoil(folder: Path) -> None:
        manifest = json.loads((folder / "manifest.json").read_text())
        (folder / name).write_bytes(content)
        files = manifest["files"] | {name: hashlib.sha256(content).hexdigest()}
        (folder / "manifest.json").write_text(json.dumps(manifest | {"files": files}))

    return spoil


def flip_a_bit(folder: Path) -> None:
    content = bytearray((folder / "weights.safetensors").read_bytes())
    content[-1] ^= 1
    (folder / "weights.safetensors").write_bytes(content)


def only_a_pickle(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps({"weights": [1]}))


def empty(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()


WRONG: dict[str, tuple[Spoil, str, str]] = {
    "an empty folder": (empty, "model_not_found", r"it has no manifest\.json"),
    "one bit": (flip_a_bit, "model_altered", r"weights\.safetensors of the model .* is not the file"),
    "a changed card": (lambda folder: (folder / "card.md").write_text("The best model."), "model_altered", r"card\.md"),
    "no weights": (
        lambda folder: (folder / "weights.safetensors").unlink(),
        "model_incomplete",
        r"lacks weights\.safetensors",
    ),
    "weights not named": (rewrite(files={}), "model_incomplete", r"does not name weights\.safetensors"),
    "an unknown kind": (rewrite(kind="magic"), "model_unknown_kind", "kind 'magic'; .* knows network, joined"),
    "an unknown task": (rewrite(task="hire"), "model_unknown_kind", "task 'hire'"),
    "a newer format": (rewrite(format=2), "model_unknown_kind", "format 2; this version of Evenhand reads 1"),
    "a manifest that is no JSON": (
        lambda folder: (folder / "manifest.json").write_text("{"),
        "model_malformed",
        "is not JSON",
    ),
    "a manifest that is no object": (
        lambda folder: (folder / "manifest.json").write_text("[]"),
        "model_malformed",
        "is not a JSON object",
    ),
    "a manifest without labels": (without("labels"), "model_malformed", "it lacks 'labels'"),
    "one label": (rewrite(labels=["low"]), "model_malformed", "two different labels"),
    "a label that is no text": (rewrite(labels=["low", 3]), "model_malformed", "a label is a text"),
    "a cold temperature": (rewrite(temperature=0), "model_malformed", "temperature is above 0"),
    "a file outside": (
        rewrite(files={"../secret": "00"}),
        "model_malformed",
        r"'\.\./secret', which cannot be one of its own",
    ),
    "weights that are none": (vouch("weights.safetensors", b"not weights"), "model_malformed", "cannot be read"),
    "a pickle alone": (only_a_pickle, "model_unsafe", r"holds pytorch_model\.bin, a pickle"),
    "a pickle in the manifest": (vouch("head.pkl", b"\x80\x04."), "model_unsafe", r"names head\.pkl, a pickle"),
    "a pickle as weights": (
        vouch("weights.safetensors", pickle.dumps({"weights": [1]})),
        "model_unsafe",
        "it was not read",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_models_are_refused(tmp_path: Path, case: str) -> None:
    spoil, code, sentence = WRONG[case]
    folder = save(tmp_path)
    spoil(folder)
    with pytest.raises(ModelError, match=sentence) as refused:
        load_artefact(folder)
    assert refused.value.code == code
    assert MODEL_ERRORS[code] is type(refused.value)


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="it is not a folder"):
        load_manifest(tmp_path / "nowhere")


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="two different labels"):
        save_artefact(tmp_path / "new", make_manifest(labels=("low", "low")), TENSORS, "card")
    assert not (tmp_path / "new").exists()
