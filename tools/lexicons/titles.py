"""titles.txt: job titles of the find-job-titles package that people write, and own ones."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

from evenhand.mining.lexicon.phrases import blocks, key_of, words

_PLAIN = re.compile(r"[a-z0-9&/.+# -]+")
# Trades of the last century that the source lists by the hundred, one machine each.
_OBSOLETE = re.compile(
    r"\b(tender|helper|puller|feeder|doffer|winder|setter|stamper|trimmer|dipper|sorter)$|machine operator$"
)
_OPENINGS = (
    "head of ",
    "director of ",
    "vice president of ",
    "vp of ",
    "vice president ",
    "chief of ",
    "dean of ",
    "manager of ",
)


def titles(path: Path) -> list[str]:
    found = {_clean(line) for line in gzip.decompress(path.read_bytes()).decode("utf-8").split("\n")}
    kept = {title for title in found if _is_written(title)}
    own = {key_of(form) for kind, forms in blocks("title_names.txt") for form in forms}
    return sorted({key_of(title) for title in kept} | own)


def _clean(line: str) -> str:
    return " ".join(re.sub(r"\([^)]*\)", " ", line).lower().split())


def _is_written(title: str) -> bool:
    length = len(title.split())
    if not 2 <= length <= 4 or not _PLAIN.fullmatch(title) or _OBSOLETE.search(title):
        return False
    return title.rsplit(" ", 1)[-1] in words("title head") or title.startswith(_OPENINGS)
