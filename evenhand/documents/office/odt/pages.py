"""Master pages of OpenDocument: paper, margins, page colour, headers and footers."""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.documents.office.odt.names import points, q
from evenhand.documents.office.odt.styles import NO_FILL, fill_color
from evenhand.documents.office.paint import PAPER, Backdrop
from evenhand.documents.office.xml import Element

USUAL = "Standard"
A4 = (595.0, 842.0)
HEADERS = ("style:header-first", "style:header", "style:header-left")
FOOTERS = ("style:footer-first", "style:footer", "style:footer-left")


@dataclass(frozen=True, slots=True)
class Page:
    width: float = A4[0]
    height: float = A4[1]
    left: float = 57.0
    right: float = 57.0
    top: float = 57.0
    backdrop: Backdrop = PAPER

    @property
    def area(self) -> float:
        return self.width * self.height

    @property
    def text_width(self) -> float:
        return max(self.width - self.left - self.right, 1.0)


class Masters:
    """Master pages by name, and the layouts they point at."""

    def __init__(self, root: Element | None) -> None:
        self._layouts: dict[str, Element] = {}
        self._masters: dict[str, Element] = {}
        for layout in root.iter(q("style:page-layout")) if root is not None else ():
            self._layouts[layout.get(q("style:name")) or ""] = layout
        for master in root.iter(q("style:master-page")) if root is not None else ():
            self._masters[master.get(q("style:name")) or ""] = master

    def usual(self) -> str:
        return USUAL if USUAL in self._masters else next(iter(self._masters), USUAL)

    def page(self, name: str) -> Page:
        master = self._masters.get(name)
        layout = (
            self._layouts.get(master.get(q("style:page-layout-name")) or "") if master is not None else None
        )
        properties = layout.find(q("style:page-layout-properties")) if layout is not None else None
        if properties is None:
            return Page()
        get = properties.get
        margin = points(get(q("fo:margin")))
        return Page(
            points(get(q("fo:page-width"))) or A4[0],
            points(get(q("fo:page-height"))) or A4[1],
            _first(points(get(q("fo:margin-left"))), margin),
            _first(points(get(q("fo:margin-right"))), margin),
            _first(points(get(q("fo:margin-top"))), margin),
            _page_color(properties),
        )

    def furniture(self, names: list[str], kinds: tuple[str, ...]) -> list[Element]:
        """Headers or footers of the used master pages and of those that follow them."""
        found: list[Element] = []
        for name in self._with_next(names):
            for kind in kinds:
                element = self._masters[name].find(q(kind))
                if element is not None and element.get(q("style:display")) != "false":
                    found.append(element)
        return found

    def _with_next(self, names: list[str]) -> list[str]:
        reached: dict[str, None] = {}
        for first in dict.fromkeys(names):
            name = first
            while name in self._masters and name not in reached:
                reached[name] = None
                name = self._masters[name].get(q("style:next-style-name")) or name
        return list(reached)


def _first(stated: float | None, usual: float | None) -> float:
    if stated is not None:
        return stated
    return usual if usual is not None else 57.0


def _page_color(properties: Element) -> Backdrop:
    if properties.find(q("style:background-image")) is not None and len(
        properties.find(q("style:background-image")).attrib  # type: ignore[union-attr]
    ):
        return None
    if properties.get(q("draw:fill")) in ("bitmap", "gradient", "hatch"):
        return None
    color = fill_color(properties.get(q("fo:background-color")))
    return (color,) if color is not None and color != NO_FILL else PAPER
