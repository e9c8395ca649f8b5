"""Writes reading_order.json of the lab: expectations of `evenhand bench order` without the resumes' text.

Its input is a JSON object from the SHA-256 of a file to its expected order in plain lines, as the bench describes
it; lines of people's resumes stay in that private file, their fingerprints go into the project.
Usage: python tools/make_reading_order.py PLAIN.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from evenhand_lab.benchmarks.reading import order as reading_order
from evenhand_lab.benchmarks.reading.order import fingerprinted

WRITTEN = Path(reading_order.__file__).with_name("reading_order.json")


def main(plain: Path) -> None:
    orders = json.loads(plain.read_text(encoding="utf-8"))
    entries = (f'"{key}": {json.dumps(fingerprinted(orders[key]), separators=(",", ":"))}' for key in sorted(orders))
    WRITTEN.write_text("{\n" + ",\n".join(entries) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
