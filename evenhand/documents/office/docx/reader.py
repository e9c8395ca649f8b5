"""DOCX (also DOCM, DOTX, strict OOXML) to a draft: text in order, hidden text apart, nothing run."""

from __future__ import annotations

from collections.abc import Iterator

from evenhand.documents.draft import DocumentDraft, ReadLimits
from evenhand.documents.office.blocks import PAPER, Backdrop, Block, parse_hex
from evenhand.documents.office.docx.body import DocxStory
from evenhand.documents.office.docx.context import DocxEnvironment
from evenhand.documents.office.docx.numbering import Numbering
from evenhand.documents.office.docx.package import DocxPackage, is_on, w
from evenhand.documents.office.docx.shapes import DocxShape, drawn_shapes, vml_shapes
from evenhand.documents.office.docx.styles import StyleSheet
from evenhand.documents.office.docx.theme import DocxPage, Theme, furniture, local, read_page
from evenhand.documents.office.flow import StoryWriter
from evenhand.documents.office.package import Budget, Element
from evenhand.errors import CorruptDocument
from evenhand.records.document import Warning

# Active content of a DOCX: macros, embedded objects, content from elsewhere; named, never run or fetched.


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


def find_active(package: DocxPackage) -> set[str]:
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


# Shapes that may lie behind text and give it a background of their own.

MIN_PAGE_SHARE = 0.01  # of the page; a smaller shape is an ornament or an icon
THINNEST = 6.0  # points
MAX_UNDERLAYS = 500


def find_underlays(roots: list[Element], page: DocxPage, theme: Theme) -> list[Backdrop]:
    """The fills of filled shapes and pictures without text of their own, over the whole document.

    Where on the page a line of text falls is unknown in a format that flows, so a dark shape anywhere
    means that white text may be readable; calling honest text hidden would do more harm."""
    found: list[Backdrop] = []
    for root in roots:
        for shape in _all_shapes(root, page, theme):
            if len(found) >= MAX_UNDERLAYS:
                return found
            if shape.fill is not None and _may_underlie(shape, page):
                found.append(shape.fill.colors)
    return found


def _all_shapes(root: Element, page: DocxPage, theme: Theme) -> Iterator[DocxShape]:
    for element in root.iter(w("drawing"), w("pict")):
        if element.tag == w("pict"):
            yield from vml_shapes(element, page)
        elif any(local(child) == "anchor" for child in element) or _is_group(element):
            yield from drawn_shapes(element, page, theme)


def _is_group(drawing: Element) -> bool:
    return any(local(element) in ("wgp", "wpc") for element in drawing.iter())


def _may_underlie(shape: DocxShape, page: DocxPage) -> bool:
    if shape.rect is None or shape.hidden or shape.holds_text():
        return False
    rect = shape.rect
    return min(rect.width, rect.height) >= THINNEST and rect.width * rect.height >= MIN_PAGE_SHARE * page.area


MAX_FURNITURE = 60
MAX_NOTES = 2000


def read_docx(data: bytes, limits: ReadLimits) -> DocumentDraft:
    """Reads the visible text of a DOCX in reading order; raises only named errors for files beyond repair."""
    package = DocxPackage(data, limits)
    main = package.main()
    body = main.find(w("body"))
    if body is None:
        raise CorruptDocument
    sections = list(body.iter(w("sectPr")))
    settings = package.related("settings")
    setting = _setting(package, main, settings, sections, limits)
    even = settings is not None and (mark := settings.find(w("evenAndOddHeaders"))) is not None and is_on(mark)
    parts = {
        kind: list(_furniture_parts(package, furniture(sections, kind, even_pages=even)))
        for kind in ("header", "footer")
    }
    roots = [main, *(root for pairs in parts.values() for _, root in pairs)]
    setting.underlays = find_underlays(roots, setting.page, setting.theme)
    return _draft(setting, body, parts)


def _setting(
    package: DocxPackage, main: Element, settings: Element | None, sections: list[Element], limits: ReadLimits
) -> DocxEnvironment:
    theme = Theme(package.related("theme"), settings)
    styles = StyleSheet(package.related("styles"), theme)
    return DocxEnvironment(
        package=package,
        theme=theme,
        styles=styles,
        numbering=Numbering(package.related("numbering"), styles),
        page=read_page(sections[0] if sections else None),
        budget=Budget(limits),
        backdrop=_page_color(main, settings, theme),
        active=find_active(package),
    )


def _page_color(main: Element, settings: Element | None, theme: Theme) -> Backdrop:
    """A page colour is only painted when the settings ask for it."""
    background = main.find(w("background"))
    asked = settings.find(w("displayBackgroundShape")) if settings is not None else None
    if background is None or asked is None or not is_on(asked):
        return PAPER
    if len(background):
        return None  # a picture or a texture
    themed = theme.color(
        background.get(w("themeColor")), tint=background.get(w("themeTint")), shade=background.get(w("themeShade"))
    )
    color = themed or parse_hex(background.get(w("color")))
    return (color,) if color is not None else PAPER


def _furniture_parts(package: DocxPackage, identifiers: list[str]) -> Iterator[tuple[str, Element]]:
    relations = package.relations(package.main_name)
    for identifier in identifiers[:MAX_FURNITURE]:
        relation = relations.get(identifier)
        root = package.part(relation.target) if relation is not None and not relation.external else None
        if relation is not None and root is not None:
            yield relation.target, root


def _draft(setting: DocxEnvironment, body: Element, parts: dict[str, list[tuple[str, Element]]]) -> DocumentDraft:
    story = DocxStory(setting, setting.package.main_name, body)
    # The body first: list numbers run through it, and headers must not use them up.
    text = story.read(body)
    notes = [DocxStory(setting, name, root).read(note) for name, root, note in _notes(setting)]
    around = {
        kind: [DocxStory(setting, name, root).read(root) for name, root in pairs] for kind, pairs in parts.items()
    }
    draft = DocumentDraft("docx", pages=min(story.page, setting.budget.limits.pages))
    flow = StoryWriter(draft)
    _write_once(flow, around["header"], "header")
    flow.write(text)
    for note in notes:
        flow.write(note)
    _write_once(flow, around["footer"], "footer")
    _warn(draft, setting)
    return draft


def _write_once(flow: StoryWriter, stories: list[list[Block]], kind: str) -> None:
    """Sections repeat their headers; equal ones are shown once."""
    written: list[list[Block]] = []
    for blocks in stories:
        if blocks not in written:
            written.append(blocks)
            flow.write(blocks, furniture=kind)


def _notes(setting: DocxEnvironment) -> Iterator[tuple[str, Element, Element]]:
    """Footnotes, then endnotes, that the text refers to."""
    for kind in ("footnote", "endnote"):
        wanted = [identifier for known, identifier in setting.notes if known == kind][:MAX_NOTES]
        root = setting.package.related(f"{kind}s") if wanted else None
        notes = {note.get(w("id")): note for note in root.iter(w(kind))} if root is not None else {}
        for identifier in dict.fromkeys(wanted):
            if root is not None and identifier in notes:
                yield f"word/{kind}s.xml", root, notes[identifier]


def _warn(draft: DocumentDraft, setting: DocxEnvironment) -> None:
    active = active_warning(setting.active)
    if active is not None:
        draft.warnings.append(active)
    draft.warnings.extend(setting.budget.warnings())
    package = setting.package
    if package.archive.damaged or package.damaged_parts:
        draft.warnings.append(Warning("damaged", "Parts of the file are damaged; some text or layout may be missing."))
    draft.partial = bool(setting.budget.warnings() or package.archive.damaged or package.damaged_parts)
