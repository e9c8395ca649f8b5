"""Manuscript to a web page: one column, or a grid with a bar at the side."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape as html_escape
from itertools import groupby
from random import Random

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.files.looks import (
    TINY_POINTS,
    FileLook,
    FileParagraph,
    Part,
    Secret,
    beside_and_main,
    column_edges,
    lined,
    parts_of,
)
from evenhand_lab.corpora.manuscript import Manuscript, ManuscriptTable, TextRun, Words, to_plain

HTML_LOOKS = ("page", "grid")
TAGS = {
    "name": "<h1>{}</h1>",
    "tagline": '<p class="tagline">{}</p>',
    "contact": "<p>{}</p>",
    "heading": "<h2>{}</h2>",
    "title": "<h3>{}</h3>",
    "subtitle": '<p class="place">{}</p>',
    "text": "<p>{}</p>",
    "item": "<li>{}</li>",
}
WAYS = {
    "white": "color: #fff",
    "tiny": "font-size: 1px",
    "hidden_style": "display: none",
    "off_page": "position: absolute; left: -9999px",
}


def write_html(manuscript: Manuscript, look: str, secret: Secret | None = None) -> bytes:
    head, *rest = manuscript.sections
    hidden = f'<div style="{WAYS[secret.how]}">{html_escape(secret.text)}</div>\n' if secret else ""
    if look == "grid":
        small, main = beside_and_main(manuscript)
        inner = (
            f"<header>\n{blocks(parts_of([head]))}</header>\n<main>\n<div>\n{blocks(parts_of(main))}</div>\n"
            f"<aside>\n{blocks(parts_of(small))}</aside>\n</main>\n"
        )
    else:
        inner = blocks(parts_of([head, *rest]))
    names = [part for part in parts_of([head]) if isinstance(part, FileParagraph) and part.kind == "name"]
    title = html_escape("".join(run.text for part in names for run in part.words))
    css = f"{lexicon.text('files/common.css')}\n{lexicon.text(f'files/{look}.css')}"
    page = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n<style>\n{css}</style>\n</head>\n<body>\n{inner}{hidden}</body>\n</html>\n"
    )
    return page.encode("utf-8")


def blocks(parts: Iterable[Part]) -> str:
    lines: list[str] = []
    for is_list, group in groupby(parts, lambda part: isinstance(part, FileParagraph) and part.kind == "item"):
        inner = [table(part) if isinstance(part, ManuscriptTable) else paragraph(part) for part in group]
        lines += ["<ul>", *inner, "</ul>"] if is_list else inner
    return "".join(f"{line}\n" for line in lines)


def paragraph(part: FileParagraph) -> str:
    aside = f' <span class="when">{words_html(part.aside)}</span>' if part.aside else ""
    return TAGS[part.kind].format(words_html(part.words) + aside)


def words_html(words: Words) -> str:
    def run_html(run: TextRun) -> str:
        text = html_escape(run.text, quote=False)
        text = f"<em>{text}</em>" if run.italic else text
        return f"<strong>{text}</strong>" if run.bold else text

    return "".join(map(run_html, words))


def table(table: ManuscriptTable) -> str:
    rows = []
    for index, row in enumerate(table.rows):
        tag = "th" if table.has_header and not index else "td"
        rows.append("<tr>" + "".join(f"<{tag}>{words_html(words)}</{tag}>" for words in row) + "</tr>")
    return "<table>\n" + "\n".join(rows) + "\n</table>"


# Manuscript to RTF.

TEXT_WIDTH = 9638
ACCENT, WHITE = 1, 2  # places in the colour table
SIGNED = 0x8000


def write_rtf(manuscript: Manuscript, look: FileLook, secret: Secret | None = None) -> bytes:
    head, *rest = manuscript.sections
    parts = [*lined([head], "comma"), *lined(rest, look.dates)]
    red, green, blue = (int(look.accent[index : index + 2], 16) for index in (0, 2, 4))
    start = (
        "{\\rtf1\\ansi\\ansicpg1252\\deff0\\uc1"
        f"{{\\fonttbl{{\\f0\\fswiss {look.font};}}}}"
        f"{{\\colortbl;\\red{red}\\green{green}\\blue{blue};\\red255\\green255\\blue255;\\red217\\green217\\blue217;}}"
        f"\\paperw11906\\paperh16838\\margl1134\\margr1134\\margt1134\\margb1134\\f0\\fs{round(look.size * 2)}\n"
    )
    footer = "{\\footer\\pard\\qc\\chpgn\\par}\n" if look.footer else ""
    hidden = secret_paragraph(secret) if secret else ""
    blocks = [
        rtf_table(part, look) if isinstance(part, ManuscriptTable) else rtf_paragraph(part, look) for part in parts
    ]
    return "".join([start, footer, *blocks, hidden, "}\n"]).encode("ascii")


def rtf_paragraph(part: FileParagraph, look: FileLook) -> str:
    before, run = manner(part.kind, look)
    words = words_rtf(part.words) + (f"\\tab {words_rtf(part.aside)}" if part.aside else "")
    if part.kind == "item":
        mark = escape(look.bullet)
        return f"\\pard\\fi-260\\li360\\sa20\\tx360\\tqr\\tx{TEXT_WIDTH}{{\\pntext {mark}\\tab}}" + (
            f"{{\\*\\pn\\pnlvlblt\\pnindent260{{\\pntxtb {mark}}}}}{words}\\par\n"
        )
    return f"\\pard{before}{{{run} {words}}}\\par\n"


def manner(kind: str, look: FileLook) -> tuple[str, str]:
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
    def run_rtf(run: TextRun) -> str:
        look = ("\\b" if run.bold else "") + ("\\i" if run.italic else "")
        return f"{{{look} {escape(run.text)}}}" if look else escape(run.text)

    return "".join(map(run_rtf, words))


def rtf_table(table: ManuscriptTable, look: FileLook) -> str:
    borders = "".join(f"\\clbrdr{side}\\brdrs\\brdrw10" for side in ("tlbr" if look.table == "grid" else "b"))
    grid = "".join(f"{borders}\\cellx{edge}" for edge in column_edges(table, TEXT_WIDTH))
    rows = []
    for index, row in enumerate(table.rows):
        weight = "\\b " if table.has_header and not index else ""
        cells = "".join(f"\\pard\\intbl{{{weight}{words_rtf(words)}}}\\cell" for words in row)
        rows.append(f"\\trowd\\trgaph80\\trkeep{grid}\n{cells}\\row\n")
    return f"{''.join(rows)}\\pard\\par\n"


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
    way = {"white": f"\\cf{WHITE}", "tiny": f"\\fs{round(TINY_POINTS * 2)}", "hidden_style": "\\v"}[secret.how]
    return f"\\pard{{{way} {escape(secret.text)}}}\\par\n"


# Manuscript to a text file in a charset of the time and place it comes from.

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
