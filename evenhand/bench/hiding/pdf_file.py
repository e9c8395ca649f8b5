"""A small PDF writer: one page of drawing operators, and the objects they name."""

from __future__ import annotations

from collections.abc import Mapping

WIDTH, HEIGHT = 595, 842  # A4 in points

FONTS = "/F1 4 0 R /F2 5 0 R"
FIRST_FREE = 6


def pdf(
    operators: str,
    *,
    resources: str = "",
    objects: Mapping[int, bytes | str] | None = None,
    page: str = "",
    catalog: str = "",
) -> bytes:
    """A whole file. Objects 1 to 5 are the catalog, pages, page and fonts; its content comes last."""
    named = {
        1: f"<< /Type /Catalog /Pages 2 0 R {catalog} >>",
        2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        4: font("Helvetica"),
        5: font("Helvetica-Bold"),
        **(objects or {}),
    }
    content = max(named) + 1
    box = "" if "/MediaBox" in page else f"/MediaBox [0 0 {WIDTH} {HEIGHT}]"
    named[3] = (
        f"<< /Type /Page /Parent 2 0 R {box} /Contents {content} 0 R "
        f"/Resources << /Font << {FONTS} >> {resources} >> {page} >>"
    )
    named[content] = stream(operators.encode("latin-1"))
    return written(named)


def font(name: str) -> str:
    return f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"


def stream(data: bytes, entries: str = "") -> bytes:
    return f"<< {entries} /Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream"


def image(gray: int) -> bytes:
    """A picture of four equal pixels."""
    entries = "/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8"
    return stream(bytes([gray] * 4), entries)


def written(objects: Mapping[int, bytes | str]) -> bytes:
    out = bytearray(b"%PDF-1.7\n")
    places = {}
    for number, content in sorted(objects.items()):
        places[number] = len(out)
        out += f"{number} 0 obj\n".encode()
        out += content.encode("latin-1") if isinstance(content, str) else content
        out += b"\nendobj\n"
    table = len(out)
    size = max(objects) + 1
    out += f"xref\n0 {size}\n0000000000 65535 f \n".encode()
    for number in range(1, size):
        out += f"{places[number]:010d} 00000 n \n".encode()
    out += f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n".encode()
    return bytes(out)


def literal(text: str) -> str:
    """A string operand."""
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"({escaped})"


def show(text: str, x: float, y: float, *, size: float = 10, name: str = "F1", state: str = "") -> str:
    """One line of text; `state` holds further operators that are in force for it alone."""
    return f"q {state} BT /{name} {size} Tf {x} {y} Td {literal(text)} Tj ET Q\n"


def rectangle(x: float, y: float, width: float, height: float, color: str) -> str:
    return f"q {color} {x} {y} {width} {height} re f Q\n"


def picture(name: str, x: float, y: float, width: float, height: float) -> str:
    return f"q {width} 0 0 {height} {x} {y} cm /{name} Do Q\n"
