"""What is worked out from one resume and kept: its document, profile, digest and sketch, each with its version."""

from __future__ import annotations

from dataclasses import replace

from evenhand import __version__
from evenhand.search.digest import make_digest
from evenhand.search.digest.record import VERSION
from evenhand.search.duplicates import contact_spans, sketch
from evenhand.store import Mined as Kept
from evenhand.workflows.mining import Mined

DIGEST_VERSION = str(VERSION)


def to_keep(mined: Mined) -> Kept:
    """Everything the store keeps of a resume that was read and mined."""
    text, profile = mined.document.text, mined.profile
    return Kept(
        document=mined.document,
        profile=profile,
        miner=__version__,
        digest=make_digest(text, profile).to_bytes(),
        digest_version=DIGEST_VERSION,
        sketch=sketch(text, contact_spans(profile)).to_bytes(),
    )


def with_name(mined: Mined, name: str | None) -> Mined:
    """With the name under which the file came instead of the one under which it is kept."""
    source = replace(mined.profile.document, file=name)
    return Mined(replace(mined.document, file=name), replace(mined.profile, document=source))
