"""universities.txt: names of universities and colleges in Latin letters from the domains of JetBrains/swot."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from evenhand.mining.lexicon.phrases import key_of

_HIGHER = re.compile(
    r"universit|univerz|uniwersytet|university|univ\b|college|institut|istituto|polytechni|politecni|politechni|"
    r"académie|hochschule|école|ecole|escola superior|escuela superior|faculdade|facultad|school of|business school|"
    r"medical school|law school|conservator|seminary|vidyapeeth|vishwavidyalaya|academy of",
    re.IGNORECASE,
)
_SCHOOL = re.compile(
    r"high school|secondary|elementary|primary|middle school|schools|gymnasium|lyceum|liceum|liceo|lycée|lycee|"
    r"kindergarten|grammar|sixth form|district|academy trust|escola secund|colegio|collège|college prep|junior high|"
    r"\bisd\b|\bk-?12\b|montessori|preparatory|vocational school|skole|skola|prep school|day school|boys|girls|convent|"
    r"department|google|students|alumni|staff|faculty|website|https?:|@|secondaria|istituto comprensivo|"
    r"instituto de educación|campus of",
    re.IGNORECASE,
)
_LATIN = re.compile(r"[A-Za-zÀ-ɏ0-9 .,'’&()/–-]+")
_NOTE = re.compile(r"\s*\([^)]*\)\s*")


def universities(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    table = next(node.value for node in tree.body if isinstance(node, ast.AnnAssign))
    domains: dict[str, list[str]] = ast.literal_eval(table) if table else {}
    names = {_clean(name) for given in domains.values() for name in given}
    return sorted({key_of(name) for name in names if _is_higher(name)})


def _clean(name: str) -> str:
    return " ".join(_NOTE.sub(" ", name).replace("’", "'").split()).strip(" ,.-")


def _is_higher(name: str) -> bool:
    words = name.split()
    return (
        2 <= len(words) <= 9
        and len(name) <= 75
        and _LATIN.fullmatch(name) is not None
        and _HIGHER.search(name) is not None
        and not _SCHOOL.search(name)
    )
