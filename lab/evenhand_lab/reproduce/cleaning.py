"""Biographies made ready for a model: no addresses, no needless dots, cut at the end of a sentence."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

from evenhand_lab.corpora import lexicon

LIMIT_TOKENS = 512
CountTokens = Callable[[str], int]


def drop_addresses(text: str) -> str:
    """E-mail addresses and URLs go, with the brackets and the blank that they leave behind."""
    without = _URL.sub(lambda url: tail[0] if (tail := _URL_TAIL.search(url[0])) else "", _EMAIL.sub("", text))
    if without == text:
        return text
    return _BEFORE_STOP.sub("", _GAP.sub(" ", _EMPTY_BRACKETS.sub("", without))).strip(" \t")


def drop_needless_dots(text: str) -> str:
    """Dr. becomes Dr and Ph.D. PhD, so that a dot ends a sentence. Where one does both, it stays."""

    def undotted(acronym: re.Match[str]) -> str:
        follower = _NEXT.match(acronym.string, acronym.end())
        starts = follower is not None and follower[2].lower() in _STARTERS
        plain = re.sub(r"[.\s]", "", acronym[0])
        return plain + ("." if starts or _ends_text(acronym.string, acronym.end()) else "")

    text = _ACRONYM.sub(undotted, text)
    text = _TITLE_DOT.sub(lambda match: match[1] + ("." if _ends_text(text, match.end()) else ""), text)
    return _INITIAL.sub(r"\1", text)


_EMAIL = re.compile(r"(?:mailto:)?[\w.+'-]+@[\w-]+(?:\.[\w-]+)+", re.IGNORECASE)
_BARE_URL = r"(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|info|io|co|ca|us|uk|de|fr|au|in|me|tv|biz)/"
_URL = re.compile(rf"(?:\b(?:https?|ftp)://|\bwww\.|\b{_BARE_URL})[^\s<>\"“”()\[\]]*", re.IGNORECASE)
_URL_TAIL = re.compile(r"[.,;:!?'’]+\Z")  # ends the sentence, not the address
_EMPTY_BRACKETS = re.compile(r"\(\s*\)|\[\s*\]|<\s*>")
_GAP = re.compile(r"[ \t]{2,}")
_BEFORE_STOP = re.compile(r"[ \t]+(?=[.,;:!?]+(?:\s|\Z))")

_WORDS = lexicon.table("sentences.toml")
_TITLE_DOT = re.compile(rf"\b({'|'.join(_WORDS['titles'])})\.", re.IGNORECASE)
_ACRONYM = re.compile(r"(?<![\w.])(?:[A-Za-z]\.(?:[A-Za-z]\.)+|(?:Ph|Ed|Psy|Pharm)\.\s?D\.|[A-Z]{2,5}\.(?=,))")
_INITIAL = re.compile(r"\b([A-Z])\.(?=\s+(?:[A-Z]\.|[A-Z][a-z]))")
_STARTERS = frozenset(_WORDS["starters"])
_NEXT = re.compile(r"\s+([\"“(]?)([A-Z][\w'’]*)")
_REPEATED = re.compile(r"[?!.](?:[ ]?[?!.])+")
_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s|\Z)")


def clean(text: str, *, count_tokens: CountTokens | None = None, limit_tokens: int = LIMIT_TOKENS) -> str:
    """All steps in order; without a way to count tokens nothing is cut."""
    cleaned = drop_needless_dots(drop_addresses(text))
    # "!!" becomes "!", "..." ".", and "?!?!" "?!".
    cleaned = _REPEATED.sub(lambda run: "".join(dict.fromkeys(run[0].replace(" ", ""))), cleaned).strip()
    return cleaned if count_tokens is None else cut_at_sentence(cleaned, count_tokens, limit_tokens=limit_tokens)


def _ends_text(text: str, place: int) -> bool:
    return not text[place:].strip(" \t\"”’')") or text[place : place + 1] == "\n"


def cut_at_sentence(text: str, count_tokens: CountTokens, *, limit_tokens: int = LIMIT_TOKENS) -> str:
    """As many whole sentences from the beginning as fit; of a first one that is too long, as many words as fit."""
    if limit_tokens < 1:
        raise ValueError("limit_tokens must be 1 or more.")
    if count_tokens(text) <= limit_tokens:
        return text
    for pattern in (_SENTENCE_END, re.compile(r"\S(?=\s|\Z)")):
        ends = [match.end() for match in pattern.finditer(text)]
        # By halving: a longer beginning never has fewer tokens, and tokenizers are slow.
        if number := bisect_right(ends, limit_tokens, key=lambda end: count_tokens(text[:end])):
            return text[: ends[number - 1]]
    return ""
