"""The mining process: Documents in, Profiles out. It is confined like a reader, because strangers wrote the texts.

With a `task` it does another thing with such texts instead, and loads no miner.

Run as `python -m evenhand.mining.worker OPTIONS`, OPTIONS being a JSON object.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evenhand.documents.sandbox import protocol
from evenhand.documents.sandbox.confinement import allow_seconds, confine, stop_clock
from evenhand.documents.sandbox.worker import GARBAGE_OBJECTS, private_channels
from evenhand.mining.in_process import mine_document

if TYPE_CHECKING:
    from evenhand.mining.miner import Miner

Answer = Callable[[dict[str, Any], bytes], bytes]
"""Of a request with its body, the body of the reply."""


def main(options: dict[str, Any]) -> None:
    """Confine the process, load the miner, say so, and answer requests until there are none."""
    requests, replies = private_channels()
    confine(memory_bytes=options["memory_bytes"], programs=False, readable=options["readable"])
    answer_one = load(options)
    gc.freeze()  # lexicons and models stay, and need not be looked at again
    gc.set_threshold(GARBAGE_OBJECTS)
    protocol.send(replies, {"ready": True}, b"")
    answer(answer_one, requests, replies)


def load(options: dict[str, Any]) -> Answer:
    # Imported only now: whatever threads its libraries start are already confined.
    if options["task"]:
        task: Answer = import_module(options["task"]).answer
        return task
    module = import_module(options["miner"])
    lexicon = Path(options["lexicon"]) if options["lexicon"] else None
    models = {"models": Path(options["models"])} if options["models"] else {}
    miner: Miner = module.load_miner(lexicon, **models)
    return lambda header, body: mine(miner, header, body)


def mine(miner: Miner, header: dict[str, Any], body: bytes) -> bytes:
    document = protocol.decode_document(body, file=header["file"], sha256=header["sha256"])
    return protocol.encode_json(mine_document(miner, document, as_of=header["as_of"]).to_json())


def answer(answer_one: Answer, requests: int, replies: int) -> None:
    while (request := protocol.receive(requests)) is not None:
        header, body = request
        allow_seconds(cpu_seconds=header["cpu_seconds"], wall_seconds=header["wall_seconds"])
        reply = answer_one(header, body)
        stop_clock()
        protocol.send(replies, {"number": header["number"]}, reply)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
