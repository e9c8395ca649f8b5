"""What a drawn SVG shows, measured with the numbers at its own axes and not with the figures it was drawn from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from lxml import etree

SVG = {"s": "http://www.w3.org/2000/svg"}


class Drawn:
    """One panel; places are in the panel's pixels."""

    def __init__(self, svg: str, *, panel: int = 0) -> None:
        root: Any = etree.fromstring(svg.encode())
        axes = root.xpath("//s:g[contains(@class,'role-axis') and @aria-roledescription='axis']", namespaces=SVG)
        self.root = root
        own = [axis for axis in axes if axis.get("aria-label").startswith("X-axis")][panel]
        self.panel = own.getparent()
        self.x = _ruler(own, 0)
        up = [axis for axis in axes if axis.get("aria-label").startswith("Y-axis")][panel]
        self.y = _ruler(up, 1)
        self.titles = tuple(re.findall("titled '(.*?)'", axis.get("aria-label"))[0] for axis in (own, up))

    def marks(self, kind: str) -> list[Any]:
        """Of the panel: "point", "rule mark", "text mark"."""
        return list(self.panel.xpath(f".//s:*[@aria-roledescription='{kind}']", namespaces=SVG))

    def at(self, mark: Any) -> tuple[float, float]:
        """What the axes say where a mark stands."""
        x, y = place(mark)
        return between(self.x, x), between(self.y, y)

    def texts(self) -> list[str]:
        return ["".join(mark.itertext()) for mark in self.marks("text mark")]

    def nearest_text(self, mark: Any) -> str:
        x, y = place(mark)
        labels = self.marks("text mark")
        found = min(labels, key=lambda label: (place(label)[0] - x) ** 2 + (place(label)[1] - y) ** 2)
        return "".join(found.itertext())

    def dashed(self) -> list[Any]:
        return [mark for mark in self.marks("rule mark") if mark.get("stroke-dasharray") == "6,4"]


def place(mark: Any) -> tuple[float, float]:
    found = re.match(r"translate\(([-\d.e]+),([-\d.e]+)\)", mark.get("transform"))
    assert found
    return float(found[1]), float(found[2])


def _ruler(axis: Any, side: int) -> list[tuple[float, float]]:
    """Pixels of the ticks and the numbers beside them."""
    labels = axis.xpath(".//s:g[contains(@class,'role-axis-label')]/s:text", namespaces=SVG)
    ticks = axis.xpath(".//s:g[contains(@class,'role-axis-tick')]/s:line", namespaces=SVG)
    numbers = [float("".join(label.itertext()).replace(",", "").replace("%", "")) for label in labels]
    moved = place(labels[0])[side] - place(ticks[0])[side]
    return sorted((place(label)[side] - moved, number) for label, number in zip(labels, numbers, strict=True))


def between(ruler: Sequence[tuple[float, float]], pixel: float) -> float:
    """By the two outermost numbers of a linear axis."""
    (first, low), (last, high) = ruler[0], ruler[-1]
    return low + (pixel - first) * (high - low) / (last - first)
