"""DOCX (also DOCM, DOTX, strict OOXML) to a draft: text in order, hidden text apart, nothing run."""

from __future__ import annotations

from collections.abc import Iterator

from evenhand.documents.draft import DocumentDraft, ReadLimits
from evenhand.documents.office.blocks import PAPER, Backdrop, parse_hex
from evenhand.documents.office.docx.body import DocxStory
from evenhand.documents.office.docx.context import DocxEnvironment
from evenhand.documents.office.docx.numbering import Numbering
from evenhand.documents.office.docx.package import DocxPackage, is_on, w
from evenhand.documents.office.docx.shapes import DocxShape, drawn_shapes, vml_shapes
from evenhand.documents.office.docx.styles import StyleSheet
from evenhand.documents.office.docx.theme import DocxPage, Theme, furniture, local, read_page
from evenhand.documents.office.flow import add_warnings, write_stories
from evenhand.documents.office.package import Budget, Element
from evenhand.errors import CorruptDocument

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


def find_active(package: DocxPackage) -> set[str]:
    """Kinds of active content the package declares."""
    kinds: set[str] = set()
    for name in package.archive.names():
        if name.endswith(("vbaproject.bin", "vbadata.xml")):
            kinds.add("macro")
        if "/activex/" in name:
            kinds.add("control")
        if not name.endswith(".rels"):
            continue
        source = name.replace("_rels/", "").removesuffix(".rels")
        for relation in package.relations(source).values():
            if relation.kind in ("vbaProject", "wordVbaData"):
                kinds.add("macro")
            elif relation.external and relation.kind != "hyperlink":
                kinds.add("template" if relation.kind == "attachedTemplate" else "external")
            elif relation.kind in ("aFChunk", "control"):
                kinds.add("chunk" if relation.kind == "aFChunk" else "control")
            # Charts keep their numbers in an embedded workbook, which nobody can start from the page.
            elif relation.kind in EMBEDDING and "/charts/" not in source:
                kinds.add("object")
    return kinds


# Shapes that may lie behind text and give it a background of their own.

MIN_PAGE_SHARE = 0.01  # of the page; a smaller shape is an ornament or an icon
THINNEST = 6.0  # points
MAX_UNDERLAYS = 500


def find_underlays(roots: list[Element], page: DocxPage, theme: Theme) -> list[Backdrop]:
    """The fills of filled shapes and pictures without text of their own, over the whole document.

    Where on the page a line of text falls is unknown in a format that flows, so a dark shape anywhere
    means that white text may be readable; calling honest text hidden would do more harm."""

    def shapes(root: Element) -> Iterator[DocxShape]:
        for element in root.iter(w("drawing"), w("pict")):
            if element.tag == w("pict"):
                yield from vml_shapes(element, page)
            elif any(local(child) == "anchor" for child in element) or any(
                local(child) in ("wgp", "wpc") for child in element.iter()
            ):
                yield from drawn_shapes(element, page, theme)

    underlays: list[Backdrop] = []
    for shape in (shape for root in roots for shape in shapes(root)):
        if len(underlays) >= MAX_UNDERLAYS:
            break
        rect = shape.rect
        if shape.fill is None or rect is None or shape.hidden or shape.holds_text():
            continue
        if min(rect.width, rect.height) >= THINNEST and rect.width * rect.height >= MIN_PAGE_SHARE * page.area:
            underlays.append(shape.fill.colors)
    return underlays


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
    pages = [read_page(section) for section in sections or (None,)]
    settings = package.related("settings")
    theme = Theme(package.related("theme"), settings)
    styles = StyleSheet(package.related("styles"), theme)
    setting = DocxEnvironment(
        package=package,
        theme=theme,
        styles=styles,
        numbering=Numbering(package.related("numbering"), styles),
        pages=pages,
        page=pages[0],
        budget=Budget(limits),
        backdrop=_page_color(main, settings, theme),
        active=find_active(package),
    )
    even = settings is not None and (mark := settings.find(w("evenAndOddHeaders"))) is not None and is_on(mark)
    relations = package.relations(package.main_name)
    parts: dict[str, list[tuple[str, Element]]] = {"header": [], "footer": []}
    for kind, pairs in parts.items():
        for identifier in furniture(sections, kind, even_pages=even)[:MAX_FURNITURE]:
            relation = relations.get(identifier)
            root = package.part(relation.target) if relation is not None and not relation.external else None
            if relation is not None and root is not None:
                pairs.append((relation.target, root))
    roots = [main, *(root for pairs in parts.values() for _, root in pairs)]
    setting.underlays = find_underlays(roots, setting.page, theme)
    story = DocxStory(setting, package.main_name, body)
    # The body first: list numbers run through it, and headers must not use them up.
    text = story.read(body)
    setting.page = pages[0]
    notes = [DocxStory(setting, name, root).read(note) for name, root, note in _notes(setting)]
    lost = "off_page" if any(page.furniture_lost for page in pages) else None
    headers, footers = (
        [DocxStory(setting, name, root).read(root, lost) for name, root in parts[kind]] for kind in parts
    )
    draft = DocumentDraft("docx", pages=min(story.page, limits.pages))
    write_stories(draft, headers, [text, *notes], footers)
    active = [sentence for kind, sentence in SENTENCES.items() if kind in setting.active]
    add_warnings(draft, active, setting.budget, damaged=package.archive.damaged or bool(package.damaged_parts))
    return draft


def _page_color(main: Element, settings: Element | None, theme: Theme) -> Backdrop:
    """A page colour is only painted when the settings ask for it."""
    background = main.find(w("background"))
    display = settings.find(w("displayBackgroundShape")) if settings is not None else None
    if background is None or display is None or not is_on(display):
        return PAPER
    if len(background):
        return None  # a picture or a texture
    themed = theme.color(
        background.get(w("themeColor")), tint=background.get(w("themeTint")), shade=background.get(w("themeShade"))
    )
    color = themed or parse_hex(background.get(w("color")))
    return (color,) if color is not None else PAPER


def _notes(setting: DocxEnvironment) -> Iterator[tuple[str, Element, Element]]:
    """Footnotes, then endnotes, that the text refers to."""
    for kind in ("footnote", "endnote"):
        wanted = [identifier for known, identifier in setting.notes if known == kind][:MAX_NOTES]
        root = setting.package.related(f"{kind}s") if wanted else None
        notes = {note.get(w("id")): note for note in root.iter(w(kind))} if root is not None else {}
        for identifier in dict.fromkeys(wanted):
            if root is not None and identifier in notes:
                yield f"word/{kind}s.xml", root, notes[identifier]
