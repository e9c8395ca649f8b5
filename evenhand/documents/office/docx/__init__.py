"""DOCX (also DOCM, DOTX, strict OOXML) to a draft: text in order, hidden text apart, nothing run."""

from __future__ import annotations

from collections.abc import Iterator

from evenhand.documents.draft import Draft, ReadLimits
from evenhand.documents.office.blocks import Block
from evenhand.documents.office.budget import Budget
from evenhand.documents.office.docx.active import active_warning, find_active
from evenhand.documents.office.docx.body import Story
from evenhand.documents.office.docx.names import is_on, w
from evenhand.documents.office.docx.numbering import Numbering
from evenhand.documents.office.docx.package import Package
from evenhand.documents.office.docx.pages import furniture, read_page
from evenhand.documents.office.docx.setting import Setting
from evenhand.documents.office.docx.styles import StyleSheet
from evenhand.documents.office.docx.theme import Theme
from evenhand.documents.office.docx.underlays import find_underlays
from evenhand.documents.office.flow import Flow
from evenhand.documents.office.paint import PAPER, Backdrop, parse_hex
from evenhand.documents.office.xml import Element
from evenhand.errors import CorruptDocument
from evenhand.records.document import Warning

MAX_FURNITURE = 60
MAX_NOTES = 2000


def read_docx(data: bytes, limits: ReadLimits) -> Draft:
    """Reads the visible text of a DOCX in reading order; raises only named errors for files beyond repair."""
    package = Package(data, limits)
    main = package.main()
    body = main.find(w("body"))
    if body is None:
        raise CorruptDocument
    sections = list(body.iter(w("sectPr")))
    settings = package.related("settings")
    setting = _setting(package, main, settings, sections, limits)
    even = (
        settings is not None and (mark := settings.find(w("evenAndOddHeaders"))) is not None and is_on(mark)
    )
    parts = {
        kind: list(_furniture_parts(package, furniture(sections, kind, even_pages=even)))
        for kind in ("header", "footer")
    }
    roots = [main, *(root for pairs in parts.values() for _, root in pairs)]
    setting.underlays = find_underlays(roots, setting.page, setting.theme)
    return _draft(setting, body, parts)


def _setting(
    package: Package, main: Element, settings: Element | None, sections: list[Element], limits: ReadLimits
) -> Setting:
    theme = Theme(package.related("theme"), settings)
    styles = StyleSheet(package.related("styles"), theme)
    return Setting(
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
        background.get(w("themeColor")),
        tint=background.get(w("themeTint")),
        shade=background.get(w("themeShade")),
    )
    color = themed or parse_hex(background.get(w("color")))
    return (color,) if color is not None else PAPER


def _furniture_parts(package: Package, identifiers: list[str]) -> Iterator[tuple[str, Element]]:
    relations = package.relations(package.main_name)
    for identifier in identifiers[:MAX_FURNITURE]:
        relation = relations.get(identifier)
        root = package.part(relation.target) if relation is not None and not relation.external else None
        if relation is not None and root is not None:
            yield relation.target, root


def _draft(setting: Setting, body: Element, parts: dict[str, list[tuple[str, Element]]]) -> Draft:
    story = Story(setting, setting.package.main_name, body)
    # The body first: list numbers run through it, and headers must not use them up.
    text = story.read(body)
    notes = [Story(setting, name, root).read(note) for name, root, note in _notes(setting)]
    around = {
        kind: [Story(setting, name, root).read(root) for name, root in pairs] for kind, pairs in parts.items()
    }
    draft = Draft("docx", pages=min(story.page, setting.budget.limits.pages))
    flow = Flow(draft)
    _write_once(flow, around["header"], "header")
    flow.write(text)
    for note in notes:
        flow.write(note)
    _write_once(flow, around["footer"], "footer")
    _warn(draft, setting)
    return draft


def _write_once(flow: Flow, stories: list[list[Block]], kind: str) -> None:
    """Sections repeat their headers; equal ones are shown once."""
    written: list[list[Block]] = []
    for blocks in stories:
        if blocks not in written:
            written.append(blocks)
            flow.write(blocks, furniture=kind)


def _notes(setting: Setting) -> Iterator[tuple[str, Element, Element]]:
    """Footnotes, then endnotes, that the text refers to."""
    for kind in ("footnote", "endnote"):
        wanted = [identifier for known, identifier in setting.notes if known == kind][:MAX_NOTES]
        root = setting.package.related(f"{kind}s") if wanted else None
        notes = {note.get(w("id")): note for note in root.iter(w(kind))} if root is not None else {}
        for identifier in dict.fromkeys(wanted):
            if root is not None and identifier in notes:
                yield f"word/{kind}s.xml", root, notes[identifier]


def _warn(draft: Draft, setting: Setting) -> None:
    active = active_warning(setting.active)
    if active is not None:
        draft.warnings.append(active)
    draft.warnings.extend(setting.budget.warnings())
    package = setting.package
    if package.archive.damaged or package.damaged_parts:
        draft.warnings.append(
            Warning("damaged", "Parts of the file are damaged; some text or layout may be missing.")
        )
    draft.partial = bool(setting.budget.warnings() or package.archive.damaged or package.damaged_parts)
