"""Active content of an ODT: macros, embedded objects, linked content; named, never run or fetched."""

from __future__ import annotations

from evenhand.documents.office.odt.names import q
from evenhand.documents.office.odt.package import Package
from evenhand.records.document import Warning

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


def active_warning(package: Package) -> Warning | None:
    """One sentence naming everything found; None when there is nothing."""
    kinds = find_active(package)
    named = [sentence for kind, sentence in SENTENCES.items() if kind in kinds]
    if not named:
        return None
    return Warning("active_content", f"The file carries {', '.join(named)}; nothing was run or fetched.")


def find_active(package: Package) -> set[str]:
    found = {"macro"} if any(map(_is_macro, package.names)) else set()
    for root in {id(root): root for root in (package.content, package.styles) if root is not None}.values():
        if next(root.iter(q("text:script"), q("script:event-listener")), None) is not None:
            found.add("macro")
        if any(len(scripts) for scripts in root.iter(q("office:script"))):
            found.add("macro")
        if (
            next(
                root.iter(q("text:dde-connection-decl"), q("office:dde-source"), q("text:dde-connection")),
                None,
            )
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
