"""The machine that runs RTF: control words change the state, text goes to the stream in force."""

from __future__ import annotations

from evenhand.documents.charsets import FONT_CHARSETS, SYMBOL_CHARSET, code_page
from evenhand.documents.draft import DocumentDraft, ReadLimits
from evenhand.documents.flow import DocumentBuilder, field_sign, is_active_field, is_remote, result_hidden
from evenhand.documents.rtf.paragraphs import Paragraphs, RtfStyles, Shapes, clean_marker
from evenhand.documents.rtf.state import (
    CAPTURED,
    CHARACTERS,
    FURNITURE,
    LABEL_WORD,
    SHOWN,
    SIGNS,
    SKIPPED,
    ColorTable,
    FontTable,
    RtfState,
    Stream,
    TokenKind,
    read_styles,
    tokenize,
)
from evenhand.documents.symbols import LETTERS, is_sign_font, sign

_MAX_GROUPS = 2_000
_ACTIVE = "The file holds an embedded object, a link or a remote template; nothing of it was run or fetched."


def read_rtf(data: bytes, limits: ReadLimits) -> DocumentDraft:
    start = data.find(b"{\\rt", 0, 1024)
    machine = RtfInterpreter(DocumentBuilder("rtf", limits), has_header=start >= 0)
    machine.looks.paints_page = b"\\viewbksp1" in data
    machine.unused = [mark for word, mark in ((b"\\facingp", b"l"), (b"\\titlepg", b"f")) if word not in data]
    machine.styles = read_styles(data)
    machine.run(data[max(0, start) :])
    return machine.flow.finish()


