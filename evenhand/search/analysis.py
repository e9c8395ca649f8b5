"""The one way text becomes terms, shared by the index, the query and the rankers."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from functools import lru_cache

from tantivy import Filter, Index, TextAnalyzerBuilder, Tokenizer

ANALYZER = "evenhand_terms_1"
"""The analyzer's name inside an index. It carries a version: terms made by another version must not be mixed."""

# A full stop stays inside the names that need it and in initials and numbers; elsewhere it ends a term, since
# resumes often lack the space after it ("...of sales.Managed a team").
_PATTERN = "|".join(
    (
        r"(?i)[\p{L}\p{N}]*\.(?:net|js|io)\b",  # .net, asp.net, node.js
        r"\p{L}(?:\.\p{L})+\b",  # u.s.a
        r"\p{L}#",  # c#
        r"\p{N}+(?:\.\p{N}+)+\b",  # 3.5
        r"[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:\+\+|['’]s\b)?",  # c++, and a genitive that the stemmer drops
    )
)
_MAX_TERM_BYTES = 64  # longer "words" are encoded data or lost spaces


@dataclass(frozen=True, slots=True)
class TermSpan:
    """A term and the half-open code point offsets of the word it came from. Stop words leave gaps in `position`."""

    term: str
    start: int
    end: int
    position: int


_ANALYZER = (
    TextAnalyzerBuilder(Tokenizer.regex(_PATTERN))
    .filter(Filter.remove_long(_MAX_TERM_BYTES))
    .filter(Filter.lowercase())
    .filter(Filter.ascii_fold())
    .filter(Filter.stopword("english"))
    .filter(Filter.stemmer("english"))
    .build()
)


def terms(text: str) -> list[str]:
    """The terms of a text in order, repeated as often as they occur."""
    return _ANALYZER.analyze(text)


def spans(text: str) -> list[TermSpan]:
    """The same terms with their places, for snippets and highlights."""
    return [
        TermSpan(token.text, token.char_offset_from, token.char_offset_to, token.position)
        for token in _ANALYZER.pre_tokenize(text).tokens
    ]


def register(index: Index) -> None:
    """Make the analyzer known to an index; fields use it as `tokenizer_name=ANALYZER`."""
    index.register_tokenizer(ANALYZER, _ANALYZER)


@lru_cache(maxsize=1 << 16)
def term_id(term: str) -> int:
    """A stable 32-bit number of a term.

    Two terms share a number by accident: a query term with some other term of a vocabulary of V terms with
    probability about V / 2^32, that is 1 in 4,300 for a million terms. No two terms of up to four bytes ever do.
    """
    return zlib.crc32(term.encode())


# The terms of a job title that tell the kind of work: short forms written out, words of rank left out.

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

    def written_out(word: re.Match[str]) -> str:
        # "it" is a stop word everywhere else.
        return "information technology" if word[0] == "IT" else _SHORT_FORMS.get(word[0].lower(), word[0])

    distinct = list(dict.fromkeys(terms(_WORD.sub(written_out, title))))
    return [term for term in distinct if term not in _RANKS] or distinct
