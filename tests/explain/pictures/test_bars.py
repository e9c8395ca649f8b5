"""Bars: twenty of them even where words repeat, both signs coloured, nothing of a resume is markup."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from io import BytesIO

from PIL import Image

from evenhand.explain.attribution import find_spans
from evenhand.explain.pictures.page import AGAINST, FOR, bars_png, chart
from evenhand.rendering.charts import GREY, spec_svg
from tests.explain.pictures.made import make

REPEATED = "java " * 24
MIXED = [(-1) ** at * (24 - at) / 10 for at in range(24)]


def filled(svg: str, colour: str) -> int:
    """Bars of that colour; the legend has one symbol of each too."""
    root = ElementTree.fromstring(svg)
    return sum(each.get("fill") == colour and "bar" in (each.get("aria-roledescription") or "") for each in root.iter())


def test_twenty_bars_even_with_repeated_words() -> None:
    svg = spec_svg(chart(make(REPEATED, MIXED)))
    assert filled(svg, FOR) == 10
    assert filled(svg, AGAINST) == 10
    rows = chart(make(REPEATED, MIXED))["data"]["values"]
    assert len({row["tick"] for row in rows}) == 20
    assert [row["tick"] for row in rows[:2]] == ["java  (1)", "java  (2)"]


def test_the_title_names_label_outputs_and_delta() -> None:
    svg = spec_svg(chart(make("bread ward", [2.0, -0.5], delta=0.004)))
    for words in ("for and against COOK", "F(x) = 0.500", "F(x&#39;) = -1.000", "delta = 0.004"):
        assert words in svg or words.replace("&#39;", "'") in svg


def test_what_did_not_converge_is_grey_and_says_so() -> None:
    svg = spec_svg(chart(make("bread ward", [2.0, -0.5], delta=1.0, converged=False)))
    assert (filled(svg, FOR), filled(svg, AGAINST), filled(svg, GREY)) == (0, 0, 2)
    assert "Not converged" in svg
    by_occlusion = make("bread ward", [2.0, -0.5], delta=1.0, converged=False, method="occlusion")
    assert filled(spec_svg(chart(by_occlusion)), FOR) == 1


def test_png_is_a_picture() -> None:
    image = Image.open(BytesIO(bars_png(make("bread ward", [2.0, -0.5]), scale=1)))
    assert image.format == "PNG"
    colours = {colour for _, colour in image.convert("RGB").getcolors(maxcolors=1 << 20) or ()}
    assert {(0, 114, 178), (213, 94, 0)} <= colours


def test_words_are_text_whatever_they_contain() -> None:
    text = "<script>alert(1)</script> <svg/onload=alert(1)> &amp;"
    explanation = make(text, [1.0] * len(find_spans(text)), target="<b>COOK</b>")
    root = ElementTree.fromstring(spec_svg(chart(explanation)))
    assert {each.tag.rpartition("}")[2] for each in root.iter()} <= {
        "svg",
        "g",
        "path",
        "text",
        "rect",
        "line",
        "defs",
        "clipPath",
        "style",
        "tspan",
    }
    assert any("<b>COOK</b>" in (each.text or "") for each in root.iter())


def test_a_resume_without_words_has_no_bars_and_no_error() -> None:
    assert filled(spec_svg(chart(make("", []))), FOR) == 0
