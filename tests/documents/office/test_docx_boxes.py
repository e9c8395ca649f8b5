"""Text boxes of a DOCX: read once, in the order a person reads them."""

# ruff: noqa: E501 - markup is easier to read in one piece

from __future__ import annotations

from tests.documents.office.docx_files import anchor, box, docx, joined, p, r, read, texts

FRAME = '<a:xfrm><a:off x="{0}" y="{1}"/><a:ext cx="{2}" cy="{3}"/></a:xfrm>'


def vml(content: str, style: str = "width:100pt;height:50pt", attributes: str = "") -> str:
    return (
        f'<w:r><w:pict><v:shape style="{style}" {attributes}><v:textbox><w:txbxContent>{content}'
        "</w:txbxContent></v:textbox></v:shape></w:pict></w:r>"
    )


def group(*shapes: str, width: int = 500, height: int = 500) -> str:
    """A group that counts in points."""
    frame = (
        f'<wpg:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="{width}" cy="{height}"/>'
        f'<a:chOff x="0" y="0"/><a:chExt cx="{width}" cy="{height}"/></a:xfrm></wpg:grpSpPr>'
    )
    return anchor(f"<wpg:wgp>{frame}{''.join(shapes)}</wpg:wgp>", width=width, height=height)


def placed(text: str, x: int, y: int, width: int = 100, height: int = 20) -> str:
    return box(p(text), frame=FRAME.format(x, y, width, height))


def test_a_box_given_twice_is_read_once() -> None:
    drawing = anchor(box(p("in the box"))).removeprefix("<w:r>").removesuffix("</w:r>")
    fallback = vml(p("in the box")).removeprefix("<w:r>").removesuffix("</w:r>")
    both = (
        f'<mc:AlternateContent><mc:Choice Requires="wps">{drawing}</mc:Choice>'
        f"<mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>"
    )
    assert texts(read(docx(p("text", f"<w:r>{both}</w:r>")))) == ["text", "in the box"]


def test_the_fallback_is_read_when_the_choice_is_unknown() -> None:
    fallback = vml(p("old form")).removeprefix("<w:r>").removesuffix("</w:r>")
    both = (
        '<mc:AlternateContent><mc:Choice xmlns:zz="urn:future" Requires="zz"><w:t>new form</w:t></mc:Choice>'
        f"<mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>"
    )
    assert texts(read(docx(p(f"<w:r>{both}</w:r>")))) == ["old form"]


def test_a_box_stands_apart_from_the_text() -> None:
    body = p("above", anchor(box(p("one") + p("two")))) + p("below")
    assert joined(read(docx(body))) == "above\n\none\ntwo\n\nbelow"


def test_boxes_on_blank_lines_are_read_by_their_place() -> None:
    body = (
        p(anchor(box(p("right")), x=300, y=100, height=400))
        + p(anchor(box(p("name")), x=50, y=20, width=450, height=40))
        + p(anchor(box(p("left low")), x=50, y=320, height=180))
        + p(anchor(box(p("left high")), x=50, y=100, height=200))
    )
    assert texts(read(docx(body))) == ["name", "left high", "left low", "right"]


def test_shapes_of_a_group_are_read_by_their_place() -> None:
    body = p(group(placed("two", 0, 200, 300, 100), placed("one", 0, 0, 300, 100)))
    assert texts(read(docx(body))) == ["one", "two"]


def test_words_in_boxes_of_their_own_become_lines() -> None:
    words = [("Data", 0, 0), (" ", 25, 0), ("Engi", 30, 0), ("neer", 48, 0), ("Berlin", 0, 30), ("2019", 300, 30)]
    body = p(group(*(placed(text, x, y, 5 * len(text)) for text, x, y in words)))
    assert texts(read(docx(body))) == ["Data Engineer", "Berlin", "2019"]


def test_a_box_in_the_line_joins_it() -> None:
    inline = anchor(box(p("SQL"))).replace("wp:anchor", "wp:inline")
    body = p("Skills: ", inline, "and", inline.replace("SQL", "Java"))
    assert [" ".join(text.split()) for text in texts(read(docx(body)))] == ["Skills: SQL and Java"]


def test_old_shapes_and_word_art() -> None:
    art = '<w:r><w:pict><v:shape><v:textpath string="Ann Example"/></v:shape></w:pict></w:r>'
    nested = (
        '<w:r><w:pict><v:group style="width:100pt;height:100pt" coordsize="100,100"><v:rect style="width:90;height:90">'
        f"<v:textbox><w:txbxContent>{p('in a group')}</w:txbxContent></v:textbox></v:rect></v:group></w:pict></w:r>"
    )
    assert texts(read(docx(p(vml(p("old"))) + p(art) + p(nested)))) == ["old", "Ann Example", "in a group"]


def test_page_breaks_inside_a_box_do_not_turn_the_page() -> None:
    inner = p("<w:r><w:lastRenderedPageBreak/></w:r>", "in the box")
    draft = read(docx(p(anchor(box(inner))) + p("after")))
    assert [(line.text, line.page) for line in draft.lines] == [("in the box", 2), ("after", 1)]


def test_diagrams_show_the_text_of_their_points() -> None:
    dgm = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
    a = "http://schemas.openxmlformats.org/drawingml/2006/main"

    def point(text: str, kind: str) -> str:
        return f'<dgm:pt type="{kind}"><dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>'

    data = f'<dgm:dataModel xmlns:dgm="{dgm}" xmlns:a="{a}"><dgm:ptLst>{point("Python", "node")}{point("x", "pres")}</dgm:ptLst></dgm:dataModel>'
    drawing = anchor('<dgm:relIds r:dm="rId9"/>')
    file = docx(
        p("Skills", drawing),
        parts={"word/diagrams/data1.xml": data},
        relations=(("rId9", "diagramData", "diagrams/data1.xml"),),
    )
    assert texts(read(file)) == ["Skills", "Python"]


def test_text_of_a_box_keeps_its_own_look() -> None:
    draft = read(docx(p(anchor(box(p(r("big", '<w:sz w:val="48"/>')))))))
    assert [(line.text, line.size) for line in draft.lines] == [("big", 24.0)]
