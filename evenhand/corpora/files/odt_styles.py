"""Styles, list and page of an ODT file."""

from __future__ import annotations

from evenhand.corpora.files.looks import Look
from evenhand.corpora.files.secrets import TINY_POINTS

XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
BASE = "urn:oasis:names:tc:opendocument:xmlns"
NAMESPACES = (
    f'xmlns:office="{BASE}:office:1.0" xmlns:text="{BASE}:text:1.0" xmlns:style="{BASE}:style:1.0" '
    f'xmlns:table="{BASE}:table:1.0" xmlns:fo="{BASE}:xsl-fo-compatible:1.0" xmlns:meta="{BASE}:meta:1.0" '
    f'xmlns:svg="{BASE}:svg-compatible:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"'
)
TAB = '<style:tab-stops><style:tab-stop style:position="17cm" style:type="right"/></style:tab-stops>'


def paragraph_style(name: str, paragraph: str = "", text: str = "", inner: str = "") -> str:
    return (
        f'<style:style style:name="{name}" style:family="paragraph" style:parent-style-name="Standard">'
        f"<style:paragraph-properties {paragraph}>{inner}</style:paragraph-properties>"
        f"<style:text-properties {text}/></style:style>"
    )


def automatic_styles(look: Look) -> str:
    """Paragraphs, words, cells, and the ways to hide."""
    border = "0.5pt solid #808080"
    edges = f'fo:border="{border}"' if look.table == "grid" else f'fo:border-bottom="{border}"'
    ways = {
        "white": 'fo:color="#ffffff"',
        "tiny": f'fo:font-size="{TINY_POINTS}pt"',
        "hidden_style": 'text:display="none"',
    }
    return "".join([
        paragraph_styles(look),
        *(
            f'<style:style style:name="T_{name}" style:family="text"><style:text-properties {value}/></style:style>'
            for name, value in (
                ("b", 'fo:font-weight="bold"'),
                ("i", 'fo:font-style="italic"'),
                ("bi", 'fo:font-weight="bold" fo:font-style="italic"'),
            )
        ),
        '<style:style style:name="Grid" style:family="table">'
        '<style:table-properties style:width="17cm" table:align="margins"/></style:style>',
        '<style:style style:name="Row" style:family="table-row">'
        '<style:table-row-properties fo:keep-together="always"/></style:style>',
        '<style:style style:name="Cell" style:family="table-cell">'
        f'<style:table-cell-properties {edges} fo:padding="0.08cm"/></style:style>',
        '<text:list-style style:name="Bullets"><text:list-level-style-bullet text:level="1" '
        f'text:bullet-char="{look.bullet}"><style:list-level-properties text:space-before="0.2cm" '
        'text:min-label-width="0.5cm"/></text:list-level-style-bullet></text:list-style>',
        *(paragraph_style(f"Secret_{way}", text=properties) for way, properties in ways.items()),
    ])  # fmt: skip


def paragraph_styles(look: Look) -> str:
    align = 'fo:text-align="center"' if look.centred else ""
    accent = f'fo:color="#{look.accent}"'
    return "".join([
        paragraph_style("R_name", align, f'{accent} fo:font-size="{look.size * 1.9:.1f}pt" fo:font-weight="bold"'),
        paragraph_style("R_tagline", align, f'fo:color="#555555" fo:font-size="{look.size * 1.1:.1f}pt"'),
        paragraph_style("R_contact", align),
        paragraph_style("R_title", 'fo:margin-top="0.2cm" fo:keep-with-next="always"', 'fo:font-weight="bold"', TAB),
        paragraph_style("R_subtitle", 'fo:keep-with-next="always"', 'fo:font-style="italic"', TAB),
        paragraph_style("R_text", inner=TAB),
        paragraph_style("R_item", inner=TAB),
        paragraph_style("R_cell"),
        paragraph_style("R_head", text='fo:font-weight="bold"'),
    ])  # fmt: skip


def styles_xml(look: Look, *, header: str) -> str:
    head = f"<style:header>{header}</style:header>" if header else ""
    foot = (
        '<style:footer><text:p text:style-name="Standard"><text:page-number text:select-page="current">1'
        "</text:page-number></text:p></style:footer>"
        if look.footer
        else ""
    )
    return (
        f'{XML}<office:document-styles {NAMESPACES} office:version="1.3"><office:styles>'
        '<style:style style:name="Standard" style:family="paragraph"><style:paragraph-properties '
        f'fo:margin-bottom="0.07cm"/><style:text-properties style:font-name="{look.font}" '
        f'fo:font-family="{look.font}" fo:font-size="{look.size}pt"/></style:style>{heading_style(look)}'
        "</office:styles><office:automatic-styles>"
        f'{paragraph_styles(look) if header else ""}<style:page-layout style:name="Page">'
        '<style:page-layout-properties fo:page-width="21cm" fo:page-height="29.7cm" fo:margin="2cm"/>'
        "</style:page-layout></office:automatic-styles><office:master-styles>"
        f'<style:master-page style:name="Standard" style:page-layout-name="Page">{head}{foot}</style:master-page>'
        "</office:master-styles></office:document-styles>"
    )


def heading_style(look: Look) -> str:
    manner = {
        "rule": f'fo:border-bottom="0.75pt solid #{look.accent}"',
        "shade": 'fo:background-color="#d9d9d9"',
    }.get(look.heading, "")
    underline = 'style:text-underline-style="solid"' if look.heading == "underline" else ""
    caps = 'fo:text-transform="uppercase"' if look.caps else ""
    return (
        '<style:style style:name="Heading_20_1" style:display-name="Heading 1" style:family="paragraph" '
        'style:parent-style-name="Standard" style:default-outline-level="1"><style:paragraph-properties '
        f'fo:margin-top="0.42cm" fo:margin-bottom="0.14cm" fo:keep-with-next="always" {manner}/>'
        f'<style:text-properties fo:color="#{look.accent}" fo:font-size="{look.heading_size}pt" '
        f'fo:font-weight="bold" {underline} {caps}/></style:style>'
    )
