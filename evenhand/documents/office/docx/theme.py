"""Theme colours and fonts, and the colours that DrawingML derives from them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from evenhand.documents.draft import BLACK, RGB, TINY_POINTS, WHITE
from evenhand.documents.office.blocks import mixed, parse_hex, relit
from evenhand.documents.office.docx.package import A, R, W, is_on, number, twips, value, w
from evenhand.documents.office.package import Element

SCHEME = f"{{{A}}}clrScheme"
# What the words of a document mean in the theme, unless its settings map them otherwise.
USUAL_MAPPING = {
    "bg1": "lt1", "t1": "dk1", "bg2": "lt2", "t2": "dk2", "tx1": "dk1", "tx2": "dk2",
    "background1": "lt1", "text1": "dk1", "background2": "lt2", "text2": "dk2",
    "light1": "lt1", "dark1": "dk1", "light2": "lt2", "dark2": "dk2",
    "hyperlink": "hlink", "followedHyperlink": "folHlink",
}  # fmt: skip
OFFICE_COLORS = {"dk1": BLACK, "lt1": WHITE}
FULL = 100_000
KEEPING_LIGHT = {"satMod", "satOff", "sat", "hueMod", "hueOff", "hue"}  # changes of a colour


class Theme:
    """Looks up scheme colours and fonts; a missing theme knows black, white and nothing else."""

    def __init__(self, root: Element | None, settings: Element | None) -> None:
        self._colors: dict[str, RGB] = dict(OFFICE_COLORS)
        self._fonts: dict[str, str] = {}
        self._mapping = dict(USUAL_MAPPING)
        scheme = root.find(f".//{SCHEME}") if root is not None else None
        for entry in scheme if scheme is not None else ():
            color = next(iter(entry), None)
            rgb = parse_hex(color.get("val")) or parse_hex(color.get("lastClr")) if color is not None else None
            if rgb is not None:
                self._colors[local(entry)] = rgb
        for kind in ("major", "minor"):
            latin = root.find(f".//{{{A}}}{kind}Font/{{{A}}}latin") if root is not None else None
            if latin is not None and latin.get("typeface"):
                self._fonts[kind] = str(latin.get("typeface"))
        mapping = settings.find(w("clrSchemeMapping")) if settings is not None else None
        for name, target in mapping.attrib.items() if mapping is not None else ():
            self._mapping[str(name).removeprefix(f"{{{W}}}")] = USUAL_MAPPING.get(str(target), str(target))
        view = value(settings, w("view")) if settings is not None else None
        self.is_web_view = view == "web"  # in which Word opens the file, without text that is hidden there
        if settings is not None:
            for full, short in (("background", "bg"), ("text", "t")):
                for number in "12":
                    self._mapping[full + number] = self._mapping[short + number]

    def font(self, name: str | None) -> str | None:
        """The font behind "minorHAnsi" or "majorAscii"."""
        return self._fonts.get((name or "")[:5])

    def color(self, name: str | None, *, tint: str | None = None, shade: str | None = None) -> RGB | None:
        """A scheme colour as WordprocessingML asks for it, lightened or darkened by a hexadecimal share."""
        color = self._colors.get(self._mapping.get(name or "", name or ""))
        if color is None:
            return None
        if shade is not None:
            color = relit(color, factor=_hex_share(shade))
        if tint is not None:
            share = _hex_share(tint)
            color = relit(color, factor=share, offset=1 - share)
        return color

    def drawn_color(self, holder: Element | None) -> tuple[RGB, float] | None:
        """The colour element inside a DrawingML fill, with its opacity."""
        element = next((child for child in holder if isinstance(child.tag, str)), None) if holder is not None else None
        if element is None:
            return None
        color = self._named(element)
        return self._adjusted(color, element) if color is not None else None

    def _named(self, element: Element) -> RGB | None:
        kind, val = local(element), attribute(element, "val")
        if kind == "schemeClr":
            return self.color(val)
        if kind == "sysClr":
            return parse_hex(attribute(element, "lastClr")) or (WHITE if val == "window" else BLACK)
        if kind == "prstClr":
            return {"black": BLACK, "white": WHITE}.get(val or "")
        if kind == "scrgbClr":
            shares = [number((attribute(element, part) or "").rstrip("%")) or 0.0 for part in "rgb"]
            red, green, blue = (min(255, max(0, round(share / FULL * 255))) for share in shares)
            return (red, green, blue)
        return parse_hex(val)

    def _adjusted(self, color: RGB, element: Element) -> tuple[RGB, float] | None:
        alpha = 1.0
        for change in element:
            amount = (number((attribute(change, "val") or "").rstrip("%")) or 0.0) / FULL
            kind = local(change)
            if kind == "lumMod":
                color = relit(color, factor=amount)
            elif kind == "lumOff":
                color = relit(color, offset=amount)
            elif kind == "shade":
                color = mixed(color, BLACK, amount)
            elif kind == "tint":
                color = mixed(color, WHITE, amount)
            elif kind == "alpha":
                alpha = amount
            elif kind not in KEEPING_LIGHT:
                return None  # it may turn black into white
        return color, alpha


def local(element: Element) -> str:
    """The name without its namespace; empty for what is no element."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def attribute(element: Element, name: str) -> str | None:
    """An attribute by its local name: DrawingML leaves it bare, the w14 extension does not."""
    plain = element.get(name)
    if plain is not None:
        return plain
    return next((str(val) for key, val in element.attrib.items() if str(key).endswith("}" + name)), None)


