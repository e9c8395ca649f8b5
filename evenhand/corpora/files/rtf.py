"""Manuscript to RTF."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evenhand.corpora.files.looks import Look, Paragraph, Part, column_edges, lined, parts_of
from evenhand.corpora.files.secrets import TINY_POINTS, Secret
from evenhand.corpora.manuscript import Manuscript, Run, Table, Words

TEXT_WIDTH = 9638
ACCENT, WHITE = 1, 2  # places in the colour table
SIGNED = 0x8000


def write_rtf(manuscript: Manuscript, look: Look, secret: Secret | None = None) -> bytes:
    head, *rest = manuscript.sections
    parts = [*lined(list(parts_of([head])), "comma"), *lined(list(parts_of(rest)), look.dates)]
    red, green, blue = (int(look.accent[index : index + 2], 16) for index in (0, 2, 4))
    start = (
        "{\\rtf1\\ansi\\ansicpg1252\\deff0\\uc1"
        f"{{\\fonttbl{{\\f0\\fswiss {look.font};}}}}"
        f"{{\\colortbl;\\red{red}\\green{green}\\blue{blue};\\red255\\green255\\blue255;\\red217\\green217\\blue217;}}"
        f"\\paperw11906\\paperh16838\\margl1134\\margr1134\\margt1134\\margb1134\\f0\\fs{round(look.size * 2)}\n"
    )
    footer = "{\\footer\\pard\\qc\\chpgn\\par}\n" if look.footer else ""
    hidden = secret_paragraph(secret) if secret else ""
    return (start + footer + blocks(parts, look) + hidden + "}\n").encode("ascii")


def blocks(parts: Iterable[Part], look: Look) -> str:
    return "".join(table(part, look) if isinstance(part, Table) else paragraph(part, look) for part in parts)


def paragraph(part: Paragraph, look: Look) -> str:
    before, run = manner(part.kind, look)
    words = words_rtf(part.words) + (f"\\tab {words_rtf(part.aside)}" if part.aside else "")
    if part.kind == "item":
        mark = escape(look.bullet)
        return f"\\pard\\fi-260\\li360\\sa20\\tx360\\tqr\\tx{TEXT_WIDTH}{{\\pntext {mark}\\tab}}" + (
            f"{{\\*\\pn\\pnlvlblt\\pnindent260{{\\pntxtb {mark}}}}}{words}\\par\n"
        )
    return f"\\pard{before}{{{run} {words}}}\\par\n"


def manner(kind: str, look: Look) -> tuple[str, str]:
    """Paragraph and character properties."""
    align = "\\qc" if look.centred else ""
    size = look.size * 2
    tab = f"\\tqr\\tx{TEXT_WIDTH}"
    rule = {"rule": "\\brdrb\\brdrs\\brdrw10\\brsp20", "shade": "\\cbpat3"}.get(look.heading, "")
    underline = "\\ul" if look.heading == "underline" else ""
    caps = "\\caps" if look.caps else ""
    return {
        "name": (f"{align}\\sa40", f"\\b\\cf{ACCENT}\\fs{round(size * 1.8)}"),
        "tagline": (f"{align}\\sa40", f"\\fs{round(size * 1.1)}"),
        "contact": (f"{align}\\sa40", f"\\fs{round(size * 0.95)}"),
        "heading": (
            f"\\keepn\\sb240\\sa80{rule}",
            f"\\b{caps}{underline}\\cf{ACCENT}\\fs{round(look.heading_size * 2)}",
        ),
        "title": (f"\\keepn\\sb120{tab}", "\\b"),
        "subtitle": (f"\\keepn{tab}", "\\i"),
    }.get(kind, (f"\\sa40{tab}", "\\plain\\f0" + f"\\fs{round(size)}"))


def words_rtf(words: Words) -> str:
    return "".join(run_rtf(run) for run in words)


def run_rtf(run: Run) -> str:
    look = ("\\b" if run.bold else "") + ("\\i" if run.italic else "")
    return f"{{{look} {escape(run.text)}}}" if look else escape(run.text)


def table(table: Table, look: Look) -> str:
    edges = column_edges(table, TEXT_WIDTH)
    rows = "".join(
        row_rtf(row, edges, bold=table.has_header and not index, grid=look.table == "grid")
        for index, row in enumerate(table.rows)
    )
    return f"{rows}\\pard\\par\n"


def row_rtf(row: Sequence[Words], edges_at: Sequence[int], *, bold: bool, grid: bool) -> str:
    sides = "tlbr" if grid else "b"
    edges = "".join(f"\\clbrdr{side}\\brdrs\\brdrw10" for side in sides)
    grid_marks = "".join(f"{edges}\\cellx{edge}" for edge in edges_at)
    weight = "\\b " if bold else ""
    cells = "".join(f"\\pard\\intbl{{{weight}{words_rtf(words)}}}\\cell" for words in row)
    return f"\\trowd\\trgaph80\\trkeep{grid_marks}\n{cells}\\row\n"


def escape(text: str) -> str:
    """Characters outside ASCII as their number, with a question mark for readers that do not know them."""
    parts = []
    for character in text:
        if character in "\\{}":
            parts.append("\\" + character)
        elif character == "\t":
            parts.append("\\tab ")
        elif ord(character) < 0x80:
            parts.append(character)
        else:
            units = character.encode("utf-16-le")
            for place in range(0, len(units), 2):
                unit = int.from_bytes(units[place : place + 2], "little")
                parts.append(f"\\u{unit - 2 * SIGNED if unit >= SIGNED else unit}?")
    return "".join(parts)


def secret_paragraph(secret: Secret) -> str:
    way = {"white": f"\\cf{WHITE}", "tiny": f"\\fs{round(TINY_POINTS * 2)}", "hidden_style": "\\v"}[
        secret.how
    ]
    return f"\\pard{{{way} {escape(secret.text)}}}\\par\n"
