"""Text of a DOCX that a person does not see, each kind with its reason; and text that only looks suspicious."""

from __future__ import annotations

import pytest

from tests.documents.office.docx_files import (
    NAMESPACES,
    anchor,
    box,
    cell,
    docx,
    hidden,
    p,
    r,
    read,
    row,
    settings,
    solid,
    styles,
    table,
    texts,
)

WHITE = '<w:color w:val="FFFFFF"/>'
VISIBLE = p("seen")


def fill(color: str) -> str:
    return f'<w:shd w:val="clear" w:color="auto" w:fill="{color}"/>'


@pytest.mark.parametrize(
    ("properties", "reason"),
    [
        ("<w:vanish/>", "hidden_style"),
        (WHITE, "background_color"),
        ('<w:color w:val="FDFDFA"/>', "background_color"),
        ('<w:color w:themeColor="background1"/>', "background_color"),
        (f'<w:color w:val="202020"/>{fill("1A1A1A")}', "background_color"),
        ('<w:color w:val="FFFF00"/><w:highlight w:val="yellow"/>', "background_color"),
        ('<w:sz w:val="7"/>', "tiny"),
        ('<w:sz w:val="2"/>', "tiny"),
        ('<w:w w:val="1"/>', "tiny"),
        ('<w:position w:val="-3000"/>', "off_page"),
        ('<w:spacing w:val="-400"/>', "clipped"),
        ("<w14:textFill><w14:noFill/></w14:textFill>", "transparent"),
        (
            '<w14:textFill><w14:solidFill><w14:srgbClr w14:val="000000"><w14:alpha w14:val="100000"/></w14:srgbClr>'
            "</w14:solidFill></w14:textFill>",
            "transparent",
        ),
    ],
)
def test_runs_that_cannot_be_seen(properties: str, reason: str) -> None:
    draft = read(docx(VISIBLE + p("open ", r("secret words", properties), " end")))
    assert texts(draft) == ["seen", "open  end"]
    assert hidden(draft) == [(reason, "secret words")]


@pytest.mark.parametrize(
    "properties",
    [
        "",
        "<w:webHidden/>",
        '<w:vanish w:val="0"/>',
        '<w:color w:val="auto"/>',
        '<w:color w:val="D0D0D0"/>',
        f"{WHITE}{fill('1F4E79')}",
        f'{WHITE}<w:highlight w:val="darkBlue"/>',
        '<w:sz w:val="8"/>',
        '<w:w w:val="80"/>',
        '<w:vertAlign w:val="superscript"/>',
        '<w14:textFill><w14:solidFill><w14:srgbClr w14:val="000000"><w14:alpha w14:val="20000"/></w14:srgbClr>'
        "</w14:solidFill></w14:textFill>",
    ],
)
def test_runs_that_can_be_seen(properties: str) -> None:
    draft = read(docx(p(r("plain words", properties))))
    assert (texts(draft), hidden(draft)) == (["plain words"], [])


def test_hidden_through_styles() -> None:
    sheet = styles(
        '<w:style w:type="paragraph" w:styleId="Ghost"><w:rPr><w:vanish/></w:rPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="Child"><w:basedOn w:val="Ghost"/></w:style>'
        '<w:style w:type="character" w:styleId="Pale"><w:rPr><w:color w:val="FFFFFF"/></w:rPr></w:style>'
        '<w:style w:type="character" w:styleId="Back"><w:rPr><w:vanish/></w:rPr></w:style>'
    )
    body = (
        p("gone", properties='<w:pStyle w:val="Child"/>')
        + p(r("shown again", '<w:vanish w:val="0"/>'), properties='<w:pStyle w:val="Child"/>')
        + p(r("both switches cancel out", '<w:rStyle w:val="Back"/>'), properties='<w:pStyle w:val="Ghost"/>')
        + p(r("pale", '<w:rStyle w:val="Pale"/>'))
    )
    draft = read(docx(body, parts={"styles.xml": sheet}))
    assert texts(draft) == ["shown again", "both switches cancel out"]
    assert hidden(draft) == [("hidden_style", "gone"), ("background_color", "pale")]