# The paper a document is set on: size, margins, headers and footers of its sections.

US_LETTER = (612.0, 792.0)
USUAL_MARGIN = 72.0


@dataclass(frozen=True, slots=True)
class DocxPage:
    """Points."""

    width: float = US_LETTER[0]
    height: float = US_LETTER[1]
    left: float = USUAL_MARGIN
    right: float = USUAL_MARGIN
    top: float = USUAL_MARGIN
    bottom: float = USUAL_MARGIN
    narrowest: float = US_LETTER[0]  # of its columns, where their widths are stated
    furniture_lost: bool = False  # headers or footers are set beyond the paper

    @property
    def cramped(self) -> bool:
        """No letter finds room between the margins."""
        across, down = self.width - self.left - self.right, self.height - self.top - self.bottom
        return min(across, down, self.narrowest) < TINY_POINTS

    @property
    def area(self) -> float:
        return self.width * self.height

    @property
    def text_width(self) -> float:
        return max(self.width - self.left - self.right, 1.0)


def read_page(section: Element | None) -> DocxPage:
    size = section.find(w("pgSz")) if section is not None else None
    margins = section.find(w("pgMar")) if section is not None else None
    columns = section.iterfind(f"{w('cols')}/{w('col')}") if section is not None else ()
    width = twips(size.get(w("w"))) if size is not None else None
    height = twips(size.get(w("h"))) if size is not None else None

    def margin(side: str) -> float:
        stated = twips(margins.get(w(side))) if margins is not None else None
        return abs(stated) if stated is not None else USUAL_MARGIN

    page = DocxPage(width or US_LETTER[0], height or US_LETTER[1])
    gutter = twips(margins.get(w("gutter"))) if margins is not None else None
    return replace(
        page,
        left=margin("left") + (gutter or 0.0),
        right=margin("right"),
        top=margin("top"),
        bottom=margin("bottom"),
        narrowest=min((twips(column.get(w("w"))) or page.width for column in columns), default=page.width),
        furniture_lost=max(margin("header"), margin("footer")) >= page.height,
    )


def furniture(sections: list[Element], kind: str, *, even_pages: bool) -> list[str]:
    """Relationship ids of the headers (or footers) that are used somewhere, in order, each once."""
    used: dict[str, None] = {}
    for section in sections:
        title = section.find(w("titlePg"))
        has_first = title is not None and is_on(title)
        for reference in section.iter(w(f"{kind}Reference")):
            where = reference.get(w("type")) or "default"
            if (where == "first" and not has_first) or (where == "even" and not even_pages):
                continue
            identifier = reference.get(f"{{{R}}}id")
            if identifier:
                used[identifier] = None
    return list(used)


def _hex_share(text: str) -> float:
    try:
        return int(text, 16) / 255
    except ValueError:
        return 1.0
