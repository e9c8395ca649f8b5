"""Small PDF files written operator by operator, so that tests know every place and colour in them."""

from __future__ import annotations

from collections.abc import Sequence

HELVETICA, BOLD, COURIER = "F1", "F2", "F3"
FONTS = {HELVETICA: "Helvetica", BOLD: "Helvetica-Bold", COURIER: "Courier"}
WIDTH, HEIGHT = 600, 800


def text(x: float, y: float, words: str, *, size: float = 10, font: str = HELVETICA, before: str = "") -> str:
    """One line of text, its baseline `y` points below the page's top, after the operators `before`."""
    escaped = words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT {before} /{font} {size} Tf {x} {HEIGHT - y} Td ({escaped}) Tj ET\n"


def lines(x: float, y: float, *words: str, step: float = 12, size: float = 10, font: str = HELVETICA) -> str:
    """Lines below each other from `y` downwards."""
    return "".join(text(x, y + i * step, line, size=size, font=font) for i, line in enumerate(words))


def rectangle(x: float, y: float, width: float, height: float, color: str = "0 0 0") -> str:
    """A filled rectangle; `y` is its upper edge below the page's top."""
    return f"q {color} rg {x} {HEIGHT - y - height} {width} {height} re f Q\n"


def rule(x0: float, y0: float, x1: float, y1: float) -> str:
    return f"q 0 0 0 RG 0.5 w {x0} {HEIGHT - y0} m {x1} {HEIGHT - y1} l S Q\n"


def pdf(
    *pages: str,
    page_entries: str = "",
    objects: Sequence[bytes] = (),
    resources: str = "",
    catalog: str = "",
    more_fonts: str = "",
) -> bytes:
    """A file of these page contents; `objects` get the numbers from 100 on."""
    numbered: dict[int, bytes] = {1: f"<< /Type /Catalog /Pages 2 0 R {catalog} >>".encode()}
    fonts = more_fonts + " ".join(
        f"/{key} << /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"
        for key, name in FONTS.items()
    )
    kids = []
    for index, content in enumerate(pages):
        page, stream = 10 + 2 * index, 11 + 2 * index
        kids.append(f"{page} 0 R")
        body = content.encode("latin-1")
        numbered[page] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] {page_entries} "
            f"/Resources << /Font << {fonts} >> {resources} >> /Contents {stream} 0 R >>"
        ).encode()
        numbered[stream] = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(body), body)
    numbered[2] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    numbered |= {100 + i: body for i, body in enumerate(objects)}
    return serialised(numbered)


def serialised(numbered: dict[int, bytes]) -> bytes:
    out = bytearray(b"%PDF-1.7\n")
    places = {}
    for number, body in sorted(numbered.items()):
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for number, place in places.items():
        out += b"%d 1\n%010d 00000 n \n" % (number, place)
    out += b"trailer\n<< /Root 1 0 R /Size %d >>\nstartxref\n%d\n%%%%EOF\n" % (max(numbered) + 1, start)
    return bytes(out)


def stream(content: str, entries: str = "") -> bytes:
    body = content.encode("latin-1")
    return b"<< %s /Length %d >>\nstream\n%s\nendstream" % (entries.encode(), len(body), body)


def image(pixel: bytes, width: int = 1, height: int = 1) -> bytes:
    """An RGB image object of one colour."""
    data = pixel * (width * height)
    return (
        b"<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceRGB "
        b"/BitsPerComponent 8 /Length %d >>\nstream\n%s\nendstream" % (width, height, len(data), data)
    )
