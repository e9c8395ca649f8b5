"""Small DOCX files written part by part, so that each test shows the markup it is about."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from evenhand.documents.draft import DocumentDraft, ReadLimits
from evenhand.documents.office.docx.reader import read_docx

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMESPACES = (
    f'xmlns:w="{W}" xmlns:r="{R}" xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:wpg="http://schemas.microsoft.com/office/word/2010/wordprocessingGroup" '
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
)
RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
EMU = 12_700


def pack(parts: Mapping[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def relationships(*targets: tuple[str, str, str]) -> str:
    """Relationships of (id, kind, target); a target with a scheme is external."""
    items = "".join(
        f'<Relationship Id="{name}" Type="{R}/{kind}" Target="{target}"'
        + (' TargetMode="External"' if ":" in target else "")
        + "/>"
        for name, kind, target in targets
    )
    return f'<Relationships xmlns="{RELATIONSHIPS}">{items}</Relationships>'


def docx(
    body: str,
    *,
    parts: Mapping[str, str | bytes] | None = None,
    relations: tuple[tuple[str, str, str], ...] = (),
    background: str = "",
) -> bytes:
    """A whole file; `parts` are further members, named without "word/" unless they hold a slash."""
    members: dict[str, str | bytes] = {
        "_rels/.rels": relationships(("rId1", "officeDocument", "word/document.xml")),
        "word/document.xml": f"<w:document {NAMESPACES}>{background}<w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": relationships(*relations),
    }
    for name, content in (parts or {}).items():
        members[name if "/" in name else f"word/{name}"] = content
    return pack(members)


def styles(inner: str) -> str:
    return f"<w:styles {NAMESPACES}>{inner}</w:styles>"


def settings(inner: str) -> str:
    return f"<w:settings {NAMESPACES}>{inner}</w:settings>"


def r(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def p(*runs: str, properties: str = "") -> str:
    """A paragraph; a plain word is a run of its own."""
    inner = "".join(run if run.startswith("<") else r(run) for run in runs)
    return f"<w:p><w:pPr>{properties}</w:pPr>{inner}</w:p>"


def cell(*paragraphs: str, properties: str = "") -> str:
    inner = "".join(item if item.startswith("<") else p(item) for item in paragraphs)
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inner or '<w:p/>'}</w:tc>"


def row(*cells: str, properties: str = "") -> str:
    inner = "".join(item if item.startswith("<w:tc") else cell(item) for item in cells)
    return f"<w:tr><w:trPr>{properties}</w:trPr>{inner}</w:tr>"


def table(*rows: str, ruled: bool = False, properties: str = "") -> str:
    borders = '<w:tblBorders><w:top w:val="single"/></w:tblBorders>' if ruled else ""
    return f"<w:tbl><w:tblPr>{properties}{borders}</w:tblPr>{''.join(rows)}</w:tbl>"


def box(content: str, *, fill: str = "<a:noFill/>", style: str = "", body: str = "", frame: str = "") -> str:
    """A DrawingML shape that holds text."""
    return (
        f"<wps:wsp><wps:spPr>{frame}{fill}</wps:spPr>{style}"
        f"<wps:txbx><w:txbxContent>{content}</w:txbxContent></wps:txbx><wps:bodyPr>{body}</wps:bodyPr></wps:wsp>"
    )


def solid(color: str, changes: str = "") -> str:
    return f'<a:solidFill><a:srgbClr val="{color}">{changes}</a:srgbClr></a:solidFill>'


def anchor(
    graphic: str,
    *,
    x: float = 0,
    y: float = 0,
    width: float = 200,
    height: float = 50,
    origin: str = "page",
    attributes: str = "",
) -> str:
    """A floating drawing; all measures in points."""

    def emu(points: float) -> int:
        return round(points * EMU)

    vertical = "paragraph" if origin == "paragraph" else "page"
    return (
        f"<w:r><w:drawing><wp:anchor {attributes}>"
        f'<wp:positionH relativeFrom="page"><wp:posOffset>{emu(x)}</wp:posOffset></wp:positionH>'
        f'<wp:positionV relativeFrom="{vertical}"><wp:posOffset>{emu(y)}</wp:posOffset></wp:positionV>'
        f'<wp:extent cx="{emu(width)}" cy="{emu(height)}"/><wp:wrapNone/>'
        f"<a:graphic><a:graphicData>{graphic}</a:graphicData></a:graphic></wp:anchor></w:drawing></w:r>"
    )


def read(data: bytes, limits: ReadLimits | None = None) -> DocumentDraft:
    return read_docx(data, limits or ReadLimits())


def texts(draft: DocumentDraft) -> list[str]:
    return [line.text for line in draft.lines]


def joined(draft: DocumentDraft) -> str:
    """The text with its joints, as it will be assembled."""
    return "".join((line.joint if at else "") + line.text for at, line in enumerate(draft.lines))


def hidden(draft: DocumentDraft) -> list[tuple[str, str]]:
    return [(item.reason, item.text) for item in draft.hidden]
