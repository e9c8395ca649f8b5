"""Writes evenhand/explain/reference_resumes.jsonl: the generated resumes that explanations compare with.

Run as `python tools/make_reference_resumes.py [FILE]`. The same generator gives the same bytes. Every line has the
charset of the text file too, because the file's bytes are what is read and mined.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from evenhand.explain.baselines import GENERATED, NUMBERS
from evenhand.records import canonical_json
from evenhand_lab.corpora.generate import CorpusRequest, make

OUT = Path(__file__).resolve().parent.parent / "evenhand" / "explain" / GENERATED
SEED = 8


def lines() -> Iterator[str]:
    for kind, count in NUMBERS.items():
        for number in range(count):
            file = make(CorpusRequest(SEED, kind, ("txt",)), number).files[0]
            charset = file.look  # the look of a text file is its charset
            row = {"kind": kind, "number": number, "charset": charset, "text": file.data.decode(charset)}
            yield canonical_json(row) + "\n"


def main() -> None:
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else OUT
    out.write_bytes("".join(lines()).encode())


if __name__ == "__main__":
    main()