class RtfInterpreter:
    """Runs the tokens of one document."""

    def __init__(self, flow: DocumentBuilder, *, has_header: bool) -> None:
        self.flow = flow
        self.looks = RtfStyles()
        self.paragraphs = Paragraphs(flow, self.looks)
        self.shapes = Shapes(self.looks)
        self.state = RtfState(Stream())
        self._has_header = has_header
        self._stack: list[RtfState] = []
        self._bytes = bytearray()  # text not decoded yet: a double-byte character may span tokens
        self._skip = 0  # fallback characters after a Unicode one
        self._codec = "cp1252"
        self._default_font: int | None = None
        self._fresh = False  # nothing came yet in this group
        self._starred = False
        self._captured: list[str] = []
        self._fonts = FontTable(self.looks.fonts)
        self._colors = ColorTable(self.looks.colors)
        self._high = ""  # first half of a character beyond the basic plane
        self._skips_next = False  # the next group
        self._drawn = False  # the field has its character, so its result is a repetition
        self._active = False
        self.unused: list[bytes] = []  # which headers and footers no page shows
        self.styles: dict[tuple[bytes, int], list[tuple[bytes, int | None]]] = {}
        self._code = ""  # of the last field

    def run(self, data: bytes) -> None:
        for count, (kind, value, number) in enumerate(tokenize(data)):
            if count % 4096 == 0:
                self.flow.check_time()
            fresh, self._fresh = self._fresh, kind is TokenKind.OPEN
            if kind is TokenKind.TEXT or kind is TokenKind.BYTE:
                self._text(value)
            elif kind is TokenKind.WORD:
                self._word(value, number)
            elif kind is TokenKind.OPEN:
                self._open()
            elif kind is TokenKind.CLOSE:
                self._close()
                if not self._stack and self._has_header:
                    break
            elif value == b"*":
                # In the middle of a group it marks no destination, whatever some programs write there.
                self._starred = fresh
            else:
                self._sign(value)
            if self.flow.full:
                break
        self._end()

    def _end(self) -> None:
        self._flush()
        for state in (self.state, *reversed(self._stack)):
            if not state.skips and state.captures is None:
                self.paragraphs.end(state)
        if len(self._stack) > 1:  # one closing brace is often forgotten, more are not
            self.flow.cut("the file breaks off")
        if self._active:
            self.flow.warn("active_content", _ACTIVE)

    def _open(self) -> None:
        self._flush()
        self._skip = 0
        self._starred = False
        self._stack.append(self.state)
        self.state = self.state.fork()
        self.state.skips = self.state.skips or self._skips_next
        self._skips_next = False
        if len(self._stack) > _MAX_GROUPS:
            self.flow.cut("groups nested too deeply")

    def _close(self) -> None:
        self._flush()
        self._skip = 0
        self._starred = False
        if not self._stack:
            return
        inner, self.state = self.state, self._stack.pop()
        if inner.draws and not self.state.draws:
            self.shapes.lay(self.state.stream)
        if inner.captures != self.state.captures and inner.captures is not None:
            self._end_capture(inner.captures, inner)
        if inner.stream is not self.state.stream:
            self.paragraphs.end(inner)

    def _word(self, word: bytes, number: int | None) -> None:
        state = self.state
        if state.skips:
            return
        if word == b"u":
            self._unicode(number or 0)
            return
        self._flush()
        self._skip = 0
        starred, self._starred = self._starred, False
        if word in SKIPPED or (starred and word not in CAPTURED and word not in SHOWN):
            self._active = self._active or word == b"objdata"
            state.skips = bool(self._stack)  # never the whole document
        elif word in CAPTURED:
            if self._stack:
                state.captures = word
                self._captured = []
        elif state.captures is not None:
            self._captured_word(state.captures, word, number)
        elif word in CHARACTERS:
            self._put(CHARACTERS[word])
        elif word in FURNITURE and word[6:] in self.unused:
            state.skips = bool(self._stack)
        elif word in FURNITURE:
            state.stream = Stream(FURNITURE[word])
            state.new_paragraph()
            state.look = None
        else:
            state.look = None
            if word in _FORMATS:
                attribute, default = _FORMATS[word]
                setattr(state, attribute, default if number is None else number)
            elif word in _TOGGLES:
                setattr(state, _TOGGLES[word], number != 0)
            else:
                self._act(word, number)

    def _act(self, word: bytes, number: int | None) -> None:
        """Control words that need more than setting an attribute; those of shapes and tables are handed on."""
        state = self.state
        match word:
            case b"f":
                state.font = number
                if state.associated != "rtl":
                    state.associated = ""
            case b"af" if state.associated == "dbch":
                state.far_east_font = number
            case b"af" if state.associated in ("rtl", ""):
                state.rtl_font = number
            case b"loch" | b"hich" | b"dbch" | b"rtlch" | b"ltrch":
                state.associated = _ASSOCIATED[word]
            case b"par":
                self.paragraphs.end(state)
            case b"pard":
                state.new_paragraph()
            case b"plain":
                state.plain()
                state.font = self._default_font
            case b"sect":
                self.paragraphs.end(state)
                state.stream.blank = True
            case b"page":
                self.paragraphs.end(state)
                self.flow.page += state.stream.part == "body"
                state.stream.blank = True
            case b"fldrslt":
                state.skips, self._drawn = self._drawn, False
                state.result = (self._code, [0]) if result_hidden(self._code, _ENDLESS) else state.result
            case b"upr":  # the first group after this word says the same as the second one, which is in Unicode
                self._skips_next = True
            case b"object":
                self._active = True
            case b"deff":
                self._default_font = state.font = number
            case b"ansicpg":
                self._codec = code_page(number or 1252)
            case b"mac" | b"pc" | b"pca":
                self._codec = _CODECS[word]
            case _ if word in self.looks.page:
                self.looks.page[word] = number or self.looks.page[word]
            case _ if word in _SET_APART:
                self._set_apart(word, number)
            case _ if word[:2] in (b"sh", b"dp"):
                state.draws = state.draws or word == b"shp"
                self.shapes.word(word, number, state)
            case _:
                self.paragraphs.word(word, number, state)

    def _set_apart(self, word: bytes, number: int | None) -> None:
        """Words that move text away, make it smaller or leave it blank."""
        state = self.state
        match word:
            case b"s" | b"cs":
                for style_word, value in self.styles.get((word, number or 0), ()):
                    self._word(style_word, value)
            case b"up" | b"dn":
                state.raised = (1 if word == b"up" else -1) * (6 if number is None else number)
            case b"super" | b"sub" | b"nosupersub":
                state.script = 1.0 if word == b"nosupersub" or number == 0 else _SCRIPT
            case b"tx":
                state.tab_stops = tuple(sorted((*state.tab_stops[-_MAX_STOPS:], number or 0)))
            case b"expnd":  # in quarter points; the newer word, in twips, may follow
                state.spacing = 5 * (number or 0)
            case b"mphant":
                state.blank = True
            case b"fldpriv":
                self._code = "PRIVATE"

    def _captured_word(self, captures: bytes, word: bytes, number: int | None) -> None:
        if captures == b"fonttbl":
            self._fonts.word(word, number)
        elif captures == b"colortbl":
            self._colors.word(word, number)
        elif word == b"f":
            self.state.font = number
        elif word in CHARACTERS:
            self._captured.append(CHARACTERS[word])
        elif word in (b"v", b"deleted"):
            self.state.vanish = number != 0
        elif word in _FORMATS:
            setattr(self.state, _FORMATS[word][0], _FORMATS[word][1] if number is None else number)
        elif captures == b"background":
            self.shapes.word(word, number, self.state)

    def _end_capture(self, captures: bytes, inner: RtfState) -> None:
        text = "".join(self._captured)
        self._captured = []
        if captures == b"fonttbl":
            self._fonts.end_name()
        elif captures in (b"listtext", b"pntext"):
            marker = clean_marker(text)
            reason = self.looks.look(inner, None).hidden if marker and sum(map(str.isalnum, marker)) > 2 else None
            if marker and LABEL_WORD.search(marker):
                reason = reason or "replaced"  # Word counts by itself and never shows what is kept here
            if marker and reason:
                self.paragraphs.put(f"{text.strip()} ", self.state, reason)
            else:
                self.state.stream.marker = marker
        elif captures == b"fldinst":
            self._code = text
            self._active = self._active or is_active_field(text)
            if drawn := field_sign(text):
                self._put(drawn)
                self._drawn = True
        elif captures == b"template":
            self._active = self._active or is_remote(text)
        elif captures in (b"sn", b"sv"):
            self.shapes.set_property(captures, text)
        elif captures == b"background":
            self.looks.page_fill = self.shapes.fill() or self.looks.page_fill

    def _text(self, data: bytes) -> None:
        state = self.state
        if state.skips:
            return
        if self._skip:
            skipped = min(self._skip, len(data))
            self._skip -= skipped
            data = data[skipped:]
        if state.captures == b"fonttbl":
            self._fonts.text(data)
        elif state.captures == b"colortbl":
            self._colors.text(data)
        else:
            self._bytes += data

    def _unicode(self, number: int) -> None:
        self._flush()
        code = number + 0x10000 if number < 0 else number
        name = self.looks.font_name(self.state.font)
        if 0xF000 <= code <= 0xF0FF and is_sign_font(name):
            self._put(sign(code, name))
        elif 0xD800 <= code < 0xDC00:
            self._high = chr(code)
        elif 0xDC00 <= code < 0xE000:
            pair = (self._high + chr(code)).encode("utf-16-le", "surrogatepass")
            self._high = ""
            self._put(pair.decode("utf-16-le", "replace"))
        elif 0 < code <= 0x10FFFF:
            self._put(chr(code))
        self._skip = max(0, self.state.unicode_fallback)

    def _sign(self, value: bytes) -> None:
        if self.state.skips:
            return
        if value in (b"\n", b"\r"):
            self._word(b"par", None)
        elif value in SIGNS:
            if self._skip:
                self._skip -= 1
                return
            self._flush()
            self._put(SIGNS[value])

    def _flush(self) -> None:
        """Decode the bytes gathered so far with the charset of the font they are in."""
        if not self._bytes:
            return
        data = bytes(self._bytes)
        self._bytes.clear()
        state = self.state
        associated = {"dbch": state.far_east_font, "rtl": state.rtl_font}.get(state.associated)
        number = associated if associated is not None else state.font
        font = self.looks.fonts.get(-1 if number is None else number)
        if font and (font.charset == SYMBOL_CHARSET or is_sign_font(font.name)):
            name = font.name if is_sign_font(font.name) else "Wingdings"
            if LETTERS.search(plain := data.decode("cp1252", "replace")):
                self._put(plain, "replaced")
                return
            self._put("".join(sign(byte, name) for byte in data))
            return
        codec = self._codec
        if font is not None and font.charset != 1:
            codec = font.codec or FONT_CHARSETS.get(font.charset, codec)
        self._put(data.decode(codec, "replace"))

    def _put(self, text: str, reason: str | None = None) -> None:
        state = self.state
        if not text or state.skips or state.deleted:
            return
        if state.captures is None:
            self.paragraphs.put(text, state, reason)
        elif not state.vanish:
            self._captured.append(text)


