"""The mined tables: everything worked out from the files. They can be emptied and filled again."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, Index, LargeBinary, MetaData, String, Table

from evenhand.store.columns import CleanText, JsonText
from evenhand.store.tables import NAMES

# No foreign key leads from here to the master tables or back: either side can be replaced without the other.
MINED = MetaData(naming_convention=NAMES)

mined_documents = Table(
    "mined_documents",
    MINED,
    Column("sha256", String(64), primary_key=True),
    Column("status", String(16), nullable=False),
    Column("error_code", String(32)),
    Column("error_message", CleanText),
    Column("warnings", JsonText, nullable=False),
    Column("text", LargeBinary, nullable=False),  # packed, as are the next and the profile
    Column("document", LargeBinary, nullable=False),  # Document.to_json() without its text
)

mined_profiles = Table(
    "mined_profiles",
    MINED,
    Column("sha256", String(64), primary_key=True),
    Column("as_of", String(16), nullable=False),
    Column("miner", CleanText, nullable=False),  # version of what mined it
    Column("profile", LargeBinary, nullable=False),
)

mined_digests = Table(
    "mined_digests",
    MINED,
    Column("sha256", String(64), primary_key=True),
    Column("version", CleanText, nullable=False),
    Column("digest", LargeBinary, nullable=False),
)

mined_sketches = Table(
    "mined_sketches",
    MINED,
    Column("sha256", String(64), primary_key=True),
    Column("sketch", LargeBinary, nullable=False),
    # Whether its near duplicates have been looked for; a run that is cut off continues from here.
    Column("compared", Boolean, nullable=False),
    Index("ix_mined_sketches_compared_sha256", "compared", "sha256"),
)

mined_duplicates = Table(
    "mined_duplicates",
    MINED,
    Column("first", String(64), primary_key=True),  # the smaller hash of the two
    Column("second", String(64), primary_key=True, index=True),
    Column("resemblance", Float, nullable=False),
)
