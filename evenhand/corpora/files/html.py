"""Manuscript to a web page: one column, or a grid with a bar at the side."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from evenhand.corpora.files.looks import Paragraph, Part, beside_and_main, parts_of
from evenhand.corpora.files.secrets import Secret
from evenhand.corpora.manuscript import Manuscript, Run, Table, Words

HTML_LOOKS = ("page", "grid")
COMMON = """
table { border-collapse: collapse; width: 100%; margin: .4em 0; }
td, th { border: 1px solid #999; padding: .25em .5em; text-align: left; vertical-align: top; }
h1 { margin: 0; } h2 { font-size: 1.15em; margin: 1.2em 0 .4em; } h3 { font-size: 1em; margin: .8em 0 .1em; }
p { margin: .2em 0; } ul { margin: .3em 0; padding-left: 1.3em; } .place { font-style: italic; }
.when { float: right; font-weight: normal; color: #666; } .tagline { color: #666; font-size: 1.1em; }
"""
CSS = {
    "page": """
body { font: 15px/1.45 Georgia, serif; max-width: 46em; margin: 2em auto; color: #222; }
h2 { border-bottom: 1px solid #222; text-transform: uppercase; letter-spacing: .04em; }
""",
    "grid": """
body { font: 14px/1.5 "Segoe UI", Arial, sans-serif; margin: 0; color: #263238; }
main { display: grid; grid-template-columns: 1fr 16em; gap: 2em; max-width: 62em; margin: 0 auto; }
header { background: #eceff1; padding: 1.5em 2em; } h1, h2 { color: #00695c; }
""",
}
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
    hidden = f'<div style="{WAYS[secret.how]}">{escape(secret.text)}</div>\n' if secret else ""
    if look == "grid":
        small, main = beside_and_main(manuscript)
        inner = (
            f"<header>\n{blocks(parts_of([head]))}</header>\n<main>\n<div>\n{blocks(parts_of(main))}</div>\n"
            f"<aside>\n{blocks(parts_of(small))}</aside>\n</main>\n"
        )
    else:
        inner = blocks(parts_of([head, *rest]))
    names = [part for part in parts_of([head]) if isinstance(part, Paragraph) and part.kind == "name"]
    title = escape("".join(run.text for part in names for run in part.words))
    page = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n<style>{COMMON}{CSS[look]}</style>\n</head>\n<body>\n{inner}{hidden}</body>\n</html>\n"
    )
    return page.encode("utf-8")


def blocks(parts: Iterable[Part]) -> str:
    lines: list[str] = []
    is_open = False
    for part in parts:
        is_item = isinstance(part, Paragraph) and part.kind == "item"
        if is_item != is_open:
            lines.append("<ul>" if is_item else "</ul>")
            is_open = is_item
        lines.append(table(part) if isinstance(part, Table) else paragraph(part))
    if is_open:
        lines.append("</ul>")
    return "".join(f"{line}\n" for line in lines)


def paragraph(part: Paragraph) -> str:
    aside = f' <span class="when">{words_html(part.aside)}</span>' if part.aside else ""
    return TAGS[part.kind].format(words_html(part.words) + aside)


def words_html(words: Words) -> str:
    return "".join(run_html(run) for run in words)


def run_html(run: Run) -> str:
    text = escape(run.text, quote=False)
    text = f"<em>{text}</em>" if run.italic else text
    return f"<strong>{text}</strong>" if run.bold else text


def table(table: Table) -> str:
    rows = []
    for index, row in enumerate(table.rows):
        tag = "th" if table.has_header and not index else "td"
        rows.append("<tr>" + "".join(f"<{tag}>{words_html(words)}</{tag}>" for words in row) + "</tr>")
    return "<table>\n" + "\n".join(rows) + "\n</table>"
