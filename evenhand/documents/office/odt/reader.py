"""ODT and flat ODT to a draft: the text in order, what is hidden apart, nothing run or fetched."""

from __future__ import annotations

from evenhand.documents.draft import DocumentDraft, ReadLimits
from evenhand.documents.office.flow import add_warnings, write_stories
from evenhand.documents.office.odt.body import OdtEnvironment, OdtStory
from evenhand.documents.office.odt.frames import find_underlays
from evenhand.documents.office.odt.lists import ListStyles
from evenhand.documents.office.odt.package import OdtPackage, q
from evenhand.documents.office.odt.styles import FOOTERS, HEADERS, Masters, OdtStyles
from evenhand.documents.office.package import Budget

# Active content of an ODT: macros, embedded objects, linked content; named, never run or fetched.


SENTENCES = {
    "macro": "macros",
    "object": "embedded objects",
    "external": "content fetched from elsewhere",
    "dde": "commands to other programs (DDE)",
}
LISTINGS = ("script-lc.xml", "script-lb.xml", "dialog-lc.xml", "dialog-lb.xml")
HREF = q("xlink:href")
# An address with a scheme or a path out of the package.
ELSEWHERE = ("http:", "https:", "ftp:", "file:", "smb:", "//", "\\\\", "../", "/")
_FETCHED_NAMES = """
    draw:image draw:object draw:object-ole draw:floating-frame text:section-source draw:plugin draw:applet
    draw:fill-image style:background-image
"""
FETCHED = [q(name) for name in _FETCHED_NAMES.split()]
EMBEDDED = [q(name) for name in ("draw:object-ole", "draw:plugin", "draw:applet", "draw:floating-frame")]
DDE = [q(name) for name in ("text:dde-connection-decl", "office:dde-source", "text:dde-connection")]


def find_active(package: OdtPackage) -> set[str]:
    kinds: set[str] = set()
    for name in package.names:  # module files; the listings beside them are written even when there is no macro
        folder, _, rest = name.partition("/")
        if folder in ("basic", "scripts") and rest and not name.endswith(("/", *LISTINGS)):
            kinds.add("macro")
    for root in {id(root): root for root in (package.content, package.styles) if root is not None}.values():
        if next(root.iter(q("text:script"), q("script:event-listener")), None) is not None:
            kinds.add("macro")
        if any(len(scripts) for scripts in root.iter(q("office:script"))):
            kinds.add("macro")
        if next(root.iter(*DDE), None) is not None:
            kinds.add("dde")
        if any((element.get(HREF) or "").strip().lower().startswith(ELSEWHERE) for element in root.iter(*FETCHED)):
            kinds.add("external")
        if next(root.iter(*EMBEDDED), None) is not None:
            kinds.add("object")
    return kinds


def read_odt(data: bytes, limits: ReadLimits) -> DocumentDraft:
    """Reads the visible text of an ODT in reading order."""
    return _read(OdtPackage.open(data, limits), "odt", limits)


def read_fodt(data: bytes, limits: ReadLimits) -> DocumentDraft:
    """Reads a flat ODT, which is one XML file."""
    return _read(OdtPackage.open_flat(data), "fodt", limits)


def _read(package: OdtPackage, format_name: str, limits: ReadLimits) -> DocumentDraft:
    styles = OdtStyles(package.style_roots())
    masters = Masters(package.styles)
    setting = OdtEnvironment(
        styles=styles,
        lists=ListStyles(package.style_roots(), styles),
        page=masters.page(masters.usual()),
        layout=masters.page,
        budget=Budget(limits),
        picture=package.picture,
    )
    roots = [package.content] if package.styles in (None, package.content) else [package.content, package.styles]
    setting.underlays = find_underlays([root for root in roots if root is not None], styles, setting.page)
    for field in (field for root in roots if root is not None for field in root.iter(q("text:user-field-decl"))):
        if field.get(q("office:string-value")) is not None:
            setting.user_fields[field.get(q("text:name")) or ""] = (field.get(q("office:string-value")) or "").strip()
    story = OdtStory(setting)
    text = story.read(package.body)
    setting.page = masters.page(masters.usual())
    used = setting.masters if setting.begins_on_master else [masters.usual(), *setting.masters]
    headers = [OdtStory(setting).read(element) for element in masters.furniture(used, HEADERS)]
    footers = [OdtStory(setting).read(element) for element in masters.furniture(used, FOOTERS)]
    draft = DocumentDraft(format_name, pages=min(story.page, limits.pages))
    write_stories(draft, headers, [text, *setting.notes], footers)
    kinds = find_active(package)
    active = [sentence for kind, sentence in SENTENCES.items() if kind in kinds]
    add_warnings(draft, active, setting.budget, damaged=package.damaged)
    return draft
