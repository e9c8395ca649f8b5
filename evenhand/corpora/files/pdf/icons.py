"""Small drawn pictures beside contact data."""

from __future__ import annotations

from evenhand.corpora.files.pdf.pieces import Box, Dot, Rule, Shape

ICON_WIDTH = 15.0
SIZE = 8.0


def icon_for(label: str | None, color: str, line_height: float) -> tuple[Shape, ...]:
    """An envelope, a telephone, a chain, or the pin of a map, centred on its line."""
    top = (line_height - SIZE) / 2
    match label:
        case "email":
            return envelope(top, color)
        case "phone":
            return telephone(top, color)
        case "link" | "url":
            return chain(top, color)
    return pin(top, color)


def envelope(top: float, color: str) -> tuple[Shape, ...]:
    return (
        Box(0, top + 1, SIZE + 1, SIZE - 2, stroke=color, thickness=0.8),
        Rule(0, top + 1, (SIZE + 1) / 2, top + 4.4, color, 0.8),
        Rule((SIZE + 1) / 2, top + 4.4, SIZE + 1, top + 1, color, 0.8),
    )


def telephone(top: float, color: str) -> tuple[Shape, ...]:
    return (
        Box(2, top - 0.5, SIZE - 3, SIZE + 1, stroke=color, thickness=0.9, radius=1.2),
        Dot(2 + (SIZE - 3) / 2, top + SIZE - 1.4, 0.6, fill=color),
    )


def chain(top: float, color: str) -> tuple[Shape, ...]:
    return (
        Dot(2.6, top + SIZE / 2, 2.3, stroke=color),
        Dot(6.4, top + SIZE / 2, 2.3, stroke=color),
    )


def pin(top: float, color: str) -> tuple[Shape, ...]:
    return (
        Dot(4.5, top + 3, 2.6, stroke=color),
        Dot(4.5, top + 3, 0.9, fill=color),
        Rule(4.5, top + 5.6, 4.5, top + SIZE + 0.4, color, 1.1),
    )
