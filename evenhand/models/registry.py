"""A trained model as a folder: manifest.json, weights.safetensors, card.md. Reading one never runs code.

The bytes depend on what was learned and on nothing else: no dates, no places, no order of dictionaries. Only an audit
that is written into the card later tells its day.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from evenhand.errors import (
    ModelAltered,
    ModelError,
    ModelIncomplete,
    ModelMalformed,
    ModelNotFound,
    ModelUnfit,
    ModelUnsafe,
    UsageError,
)
from evenhand.models.manifest import TASKS, Manifest, Task, read_manifest
from evenhand.settings import Settings

MANIFEST, WEIGHTS, CARD = "manifest.json", "weights.safetensors", "card.md"
PICKLES = (".pkl", ".pickle", ".joblib", ".pt", ".pth", ".bin", ".ckpt", ".npy", ".npz")
PICKLE_STARTS = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05", b"PK\x03\x04", b"\x93NUMPY")
PLAIN_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")  # of a file in the folder itself, nowhere else
MANIFEST_BYTES = 8_000_000
Tensors = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Artefact:
    """`texts` are what is neither number nor card, such as the words that a model knows, by file name."""

    manifest: Manifest
    tensors: Tensors
    texts: Mapping[str, str] = field(default_factory=dict)

    def tensor(self, name: str) -> NDArray[Any]:
        """ModelMalformed where the weights lack it."""
        try:
            return self.tensors[name]
        except KeyError:
            raise ModelMalformed(
                f"The weights of the model {self.manifest.name} lack {name}: they are not those of its kind."
            ) from None


def save_artefact(
    folder: Path, manifest: Manifest, tensors: Tensors, card: str, *, texts: Mapping[str, str] | None = None
) -> Manifest:
    """Writes the folder, its manifest last, and returns that manifest with the sums of the others."""
    contents = {WEIGHTS: to_safetensors(tensors), CARD: card.encode()}
    contents |= {name: text.encode() for name, text in (texts or {}).items()}
    for name in contents:
        _refuse_name(name, str(folder))
    whole = replace(manifest, files={name: _sum(contents[name]) for name in sorted(contents)})
    text = whole.to_text()
    read_manifest(text, where=str(folder))  # what could not be read again is not written
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in (*contents.items(), (MANIFEST, text.encode())):
        write_whole(folder / name, content, mode=0o644)  # a model is for whoever may read its folder
    return whole


def to_safetensors(tensors: Tensors) -> bytes:
    return bytes(save({name: np.ascontiguousarray(tensors[name]) for name in sorted(tensors)}))


def load_artefact(folder: Path) -> Artefact:
    """ModelError of the fitting kind for a folder that is no model, or not the one that was saved."""
    manifest = load_manifest(folder)
    contents: dict[str, bytes] = {}
    for name, expected in manifest.files.items():
        contents[name] = _read(folder, name)
        if _sum(contents[name]) != expected:
            raise ModelAltered(f"{name} of the model {folder} is not the file that was saved; install it again.")
    for name in (WEIGHTS, CARD):
        if name not in contents:
            raise ModelIncomplete(f"The manifest of the model {folder} does not name {name}.")
    weights = contents.pop(WEIGHTS)
    contents.pop(CARD)
    if weights.startswith(PICKLE_STARTS):
        raise ModelUnsafe(
            f"{WEIGHTS} of the model {folder} is a pickle, which can run code when it is read; it was not read."
        )
    try:
        tensors = load(weights)
    except (SafetensorError, TypeError, KeyError, ValueError) as error:  # a type that numpy lacks is a KeyError
        raise ModelMalformed(f"{WEIGHTS} of the model {folder} cannot be read: {error}.") from error
    return Artefact(manifest, tensors, {name: _text(content, name) for name, content in contents.items()})


def load_manifest(folder: Path) -> Manifest:
    """Only what is written about the model; its other files are not looked at."""
    if not folder.is_dir():
        raise ModelNotFound(f"There is no model {folder}: it is not a folder.")
    if not (folder / MANIFEST).is_file():
        for path in sorted(folder.iterdir()):
            if path.name.lower().endswith(PICKLES):
                raise ModelUnsafe(
                    f"{folder} holds {path.name}, a pickle, which can run code when it is read; "
                    "only safetensors are read."
                )
        raise ModelNotFound(f"There is no model in {folder}: it has no {MANIFEST}.")
    content = _read(folder, MANIFEST)
    if len(content) > MANIFEST_BYTES:
        raise ModelMalformed(f"The manifest of the model {folder} is larger than any that Evenhand writes.")
    manifest = read_manifest(_text(content, MANIFEST), where=str(folder))
    for name in manifest.files:
        _refuse_name(name, str(folder))
    return manifest


def _refuse_name(name: object, where: str) -> None:
    if not isinstance(name, str) or not PLAIN_NAME.fullmatch(name) or name == MANIFEST:
        raise ModelMalformed(f"The model {where} names a file {name!r}, which cannot be one of its own.")
    if name.lower().endswith(PICKLES):
        raise ModelUnsafe(
            f"The model {where} names {name}, a pickle, which can run code when it is read; only safetensors are read."
        )


def _read(folder: Path, name: str) -> bytes:
    try:
        return (folder / name).read_bytes()
    except FileNotFoundError as error:
        raise ModelIncomplete(f"The model {folder} lacks {name}.") from error
    except OSError as error:
        raise ModelIncomplete(f"{name} of the model {folder} cannot be read: {error.strerror}.") from error


def _text(content: bytes, name: str) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise ModelMalformed(f"{name} of a model is not UTF-8 text.") from error


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def write_whole(path: Path, content: bytes, *, mode: int = 0o600) -> None:
    """Whole or not at all, whoever else writes it at the same time."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


# The models that ship, and those in a folder of a user's own, by name.

SHIPPED = Path(__file__).parent / "artefacts"


def models_in(folder: Path) -> Mapping[str, Path]:
    """Folders with a manifest, by their names; a folder that is not there holds none."""
    try:
        return {path.name: path for path in sorted(folder.iterdir()) if (path / MANIFEST).is_file()}
    except OSError:
        return {}


def described(folder: Path) -> list[Manifest]:
    """What is written about each; one that cannot be read is left out here, and refused where somebody asks for it."""
    manifests = []
    for path in models_in(folder).values():
        with suppress(ModelError):
            manifests.append(load_manifest(path))
    return manifests


# Which model answers a task: the one that ships, one of the user's own by name, or any folder.


def checked_task(name: str) -> Task:
    for task in TASKS:
        if name == task:
            return task
    raise UsageError(f"There is no task {name!r}; there are {', '.join(TASKS)}.")


def own_models_folder(settings: Settings) -> Path:
    """Where `evenhand train` puts models that are known by their names."""
    return settings.data_path / "models"


def find_model(task: Task, model: str | None, settings: Settings) -> Path:
    """The folder of a model for the task. A name that ships is that model, whatever the current folder holds."""
    folder = find_any(model or task, settings)
    if (found := load_manifest(folder).task) != task:
        raise ModelUnfit(f"The model {model or folder.name} is for {found}, not for {task}.")
    return folder


def find_any(model: str, settings: Settings) -> Path:
    """Whatever its task."""
    known = {**models_in(own_models_folder(settings)), **models_in(SHIPPED)}
    if model in known:
        return known[model]
    if os.sep in model or Path(model).is_dir():
        return Path(model).expanduser()
    names = f"there are {', '.join(sorted(known))}" if known else "none is installed"
    raise ModelNotFound(f"There is no model {model!r}: {names}, or name a folder.")
