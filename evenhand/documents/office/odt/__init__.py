"""ODT and flat ODT to a draft: the text in order, what is hidden apart, nothing run or fetched."""

from __future__ import annotations

from evenhand.documents.draft import Draft, ReadLimits
from evenhand.documents.office.blocks import Block
from evenhand.documents.office.budget import Budget
from evenhand.documents.office.flow import Flow
from evenhand.documents.office.odt.active import active_warning
from evenhand.documents.office.odt.body import Setting, Story
from evenhand.documents.office.odt.frames import find_underlays
from evenhand.documents.office.odt.lists import ListStyles
from evenhand.documents.office.odt.package import Package
from evenhand.documents.office.odt.pages import FOOTERS, HEADERS, Masters
from evenhand.documents.office.odt.styles import Styles
from evenhand.records.document import Warning


def read_odt(data: bytes, limits: ReadLimits) -> Draft:
    """Reads the visible text of an ODT in reading order."""
    return _read(Package.open(data, limits), "odt", limits)


def read_fodt(data: bytes, limits: ReadLimits) -> Draft:
    """Reads a flat ODT, which is one XML file."""
    return _read(Package.open_flat(data), "fodt", limits)


def _read(package: Package, format_name: str, limits: ReadLimits) -> Draft:
    styles = Styles(package.style_roots())
    masters = Masters(package.styles)
    setting = Setting(
        styles=styles,
        lists=ListStyles(package.style_roots(), styles),
        page=masters.page(masters.usual()),
        budget=Budget(limits),
        picture=package.picture,
    )
    roots = (
        [package.content] if package.styles in (None, package.content) else [package.content, package.styles]
    )
    setting.underlays = find_underlays([root for root in roots if root is not None], styles, setting.page)
    story = Story(setting)
    text = story.read(package.body)
    used = setting.masters if setting.begins_on_master else [masters.usual(), *setting.masters]
    headers = [Story(setting).read(element) for element in masters.furniture(used, HEADERS)]
    footers = [Story(setting).read(element) for element in masters.furniture(used, FOOTERS)]
    draft = Draft(format_name, pages=min(story.page, limits.pages))
    flow = Flow(draft)
    _write_once(flow, headers, "header")
    flow.write(text)
    for note in setting.notes:
        flow.write(note)
    _write_once(flow, footers, "footer")
    _warn(draft, package, setting)
    return draft


def _write_once(flow: Flow, stories: list[list[Block]], kind: str) -> None:
    written: list[list[Block]] = []
    for blocks in stories:
        if blocks not in written:
            written.append(blocks)
            flow.write(blocks, furniture=kind)


def _warn(draft: Draft, package: Package, setting: Setting) -> None:
    active = active_warning(package)
    if active is not None:
        draft.warnings.append(active)
    draft.warnings.extend(setting.budget.warnings())
    if package.damaged:
        draft.warnings.append(
            Warning("damaged", "Parts of the file are damaged; some text or layout may be missing.")
        )
    draft.partial = package.damaged or bool(setting.budget.warnings())
