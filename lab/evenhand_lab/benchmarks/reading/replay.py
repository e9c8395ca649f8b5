"""Where in the code a file that the fuzzer kept goes wrong.

Run it with `python -m evenhand_lab.benchmarks.reading.replay FILE...`.
"""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

from rich.console import Console

from evenhand.documents.detect import detect
from evenhand.documents.draft import ReadLimits
from evenhand.documents.parse import assemble, reader_for
from evenhand.documents.sandbox.pool import SandboxPool
from evenhand.records.document import Document


def parse(data: bytes, *, limits: ReadLimits) -> Document:
    """Stands in for the parser in the child: the text is the status, or the traceback of what was raised."""
    try:
        text = assemble(reader_for(detect(data))(data, limits), file=None, sha256="").status
    except Exception:
        text = traceback.format_exc()
    return Document(None, "", None, 0, "parsed", text, (), (), (), (), None)


def main(paths: list[str]) -> None:
    console = Console(highlight=False, markup=False, soft_wrap=True)
    with SandboxPool(1, parser="evenhand_lab.benchmarks.reading.replay") as pool:
        for path in paths:
            reading = pool.examine(Path(path).read_bytes())
            error = reading.document.error
            told = f"{error.code}\n{reading.last_words}" if error else reading.document.text
            console.print(f"{path}: {told}")


if __name__ == "__main__":
    main(sys.argv[1:])
