"""Looks at pages with axe, in both schemes and widths, and at whether anything sticks out of a narrow window."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

WIDE, NARROW = 1400, 390
LARGE = (320, 640)  # a window of 1280 at four times the size, and at twice
RULES: dict[str, object] = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
COLOURS: dict[str, object] = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
LOOKS: tuple[tuple[int, Literal["light", "dark"], dict[str, object]], ...] = (
    (WIDE, "light", RULES),
    (WIDE, "dark", COLOURS),
    (NARROW, "dark", RULES),
)
"""All rules, but none where nothing that it looks at differs from a look before: schemes differ in colours only."""


def barriers(page: Page, options: dict[str, object]) -> list[str]:
    """What axe finds. It has to be in the page already."""
    run = """async (options) => {
        const result = await axe.run({ resultTypes: ["violations"], ...options });
        return result.violations.flatMap(rule => rule.nodes.slice(0, 3).map(node => [rule.id, node.html]));
    }"""
    return [f"{rule}: {html[:200]}" for rule, html in page.evaluate(run, options)]


@dataclass
class Tour:
    """What was found on a visit to every page."""

    barriers: dict[str, list[str]] = field(default_factory=dict)
    too_wide: dict[str, int] = field(default_factory=dict)

    def look(self, page: Page, name: str) -> None:
        page.evaluate(AXE_SCRIPT)
        for width, scheme, options in LOOKS:
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)
            if found := barriers(page, options):
                self.barriers[f"{name}, {width}, {scheme}"] = found
        for width in LARGE:
            page.set_viewport_size({"width": width, "height": 640})
            wide = int(page.evaluate("document.documentElement.scrollWidth"))
            if wide > width:
                self.too_wide[f"{name}, {width}"] = wide
