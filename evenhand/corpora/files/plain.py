"""Manuscript to a text file in a charset of the time and place it comes from."""

from __future__ import annotations

from random import Random

from evenhand.corpora.manuscript import Manuscript, to_plain

CHARSETS = {"utf-8": 80, "cp1252": 13, "latin-1": 7}


def choose_charset(manuscript: Manuscript, rng: Random) -> str:
    """Mostly UTF-8; an older charset only where it can write every character."""
    text = to_plain(manuscript).text
    charset = rng.choices(list(CHARSETS), list(CHARSETS.values()))[0]
    try:
        text.encode(charset)
    except UnicodeEncodeError:
        return "utf-8"
    return charset


def write_txt(manuscript: Manuscript, charset: str) -> bytes:
    """The plain text that truth refers to; Windows' charset comes with Windows' line ends."""
    text = to_plain(manuscript).text
    return (text.replace("\n", "\r\n") if charset == "cp1252" else text).encode(charset)
