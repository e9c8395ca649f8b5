"""Writes requirements.lock and requirements-dev.lock: what pip puts into an empty environment today, exactly.

Run as `make lock`. Only names and versions are written, no hashes and no index addresses, so that a plain pip
with any mirror installs the same versions.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# rapidocr-onnxruntime asks for opencv-python, whose wheel needs libGL.so.1, which a server does not have.
# opencv-python-headless is the same module without windows; the two must not be installed together.
LEFT_OUT = ("pip", "wheel", "opencv-python")
HEADER = """\
# Written by `make lock`; install with: pip install --no-deps -r {name}
# --no-deps because this list is complete and opencv-python must stay out (see tools/make_lock.py).
"""


def freeze(python: Path) -> list[str]:
    excluded = [part for name in LEFT_OUT for part in ("--exclude", name)]
    command = [str(python), "-m", "pip", "freeze", "--all", *excluded]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def install(python: Path, requirements: list[str]) -> None:
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--upgrade", *requirements], check=True)


def write(name: str, lines: list[str]) -> None:
    (ROOT / name).write_text(HEADER.format(name=name) + "\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder, "bin", "python")
        install(python, project["build-system"]["requires"] + project["project"]["dependencies"])
        runtime = freeze(python)
        install(python, project["project"]["optional-dependencies"]["dev"])
        added = [line for line in freeze(python) if line not in runtime]
    write("requirements.lock", runtime)
    write("requirements-dev.lock", ["-r requirements.lock", *added])
    print(f"locked {len(runtime)} packages, and {len(added)} more for development", file=sys.stderr)


if __name__ == "__main__":
    main()
