"""A miner for tests of the pool: what the text asks for happens to the process that mines it."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from evenhand.records import Document, Evidence, Fact, Profile, Source


class TroubledMiner:
    def mine(self, document: Document, as_of: str) -> Profile:
        text = document.text.strip()
        if text == "die":
            os._exit(9)
        if text == "hang":
            time.sleep(60)
        if text == "raise":
            raise KeyError(text)
        if text == "recurse":
            return self.mine(document, as_of) or self.mine(document, as_of)
        if text == "write":
            Path("/tmp/evenhand-must-not-exist").write_text(text)
        if text == "take over":
            TroubledMiner.mine = lambda self, document, as_of: Profile(Source.of(document), as_of)  # type: ignore[method-assign]
        sys.stdout.write("a library that prints")
        name = Fact(text, text, Evidence(0, len(text), 1, "rule", 1.0))
        return Profile(Source.of(document), as_of, name=name)


def load_miner(extra_lexicon: Path | None = None) -> TroubledMiner:
    return TroubledMiner()
