"""Invented resumes in the form of the public sets: ten roles in a line each, and PDFs in folders."""

from __future__ import annotations

import json
import random
from pathlib import Path

ROLES = {
    "Java_Developer": "wrote services with spring and hibernate",
    "Network_Administrator": "ran routers and switches",
    "Security_Analyst": "looked for intrusions in logs",
}
TITLES = {
    "Java_Developer": "Java Developer",
    "Network_Administrator": "Network Administrator",
    "Security_Analyst": "Security Analyst",
}
_OPENING = '<span class="hl">Title</span> of the search and its firm in a town, ' * 5
_SYLLABLES = ("ba", "ko", "mi", "ru", "te", "so", "li", "na")


def write_roles(folder: Path, *, each: int = 10) -> Path:
    """`each` resumes per role, and as many that held two roles; no two of them alike enough to be duplicates."""
    names = list(ROLES)
    rows = []
    for number in range(each):
        for at, name in enumerate(names):
            labels = [name, names[(at + 1) % len(names)]] if number % 2 else [name]
            rows.append({"id": f"{name}-{number}", "labels": labels, "text": _OPENING + _body(labels, number)})
    target = folder / "florex-resume-corpus"
    target.mkdir(parents=True)
    (target / "resumes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def _body(labels: list[str], number: int) -> str:
    """Titles before their time, duties behind; in between what tells nobody apart but makes each resume its own."""
    jobs = [f"{TITLES[label]} May {2010 + at} to June {2012 + at} {ROLES[label]}" for at, label in enumerate(labels)]
    rng = random.Random(f"{labels}{number}")
    likes = " ".join("".join(rng.choices(_SYLLABLES, k=3)) for _ in range(60))
    return f"Likes {likes}. " + " ".join(jobs)
