"""What all stories of one document share while it is read, and what holds around one stretch of text."""

from __future__ import annotations

from dataclasses import dataclass, field

from evenhand.documents.colors import RGB
from evenhand.documents.office.budget import Budget
from evenhand.documents.office.docx.formats import EMPTY_RUN, RunFormat
from evenhand.documents.office.docx.numbering import Numbering
from evenhand.documents.office.docx.package import Package
from evenhand.documents.office.docx.pages import Page
from evenhand.documents.office.docx.styles import StyleSheet
from evenhand.documents.office.docx.theme import Theme
from evenhand.documents.office.paint import PAPER, Backdrop


@dataclass(slots=True)
class Setting:
    package: Package
    theme: Theme
    styles: StyleSheet
    numbering: Numbering
    page: Page
    budget: Budget
    backdrop: Backdrop = PAPER  # the page itself
    underlays: list[Backdrop] = field(default_factory=list)  # shapes large enough to lie behind text
    active: set[str] = field(default_factory=set)  # kinds of active content met
    notes: list[tuple[str, str]] = field(default_factory=list)  # kind and id, as referenced


@dataclass(frozen=True, slots=True)
class Scene:
    """What holds around a stretch of text: its table style, the box it stands in, what lies behind it."""

    backdrop: Backdrop
    bare: bool = True  # nothing but the page lies behind, unless a shape was pushed under the text
    run: RunFormat = EMPTY_RUN  # from the table style
    color: RGB | None = None  # of text that names none
    hidden: str | None = None
    depth: int = 0
