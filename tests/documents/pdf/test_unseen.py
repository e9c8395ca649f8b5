"""Words without ink of their own are set apart, whatever keeps the ink away; each trick by the operators that do it."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass, field

import numpy as np
import pytest

from evenhand.documents.draft import ReadLimits
from evenhand.documents.ocr.engines import Tesseract
from evenhand.documents.pdf.glyphs import address, clips_of, get_text_object, page_frame, page_glyphs, pointers_at
from evenhand.documents.pdf.picture import PageContent, Samples
from evenhand.documents.pdf.reader import opened, read_pdf
from evenhand.documents.pdf.scans import read_lines_at, seen_in_place
from evenhand.documents.pdf.words import form_words, word_styles
from tests.documents.pdf.pdf_files import HEIGHT, lines, pdf, rectangle, stream, text

VISIBLE = ["Hanna Brandt", "Warehouse team leader with twelve years", "of work in logistics"]
BODY = lines(60, 100, *VISIBLE)
KEYWORDS = "python kubernetes terraform"
FORM = "/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /Font << /F1 101 0 R >> >>"
HELVETICA = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
TILE = "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 4 4] /XStep 4 /YStep 4 /Resources << >>"
GROUP = b"<< /Type /OCG /Name (Notes) >>"
LAYER_OFF = "/OCProperties << /OCGs [100 0 R] /D << /OFF [100 0 R] >> >>"


@dataclass(frozen=True)
class Trick:
    content: str
    reason: str
    objects: list[bytes] = field(default_factory=list)
    resources: str = ""
    page_entries: str = ""
    catalog: str = ""
    more_fonts: str = ""

    def file(self) -> bytes:
        return pdf(
            BODY + self.content,
            objects=self.objects,
            resources=self.resources,
            page_entries=self.page_entries,
            catalog=self.catalog,
            more_fonts=self.more_fonts,
        )


def keywords(y: float = 400, *, before: str = "", font: str = "F1", x: float = 60, words: str = KEYWORDS) -> str:
    return text(x, y, words, before=before, font=font)


def annotation(kind: str, appearance: str, flags: int) -> list[bytes]:
    area = f"50 {HEIGHT - 420} 400 {HEIGHT - 380}"
    entries = f"/Type /Annot /Subtype /{kind} /Rect [{area}] /F {flags} /DA (/F1 10 Tf) /AP << /N 102 0 R >>"
    return [
        f"<< {entries} /Contents () >>".encode(),
        HELVETICA,
        stream(appearance, FORM.replace("[0 0 600 800]", f"[{area}]")),
    ]


def glyphs_without_ink() -> list[bytes]:
    """A Type 3 font whose letters draw nothing."""
    names = " ".join(f"/c{code}" for code in range(32, 127))
    procedures = " ".join(f"/c{code} 101 0 R" for code in range(32, 127))
    font = (
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 600 800] /FontMatrix [0.001 0 0 0.001 0 0] /Resources << >> "
        f"/FirstChar 32 /LastChar 126 /Widths [{'550 ' * 95}] /CharProcs << {procedures} >> "
        f"/Encoding << /Type /Encoding /Differences [32 {names}] >> /ToUnicode 102 0 R >>"
    )
    to_unicode = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /T def "
        "1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <20> <7E> <0020> endbfrange "
        "endcmap end end"
    )
    return [font.encode(), stream("550 0 d0"), stream(to_unicode)]


TRICKS = {
    "white pattern": Trick(
        keywords(before="/Pattern cs /Tile scn"),
        "invisible",
        [stream("1 g 0 0 4 4 re f", TILE)],
        "/Pattern << /Tile 100 0 R >>",
    ),
    "empty pattern": Trick(
        keywords(before="/Pattern cs /Tile scn"), "invisible", [stream("", TILE)], "/Pattern << /Tile 100 0 R >>"
    ),
    "empty letters": Trick(keywords(font="T3"), "invisible", glyphs_without_ink(), more_fonts="/T3 100 0 R "),
    "white outline": Trick(keywords(before="1 Tr 1 1 1 RG"), "background_color"),
    "empty clip": Trick("q 0 0 600 800 re 0 0 600 800 re W* n " + keywords() + " Q\n", "clipped"),
    "baseline below the page": Trick(keywords(HEIGHT + 7.5), "off_page"),
    "form on a layer that is off": Trick(
        "/Form Do\n",
        "invisible",
        [GROUP, HELVETICA, stream(keywords(), FORM + " /OC 100 0 R")],
        "/XObject << /Form 102 0 R >>",
        catalog=LAYER_OFF,
    ),
    "under a thick line": Trick(
        keywords() + f"q 1 1 1 RG 20 w 50 {HEIGHT - 397} m 400 {HEIGHT - 397} l S Q\n", "covered"
    ),
    "under strips": Trick(
        keywords() + "".join(rectangle(50, 390 + 2 * row, 350, 2, "1 1 1") for row in range(8)), "covered"
    ),
    "under boxes": Trick(
        keywords() + "".join(rectangle(50 + 10 * row, 385, 10, 25, "1 1 1") for row in range(20)), "covered"
    ),
    "under a note": Trick(
        keywords(),
        "covered",
        annotation("Square", f"1 1 1 rg 50 {HEIGHT - 420} 350 40 re f", 4),
        page_entries="/Annots [100 0 R]",
    ),
    "at the place of a rule": Trick(
        keywords(before="1 1 1 rg") + f"q 0.5 w 50 {HEIGHT - 397} m 400 {HEIGHT - 397} l S Q\n", "background_color"
    ),
    "empty letters over a line": Trick(
        keywords(112, font="T3"), "covered invisible", glyphs_without_ink(), more_fonts="/T3 100 0 R "
    ),
    "white over white print": Trick(keywords(112, before="3 Tr"), "invisible"),
    "a sliver is left": Trick(f"q 0 {HEIGHT - 393} 600 0.4 re W n " + keywords() + " Q\n", "clipped"),
}


def blended(mode: str) -> Trick:
    return Trick(f"q /Blend gs {keywords()} Q\n", "transparent", resources=f"/ExtGState << /Blend << /BM /{mode} >> >>")


# Where nothing lies under them; on a white sheet these modes leave white.
TRICKS |= {f"blend mode {mode}": blended(mode) for mode in ("Screen", "Lighten", "ColorDodge", "SoftLight", "Color")}
TRICKS["form in blend mode Screen"] = Trick(
    "q /Blend gs /Form Do Q\n",
    "transparent",
    [stream(keywords(), FORM), HELVETICA],
    "/ExtGState << /Blend << /BM /Screen >> >> /XObject << /Form 100 0 R >>",
)


@pytest.mark.parametrize("kind", TRICKS)
def test_words_without_ink_are_set_apart(kind: str) -> None:
    trick = TRICKS[kind]
    draft = read_pdf(trick.file(), ReadLimits(ocr="off"))
    assert [line.text for line in draft.lines] == VISIBLE
    assert " ".join(item.text for item in draft.hidden) == KEYWORDS
    assert {item.reason for item in draft.hidden} <= set(trick.reason.split())


MANY = [f"Line {number} of a page that is long enough to be sampled" for number in range(40)]
ON_LONG_PAGES = {
    "a pattern with an escaped name": Trick(
        keywords(760, before="/CS cs 0 0 0 /P scn"),
        "invisible",
        [stream("", TILE.replace("/PaintType 1", "/Paint#54ype 2"))],
        "/ColorSpace << /CS [/Pattern /DeviceRGB] >> /Pattern << /P 100 0 R >>",
    ),
    "first letters in black": Trick(
        f"BT /F1 10 Tf 60 {HEIGHT - 760} Td "
        + " ".join(f"0 g ({word[0]}) Tj 1 g ({word[1:]} ) Tj" for word in KEYWORDS.split())
        + " ET\n",
        "background_color invisible replaced",
    ),
    "nine clips": Trick("q " + "0 0 600 800 re W n " * 9 + "0 0 1 1 re W n " + keywords(760) + " Q\n", "clipped"),
    "pale yellow": Trick(keywords(760, before="1 1 0.9 rg"), "background_color"),
    "letters without ink": Trick(
        keywords(760, font="T3"), "invisible", glyphs_without_ink(), more_fonts="/T3 100 0 R "
    ),
}


@pytest.mark.parametrize("kind", ON_LONG_PAGES)
def test_words_outside_the_sample_of_a_plain_page_are_set_apart(kind: str) -> None:
    trick = ON_LONG_PAGES[kind]
    body = lines(60, 60, *MANY)
    data = pdf(body + trick.content, objects=trick.objects, resources=trick.resources, more_fonts=trick.more_fonts)
    draft = read_pdf(data, ReadLimits(ocr="off"))
    assert [line.text for line in draft.lines if line.text not in MANY] == []
    assert " ".join(item.text for item in draft.hidden) == KEYWORDS
    assert {item.reason for item in draft.hidden} <= set(trick.reason.split())


@pytest.mark.parametrize("flags", [2, 32, 34])
def test_notes_that_are_not_shown_say_nothing(flags: int) -> None:
    objects = annotation("FreeText", keywords(), flags)
    draft = read_pdf(pdf(BODY, objects=objects, page_entries="/Annots [100 0 R]"), ReadLimits(ocr="off"))
    assert [line.text for line in draft.lines] == VISIBLE


@pytest.mark.parametrize("mode", ["Multiply", "Darken"])
def test_blend_modes_that_leave_ink_on_paper_hide_nothing(mode: str) -> None:
    draft = read_pdf(blended(mode).file(), ReadLimits(ocr="off"))
    assert ([line.text for line in draft.lines], draft.hidden) == ([*VISIBLE, KEYWORDS], [])


@pytest.mark.parametrize("color", ["0 g", "0.01 g", "1 g"])
def test_a_word_laid_over_itself_counts_once(color: str) -> None:
    word, rest = "terraform", " in production"
    over = text(60, 400, word, before=color)
    draft = read_pdf(pdf(BODY + text(60, 400, word + rest) + over), ReadLimits(ocr="off"))
    assert " ".join(line.text for line in draft.lines).split().count(word) == 1


@pytest.mark.parametrize("thickness", [0.8, 1])
def test_lines_under_words_do_not_make_their_letters_odd(thickness: float) -> None:
    addresses = ["linkedin.com/in/hannabrandt", "github.com/hannabrandt", "hanna.brandt@example.com"]
    underlined = ""
    for row, shown in enumerate(addresses):
        y = 300 + 20 * row
        underlined += text(60, y, shown, size=8, font="F3", before="0.3 g")
        underlined += f"q 0.3 G {thickness} w 60 {HEIGHT - y - 1} m {60 + 4.8 * len(shown)} {HEIGHT - y - 1} l S Q\n"
    draft = read_pdf(pdf(BODY + underlined), ReadLimits(ocr="off"))
    assert ([line.text for line in draft.lines], draft.hidden) == ([*VISIBLE, *addresses], [])


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
def test_of_a_page_only_the_lines_of_odd_words_are_recognised() -> None:
    with opened(pdf(lines(60, 60, *MANY) + text(60, 700, "Warehouse team leader in Lisbon"))) as document:
        page = document[0]
        boxes = np.array([[60.0, 690.0, 120.0, 703.0]])
        sight, places = read_lines_at(
            page, page_frame(page), boxes, Tesseract("/usr/bin/tesseract"), time.monotonic() + 60
        )
    assert " ".join(word.text for word in sight.words) == "Warehouse team leader in Lisbon"
    assert seen_in_place(["Warehouse", "Kubernetes"], places[[0, 0]], sight) == [True, False]


def test_parts_of_a_page_are_drawn_on_the_pixels_of_the_whole_page() -> None:
    """Letters of several fonts stand far apart; each is compared as it looks on the whole page."""
    far = text(61.3, 200.7, "Kubernetes", font="F2") + text(300.9, 600.3, "Terraform", size=17, font="F3")
    with opened(pdf(lines(60.4, 60.2, *MANY[:3]) + far + text(59.7, 780.1, "Lisbon"))) as document:
        page = document[0]
        textpage, frame = page.get_textpage(), page_frame(page)
        glyphs = page_glyphs(textpage, frame)
        words = form_words(glyphs)
        handle = address(textpage.raw)
        styles = word_styles(handle, glyphs.index[words.first], words.boxes[:, 3] - words.boxes[:, 1])
        content = PageContent(page, frame, handle, glyphs, words, styles)
        of = content.word_of_glyph()
        letters = np.flatnonzero(
            np.isin(of, [words.text.index(word) for word in ("Kubernetes", "Terraform", "Lisbon")])
        )
        for scale in (1.5, 3.0):
            samples = Samples(content, scale)
            bands = samples.drawn(letters)
            assert len(bands) == 3
            assert sum(band.picture.size for band in bands) < 0.02 * samples.drawn()[0].picture.size
            part, whole = (samples.taken(drawn)[:, :, letters].astype(int) for drawn in (bands, None))
            assert np.abs(part - whole).max() <= 1  # large letters are drawn as areas, whose edges round differently
            assert np.ptp(part, axis=(0, 1)).min() > 100


def test_clips_are_the_same_with_and_without_the_compiled_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """Objects that share one clip, are in another besides, have more than are read, or none."""
    inner = "q 50 50 400 600 re W n " + text(60, 80, "Alpha") + text(60, 95, "Beta")
    nested = "q 20 20 100 900 re W n " + text(60, 110, "Gamma") + " Q " + text(60, 125, "Delta") + " Q\n"
    many = (
        "q "
        + "".join(f"{i} {i} 500 600 re W n " for i in range(9))
        + text(60, 140, "Epsilon")
        + " Q\n"
        + text(60, 155, "Zeta")
    )
    with opened(pdf(inner + nested + many)) as document:
        page = document[0]
        textpage = page.get_textpage()
        glyphs = page_glyphs(textpage, page_frame(page))
        objects = pointers_at(get_text_object, address(textpage.raw), glyphs.index[form_words(glyphs).first])
        areas, longest = clips_of(objects)
        monkeypatch.setattr("evenhand.documents.pdf.glyphs.LOOPS", None)
        plain_areas, plain_longest = clips_of(objects)
    assert (areas == plain_areas).all()
    assert longest.tolist() == plain_longest.tolist() == [5, 5, 5, 5, np.iinfo(np.int32).max, 0]
    assert areas[:, 0].tolist() == [50, 50, 50, 50, 7, -np.inf]
    assert areas[:, 2].tolist() == [450, 450, 120, 450, 500, np.inf]
