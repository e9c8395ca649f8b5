"""What a group of RTF remembers: the look of characters and paragraphs, and where its text goes."""

from __future__ import annotations

from dataclasses import dataclass, field

from evenhand.documents.colors import RGB
from evenhand.documents.covers import Covers
from evenhand.documents.flow import Look, Run


@dataclass(slots=True)
class Rows:
    """A table being filled."""

    table: int
    row: int = 0
    column: int = 0


@dataclass(slots=True)
class Stream:
    """A place for paragraphs: the body, a header, a note, a text box."""

    part: str = "body"
    fill: RGB | None = None  # behind all of it
    see_through: bool = False  # lies on something unknown, so no colour can be called hidden
    hidden: str | None = None  # why nobody sees any of it
    runs: list[Run] = field(default_factory=list)
    marker: str | None = None
    rows: list[Rows] = field(default_factory=list)  # one per nesting level
    backdrop_left: int = 0  # paragraphs that may still lie on a large shape
    covers: Covers = field(default_factory=Covers)
    paragraph: int = 0
    blank: bool = False  # an empty paragraph came before
    space_after: int = 0
    in_list: bool = False


@dataclass(slots=True)
class Shape:
    """A drawing and its properties, as far as they decide whether its text is seen."""

    left: int = 0
    top: int = 0
    right: int = 0
    bottom: int = 0
    wrap: int = 0  # how text runs around it; 3 is not at all
    below: bool = False  # behind the text
    by_paragraph: bool = False  # placed from the paragraph, not from the page
    has_text: bool = False
    properties: dict[str, str] = field(default_factory=dict)
    name: str = ""  # of the property being read


@dataclass
class State:
    """The formatting in force; every group works on its own copy (no slots, so that copying is cheap)."""

    stream: Stream
    captures: bytes | None = None  # the captured destination this group belongs to
    skips: bool = False
    draws: bool = False  # inside a shape
    font: int | None = None
    size: int = 24  # half points
    bold: bool = False
    italic: bool = False
    color: int = 0
    shade: int = 0  # behind the characters
    vanish: bool = False
    deleted: bool = False
    scale: int = 100
    spacing: int = 0  # twips between characters
    unicode_fallback: int = 1
    associated: str = ""  # which associated font an af word sets: "", "loch", "hich", "dbch", "rtl"
    far_east_font: int | None = None
    rtl_font: int | None = None
    in_table: bool = False
    nesting: int = 0
    paragraph_shade: int = 0
    indent: int = 0
    frame_x: int = 0
    space_before: int = 0
    space_after: int = 0
    line_height: int = 0

    look: Look | None = None  # of its characters, until a word changes something
    look_paragraph: int = 0  # for which it was worked out

    def fork(self) -> State:
        twin = object.__new__(State)
        twin.__dict__.update(self.__dict__)
        return twin

    def plain(self) -> None:
        self.font = None
        self.size = 24
        self.bold = self.italic = self.vanish = self.deleted = False
        self.color = self.shade = 0
        self.scale = 100
        self.spacing = 0
        self.associated = ""

    def new_paragraph(self) -> None:
        self.in_table = False
        self.nesting = self.paragraph_shade = self.indent = self.frame_x = 0
        self.space_before = self.space_after = self.line_height = 0

    @property
    def depth(self) -> int:
        """How many tables the paragraph stands in."""
        return max(self.nesting, 1 if self.in_table else 0)


@dataclass(slots=True)
class Font:
    name: str = ""
    charset: int = 1  # that of the document
    codec: str | None = None


@dataclass(slots=True)
class RowLook:
    """What a row definition says that decides whether its text is seen."""

    fills: list[int] = field(default_factory=list)  # colour of each cell
    fill: int = 0  # of the cell being defined
    height: int = 0
    ruled: bool = False
