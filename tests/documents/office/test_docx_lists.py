"""List markers of a DOCX, as Word draws them."""

from __future__ import annotations

from tests.documents.office.docx_files import NAMESPACES, docx, p, read, styles, texts


def level(at: int, kind: str, text: str, *, start: int = 1, font: str = "", more: str = "") -> str:
    fonts = f'<w:rPr><w:rFonts w:ascii="{font}"/></w:rPr>' if font else ""
    return (
        f'<w:lvl w:ilvl="{at}"><w:start w:val="{start}"/><w:numFmt w:val="{kind}"/>{more}'
        f'<w:lvlText w:val="{text}"/>{fonts}</w:lvl>'
    )


def numbering(*abstract: str, instances: str = "") -> str:
    lists = "".join(
        f'<w:abstractNum w:abstractNumId="{at}">{inner}</w:abstractNum>' for at, inner in enumerate(abstract)
    )
    plain = "".join(f'<w:num w:numId="{at + 1}"><w:abstractNumId w:val="{at}"/></w:num>' for at in range(len(abstract)))
    return f"<w:numbering {NAMESPACES}>{lists}{plain}{instances}</w:numbering>"


def item(text: str, list_id: int = 1, at: int | None = 0) -> str:
    where = f'<w:ilvl w:val="{at}"/>' if at is not None else ""
    return p(text, properties=f'<w:numPr>{where}<w:numId w:val="{list_id}"/></w:numPr>')


def lines(body: str, lists: str, **parts: str) -> list[str]:
    return texts(read(docx(body, parts={"numbering.xml": lists, **{f"{n}.xml": part for n, part in parts.items()}})))


def test_numbers_letters_and_roman_numbers_by_level() -> None:
    lists = numbering(
        level(0, "decimal", "%1.") + level(1, "lowerLetter", "%2)") + level(2, "upperRoman", "(%1.%2.%3)")
    )
    body = item("a") + item("b", at=1) + item("c", at=1) + item("d", at=2) + item("e") + item("f", at=1)
    assert lines(body, lists) == ["1. a", "a) b", "b) c", "(1.b.I) d", "2. e", "a) f"]


def test_the_marker_is_also_kept_apart() -> None:
    draft = read(docx(item("x"), parts={"numbering.xml": numbering(level(0, "decimal", "%1.", start=5))}))
    assert [(line.text, line.list) for line in draft.lines] == [("5. x", "5.")]


def test_bullets_as_drawn() -> None:
    lists = numbering(
        level(0, "bullet", "\uf0b7", font="Symbol") + level(1, "bullet", "o", font="Courier New"),
        level(0, "bullet", "\uf0a7", font="Wingdings") + level(1, "bullet", "–"),
        level(0, "bullet", "\uf0d8", font="Wingdings") + level(1, "bullet", "\uf123", font="Strange"),
        level(0, "decimal", "%1", more='<w:lvlPicBulletId w:val="0"/>') + level(1, "bullet", "l", font="Wingdings"),
    )
    body = "".join(item("x", number, at) for number in (1, 2, 3, 4) for at in (0, 1))
    assert lines(body, lists) == ["• x", "◦ x", "▪ x", "– x", "➢ x", "• x", "• x", "● x"]


def test_lists_of_one_definition_go_on_and_an_override_starts_again() -> None:
    again = (
        '<w:num w:numId="7"><w:abstractNumId w:val="0"/></w:num>'
        '<w:num w:numId="8"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0">'
        '<w:startOverride w:val="3"/></w:lvlOverride></w:num>'
    )
    lists = numbering(level(0, "decimal", "%1."), instances=again)
    body = item("a") + item("b", 7) + item("c", 8) + item("d", 8)
    assert lines(body, lists) == ["1. a", "2. b", "3. c", "4. d"]


def test_numbering_from_the_style_and_from_the_level_linked_to_it() -> None:
    linked = level(0, "decimal", "%1.") + level(1, "decimal", "%1.%2", more='<w:pStyle w:val="Sub"/>')
    sheet = styles(
        '<w:style w:type="paragraph" w:styleId="Main"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="Sub"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    )
    body = "".join(p(name, properties=f'<w:pStyle w:val="{name}"/>') for name in ("Main", "Sub", "Sub", "Main"))
    body += p("none", properties='<w:pStyle w:val="Main"/><w:numPr><w:numId w:val="0"/></w:numPr>')
    assert lines(body, numbering(linked), styles=sheet) == ["1. Main", "1.1 Sub", "1.2 Sub", "2. Main", "none"]


def test_a_list_style_stands_between() -> None:
    lists = numbering('<w:numStyleLink w:val="L"/>', level(0, "upperLetter", "%1."))
    sheet = styles(
        '<w:style w:type="numbering" w:styleId="L"><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>'
    )
    assert lines(item("x") + item("y"), lists, styles=sheet) == ["A. x", "B. y"]


def test_legal_numbers_zeros_and_ordinals() -> None:
    lists = numbering(
        level(0, "upperRoman", "%1") + level(1, "decimal", "%1.%2", more="<w:isLgl/>"),
        level(0, "decimalZero", "%1"),
        level(0, "ordinal", "%1"),
        level(0, "none", ""),
    )
    body = item("a") + item("b", at=1) + item("c", 2) + item("d", 3) + item("e", 4)
    assert lines(body, lists) == ["I a", "1.1 b", "01 c", "1st d", "e"]


def test_damaged_numbering_leaves_the_text() -> None:
    broken = numbering('<w:lvl w:ilvl="x"/><w:lvl w:ilvl="99"/>')
    assert lines(item("a", 99) + item("b") + item("c", at=77), broken) == ["a", "b", "c"]
