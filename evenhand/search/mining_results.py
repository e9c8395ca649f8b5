"""What the store keeps of a resume that was read and mined: document, profile, features and sketch."""

from __future__ import annotations

from dataclasses import replace

from evenhand.mining.pipeline import MinedResume
from evenhand.search.duplicates.sketch import contact_spans, sketch
from evenhand.search.feature_extraction import extract_features
from evenhand.search.features import VERSION
from evenhand.search.rankers.roles import VERSION as ROLES_VERSION
from evenhand.store.mined import MiningResult
from evenhand.version import __version__

FEATURES_VERSION = f"{VERSION}-{ROLES_VERSION}"


def to_mining_result(mined: MinedResume) -> MiningResult:
    """Everything the store keeps of a resume that was read and mined, each part with its version."""
    text, profile = mined.document.text, mined.profile
    return MiningResult(
        document=mined.document,
        profile=profile,
        miner=__version__,
        digest=extract_features(text, profile).to_bytes(),
        digest_version=FEATURES_VERSION,
        sketch=sketch(text, contact_spans(profile)).to_bytes(),
    )


def with_name(mined: MinedResume, name: str | None) -> MinedResume:
    """With the name under which the file came instead of the one under which it is kept."""
    source = replace(mined.profile.document, file=name)
    return MinedResume(replace(mined.document, file=name), replace(mined.profile, document=source))
