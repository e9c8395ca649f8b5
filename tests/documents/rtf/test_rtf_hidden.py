"""RTF text that nobody sees is set apart with its reason, and light text on dark ground is not."""

from __future__ import annotations

import pytest

from evenhand.documents.draft import ReadLimits
from evenhand.documents.rtf.reader import read_rtf

HEAD = (
    r"{\rtf1\ansi{\fonttbl{\f0 Arial;}}"
    r"{\colortbl;\red255\green255\blue255;\red0\green0\blue128;\red250\green250\blue250;\red0\green0\blue0;}"
)
BOX = (
    r"{\shp{\*\shpinst\shpleft%d\shptop0\shpright%d\shpbottom%d"
    r"{\sp{\sn %s}{\sv %s}}{\shptxt %s secret\par}}}shown\par"
)


def hidden(body: str) -> tuple[list[str], list[tuple[str, str]]]:
    draft = read_rtf((HEAD + body + "}").encode("latin-1"), ReadLimits())
    return [line.text for line in draft.lines], [(item.text, item.reason) for item in draft.hidden]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (r"shown {\v secret}\par", "hidden_style"),
        (r"shown {\cf1 secret}\par", "background_color"),
        (r"shown {\cf3 secret}\par", "background_color"),
        (r"shown {\cf2\highlight2 secret}\par", "background_color"),
        (r"shown {\cf4\chcbpat4 secret}\par", "background_color"),
        (r"shown\par\pard\cbpat2\cf2 secret\par", "background_color"),
        (r"shown\par\trowd\clcbpat2\cellx1000\pard\intbl\cf2 secret\cell\row", "background_color"),
        (r"shown {\fs4 secret}\par", "tiny"),
        (r"shown {\charscalex5 secret}\par", "tiny"),
        (r"shown\par\pard\li-30000 secret\par", "off_page"),
        (r"shown\par\pard\sl-20\slmult0 secret\par", "clipped"),
        (r"shown\par\trowd\trrh-20\cellx1000\pard\intbl secret\cell\row", "clipped"),
        (BOX % (-40000, -36000, 900, "x", "1", ""), "off_page"),
        (BOX % (0, 10, 900, "x", "1", ""), "clipped"),
        (BOX % (0, 4000, 900, "fHidden", "1", ""), "hidden_style"),
        (BOX % (0, 4000, 900, "fillColor", "8388608", r"\cf2"), "background_color"),
    ],
)
def test_hidden_text(body: str, reason: str) -> None:
    assert hidden(body) == (["shown"], [("secret", reason)])


@pytest.mark.parametrize(
    "body",
    [
        r"{\cf1\highlight2 white on blue}\par",
        r"\trowd\clcbpat2\cellx1000\pard\intbl\cf1 white on blue\cell\row",
        r"\pard\cbpat4\cf1 white on blue\par",
        r"{\fs10 white on blue}\par",
        r"{\cf0 white on blue}\par",
        r"{\shp{\*\shpinst\shpleft0\shptop0\shpright9000\shpbottom900{\sp{\sn fillColor}{\sv 8388608}}}}"
        r"{\cf1 white on blue}\par",
    ],
)
def test_light_text_on_dark_ground_is_seen(body: str) -> None:
    assert hidden(body) == (["white on blue"], [])


def test_light_boxes_on_dark_fill_are_seen() -> None:
    body = BOX % (0, 4000, 900, "fillColor", "8388608", r"\cf1")
    assert hidden(body) == (["secret", "shown"], [])


def test_hidden_words_leave_a_space_and_switched_off_ones_do_not() -> None:
    assert hidden(r"left{\cf1 secret}right\par")[0] == ["left right"]
    assert hidden(r"left{\v secret}right\par")[0] == ["leftright"]


def test_hidden_paragraphs_in_a_row_are_one_finding() -> None:
    assert hidden(r"shown\par{\v one\par two\par}more\par") == (["shown", "more"], [("one\ntwo", "hidden_style")])


def test_white_punctuation_is_dropped_without_alarm() -> None:
    assert hidden(r"shown{\cf1 ...}\par") == (["shown"], [])
