"""Results of the benches, written into docs/measurements.md by the machine that measured them.

`python -m evenhand_lab.benchmarks.measurements NAME [--data DIR] [--n N] [--seed S]` runs one and records it.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import sys
import tomllib
from collections.abc import Sequence
from datetime import date
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rich.console import Console

from evenhand import __version__
from evenhand.audit.statistics import wilson
from evenhand_lab.benchmarks.kit import Measurement
from evenhand_lab.reproduce.registry import REPRODUCTIONS

MODULES = {
    "read": "evenhand_lab.benchmarks.reading.speed",
    "hostile": "evenhand_lab.benchmarks.reading.hostile",
    "fuzz": "evenhand_lab.benchmarks.reading.fuzz",
    "recall": "evenhand_lab.benchmarks.reading.recall",
    "formats": "evenhand_lab.benchmarks.reading.formats",
    "hidden": "evenhand_lab.benchmarks.reading.hidden",
    "order": "evenhand_lab.benchmarks.reading.order",
    "corpus": "evenhand_lab.benchmarks.corpus",
    "mine": "evenhand_lab.benchmarks.mine",
    "gold": "evenhand_lab.benchmarks.gold",
    "coverage": "evenhand_lab.benchmarks.coverage",
    "duplicates": "evenhand_lab.benchmarks.duplicates",
    "search": "evenhand_lab.benchmarks.search",
    "ingest": "evenhand_lab.benchmarks.ingest",
    "crash": "evenhand_lab.benchmarks.crash",
    "masking": "evenhand_lab.benchmarks.masking",
    "web": "evenhand_lab.benchmarks.web",
    "server-crash": "evenhand_lab.benchmarks.server_crash",
    "ledger": "evenhand_lab.benchmarks.ledger",
    "predict": "evenhand_lab.benchmarks.predict",
    "explain": "evenhand_lab.benchmarks.explain",
    "debias": "evenhand_lab.benchmarks.debias",
    "swaps": "evenhand_lab.benchmarks.swaps",
}
LIBRARIES = (
    *("pypdfium2", "lxml", "numpy", "selectolax", "onnxruntime", "rapidocr-onnxruntime"),
    *("python-crfsuite", "scikit-learn", "rapidfuzz", "tantivy", "rensa", "sqlalchemy", "psycopg"),
    *("fastapi", "uvicorn", "torch", "transformers", "tokenizers"),
)
PROVENANCE = Path(__file__).with_name("provenance.toml")
COUNT = re.compile(r"[0-9][0-9,]{2,}")
NUMBER = re.compile(r"\bn = ([0-9,]+)")
SHARE = re.compile(r"([0-9][0-9,]*) of ([0-9][0-9,]*)")
HEAD = """# Measurements

Every section is written by the bench it names; nothing here is typed in by hand. Above its figures it says on what
data they were measured, how many, what had been chosen on these data, and how sure they are, or why nobody knows.
Run one with `evenhand bench NAME` or `evenhand reproduce NAME`, and record it with
`python -m evenhand_lab.benchmarks.measurements NAME`.
"""


def record(name: str, result: Measurement, *, command: str, path: Path) -> None:
    """Put the section of bench `name` into the file at `path`, in place of its last one."""
    text = path.read_text(encoding="utf-8") if path.exists() else HEAD
    section = _section(name, result, command)
    known = re.compile(rf"<!-- bench:{re.escape(name)} -->.*?<!-- /bench:{re.escape(name)} -->", re.DOTALL)
    text, replaced = known.subn(lambda _: section, text)
    if not replaced:
        text = f"{text.rstrip()}\n\n{section}\n"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _section(name: str, result: Measurement, command: str) -> str:
    figures = result.rows()
    rows = "\n".join(f"| {figure} | {value} |" for figure, value in figures)
    return (
        f"<!-- bench:{name} -->\n## {name}: {result.title}\n\n"
        f"{date.today().isoformat()}, `{command}`\n\n"
        f"{provenance(name, figures)}\n\n"
        f"| figure | value |\n|---|---|\n{rows}\n\n{machine()}\n<!-- /bench:{name} -->"
    )


def provenance(name: str, figures: Sequence[tuple[str, str]]) -> str:
    """On what data, how many, what was chosen on them, and how sure: without these a figure says nothing.

    KeyError for a bench that does not say so, or whose rows of numbers are not in its table.
    """
    stated = tomllib.loads(PROVENANCE.read_text("utf-8"))[name]
    chosen = [(figure.strip(), value) for figure, value in figures if figure.strip().startswith(tuple(stated["n"]))]
    numbers = [_number(figure, value) for figure, value in chosen]
    if not numbers:
        raise KeyError(f"{name}: none of {stated['n']}")
    shares = [
        f"{figure.strip()} {100 * interval.low:.1f} to {100 * interval.high:.1f}%"
        for figure, value in figures
        if figure.strip().startswith(tuple(stated.get("shares", ()))) and (share := SHARE.search(value))
        for interval in [wilson(*(int(number.replace(",", "")) for number in share.groups()))]
    ]
    lines = {
        "Data": stated["data"],
        "n": "; ".join(numbers),
        "Chosen on it": stated["chosen_on"],
        "95% interval": "; ".join(shares) or stated["interval"],
        "To know": stated.get("note"),
    }
    return "\n".join(f"- {head}: {words}" for head, words in lines.items() if words)


def _number(figure: str, value: str) -> str:
    """How many, from a row that may say more than that."""
    if COUNT.search(figure):  # "500 PDF files, mined only": the value is about something else
        return figure
    inside = NUMBER.search(value)
    return f"{figure}: {inside[1] if inside else value.partition(';')[0]}"


def machine() -> str:
    """One paragraph on where the figures come from."""
    libraries = ", ".join(f"{name} {_version(name)}" for name in LIBRARIES)
    information = Path("/proc/cpuinfo")
    model = re.search(r"model name\s*:\s*(.+)", information.read_text() if information.exists() else "")
    processor = model.group(1).strip() if model else platform.processor() or "unknown processor"
    gigabytes = round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9)
    return (
        f"Machine: {processor}, {os.cpu_count()} cores, {gigabytes} GB, "
        f"{platform.system()} {platform.release().split('-')[0]} {platform.machine()}. "
        f"Evenhand {__version__}, Python {platform.python_version()}, {libraries}."
    )


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m evenhand_lab.benchmarks.measurements", description=__doc__)
    parser.add_argument("name", choices=sorted([*MODULES, *REPRODUCTIONS]))
    parser.add_argument("--data", type=Path)
    parser.add_argument("--n", type=int)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--into", type=Path, default=Path("docs/measurements.md"))
    options = vars(parser.parse_args(arguments))
    name, path = options.pop("name"), options.pop("into")
    given = {option: value for option, value in options.items() if value is not None}
    module = REPRODUCTIONS[name] if name in REPRODUCTIONS else import_module(MODULES[name])
    result = module.run(**given)
    # The folder's place on this machine says nothing to a reader and may tell too much.
    shown = {key: value.name if isinstance(value, Path) else value for key, value in given.items() if key != "work"}
    words = [f"--{option} {value}" for option, value in shown.items()]
    verb = "reproduce" if name in REPRODUCTIONS else "bench"
    record(name, result, command=" ".join(["evenhand", verb, name, *words]), path=path)
    Console().print(result.table())


if __name__ == "__main__":
    main(sys.argv[1:])