_FORMAT_LIST = b"""
    fs size 24, cf color 0, cb old_shade 0, chcbpat shade 0, highlight shade 0, charscalex scale 100, expndtw spacing 0,
    uc unicode_fallback 1, itap nesting 1, cbpat paragraph_shade 0, li indent 0, posx frame_x 0, posnegx frame_x 0,
    sb space_before 0, sa space_after 0, sl line_height 0, slmult multiple 0, fi first 0, posy frame_y 0,
    posnegy frame_y 0, absw frame_width 0, absh frame_height 0, chcfpat ink 0, chshdng pattern 0,
    cfpat paragraph_ink 0, shading paragraph_pattern 0, afs associated_size 24, fittext fitted 0
"""
# Control word to the attribute it sets, and the value of a word without a number.
_FORMATS = {
    word: (attribute.decode(), int(default))
    for word, attribute, default in (row.split() for row in _FORMAT_LIST.split(b","))
}
_SET_APART = frozenset(b"expnd s cs up dn super sub nosupersub tx mphant fldpriv".split())
_SCRIPT = 0.65
_MAX_STOPS = 60
_ENDLESS = 1_000_000
_TOGGLES = {
    b"mvf": "deleted",
    b"b": "bold",
    b"i": "italic",
    b"v": "vanish",
    b"deleted": "deleted",
    b"intbl": "in_table",
}
_CODECS = {b"mac": "mac_roman", b"pc": "cp437", b"pca": "cp437"}
_ASSOCIATED = {b"loch": "loch", b"hich": "hich", b"dbch": "dbch", b"rtlch": "rtl", b"ltrch": ""}
