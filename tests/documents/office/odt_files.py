"""Small ODT files written part by part."""

from __future__ import annotations

from collections.abc import Mapping

from evenhand.documents.draft import DocumentDraft, ReadLimits
from evenhand.documents.office.odt.package import PREFIXES
from evenhand.documents.office.odt.reader import read_odt
from tests.documents.office.docx_files import pack

NAMESPACES = " ".join(f'xmlns:{prefix}="{address}"' for prefix, address in PREFIXES.items())
MANIFEST = (
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"{0}</manifest:manifest>'
)


def content(body: str, automatic: str = "") -> str:
    return (
        f"<office:document-content {NAMESPACES}><office:automatic-styles>{automatic}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )


def named_styles(inner: str = "", *, automatic: str = "", masters: str = "") -> str:
    return (
        f"<office:document-styles {NAMESPACES}><office:styles>{inner}</office:styles>"
        f"<office:automatic-styles>{automatic}</office:automatic-styles>"
        f"<office:master-styles>{masters}</office:master-styles></office:document-styles>"
    )


def odt(
    body: str, automatic: str = "", *, styles: str | None = None, parts: Mapping[str, str | bytes] | None = None
) -> bytes:
    members: dict[str, str | bytes] = {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": content(body, automatic),
        "META-INF/manifest.xml": MANIFEST.format(">"),
    }
    if styles is not None:
        members["styles.xml"] = styles
    return pack({**members, **(parts or {})})


def p(text: str, style: str = "") -> str:
    name = f' text:style-name="{style}"' if style else ""
    return f"<text:p{name}>{text}</text:p>"


def span(text: str, style: str) -> str:
    return f'<text:span text:style-name="{style}">{text}</text:span>'


def style(name: str, family: str, inner: str = "", attributes: str = "") -> str:
    return f'<style:style style:name="{name}" style:family="{family}" {attributes}>{inner}</style:style>'


def text_style(name: str, properties: str, family: str = "text") -> str:
    return style(name, family, f"<style:text-properties {properties}/>")


def frame(inner: str, attributes: str = 'svg:width="5cm" svg:height="2cm"', style_name: str = "") -> str:
    named = f' draw:style-name="{style_name}"' if style_name else ""
    return f"<draw:frame{named} {attributes}>{inner}</draw:frame>"


def read(data: bytes, limits: ReadLimits | None = None) -> DocumentDraft:
    return read_odt(data, limits or ReadLimits())
