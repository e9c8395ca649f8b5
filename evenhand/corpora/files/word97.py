"""DOCX to DOC by LibreOffice, many files in one go: starting it takes longer than converting."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from evenhand.errors import EvenhandError, UsageError

PROGRAM = "soffice"
SECONDS_PER_FILE = 20
SECONDS_TO_START = 60


def find_office() -> str:
    program = shutil.which(PROGRAM)
    if program is None:
        raise UsageError("DOC files are written by LibreOffice, and no soffice was found on the PATH.")
    return program


def convert_to_doc(files: Sequence[bytes]) -> list[bytes]:
    """Each DOCX file as a DOC file. A profile of its own keeps a LibreOffice that is open from answering."""
    program = find_office()
    with tempfile.TemporaryDirectory(prefix="evenhand-doc-") as folder:
        names = [f"{number:06d}" for number in range(len(files))]
        sources = [Path(folder, f"{name}.docx") for name in names]
        for source, data in zip(sources, files, strict=True):
            source.write_bytes(data)
        command = [
            program, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", "doc:MS Word 97",
            "--outdir", f"{folder}/out", *map(str, sources),
        ]  # fmt: skip
        try:
            subprocess.run(  # noqa: S603
                command,
                check=True,
                capture_output=True,
                timeout=SECONDS_TO_START + SECONDS_PER_FILE * len(files),
            )
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            raise EvenhandError(f"LibreOffice could not write DOC files: {error}.") from error
        results = [Path(folder, "out", f"{name}.doc") for name in names]
        if lacking := [result.name for result in results if not result.exists()]:
            raise EvenhandError(f"LibreOffice did not write {len(lacking)} of {len(files)} DOC files.")
        return [result.read_bytes() for result in results]
