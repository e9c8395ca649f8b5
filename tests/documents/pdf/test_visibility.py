"""What a person cannot see is set apart with its reason; what only looks suspicious is kept."""

from __future__ import annotations

import pytest

from evenhand.documents.draft import DocumentDraft, ReadLimits
from evenhand.documents.pdf import glyphs
from evenhand.documents.pdf.reader import read_pdf
from tests.documents.pdf.pdf_files import HEIGHT, HELVETICA, image, lines, pdf, rectangle, text

BODY = lines(60, 100, "Hanna Brandt", "Warehouse team leader with twelve years", "of work in logistics")
VISIBLE = ["Hanna Brandt", "Warehouse team leader with twelve years", "of work in logistics"]
KEYWORDS = "python kubernetes terraform"
GSTATE = "/ExtGState << /Faint << /ca 0.02 /CA 0.02 >> >>"


def read(content: str, **more: object) -> DocumentDraft:
    return read_pdf(pdf(BODY + content, **more), ReadLimits())  # type: ignore[arg-type]


def keywords(y: float = 400, *, size: float = 10, before: str = "", x: float = 60) -> str:
    return text(x, y, KEYWORDS, size=size, before=before)


HIDDEN = {
    "invisible": ("invisible", keywords(before="3 Tr")),
    "clip only": ("invisible", keywords(before="7 Tr")),
    "white": ("background_color", keywords(before="1 1 1 rg")),
    "nearly white": ("background_color", keywords(before="0.96 0.96 0.96 rg")),
    "as its bar": (
        "background_color",
        rectangle(40, 380, 400, 40, "0.1 0.2 0.5") + keywords(before="0.11 0.21 0.5 rg"),
    ),
    "tiny": ("tiny", keywords(size=1)),
    "scaled to nothing": ("tiny", f"q 0.1 0 0 0.1 0 0 cm BT /{HELVETICA} 20 Tf 600 4000 Td ({KEYWORDS}) Tj ET Q\n"),
    "left of the page": ("off_page", keywords(x=-400)),
    "below the page": ("off_page", keywords(y=HEIGHT + 60)),
    "transparent": ("transparent", "q /Faint gs " + keywords() + " Q\n"),
    "clipped": ("clipped", "q 0 0 20 20 re W n " + keywords() + " Q\n"),
    "under a shape": ("covered", keywords() + rectangle(40, 380, 400, 40, "1 1 1")),
    "under an image": ("covered", keywords() + f"q 400 0 0 40 40 {HEIGHT - 420} cm /Im Do Q\n"),
}


@pytest.mark.parametrize("kind", HIDDEN)
def test_hidden_text_is_set_apart(kind: str) -> None:
    reason, content = HIDDEN[kind]
    draft = read(content, objects=[image(b"\xff\xee\xdd")], resources=f"{GSTATE} /XObject << /Im 100 0 R >>")
    assert [line.text for line in draft.lines] == VISIBLE
    assert [(item.text, item.reason) for item in draft.hidden] == [(KEYWORDS, reason)]


SEEN = {
    "white on a dark bar": rectangle(40, 380, 400, 40, "0.1 0.2 0.5") + keywords(before="1 1 1 rg"),
    "white on a dark image": f"q 400 0 0 40 40 {HEIGHT - 420} cm /Im Do Q\n" + keywords(before="1 1 1 rg"),
    "light grey": keywords(before="0.7 0.7 0.7 rg"),
    "small print": keywords(size=6),
    "outlined": keywords(before="1 Tr 1 1 1 rg 0 0 0 RG"),
    "on a white shape": rectangle(40, 380, 400, 40, "1 1 1") + keywords(),
    "under a see-through shape": keywords() + f"q /Faint gs 0 0 0 rg 40 {HEIGHT - 420} 400 40 re f Q\n",
    "inside its clip": f"q 0 0 600 {HEIGHT} re W n " + keywords() + " Q\n",
}


@pytest.mark.parametrize("kind", SEEN)
def test_visible_text_stays(kind: str) -> None:
    draft = read(SEEN[kind], objects=[image(b"\x10\x20\x40")], resources=f"{GSTATE} /XObject << /Im 100 0 R >>")
    assert [line.text for line in draft.lines] == [*VISIBLE, KEYWORDS]
    assert draft.hidden == []


def test_text_for_machines_does_not_replace_what_is_shown() -> None:
    claims = " ".join(f"skill{number}" for number in range(20))
    draft = read(f"/Span << /ActualText ({claims}) >> BDC " + text(60, 400, "Gardener") + "EMC\n")
    assert [line.text for line in draft.lines] == [*VISIBLE, "Gardener"]
    (hidden,) = draft.hidden
    assert hidden.reason == "replaced"
    assert "skill19" in hidden.text


def test_transparent_text_over_letters_of_the_same_shape_is_seen() -> None:
    """Browsers print bold letters as outlines and lay transparent text over them for copying."""
    bold = text(60, 400, "Experience", size=14, before="2 Tr 0.4 w")
    over = "q /Faint gs " + text(60, 400, "Experience", size=14) + " Q\n"
    draft = read(bold + over, resources=GSTATE)
    assert [line.text for line in draft.lines] == [*VISIBLE, "Experience"]
    assert draft.hidden == []


def test_a_line_cut_at_the_page_end_and_repeated_on_the_next_page_is_no_trick() -> None:
    cut = "q 0 20 600 780 re W n " + text(60, 795, "Managed the budget of the plant") + " Q\n"
    again = text(60, 60, "Managed the budget of the plant")
    draft = read_pdf(pdf(BODY + cut, again), ReadLimits())
    assert draft.hidden == []
    assert [line.text for line in draft.lines].count("Managed the budget of the plant") == 1


def test_a_clipped_part_of_a_line_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = text(60, 400, "Gardener and")
    clipped = "q 0 0 20 20 re W n " + text(126, 400, KEYWORDS) + " Q\n"
    for loops in (glyphs.LOOPS, None):
        monkeypatch.setattr(glyphs, "LOOPS", loops)
        draft = read(shown + clipped)
        assert [line.text for line in draft.lines] == [*VISIBLE, "Gardener and"]
        assert [(item.text, item.reason) for item in draft.hidden] == [(KEYWORDS, "clipped")]
