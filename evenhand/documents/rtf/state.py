"""What a group of RTF remembers: the look of characters and paragraphs, and where its text goes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum

from evenhand.documents.charsets import FONT_CHARSETS, code_page
from evenhand.documents.draft import RGB
from evenhand.documents.flow import CharacterStyle, CoverTracker, Run


@dataclass(slots=True)
class Rows:
    """A table being filled."""

    table: int
    row: int = 0
    column: int = 0
    used: float = 0.0  # points of the height of its cell


@dataclass(slots=True)
class Stream:
    """A place for paragraphs: the body, a header, a note, a text box."""

    part: str = "body"
    fill: RGB | None = None  # behind all of it
    see_through: bool = False  # lies on something unknown, so no colour can be called hidden
    hidden: str | None = None  # why nobody sees any of it
    room: float | None = None  # points of height, of a box that does not grow
    used: float = 0.0
    runs: list[Run] = field(default_factory=list)
    marker: str | None = None
    rows: list[Rows] = field(default_factory=list)  # one per nesting level
    backdrop_left: int = 0  # paragraphs that may still lie on a large shape
    covers: CoverTracker = field(default_factory=CoverTracker)
    paragraph: int = 0
    blank: bool = False  # an empty paragraph came before
    space_after: int = 0
    in_list: bool = False


@dataclass(slots=True)
class RtfShape:
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
class RtfState:
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
    raised: int = 0  # half points above the line
    script: float = 1.0  # size of raised and lowered letters as a share of normal
    associated_size: int = 0  # half points, of text that runs from right to left
    old_shade: int = 0  # a background that Word does not draw
    ink: int = 0  # colour of the pattern behind the characters, and how much of it there is
    pattern: int = 0
    blank: bool = False  # a part of a formula that only takes room
    fitted: int = 0  # twips that the text is fitted into
    result: tuple[str, list[int]] | None = None  # the field that this is the result of, and its length so far
    unicode_fallback: int = 1
    associated: str = ""  # which associated font an af word sets: "", "loch", "hich", "dbch", "rtl"
    far_east_font: int | None = None
    rtl_font: int | None = None
    in_table: bool = False
    nesting: int = 0
    paragraph_shade: int = 0
    paragraph_ink: int = 0
    paragraph_pattern: int = 0
    indent: int = 0
    first: int = 0
    frame_x: int = 0
    frame_y: int = 0
    frame_width: int = 0
    frame_height: int = 0  # below zero it does not grow
    multiple: int = 0  # the line height counts lines
    tab_stops: tuple[int, ...] = ()
    space_before: int = 0
    space_after: int = 0
    line_height: int = 0

    look: CharacterStyle | None = None  # of its characters, until a word changes something
    look_paragraph: int = 0  # for which it was worked out

    def fork(self) -> RtfState:
        twin = object.__new__(RtfState)
        twin.__dict__.update(self.__dict__)
        return twin

    def plain(self) -> None:
        self.font = None
        self.size = 24
        self.bold = self.italic = self.vanish = self.deleted = False
        self.color = self.shade = self.old_shade = self.ink = self.pattern = 0
        self.scale = 100
        self.script = 1.0
        self.spacing = self.raised = self.associated_size = self.fitted = 0
        self.associated = ""

    def new_paragraph(self) -> None:
        self.in_table = False
        self.nesting = self.paragraph_shade = self.paragraph_ink = self.paragraph_pattern = 0
        self.indent = self.first = self.frame_x = self.frame_y = self.frame_width = self.frame_height = 0
        self.space_before = self.space_after = self.line_height = self.multiple = 0
        self.tab_stops = ()

    @property
    def depth(self) -> int:
        """How many tables the paragraph stands in."""
        return max(self.nesting, 1 if self.in_table else 0)


@dataclass(slots=True)
class RtfFont:
    name: str = ""
    charset: int = 1  # that of the document
    codec: str | None = None


@dataclass(slots=True)
class RowLook:
    """What a row definition says that decides whether its text is seen."""

    fills: list[RGB | None] = field(default_factory=list)  # colour of each cell
    reasons: list[str | None] = field(default_factory=list)  # why nobody sees the text of each cell
    fill: tuple[int, int, int] = (0, 0, 0)  # of the cell being defined: its background, pattern colour and pattern
    merged: bool = False  # with a cell above it or before it
    hidden: str | None = None
    edge: int = 0  # where the cell being defined begins
    height: int = 0
    ruled: bool = False


# The tables at the head of an RTF document: fonts and colours.


class FontTable:
    """Font table under construction; a name ends with a semicolon or with its group."""

    def __init__(self, fonts: dict[int, RtfFont]) -> None:
        self._fonts = fonts
        self._font = RtfFont()
        self._name = bytearray()

    def word(self, word: bytes, number: int | None) -> None:
        if word == b"f":
            self.end_name()
            self._font = self._fonts.setdefault(number or 0, RtfFont())
        elif word == b"fcharset":
            self._font.charset = number or 0
        elif word == b"cpg" and number:
            self._font.codec = code_page(number)

    def text(self, data: bytes) -> None:
        name, semicolon, _ = data.partition(b";")
        self._name += name
        if semicolon:
            self.end_name()

    def end_name(self) -> None:
        name = bytes(self._name).strip().decode(FONT_CHARSETS.get(self._font.charset, "cp1252"), "replace")
        if name and not self._font.name:
            self._font.name = name
        self._name.clear()


class ColorTable:
    """Colour table under construction; an entry without numbers is the automatic colour."""

    def __init__(self, colors: list[RGB | None]) -> None:
        self._colors = colors
        self._parts: dict[bytes, int] = {}

    def word(self, word: bytes, number: int | None) -> None:
        if word in (b"red", b"green", b"blue"):
            self._parts[word] = max(0, min(255, number or 0))

    def text(self, data: bytes) -> None:
        for _ in range(data.count(b";")):
            parts = self._parts
            color = (parts.get(b"red", 0), parts.get(b"green", 0), parts.get(b"blue", 0))
            self._colors.append(color if parts else None)
            self._parts = {}


# Which control words print a character, and which groups are shown, skipped or kept for later.

CHARACTERS = {
    b"tab": "\t",
    **dict.fromkeys((b"line", b"lbr", b"softline", b"column"), "\n"),
    **dict(zip((b"emdash", b"endash", b"bullet"), "—–•", strict=True)),
    **dict(zip((b"lquote", b"rquote", b"ldblquote", b"rdblquote"), "‘’“”", strict=True)),
    **dict(zip((b"emspace", b"enspace", b"qmspace"), "\u2003\u2002\u2005", strict=True)),
    **dict(zip((b"zwj", b"zwnj", b"zwbo", b"zwnbo"), "\u200d\u200c\u200b\u2060", strict=True)),
    **dict(zip((b"ltrmark", b"rtlmark"), "\u200e\u200f", strict=True)),
}
SIGNS = {b"~": "\u00a0", b"_": "\u2011", b"-": "\u00ad", b"{": "{", b"}": "}", b"\\": "\\", b"\t": "\t"}

# Groups whose text goes somewhere else than into the running text.
FURNITURE = {
    **dict.fromkeys((b"header", b"headerl", b"headerr", b"headerf"), "header"),
    **dict.fromkeys((b"footer", b"footerl", b"footerr", b"footerf"), "footer"),
    b"footnote": "note",
}
# Kept as text for the machine: tables of fonts and colours, list markers, field codes, shape properties.
CAPTURED = frozenset(
    (b"fonttbl", b"colortbl", b"listtext", b"pntext", b"fldinst", b"sn", b"sv", b"template", b"background")
)
# Shown although marked as destinations an old reader may ignore.
SHOWN = frozenset((b"shpinst", b"shpgrp", b"ud", b"do", b"dptxbxtext", b"nesttableprops", b"moMath", b"moMathPara"))
# Never shown: data, properties, and the fallbacks of what is shown elsewhere.
SKIPPED_LIST = b"""
    stylesheet info pict objdata objclass objname datafield listtable listoverridetable revtbl rsidtbl
    generator themedata colorschememapping latentstyles datastore xmlnstbl filetbl private1 bkmkstart
    bkmkend xe tc tcn rxe txe nonshppict shprslt nonesttables annotation atnid atnauthor atntime atnicn
    atnref atrfstart atrfend atndate atnparent pgdsctbl ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn
    pnseclvl pn formfield title subject author manager company operator category keywords comment doccomm
    hlinkbase docvar userprops creatim revtim printim buptim fontemb fontfile falt panose fname mmathPr
    picprop wgrffmtfilter passwordhash protusertbl ebcstart ebcend pxe ixe hsv htmltag mhtmltag oldcprops
    oldpprops oldsprops oldtprops
