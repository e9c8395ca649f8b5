"""Words parted at a line's end, made whole again on the line where they begin."""

from __future__ import annotations

import re

from evenhand.documents.draft import NEXT_LINE, DraftLine

HYPHENS = ("-", "\u00ad", "\u2010")
HYPHENATED = re.compile(r"([^\W\d_]+)[-\u00ad\u2010]$")
FIRST_WORD = re.compile(r"([^\W\d_]+)(?=\W|$)\S*")
# Programs that part words to fill their lines. What others leave at a line's end is a hyphen that was typed.
TYPESETTERS = re.compile(r"tex|indesign|scribus|groff|troff|typst|quark|fop|prince|weasyprint", re.I)


def mend_hyphens(lines: list[DraftLine], made_by: str) -> list[DraftLine]:
    """Move the rest of a parted word up, with its hyphen or without, as the rest of the text has it."""
    parted = [place for place in range(len(lines) - 1) if is_parted(lines[place], lines[place + 1])]
    if not parted:
        return lines
    known = set(re.findall(r"[\w-]+", " ".join(line.text for line in lines).casefold()))
    parts_words = TYPESETTERS.search(made_by) is not None
    for place in parted:
        join(lines[place], lines[place + 1], known, parts_words)
    return [line for line in lines if line.text]


def is_parted(line: DraftLine, following: DraftLine) -> bool:
    if line.text[-1:] not in HYPHENS or following.joint != NEXT_LINE:
        return False
    if following.table != line.table or following.list:
        return False
    return bool(HYPHENATED.search(line.text)) and following.text[:1].islower()


def join(line: DraftLine, following: DraftLine, known: set[str], parts_words: bool) -> None:
    end, start = HYPHENATED.search(line.text), FIRST_WORD.match(following.text)
    if end is None or start is None:  # the line was used up by the one before
        return
    whole = (end[1] + start[1]).casefold()
    typed = f"{end[1]}-{start[1]}".casefold()
    drop = line.text.endswith("\u00ad") or whole in known or (parts_words and typed not in known)
    for changed in (line, following):
        changed.raw = changed.raw or changed.text
    line.text = line.text[:-1] + ("" if drop else "-") + start[0]
    following.text = following.text[start.end() :].lstrip()