def test_hidden_blanks_and_dots_are_no_hidden_text() -> None:
    draft = read(docx(p("a", r(" ", WHITE), "b", r(" . ", WHITE), r("   ", '<w:sz w:val="2"/>'), "c")))
    assert texts(draft) == ["a b c"]
    assert hidden(draft) == []


def test_pieces_of_one_hidden_passage_come_together() -> None:
    draft = read(docx(p(r("py", WHITE), r("thon", WHITE), " ", r("java", WHITE), "x", r("sql", "<w:vanish/>"))))
    assert hidden(draft) == [("background_color", "python java"), ("hidden_style", "sql")]


def test_what_lies_behind_decides() -> None:
    dark = cell(p(r("white on dark", WHITE)), properties=fill("203040"))
    light = cell(p(r("white on white", WHITE)))
    body = table(row(dark, light)) + p(r("on a dark paragraph", WHITE), properties=fill("203040"))
    black = cell(p(r("black on black", '<w:color w:val="000000"/>')), properties=fill("000000"))
    automatic = cell(p("automatic turns white"), properties=fill("000000"))
    draft = read(docx(body + table(row(black, automatic))))
    assert texts(draft) == ["white on dark", "on a dark paragraph", "automatic turns white"]
    assert hidden(draft) == [("background_color", "white on white"), ("background_color", "black on black")]
    assert draft.lines[-1].color == "#ffffff"


def test_shading_from_a_table_style() -> None:
    sheet = styles(
        '<w:style w:type="table" w:styleId="T"><w:tblStylePr w:type="firstRow"><w:rPr><w:color w:val="FFFFFF"/></w:rPr>'
        f"<w:tcPr>{fill('4472C4')}</w:tcPr></w:tblStylePr></w:style>"
    )
    look = '<w:tblStyle w:val="T"/><w:tblLook w:val="0020" w:noHBand="1" w:noVBand="1"/>'
    body = table(row("head", "head2"), row("body", cell(p(r("lost", WHITE)))), properties=look)
    draft = read(docx(body, parts={"styles.xml": sheet}))
    assert [(line.text, line.color) for line in draft.lines] == [
        ("head", "#ffffff"),
        ("head2", "#ffffff"),
        ("body", "#000000"),
    ]
    assert hidden(draft) == [("background_color", "lost")]


def test_page_colour_counts_when_it_is_painted() -> None:
    page = '<w:background w:color="000000"/>'
    body = p(r("white", WHITE)) + p(r("black", '<w:color w:val="000000"/>'))
    painted = read(docx(body, background=page, parts={"settings.xml": settings("<w:displayBackgroundShape/>")}))
    assert (texts(painted), hidden(painted)) == (["white"], [("background_color", "black")])
    unpainted = read(docx(body, background=page))
    assert (texts(unpainted), hidden(unpainted)) == (["black"], [("background_color", "white")])


def test_boxes_off_the_page_too_small_or_switched_off() -> None:
    body = (
        p(anchor(box(p("left of the page")), x=-900))
        + p(anchor(box(p("below the page")), y=2000))
        + p(anchor(box(p("no height")), height=0))
        + p(anchor(box(p("grows"), body="<a:spAutoFit/>"), height=0))
        + p(anchor(box(p("marked hidden"))).replace("<wp:wrapNone/>", '<wp:docPr id="1" name="b" hidden="1"/>'))
        + p(anchor(box(p("half on the page")), x=-100))
    )
    draft = read(docx(body))
    assert sorted(texts(draft)) == ["grows", "half on the page"]
    assert sorted(hidden(draft)) == [
        ("clipped", "no height"),
        ("hidden_style", "marked hidden"),
        ("off_page", "below the page"),
        ("off_page", "left of the page"),
    ]


def test_old_boxes_off_the_page_or_switched_off() -> None:
    def old(text: str, style: str, attributes: str = "") -> str:
        inner = f"<v:textbox><w:txbxContent>{p(text)}</w:txbxContent></v:textbox>"
        return p(f'<w:r><w:pict><v:rect style="{style}" {attributes}>{inner}</v:rect></w:pict></w:r>')

    place = "position:absolute;width:100pt;height:50pt;"
    body = (
        old("away", place + "margin-left:-2000pt;margin-top:0")
        + old("invisible", place + "visibility:hidden")
        + old("flat", "width:100pt;height:0")
        + old("seen", place + "margin-left:10pt")
    )
    draft = read(docx(body))
    assert texts(draft) == ["seen"]
    assert hidden(draft) == [("off_page", "away"), ("hidden_style", "invisible"), ("clipped", "flat")]


