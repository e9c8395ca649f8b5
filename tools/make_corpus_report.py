"""Writes docs/corpus.md and its charts: generated resumes described, and compared with real ones where they are given.

Run as `python tools/make_corpus_report.py --real texts.jsonl.gz`; the file has one record with a "text" per line.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from evenhand_lab.corpora.description import DescribedResume, describe
from evenhand_lab.corpora.kinds.kinds import KINDS, sample_career
from evenhand_lab.corpora.manuscript import to_plain
from evenhand_lab.corpora.report import compare, read_texts, report
from evenhand_lab.corpora.truth import build_truth
from evenhand_lab.corpora.writing.writer import write

ROOT = Path(__file__).resolve().parent.parent
NOTE = "<!-- Written by tools/make_corpus_report.py; do not edit. -->\n\n"
COMMAND = "python tools/make_corpus_report.py --real FILE"


def resumes(kind: str, n: int, seed: int) -> Iterator[DescribedResume]:
    for number in range(n):
        career, _ = sample_career(kind, seed=seed, number=number)
        manuscript = write(career, seed=seed)
        plain = to_plain(manuscript)
        yield DescribedResume.of(build_truth(career, manuscript, plain), plain.text)


def body(resume: DescribedResume) -> str:
    """Without name and contact data, which real resumes that are published have not either."""
    return resume.text[resume.sections[0][3] :]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=Path, help='real resumes, one JSON record with a "text" per line')
    parser.add_argument("--n", type=int, default=1000, help="generated resumes per kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=ROOT / "docs")
    wishes = parser.parse_args()
    descriptions = {kind: describe(resumes(kind, wishes.n, wishes.seed)) for kind in KINDS}
    comparison = None
    if wishes.real:
        real = list(read_texts(wishes.real))
        bodies = (body(resume) for resume in resumes("mixed", len(real), wishes.seed))
        comparison = compare(bodies, real)
    for name, text in report(descriptions, comparison, note=NOTE, command=COMMAND).items():
        path = wishes.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
