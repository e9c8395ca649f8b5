"""The style sheet: what each style means once its ancestors and the document defaults are counted in."""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.documents.office.docx.formats import (
    EMPTY_PARAGRAPH,
    EMPTY_RUN,
    ParagraphFormat,
    RunFormat,
    over,
    read_paragraph,
    read_run,
)
from evenhand.documents.office.docx.names import value, w
from evenhand.documents.office.docx.theme import Theme
from evenhand.documents.office.xml import Element

MAX_ANCESTORS = 30
DEFAULT_SIZE = 10.0  # points, where a file sets none
HEADING_NAMES = (
    "heading",
    "title",
    "überschrift",
    "titre",
    "título",
    "titolo",
    "rubrik",
    "kop ",
    "заголовок",
)


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    format: ParagraphFormat
    run: RunFormat
    heading: bool = False


class StyleSheet:
    """Resolves styles by id; unknown ids mean the default style, as in Word."""

    def __init__(self, root: Element | None, theme: Theme) -> None:
        self._theme = theme
        self._elements: dict[tuple[str, str], Element] = {}
        self._default: dict[str, str] = {}
        self._paragraphs: dict[str | None, ParagraphStyle] = {}
        self._runs: dict[str | None, RunFormat] = {}
        for style in root.iter(w("style")) if root is not None else ():
            kind, identifier = style.get(w("type")) or "paragraph", style.get(w("styleId"))
            if identifier is None:
                continue
            self._elements.setdefault((kind, identifier), style)
            if (style.get(w("default")) or "0").lower() in ("1", "true", "on"):
                self._default.setdefault(kind, identifier)
        self.base_run, self.base_paragraph = self._defaults(root)

    def _defaults(self, root: Element | None) -> tuple[RunFormat, ParagraphFormat]:
        defaults = root.find(w("docDefaults")) if root is not None else None
        run = paragraph = None
        if defaults is not None:
            run = defaults.find(f"{w('rPrDefault')}/{w('rPr')}")
            paragraph = defaults.find(f"{w('pPrDefault')}/{w('pPr')}")
        sized = over(read_run(run, self._theme), RunFormat(size=DEFAULT_SIZE))
        return sized, read_paragraph(paragraph, self._theme)

    def paragraph(self, identifier: str | None) -> ParagraphStyle:
        if identifier not in self._paragraphs:
            self._paragraphs[identifier] = self._resolve_paragraph(identifier)
        return self._paragraphs[identifier]

    def _resolve_paragraph(self, identifier: str | None) -> ParagraphStyle:
        known = ("paragraph", identifier or "") in self._elements
        name = identifier if known else self._default.get("paragraph")
        paragraph, run, heading = EMPTY_PARAGRAPH, EMPTY_RUN, False
        for element in self._chain("paragraph", name):
            paragraph = over(paragraph, read_paragraph(element.find(w("pPr")), self._theme))
            run = over(run, read_run(element.find(w("rPr")), self._theme))
            label = (value(element, w("name")) or "").lower()
            heading = heading or label.startswith(HEADING_NAMES)
        # The style's own name says which list level is linked to it; ancestors only lend their properties.
        return ParagraphStyle(paragraph._replace(style=name), run, heading)

    def run(self, identifier: str | None) -> RunFormat:
        if identifier not in self._runs:
            run = EMPTY_RUN
            for element in self._chain("character", identifier):
                run = over(run, read_run(element.find(w("rPr")), self._theme))
            self._runs[identifier] = run
        return self._runs[identifier]

    def table_chain(self, identifier: str | None) -> list[Element]:
        """Table style elements from the named one to its oldest ancestor."""
        known = ("table", identifier or "") in self._elements
        return self._chain("table", identifier if known else self._default.get("table"))

    def list_style(self, identifier: str | None) -> str | None:
        """The numbering a list style points at."""
        for element in self._chain("numbering", identifier):
            found = value(element.find(f"{w('pPr')}/{w('numPr')}"), w("numId"))
            if found is not None:
                return found
        return None

    def _chain(self, kind: str, identifier: str | None) -> list[Element]:
        chain: list[Element] = []
        while identifier is not None and len(chain) < MAX_ANCESTORS:
            element = self._elements.get((kind, identifier))
            if element is None or element in chain:
                break
            chain.append(element)
            identifier = value(element, w("basedOn"))
        return chain


def combine(character: RunFormat, paragraph: RunFormat) -> RunFormat:
    """Character style over paragraph style; a switch that both turn on is off, as in Word."""
    if character is EMPTY_RUN:
        return paragraph
    merged = over(character, paragraph)
    return merged._replace(
        bold=_toggled(character.bold, paragraph.bold),
        italic=_toggled(character.italic, paragraph.italic),
        vanish=_toggled(character.vanish, paragraph.vanish),
    )


def _toggled(upper: bool | None, lower: bool | None) -> bool | None:
    if upper is None:
        return lower
    return upper != bool(lower) if upper else bool(lower)
