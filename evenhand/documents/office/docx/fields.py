"""Fields: their result is shown, their instruction is not; and some instructions are active content."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evenhand.documents.office import symbols
from evenhand.documents.office.docx.names import integer, value, w
from evenhand.documents.office.xml import Element

FIELD_CHARACTER = w("fldChar")
FETCHING = {
    "DDE": "dde",
    "DDEAUTO": "dde",
    "LINK": "link",
    "INCLUDETEXT": "link",
    "INCLUDEPICTURE": "link",
    "INCLUDE": "link",
}
QUOTED = re.compile(r'"([^"]*)"|(\S+)')
MAX_FIELDS = 1000


@dataclass(slots=True)
class Field:
    begin: Element
    instruction: str = ""
    showing: bool = False  # past the separator


class Fields:
    """Follows the begin, separate and end marks of one story; marks without their partners are ignored,
    or one stray mark would swallow the rest of the document."""

    def __init__(self, root: Element) -> None:
        self._paired = _paired_marks(root)
        self._open: list[Field] = []
        self._instructing = 0  # how many of the open fields have not reached their result
        self.kinds: set[str] = set()

    @property
    def muted(self) -> bool:
        """Inside an instruction, where nothing is shown."""
        return self._instructing > 0

    def instruct(self, text: str) -> None:
        if self._open:
            self._open[-1].instruction += text

    def mark(self, element: Element) -> str:
        """Takes one w:fldChar; gives the text of fields that draw themselves instead of storing a result."""
        if element not in self._paired:
            return ""
        kind = element.get(w("fldCharType"))
        if kind == "begin":
            self._open.append(Field(element))
            self._instructing += 1
        elif kind == "separate" and self._open:
            self._instructing -= not self._open[-1].showing
            self._open[-1].showing = True
            self.note(self._open[-1].instruction)
        elif kind == "end" and self._open:
            field = self._open.pop()
            if not field.showing:
                self._instructing -= 1
                self.note(field.instruction)
                return "" if self.muted else _drawn_result(field)
        return ""

    def note(self, instruction: str) -> None:
        words = instruction.split(None, 1)
        kind = FETCHING.get(words[0].upper()) if words else None
        if kind is not None:
            self.kinds.add(kind)


def _paired_marks(root: Element) -> set[Element]:
    paired: set[Element] = set()
    pending: list[list[Element]] = []
    for element in root.iter(FIELD_CHARACTER):
        kind = element.get(w("fldCharType"))
        if kind == "begin" and len(pending) < MAX_FIELDS:
            pending.append([element])
        elif kind == "separate" and pending and len(pending[-1]) == 1:
            pending[-1].append(element)
        elif kind == "end" and pending:
            paired.update(pending.pop(), [element])
    return paired


def _drawn_result(field: Field) -> str:
    words = [quoted or plain for quoted, plain in QUOTED.findall(field.instruction)]
    kind = words[0].upper() if words else ""
    if kind == "FORMCHECKBOX":
        box = field.begin.find(f"{w('ffData')}/{w('checkBox')}")
        state = value(box, w("checked")) if box is not None and box.find(w("checked")) is not None else None
        checked = (
            box is not None and box.find(w("checked")) is not None and state not in ("0", "false", "off")
        )
        return "☒" if checked else "☐"
    if kind == "FORMDROPDOWN":
        entries = [entry.get(w("val")) or "" for entry in field.begin.iter(w("listEntry"))]
        chosen = integer(value(field.begin.find(f"{w('ffData')}/{w('ddList')}"), w("result"))) or 0
        return entries[chosen] if 0 <= chosen < len(entries) else ""
    if kind == "MACROBUTTON":
        return " ".join(words[2:])
    if kind == "SYMBOL" and len(words) > 1:
        return _symbol(words)
    return ""


def _symbol(words: list[str]) -> str:
    try:
        code = int(words[1], 0)
    except ValueError:
        return ""
    font = next((words[at + 1] for at, word in enumerate(words[:-1]) if word == "\\f"), None)
    return symbols.drawn(chr(code), font) if 0 < code < 0xD800 else ""
