"""The terms of a job title that tell the kind of work: short forms written out, words of rank left out."""

from __future__ import annotations

import re

from evenhand.search.analysis import terms

_SHORT_FORMS = {
    "acct": "accountant",
    "admin": "administrator",
    "asst": "assistant",
    "coord": "coordinator",
    "dba": "database administrator",
    "dev": "developer",
    "dir": "director",
    "exec": "executive",
    "hr": "human resources",
    "lpn": "licensed practical nurse",
    "mgr": "manager",
    "mktg": "marketing",
    "ops": "operations",
    "pm": "project manager",
    "pr": "public relations",
    "qa": "quality assurance",
    "rep": "representative",
    "rn": "registered nurse",
    "supv": "supervisor",
    "sysadmin": "systems administrator",
    "vp": "vice president",
}
_RANKS = frozenset(terms("senior sr junior jr lead principal staff entry level i ii iii iv full part time"))
_WORD = re.compile(r"[^\W\d_]+")


def title_terms(title: str) -> list[str]:
    """Each once, in order. A title of nothing but rank keeps its terms."""
    found = list(dict.fromkeys(terms(_WORD.sub(_written_out, title))))
    return [term for term in found if term not in _RANKS] or found


def _written_out(word: re.Match[str]) -> str:
    # "it" is a stop word everywhere else.
    return "information technology" if word[0] == "IT" else _SHORT_FORMS.get(word[0].lower(), word[0])
