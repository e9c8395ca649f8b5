"""Active content of a DOCX: macros, embedded objects, content from elsewhere; named, never run or fetched."""

from __future__ import annotations

from evenhand.documents.office.docx.package import Package
from evenhand.records.document import Warning

SENTENCES = {
    "macro": "macros",
    "object": "embedded objects",
    "control": "form controls with code",
    "template": "a template from elsewhere",
    "external": "content fetched from elsewhere",
    "dde": "commands to other programs (DDE)",
    "link": "links to other files' content",
    "chunk": "another document inside",
}
EMBEDDING = {"oleObject", "package"}
HARMLESS_LINKS = {"hyperlink"}


def find_active(package: Package) -> set[str]:
    """Kinds of active content the package declares."""
    found: set[str] = set()
    for name in package.archive.names():
        if name.endswith(("vbaproject.bin", "vbadata.xml")):
            found.add("macro")
        if "/activex/" in name:
            found.add("control")
        if name.endswith(".rels"):
            source = name.replace("_rels/", "").removesuffix(".rels")
            for relation in package.relations(source).values():
                found |= _kind(source, relation.kind, external=relation.external)
    return found


def _kind(source: str, kind: str, *, external: bool) -> set[str]:
    if kind in ("vbaProject", "wordVbaData"):
        return {"macro"}
    if external and kind not in HARMLESS_LINKS:
        return {"template"} if kind == "attachedTemplate" else {"external"}
    if kind == "aFChunk":
        return {"chunk"}
    if kind == "control":
        return {"control"}
    # Charts keep their numbers in an embedded workbook, which nobody can start from the page.
    return {"object"} if kind in EMBEDDING and "/charts/" not in source else set()


def active_warning(kinds: set[str]) -> Warning | None:
    """One sentence naming everything found; None when there is nothing."""
    named = [sentence for kind, sentence in SENTENCES.items() if kind in kinds]
    if not named:
        return None
    return Warning("active_content", f"The file carries {', '.join(named)}; nothing was run or fetched.")
