"""A text box as Word writes it: a drawing, and the older form for programs that do not know drawings."""

from __future__ import annotations

from evenhand.corpora.files.docx.package import OFFICE
from evenhand.corpora.files.docx.styles import WORD

DRAWING = "http://schemas.openxmlformats.org/drawingml/2006"
SHAPE = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
NAMESPACES = (
    f'xmlns:w="{WORD}" xmlns:r="{OFFICE}" xmlns:wp="{DRAWING}/wordprocessingDrawing" xmlns:a="{DRAWING}/main" '
    f'xmlns:wps="{SHAPE}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:v="urn:schemas-microsoft-com:vml"'
)
WIDTH, HEIGHT = 2_340_000, 1_020_000  # EMU: 6.5 by 2.8 cm


def text_box(paragraphs: str) -> str:
    content = f"<w:txbxContent>{paragraphs}</w:txbxContent>"
    size = f'cx="{WIDTH}" cy="{HEIGHT}"'
    shape = (
        '<wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm><a:off x="0" y="0"/>'
        f'<a:ext {size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/></wps:spPr>'
        f"<wps:txbx>{content}</wps:txbx><wps:bodyPr/></wps:wsp>"
    )
    anchor = (
        '<wp:anchor distT="0" distB="0" distL="114300" distR="114300" simplePos="0" relativeHeight="2" '
        'behindDoc="0" locked="0" layoutInCell="1" allowOverlap="0"><wp:simplePos x="0" y="0"/>'
        '<wp:positionH relativeFrom="margin"><wp:align>right</wp:align></wp:positionH>'
        '<wp:positionV relativeFrom="paragraph"><wp:posOffset>0</wp:posOffset></wp:positionV>'
        f'<wp:extent {size}/><wp:wrapSquare wrapText="bothSides"/><wp:docPr id="1" name="Text Box 1"/>'
        f'<wp:cNvGraphicFramePr/><a:graphic><a:graphicData uri="{SHAPE}">{shape}</a:graphicData></a:graphic>'
        "</wp:anchor>"
    )
    old = (
        '<w:pict><v:shape type="#_x0000_t202" style="position:absolute;width:184pt;height:80pt">'
        f"<v:textbox>{content}</v:textbox></v:shape></w:pict>"
    )
    return (
        f'<mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>{anchor}</w:drawing></mc:Choice>'
        f"<mc:Fallback>{old}</mc:Fallback></mc:AlternateContent>"
    )
