"""Manuscripts as files in the formats that people send: PDF, DOCX, DOC, ODT, RTF, HTML, TXT."""

from __future__ import annotations

from random import Random

from evenhand_lab.corpora.files.docx import write_docx
from evenhand_lab.corpora.files.flat import CHARSETS, HTML_LOOKS, choose_charset, write_html, write_rtf, write_txt
from evenhand_lab.corpora.files.looks import LOOKS, Secret, beside_and_main
from evenhand_lab.corpora.files.odt import write_odt
from evenhand_lab.corpora.files.pdf.designs import DESIGNS
from evenhand_lab.corpora.files.pdf.writer import choose_design, write_pdf
from evenhand_lab.corpora.manuscript import Manuscript, to_plain

FORMATS = ("pdf", "docx", "doc", "odt", "rtf", "html", "txt")
NOT_IN = {"odt": ("box", "columns"), "rtf": ("header", "box", "columns")}  # places of the contact data
LOOKS_OF: dict[str, tuple[str, ...]] = {
    "pdf": tuple(DESIGNS),
    "docx": tuple(LOOKS),
    "doc": tuple(LOOKS),
    "odt": tuple(look.name for look in LOOKS.values() if look.place not in NOT_IN["odt"]),
    "rtf": tuple(look.name for look in LOOKS.values() if look.place not in NOT_IN["rtf"]),
    "html": HTML_LOOKS,
    "txt": tuple(CHARSETS),
}


def choose_look(manuscript: Manuscript, format: str, rng: Random) -> str:
    """A design, look or charset of the format that suits the resume."""
    match format:
        case "pdf":
            return choose_design(manuscript, rng)
        case "html":
            return rng.choice(HTML_LOOKS)
        case "txt":
            return choose_charset(manuscript, rng)
    words = len(to_plain(manuscript).text.split())
    has_small = len(beside_and_main(manuscript)[0]) > 1
    fitting = [
        look
        for look in (LOOKS[name] for name in LOOKS_OF[format])
        if words <= look.most_words and (has_small or look.place != "columns")
    ]
    return rng.choices(fitting, [look.weight for look in fitting])[0].name


def write(manuscript: Manuscript, format: str, look: str, rng: Random, *, secret: Secret | None = None) -> bytes:
    """The bytes of the file; for DOC those of the DOCX file that LibreOffice is to convert."""
    match format:
        case "pdf":
            return write_pdf(manuscript, look, rng, secret)
        case "docx" | "doc":
            return write_docx(manuscript, LOOKS[look], secret)
        case "odt":
            return write_odt(manuscript, LOOKS[look], secret)
        case "rtf":
            return write_rtf(manuscript, LOOKS[look], secret)
        case "html":
            return write_html(manuscript, look, secret)
        case "txt":
            return write_txt(manuscript, look)
    raise ValueError(f"no format {format!r}")
