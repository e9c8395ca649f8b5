"""What a reading process does with one file: bytes in, a Document as JSON out."""

from __future__ import annotations

import contextlib
import hashlib
import resource
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module, resources
from typing import Any

from evenhand.documents.draft import ReadLimits
from evenhand.documents.sandbox import protocol
from evenhand.errors import CorruptDocument, DocumentError, ParseMemory, TooLarge
from evenhand.records.document import Document, Failure

PARSER = "evenhand.documents.parse"
READER = "evenhand.documents.pdf.reader"  # most resumes are PDF; the other readers load while the first files are read
# Files of our own, one per format: reading them loads what its reader needs, and fills its caches.
SAMPLES = (
    "data-engineer.pdf",
    "project-manager.docx",
    "accountant.rtf",
    "web-developer.html",
    "research-coordinator.odt",
)

Parse = Callable[..., Document]


def prepare(options: dict[str, Any]) -> Callable[[dict[str, Any], bytes], tuple[dict[str, Any], bytes]]:
    parse: Parse = import_module(options["parser"]).parse
    if options["parser"] == PARSER:
        with contextlib.suppress(ImportError):  # a reader that cannot load fails for its own files only
            import_module(READER)
    return partial(answer, parse, options["memory_bytes"])


def warm(options: dict[str, Any]) -> Iterator[None]:
    if options["parser"] == PARSER:
        parse: Parse = import_module(PARSER).parse
        for name in SAMPLES:
            protocol.encode_document(parse(resources.files("evenhand").joinpath("samples", name).read_bytes()))
            yield


def answer(parse: Parse, memory_bytes: int, request: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """The reply to one file; `cause` names an exception that no reader foresaw, `spent` says that it grew."""
    body, cause = read(data, ReadLimits(**request["limits"]), parse)
    unit = 1 if sys.platform == "darwin" else 1024
    peak_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return {"cause": cause, "peak_bytes": peak_bytes, "spent": peak_bytes > memory_bytes // 2}, body


def read(data: bytes, limits: ReadLimits, parse: Parse) -> tuple[bytes, str | None]:
    try:
        body = protocol.encode_document(parse(data, limits=limits))
        return (body, None) if len(body) <= protocol.BODY_BYTES else (failed(TooLarge(), data), None)
    except DocumentError as error:
        return failed(error, data), None
    except MemoryError:
        return failed(ParseMemory(), data), "MemoryError"
    except BaseException as error:  # a panic in Rust code is not an Exception
        return failed(CorruptDocument(), data), type(error).__name__


def failed(error: DocumentError, data: bytes) -> bytes:
    failure = Failure(error.code, str(error))
    sha256 = hashlib.sha256(data).hexdigest()
    return protocol.encode_document(Document(None, sha256, None, 0, "error", "", (), (), (), (), failure))