def test_the_fill_of_a_box_decides() -> None:
    white = p(r("white words", WHITE))
    light_font = '<wps:style><a:fontRef idx="minor"><a:schemeClr val="lt1"/></a:fontRef></wps:style>'
    draft = read(
        docx(
            p(anchor(box(white, fill=solid("1F4E79")), y=10))
            + p("text")
            + p(anchor(box(white, fill=solid("FFFFFF")), y=200))
            + p("more text")
            + p(anchor(box(p("from the shape"), fill=solid("000000"), style=light_font), y=300))
            + p("and more")
            + p(anchor(box(p("pale shape"), style=light_font), y=400))
        )
    )
    assert texts(draft) == ["white words", "text", "more text", "from the shape", "and more"]
    assert hidden(draft) == [("background_color", "white words"), ("background_color", "pale shape")]


def shape(color: str, frame: str = "") -> str:
    return f"<wps:wsp><wps:spPr>{frame}{solid(color)}</wps:spPr><wps:bodyPr/></wps:wsp>"


def test_white_text_over_a_dark_shape_is_seen() -> None:
    band = anchor(shape("102030"), width=612, height=120, attributes='behindDoc="1"')
    draft = read(docx(p(band) + p(r("Ann Example", WHITE))))
    assert (texts(draft), hidden(draft)) == (["Ann Example"], [])


def test_a_white_shape_or_an_ornament_does_not_excuse_white_text() -> None:
    for background in (shape("FFFFFF"), shape("102030")):
        width = 612 if "FFFFFF" in background else 5
        drawing = anchor(background, width=width, height=120, attributes='behindDoc="1"')
        draft = read(docx(p(drawing) + p(r("secret", WHITE))))
        assert (texts(draft), hidden(draft)) == ([], [("background_color", "secret")])


def test_badges_inside_a_group() -> None:
    frame = '<a:xfrm><a:off x="0" y="0"/><a:ext cx="50" cy="20"/></a:xfrm>'
    group = (
        '<wpg:wgp><wpg:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="50" cy="20"/><a:chOff x="0" y="0"/>'
        '<a:chExt cx="50" cy="20"/></a:xfrm></wpg:grpSpPr>'
        + shape("979CA5", frame)
        + box(p(r("SQL", WHITE)), frame=frame)
        + "</wpg:wgp>"
    )
    draft = read(docx(p(anchor(group, width=50, height=20))))
    assert (texts(draft), hidden(draft)) == (["SQL"], [])


def test_text_under_an_opaque_shape() -> None:
    cover = anchor(shape("FFFFFF"), x=72, y=-2, width=468, height=40, origin="paragraph")
    draft = read(docx(p("keywords nobody sees", cover) + p("keywords too") + p() + p() + p("far below")))
    assert texts(draft) == ["far below"]
    assert hidden(draft) == [("covered", "keywords nobody sees"), ("covered", "keywords too")]


def test_shapes_that_cover_nothing() -> None:
    beside = anchor(shape("FFFFFF"), x=400, y=0, width=100, height=100, origin="paragraph")
    behind = anchor(shape("FFFFFF"), x=72, y=0, width=468, height=40, origin="paragraph", attributes='behindDoc="1"')
    glass = solid("FFFFFF", '<a:alpha val="30000"/>')
    clear = anchor(
        f"<wps:wsp><wps:spPr>{glass}</wps:spPr></wps:wsp>",
        x=72, y=0, width=468, height=40, origin="paragraph",
    )  # fmt: skip
    draft = read(docx(p("left of a photo", beside) + p("before a shape", behind) + p("under glass", clear)))
    assert texts(draft) == ["left of a photo", "before a shape", "under glass"]


