"""ODT and flat ODT to a draft: the text in order, what is hidden apart, nothing run or fetched."""

from __future__ import annotations

from evenhand.documents.draft import DocumentDraft, ReadLimits
from evenhand.documents.office.blocks import Block
from evenhand.documents.office.flow import StoryWriter
from evenhand.documents.office.odt.body import OdtEnvironment, OdtStory
from evenhand.documents.office.odt.frames import find_underlays
from evenhand.documents.office.odt.lists import ListStyles
from evenhand.documents.office.odt.package import OdtPackage, q
from evenhand.documents.office.odt.styles import FOOTERS, HEADERS, Masters, OdtStyles
from evenhand.documents.office.package import Budget
from evenhand.records.document import Warning

# Active content of an ODT: macros, embedded objects, linked content; named, never run or fetched.


SENTENCES = {
    "macro": "macros",
    "object": "embedded objects",
    "external": "content fetched from elsewhere",
    "dde": "commands to other programs (DDE)",
}
LISTINGS = ("script-lc.xml", "script-lb.xml", "dialog-lc.xml", "dialog-lb.xml")
HREF = q("xlink:href")
FETCHED = (
    "draw:image",
    "draw:object",
    "draw:object-ole",
    "draw:floating-frame",
    "text:section-source",
    "draw:plugin",
    "draw:applet",
    "draw:fill-image",
    "style:background-image",
)
EMBEDDED = ("draw:object-ole", "draw:plugin", "draw:applet", "draw:floating-frame")


def active_warning(package: OdtPackage) -> Warning | None:
    """One sentence naming everything found; None when there is nothing."""
    kinds = find_active(package)
    named = [sentence for kind, sentence in SENTENCES.items() if kind in kinds]
    if not named:
        return None
    return Warning("active_content", f"The file carries {', '.join(named)}; nothing was run or fetched.")


def find_active(package: OdtPackage) -> set[str]:
    found = {"macro"} if any(map(_is_macro, package.names)) else set()
    for root in {id(root): root for root in (package.content, package.styles) if root is not None}.values():
        if next(root.iter(q("text:script"), q("script:event-listener")), None) is not None:
            found.add("macro")
        if any(len(scripts) for scripts in root.iter(q("office:script"))):
            found.add("macro")
        if (
            next(root.iter(q("text:dde-connection-decl"), q("office:dde-source"), q("text:dde-connection")), None)
            is not None
        ):
            found.add("dde")
        for element in root.iter(*map(q, FETCHED)):
            if _is_elsewhere(element.get(HREF)):
                found.add("external")
        if next(root.iter(*map(q, EMBEDDED)), None) is not None:
            found.add("object")
    return found


def _is_macro(name: str) -> bool:
    """Module files; the listings beside them are written even when there is no macro."""
    folder, _, rest = name.partition("/")
    return folder in ("basic", "scripts") and not name.endswith(("/", *LISTINGS)) and bool(rest)


def _is_elsewhere(address: str | None) -> bool:
    """An address with a scheme or a path out of the package."""
    address = (address or "").strip().lower()
    return address.startswith(("http:", "https:", "ftp:", "file:", "smb:", "//", "\\\\", "../", "/"))


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
        budget=Budget(limits),
        picture=package.picture,
    )
    roots = [package.content] if package.styles in (None, package.content) else [package.content, package.styles]
    setting.underlays = find_underlays([root for root in roots if root is not None], styles, setting.page)
    story = OdtStory(setting)
    text = story.read(package.body)
    used = setting.masters if setting.begins_on_master else [masters.usual(), *setting.masters]
    headers = [OdtStory(setting).read(element) for element in masters.furniture(used, HEADERS)]
    footers = [OdtStory(setting).read(element) for element in masters.furniture(used, FOOTERS)]
    draft = DocumentDraft(format_name, pages=min(story.page, limits.pages))
    flow = StoryWriter(draft)
    _write_once(flow, headers, "header")
    flow.write(text)
    for note in setting.notes:
        flow.write(note)
    _write_once(flow, footers, "footer")
    _warn(draft, package, setting)
    return draft


def _write_once(flow: StoryWriter, stories: list[list[Block]], kind: str) -> None:
    written: list[list[Block]] = []
    for blocks in stories:
        if blocks not in written:
            written.append(blocks)
            flow.write(blocks, furniture=kind)


def _warn(draft: DocumentDraft, package: OdtPackage, setting: OdtEnvironment) -> None:
    active = active_warning(package)
    if active is not None:
        draft.warnings.append(active)
    draft.warnings.extend(setting.budget.warnings())
    if package.damaged:
        draft.warnings.append(Warning("damaged", "Parts of the file are damaged; some text or layout may be missing."))
    draft.partial = package.damaged or bool(setting.budget.warnings())