"""
SKIPPED = frozenset(SKIPPED_LIST.split())


# RTF bytes to tokens: groups, control words, hexadecimal bytes, text.


class TokenKind(IntEnum):
    WORD = 1  # control word: name, number or None
    BYTE = 2  # \'xx: one byte
    SYMBOL = 3  # backslash and a sign
    OPEN = 4
    CLOSE = 5
    TEXT = 6


Token = tuple[TokenKind, bytes, int | None]

_TOKEN = re.compile(
    rb"\\([A-Za-z]{1,32})(?:(-?\d{1,10})\d*)? ?"
    rb"|\\'([0-9A-Fa-f]{2})"
    rb"|\\([^A-Za-z])"
    rb"|([{}])"
    rb"|([^\\{}\r\n\x00]+)"
)
_WORD, _NUMBER, _HEX, _SIGN, _BRACE, _TEXT = range(1, 7)


def tokenize(data: bytes) -> Iterator[Token]:
    """All tokens in order; the raw bytes announced by a bin word are stepped over."""
    position = 0
    while True:
        for match in _TOKEN.finditer(data, position):
            found = match.lastindex
            if found == _TEXT:
                yield TokenKind.TEXT, match[_TEXT], None
            elif found in (_WORD, _NUMBER):
                word, digits = match[_WORD], match[_NUMBER]
                if word == b"bin":
                    position = match.end() + max(0, int(digits or 0))
                    break
                yield TokenKind.WORD, word, int(digits) if digits else None
            elif found == _HEX:
                yield TokenKind.BYTE, bytes.fromhex(match[_HEX].decode("ascii")), None
            elif found == _BRACE:
                yield (TokenKind.OPEN if match[_BRACE] == b"{" else TokenKind.CLOSE), b"", None
            else:
                yield TokenKind.SYMBOL, match[_SIGN], None
        else:
            return


# Styles, as far as they may hide what is set in them: Word repeats their formatting in the text, others need not.

LABEL_WORD = re.compile(r"(?![ivxlcdmIVXLCDM]+\b)[A-Za-z]{4,}")
_STYLE_WORDS = frozenset((b"v", b"cf", b"charscalex", b"expndtw", b"up", b"dn", b"chcbpat", b"cbpat", b"highlight"))
_TINY_HALF_POINTS = 8
_MAX_STYLE_SHEET = 1_000_000  # bytes


def read_styles(data: bytes) -> dict[tuple[bytes, int], list[tuple[bytes, int | None]]]:
    """By kind and number: the formatting of styles that matters for what a person sees."""
    styles: dict[tuple[bytes, int], list[tuple[bytes, int | None]]] = {}
    start = data.find(b"{\\stylesheet")
    words: list[tuple[bytes, int | None]] = []
    depth = 0
    for kind, word, number in tokenize(data[start : start + _MAX_STYLE_SHEET]) if start >= 0 else ():
        depth += (kind is TokenKind.OPEN) - (kind is TokenKind.CLOSE)
        if kind is TokenKind.OPEN and depth == 2:
            words = []
        elif depth == 2 and kind is TokenKind.WORD:
            if word in (b"s", b"cs"):
                styles[word, number or 0] = words
            elif word in _STYLE_WORDS or (word == b"fs" and (number or 24) < _TINY_HALF_POINTS):
                words.append((word, number))
        elif depth == 0:
            break
    return styles
