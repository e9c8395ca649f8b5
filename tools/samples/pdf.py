"""PDF samples: one column, a dark side bar, hidden keywords, a scan, and one behind a password."""

from __future__ import annotations

import io
from collections.abc import Callable
from html import escape

import numpy as np
import pypdfium2 as pdfium
from PIL import Image
from reportlab.lib.colors import HexColor, white
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, FrameBreak, HRFlowable, PageTemplate, Paragraph

from samples.people import Job, Person, Study

INK, GREY, ACCENT, NIGHT = HexColor("#222222"), HexColor("#666666"), HexColor("#1b4f72"), HexColor("#1f2d3d")
WIDTH, HEIGHT = A4
MARGIN = 56
SIDE_BAR = 190

BODY = ParagraphStyle("body", fontName="Helvetica", fontSize=9.5, leading=13, textColor=INK)
NAME = ParagraphStyle("name", BODY, fontName="Helvetica-Bold", fontSize=22, leading=27, textColor=ACCENT)
TITLE = ParagraphStyle("title", BODY, fontSize=12, leading=16, textColor=GREY)
HEADING = ParagraphStyle(
    "heading",
    BODY,
    fontName="Helvetica-Bold",
    fontSize=11,
    leading=14,
    textColor=ACCENT,
    spaceBefore=12,
    keepWithNext=1,
)
POST = ParagraphStyle("post", BODY, fontName="Helvetica-Bold", spaceBefore=7, keepWithNext=1)
PLACE = ParagraphStyle("place", BODY, fontName="Helvetica-Oblique", textColor=GREY, keepWithNext=1)
DUTY = ParagraphStyle("duty", BODY, leftIndent=12, bulletIndent=2, spaceBefore=1.5)
ON_DARK = ParagraphStyle("on_dark", BODY, textColor=white, fontSize=9, leading=12.5)
HEADING_ON_DARK = ParagraphStyle("heading_on_dark", HEADING, textColor=white)
NAME_ON_DARK = ParagraphStyle("name_on_dark", NAME, textColor=white, fontSize=20, leading=24)

Paint = Callable[[Canvas, BaseDocTemplate], None]


def text(words: str, style: ParagraphStyle, bullet: str | None = None) -> Paragraph:
    return Paragraph(escape(words, quote=False), style, bulletText=bullet)


def heading(words: str) -> list[Flowable]:
    return [text(words, HEADING), HRFlowable(width="100%", thickness=0.6, color=ACCENT, spaceBefore=1, spaceAfter=3)]


def job(entry: Job) -> list[Flowable]:
    return [
        text(f"{entry.title}, {entry.employer}", POST),
        text(f"{entry.place} | {entry.dates}", PLACE),
        *(text(duty, DUTY, "•") for duty in entry.duties),
    ]


def study(entry: Study) -> list[Flowable]:
    note = f" ({entry.note})" if entry.note else ""
    return [text(entry.degree, POST), text(f"{entry.school}, {entry.dates}{note}", BODY)]


def experience_and_education(person: Person) -> list[Flowable]:
    parts = heading("Experience")
    for position in person.jobs:
        parts += job(position)
    parts += heading("Education")
    for degree in person.studies:
        parts += study(degree)
    return parts


def one_column_story(person: Person) -> list[Flowable]:
    parts = [text(person.name, NAME), text(person.title, TITLE), text(" | ".join(person.contact), BODY)]
    parts += [*heading("Profile"), text(person.profile, BODY), *experience_and_education(person)]
    parts += heading("Skills") + [text(f"{group}: {skills}", BODY) for group, skills in person.skills]
    if person.certificates:
        parts += heading("Certificates") + [text(line, DUTY, "•") for line in person.certificates]
    return [*parts, *heading("Languages"), text(person.languages, BODY)]


def build(
    story: list[Flowable], frames: list[Frame], *, title: str, paint: Paint, encrypt: StandardEncryption | None = None
) -> bytes:
    out = io.BytesIO()
    document = BaseDocTemplate(out, pagesize=A4, invariant=1, title=title, author=title, encrypt=encrypt)
    document.addPageTemplates(PageTemplate(frames=frames, onPage=paint))
    document.build(story)
    return out.getvalue()


def page_frame() -> Frame:
    return Frame(MARGIN, MARGIN, WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN, 0, 0, 0, 0)


def one_column(person: Person, encrypt: StandardEncryption | None = None) -> bytes:
    def footer(canvas: Canvas, document: BaseDocTemplate) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.setFillColor(GREY)
        canvas.drawCentredString(WIDTH / 2, 30, f"{person.name} | Page {document.page}")

    return build(one_column_story(person), [page_frame()], title=person.name, paint=footer, encrypt=encrypt)


def protected(person: Person) -> bytes:
    return one_column(person, StandardEncryption("open-sesame", ownerPassword="owner", strength=128))


def side_bar(person: Person) -> bytes:
    """White on a dark bar: text in a colour that would be hidden on paper, and is not."""

    def bar(canvas: Canvas, _document: BaseDocTemplate) -> None:
        canvas.setFillColor(NIGHT)
        canvas.rect(0, 0, SIDE_BAR, HEIGHT, stroke=0, fill=1)

    left = [text(person.name, NAME_ON_DARK), text(person.title, ON_DARK), text("Contact", HEADING_ON_DARK)]
    left += [text(line, ON_DARK) for line in person.contact]
    for group, skills in person.skills:
        left += [text(group, HEADING_ON_DARK), *(text(skill, ON_DARK) for skill in skills.split(", "))]
    left += [text("Languages", HEADING_ON_DARK), *(text(line, ON_DARK) for line in person.languages.split(", "))]
    right = [*heading("Profile"), text(person.profile, BODY), *experience_and_education(person)]
    frames = [
        Frame(22, MARGIN, SIDE_BAR - 34, HEIGHT - 2 * MARGIN, 0, 0, 0, 0),
        Frame(SIDE_BAR + 26, MARGIN, WIDTH - SIDE_BAR - 66, HEIGHT - 2 * MARGIN, 0, 0, 0, 0),
    ]
    return build([*left, FrameBreak(), *right], frames, title=person.name, paint=bar)


def stuffed(person: Person, keywords: str) -> bytes:
    """Keywords in white at the foot of the page: nobody sees them, most parsers read them."""

    def stuff(canvas: Canvas, _document: BaseDocTemplate) -> None:
        canvas.setFont("Helvetica", 6)
        canvas.setFillColor(white)
        for row, line in enumerate(keywords.splitlines()):
            canvas.drawString(MARGIN, 60 - 8 * row, line)

    return build(one_column_story(person), [page_frame()], title=person.name, paint=stuff)


def scanned(person: Person) -> bytes:
    """The printed page as an office scanner returns it: grey, a little crooked, a little noisy."""
    page = pdfium.PdfDocument(one_column(person))[0].render(scale=170 / 72, grayscale=True).to_pil()
    page = page.convert("L").rotate(0.35, resample=Image.Resampling.BICUBIC, fillcolor=250)
    noise = np.random.default_rng(7).normal(0, 5, (page.height, page.width))
    grey = Image.fromarray(np.clip(np.asarray(page, dtype=float) - 4 + noise, 0, 255).astype(np.uint8))
    jpeg, out = io.BytesIO(), io.BytesIO()
    grey.save(jpeg, "JPEG", quality=45)
    canvas = Canvas(out, pagesize=A4, invariant=1)
    canvas.drawImage(ImageReader(jpeg), 0, 0, WIDTH, HEIGHT)
    canvas.save()
    return out.getvalue()