def test_a_box_under_a_later_shape_of_its_drawing() -> None:
    frame = '<a:xfrm><a:off x="0" y="0"/><a:ext cx="200" cy="50"/></a:xfrm>'
    group = (
        f'<wpg:wgp><wpg:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="200" cy="50"/></a:xfrm></wpg:grpSpPr>'
        f"{box(p('under'), frame=frame)}{shape('808080', frame)}</wpg:wgp>"
    )
    assert hidden(read(docx(p(anchor(group))))) == [("covered", "under")]


def test_a_box_under_a_higher_shape_of_another_drawing() -> None:
    low, high = 'relativeHeight="10"', 'relativeHeight="20"'
    under = anchor(box(p("under")), x=100, y=100, attributes=low)
    over = anchor(box(p("over")), x=100, y=100, attributes='relativeHeight="30"')
    beside = anchor(box(p("beside")), x=400, y=100, attributes=low)
    top = anchor(shape("FFFFFF"), x=90, y=90, width=220, height=70, attributes=high)
    draft = read(docx(p(under, beside, top, over)))
    assert texts(draft) == ["over", "beside"]
    assert hidden(draft) == [("covered", "under")]


def test_a_picture_over_the_whole_page() -> None:
    drawing = '<pic:pic><pic:blipFill><a:blip r:embed="i"/></pic:blipFill></pic:pic>'
    body = p("below the picture", anchor(drawing, width=612, height=792))
    relations = (("i", "image", "media/a.jpg"),)
    opaque = read(docx(body, parts={"word/media/a.jpg": b"\xff\xd8\xff\xe0"}, relations=relations))
    assert (texts(opaque), hidden(opaque)) == ([], [("covered", "below the picture")])
    clear = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + b"\0\0\0\1" * 2 + bytes([8, 6]) + bytes(20)
    glass = read(docx(body, parts={"word/media/a.jpg": clear}, relations=relations))
    assert (texts(glass), hidden(glass)) == (["below the picture"], [])


def test_lines_rows_and_paragraphs_without_room() -> None:
    squeezed = '<w:spacing w:line="20" w:lineRule="exact"/>'
    flat = '<w:trHeight w:val="20" w:hRule="exact"/>'
    body = (
        p("flat line", properties=squeezed)
        + table(row("flat row", properties=flat), row("hidden row", properties="<w:hidden/>"), row("seen"))
        + p("far right", properties='<w:ind w:left="15000"/>')
        + p("far left", properties='<w:ind w:left="-9000"/>')
        + p("framed away", properties='<w:framePr w:x="-20000" w:y="1"/>')
        + p("flat frame", properties='<w:framePr w:h="20" w:hRule="exact"/>')
        + table(row("moved table"), properties='<w:tblInd w:w="-30000" w:type="dxa"/>')
    )
    draft = read(docx(body))
    assert texts(draft) == ["seen"]
    assert hidden(draft) == [
        ("clipped", "flat line"),
        ("clipped", "flat row"),
        ("hidden_style", "hidden row"),
        ("off_page", "far right"),
        ("off_page", "far left"),
        ("off_page", "framed away"),
        ("clipped", "flat frame"),
        ("off_page", "moved table"),
    ]


def test_hidden_text_of_headers_is_found() -> None:
    header = f"<w:hdr {NAMESPACES}>{p('Ann ', r('stuffing', WHITE))}</w:hdr>"
    body = p("x") + '<w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr>'
    draft = read(docx(body, parts={"h.xml": header}, relations=(("h", "header", "h.xml"),)))
    assert texts(draft) == ["Ann", "x"]
    assert hidden(draft) == [("background_color", "stuffing")]


@pytest.mark.parametrize(("view", "apart"), [("web", ["quiet"]), ("print", []), (None, [])])
def test_text_hidden_on_the_web_shows_in_print_layout(view: str | None, apart: list[str]) -> None:
    """Page numbers of a table of contents are marked so; the view in which the file opens decides."""
    stated = settings(f'<w:view w:val="{view}"/>' if view else "")
    body = VISIBLE + p(r("quiet", "<w:webHidden/>"))
    draft = read(docx(body, parts={"settings.xml": stated}))
    assert [text for _, text in hidden(draft)] == apart
