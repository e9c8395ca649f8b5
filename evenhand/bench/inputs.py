"""Files the benches measure on: a folder the user names, or the samples that come with Evenhand."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from evenhand.errors import UsageError
from evenhand.records.document import Document

KEY = 12  # characters of the hash by which results name a file: its own name could be a person's


def key_of(document: Document) -> str:
    return document.sha256[:KEY]


def files_under(folder: Path) -> list[Path]:
    """All regular files at any depth, sorted; a single file stands for itself."""
    found = [folder] if folder.is_file() else sorted(path for path in folder.rglob("*") if path.is_file())
    if not found:
        raise UsageError(f"There are no files under {folder}.")
    return found


def resume_files(folder: Path, known: Sequence[str]) -> list[Path]:
    """The files of the known folders that are there; of the whole folder when none of them is."""
    parts = [folder / name for name in known if (folder / name).is_dir()]
    return [path for part in parts or [folder] for path in files_under(part)]


def samples() -> list[Path]:
    """The bundled sample resumes, good and bad ones."""
    return files_under(Path(str(files("evenhand") / "samples")))
