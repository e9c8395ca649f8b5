"""For which files the long tests of the lab passed. `python -m tests.lab.inputs` prints the present fingerprint."""

from __future__ import annotations

import hashlib
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RECORD = HERE / "passed.sha256"
SUFFIXES = {".py", ".toml", ".json", ".jsonl", ".txt", ".csv", ".md", ".html"}


def fingerprint() -> str:
    """Of everything in the lab and its tests that could change what a long test finds."""
    files = sorted(path for folder in (ROOT / "lab", HERE) for path in folder.rglob("*") if path.suffix in SUFFIXES)
    total = hashlib.sha256()
    for path in files:
        if not any(part.endswith(".egg-info") or part == "build" for part in path.parts):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            total.update(f"{path.relative_to(ROOT)} {content}\n".encode())
    return total.hexdigest()


def have_passed() -> bool:
    return RECORD.exists() and RECORD.read_text("ascii").strip() == fingerprint()


if __name__ == "__main__":
    print(fingerprint())
