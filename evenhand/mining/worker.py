"""What a mining process does with one Document. It is confined like a reader, because strangers wrote the texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evenhand.documents.sandbox import protocol
from evenhand.mining.in_process import mine_document
from evenhand.records.document import Document, Line

if TYPE_CHECKING:
    from evenhand.mining.miner import Miner

TEXT = "Ada Example, Engineer, Acme Ltd, London, 2018 - 2021, Python, SQL, MSc Physics, University of Ghent, 2014"
LINES = (Line(0, len(TEXT), 1, None, None, None, False, False, None, None, None),)
SAMPLE = Document(None, "", "txt", 1, "parsed", TEXT, (), LINES, (), (), None)


def prepare(options: dict[str, Any]) -> Callable[[dict[str, Any], bytes], tuple[dict[str, Any], bytes]]:
    """Load the lexicons and models, and return what answers a request."""
    module = import_module(options["miner"])
    lexicon = Path(options["lexicon"]) if options["lexicon"] else None
    models = {"models": Path(options["models"])} if options["models"] else {}
    miner: Miner = module.load_miner(lexicon, **models)

    mine_document(miner, SAMPLE, as_of="2026-10")  # fills the caches once, not in every child

    def answer(request: dict[str, Any], body: bytes) -> tuple[dict[str, Any], bytes]:
        document = protocol.decode_document(body, file=request["file"], sha256=request["sha256"])
        return {}, protocol.encode_json(mine_document(miner, document, as_of=request["as_of"]).to_json())

    return answer


def warm(options: dict[str, Any]) -> Iterator[None]:
    """There is nothing more to load."""
    return iter(())
