"""One file's bytes to one Document, in this process. Hostile files belong in `sandbox`, which calls this."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from importlib import import_module

from evenhand.documents.assemble import assemble
from evenhand.documents.detect import detect
from evenhand.documents.draft import Draft, ReadLimits
from evenhand.errors import CorruptDocument, DocumentError, ParseMemory
from evenhand.records.document import Document, Failure

Reader = Callable[[bytes, ReadLimits], Draft]

# Readers are imported when first needed: a file of one format does not pay for the libraries of the others.
READERS = {
    "pdf": "evenhand.documents.pdf.reader:read_pdf",
    "docx": "evenhand.documents.office.docx:read_docx",
    "odt": "evenhand.documents.office.odt:read_odt",
    "fodt": "evenhand.documents.office.odt:read_fodt",
    "doc": "evenhand.documents.doc:read_doc",
    "rtf": "evenhand.documents.rtf:read_rtf",
    "html": "evenhand.documents.html:read_html",
    "txt": "evenhand.documents.plain:read_plain",
}


def parse(data: bytes, *, file: str | None = None, limits: ReadLimits | None = None) -> Document:
    """Read `data`; a file that cannot be read gives a Document with an error, never an exception."""
    sha256 = hashlib.sha256(data).hexdigest()
    format_name = None
    try:
        format_name = detect(data)
        draft = reader_for(format_name)(data, limits or ReadLimits())
        return assemble(draft, file=file, sha256=sha256)
    except DocumentError as error:
        return failed(error, file=file, sha256=sha256, format_name=format_name)
    except MemoryError:
        return failed(ParseMemory(), file=file, sha256=sha256, format_name=format_name)
    except Exception as error:
        # The name of the surprise stays visible: the fuzzer counts these to find faults of our own.
        surprise = CorruptDocument(f"{CorruptDocument.sentence} ({type(error).__name__})")
        return failed(surprise, file=file, sha256=sha256, format_name=format_name)


def reader_for(format_name: str) -> Reader:
    module, _, name = READERS[format_name].partition(":")
    reader: Reader = getattr(import_module(module), name)
    return reader


def failed(
    error: DocumentError, *, file: str | None, sha256: str, format_name: str | None = None
) -> Document:
    """The Document of a file that could not be read."""
    return Document(
        file=file,
        sha256=sha256,
        format=format_name,
        pages=0,
        status="error",
        text="",
        hidden=(),
        lines=(),
        tables=(),
        warnings=(),
        error=Failure(error.code, str(error)),
    )
