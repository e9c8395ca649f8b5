"""Small charts as SVG: lines and bars for two or more series, nothing that needs a library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 36, 48
COLOURS = ("#2563eb", "#d97706", "#059669", "#7c3aed", "#dc2626", "#475569")
TEXT = 'font-family="system-ui, sans-serif" font-size="12" fill="#334155"'


@dataclass(frozen=True, slots=True)
class Series:
    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Frame:
    """From values to places on the sheet."""

    most_x: float
    most_y: float

    def x(self, value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * min(1.0, value / self.most_x)

    def y(self, value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / self.most_y


def line_chart(title: str, series: Sequence[Series], *, x: str, y: str, percent: bool = False) -> str:
    """A line per series over a shared, linear pair of axes that begin at zero."""
    frame = Frame(
        max((px for item in series for px, _ in item.points), default=1) or 1,
        1.05 * max((py for item in series for _, py in item.points), default=1) or 1,
    )
    parts = [*_axes(frame, title, x, y, percent=percent)]
    for place, item in enumerate(series):
        colour = COLOURS[place % len(COLOURS)]
        path = " ".join(f"{frame.x(px):.1f},{frame.y(py):.1f}" for px, py in item.points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.extend(_legend(place, item.name, colour))
    return _sheet(parts)


def bar_chart(
    title: str, names: Sequence[str], series: Sequence[Series], *, y: str, percent: bool = False
) -> str:
    """Bars side by side, one group per name; the points of a series have the group's number as x."""
    most = 1.05 * max((py for item in series for _, py in item.points), default=1) or 1
    frame = Frame(len(names), most)
    parts = [*_axes(frame, title, "", y, percent=percent, ticks=False)]
    group = (WIDTH - LEFT - RIGHT) / len(names)
    thick = group * 0.8 / len(series)
    for place, item in enumerate(series):
        colour = COLOURS[place % len(COLOURS)]
        for px, py in item.points:
            left = LEFT + group * (px + 0.1) + thick * place
            parts.append(
                f'<rect x="{left:.1f}" y="{frame.y(py):.1f}" width="{thick:.1f}" '
                f'height="{HEIGHT - BOTTOM - frame.y(py):.1f}" fill="{colour}"/>'
            )
        parts.extend(_legend(place, item.name, colour))
    for place, name in enumerate(names):
        centre = LEFT + group * (place + 0.5)
        parts.append(
            f'<text x="{centre:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle" {TEXT}>{escape(name)}</text>'
        )
    return _sheet(parts)


def _axes(frame: Frame, title: str, x: str, y: str, *, percent: bool, ticks: bool = True) -> list[str]:
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    parts = [f'<text x="{LEFT}" y="18" {TEXT} font-weight="600">{escape(title)}</text>']
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        value = frame.most_y / 1.05 * share
        label = f"{100 * value:.3g}%" if percent else f"{value:,.0f}"
        height = frame.y(value)
        parts.append(f'<line x1="{LEFT}" x2="{right}" y1="{height:.1f}" y2="{height:.1f}" stroke="#e2e8f0"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{height + 4:.1f}" text-anchor="end" {TEXT}>{label}</text>')
        if ticks:
            place = frame.x(frame.most_x * share)
            name = f"{frame.most_x * share:,.0f}"
            parts.append(f'<text x="{place:.1f}" y="{bottom + 16}" text-anchor="middle" {TEXT}>{name}</text>')
    parts.append(
        f'<text x="{(LEFT + right) / 2:.0f}" y="{HEIGHT - 10}" text-anchor="middle" {TEXT}>{escape(x)}</text>'
    )
    parts.append(f'<text x="14" y="{TOP - 8}" {TEXT}>{escape(y)}</text>')
    return parts


def _legend(place: int, name: str, colour: str) -> list[str]:
    left, top = WIDTH - 200, TOP + 6 + 18 * place
    return [
        f'<rect x="{left}" y="{top - 9}" width="12" height="10" fill="{colour}"/>',
        f'<text x="{left + 18}" y="{top}" {TEXT}>{escape(name)}</text>',
    ]


def _sheet(parts: Sequence[str]) -> str:
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">'
    ground = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>'
    return "\n".join([head, ground, *parts, "</svg>", ""])
