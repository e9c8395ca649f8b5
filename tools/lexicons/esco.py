"""Knowledge concepts of ESCO that people would write in a resume; verb phrases and explanations stay out."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path

from lexicons.own import SOURCES, Entry

_NOTE = re.compile(r"\s*\([^)]*\)")
_PROSE = re.compile(
    r"\b(of|for|in|to|on|with|by|the|and|from|concerning|relating|related|about|regarding|associated|used|using|"
    r"types?|typology|typologies|varieties|range|kinds?|aspects?|elements|features|characteristics|properties|"
    r"parts|scope|fundamentals|concepts?|issues|matters|functionalities|common|specific|various|different|"
    r"specificities|nature|study|fields?|areas?|approaches|alternatives|possibilities|basics)\b"
)
_PLAIN = re.compile(r"[\w.+#/&' -]+")


def knowledge(path: Path) -> Iterator[Entry]:
    """Labels of at most four words, the preferred one first; alternatives only where they are not longer prose."""
    dropped = set((SOURCES / "esco_left_out.txt").read_text(encoding="utf-8").split("\n"))
    labels: dict[str, tuple[str, list[str]]] = defaultdict(lambda: ("", []))
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if "['K'," not in row["hierarchy_levels"]:
                continue
            preferred, others = labels[row["id"]]
            label = _NOTE.sub("", row["description"]).strip().lower()
            if row["type"] == "preferredLabel":
                preferred = label
            else:
                others = [*others, label]
            labels[row["id"]] = (preferred, others)
    for _, (preferred, others) in sorted(labels.items(), key=lambda item: item[1][0]):
        if _is_written(preferred) and preferred not in dropped:
            aliases = [label for label in others if _is_spelling(label, preferred)]
            yield Entry(preferred, "domain", aliases=sorted(set(aliases)))


def _is_written(label: str) -> bool:
    return (
        3 <= len(label) <= 40
        and len(label.split()) <= 4
        and _PLAIN.fullmatch(label) is not None
        and not _PROSE.search(label)
    )


def _is_spelling(label: str, preferred: str) -> bool:
    """ "modelling" beside "modeling": ESCO's alternatives are mostly loose paraphrases, so few are taken."""
    theirs, ours = label.split(), preferred.split()
    return (
        label != preferred
        and _is_written(label)
        and len(theirs) == len(ours)
        and all(SequenceMatcher(None, a, b).ratio() > 0.85 and a[0] == b[0] for a, b in zip(theirs, ours, strict=True))
    )
