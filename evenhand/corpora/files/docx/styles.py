"""Paragraph styles and the bullet list of a DOCX file."""

from __future__ import annotations

from evenhand.corpora.files.docx.package import XML
from evenhand.corpora.files.looks import Look

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
TEXT_WIDTH = 9638  # twentieths of a point: A4 less the margins
MARGIN = 1134


def styles_xml(look: Look) -> str:
    fonts = f'<w:rFonts w:ascii="{look.font}" w:hAnsi="{look.font}" w:cs="{look.font}"/>'
    align = '<w:jc w:val="center"/>' if look.centred else ""
    size = half_points(look.size)
    styles = [
        style("Normal", "Normal", '<w:spacing w:after="40" w:line="259" w:lineRule="auto"/>', "", default=True),
        style("Title", "Title", f'<w:spacing w:after="20"/>{align}', f'<w:b/>{color(look)}{sized(look.size * 1.9)}'),
        style("Subtitle", "Subtitle", align, f'<w:color w:val="555555"/>{sized(look.size * 1.1)}'),
        style("Contact", "Contact", align, sized(look.size * 0.96)),
        style("Heading1", "heading 1", heading_paragraph(look), heading_run(look)),
        style("EntryTitle", "Entry Title", f'<w:keepNext/>{tabs()}<w:spacing w:before="120" w:after="0"/>', "<w:b/>"),
        style("EntryPlace", "Entry Place", f"<w:keepNext/>{tabs()}", "<w:i/>"),
        style("ListBullet", "List Bullet", f'<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>{tabs()}'
              '<w:contextualSpacing/>', ""),
        style("TextLine", "Text Line", tabs(), ""),
    ]  # fmt: skip
    return (
        f'{XML}<w:styles xmlns:w="{WORD}"><w:docDefaults><w:rPrDefault><w:rPr>{fonts}'
        f'<w:sz w:val="{size}"/><w:lang w:val="en-US"/></w:rPr></w:rPrDefault></w:docDefaults>'
        f"{''.join(styles)}</w:styles>"
    )


def style(identity: str, name: str, paragraph: str, run: str, *, default: bool = False) -> str:
    based = "" if default else '<w:basedOn w:val="Normal"/>'
    mark = ' w:default="1"' if default else ""
    return (
        f'<w:style w:type="paragraph"{mark} w:styleId="{identity}"><w:name w:val="{name}"/>{based}'
        f"<w:pPr>{paragraph}</w:pPr><w:rPr>{run}</w:rPr></w:style>"
    )


def heading_paragraph(look: Look) -> str:
    border = f'<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="{look.accent}"/></w:pBdr>'
    shade = '<w:shd w:val="clear" w:color="auto" w:fill="D9D9D9"/>'
    middle = {"rule": border, "shade": shade}.get(look.heading, "")
    return f'<w:keepNext/>{middle}<w:spacing w:before="240" w:after="80"/><w:outlineLvl w:val="0"/>'


def heading_run(look: Look) -> str:
    caps = "<w:caps/>" if look.caps else ""
    underline = '<w:u w:val="single"/>' if look.heading == "underline" else ""
    return f"<w:b/>{caps}{color(look)}{sized(look.heading_size)}{underline}"


def tabs() -> str:
    return f'<w:tabs><w:tab w:val="right" w:pos="{TEXT_WIDTH}"/></w:tabs>'


def color(look: Look) -> str:
    return f'<w:color w:val="{look.accent}"/>'


def sized(points: float) -> str:
    return f'<w:sz w:val="{half_points(points)}"/>'


def half_points(points: float) -> int:
    return round(points * 2)


def numbering_xml(look: Look) -> str:
    return (
        f'{XML}<w:numbering xmlns:w="{WORD}"><w:abstractNum w:abstractNumId="0">'
        '<w:multiLevelType w:val="hybridMultilevel"/><w:lvl w:ilvl="0"><w:start w:val="1"/>'
        f'<w:numFmt w:val="bullet"/><w:lvlText w:val="{look.bullet}"/><w:lvlJc w:val="left"/>'
        '<w:pPr><w:ind w:left="360" w:hanging="260"/></w:pPr></w:lvl></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
    )
