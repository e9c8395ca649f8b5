"""The master tables: what people and applicants gave. Nothing here can be worked out anew from the files."""

from __future__ import annotations

import json
import re
import zlib
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.types import TypeDecorator, TypeEngine

from evenhand.errors import StoreError

# Column types that keep the same values in SQLite and in PostgreSQL.
BigId = BigInteger().with_variant(Integer, "sqlite")  # SQLite counts up by itself only in INTEGER columns
PACKING = 3  # of zlib's levels: nearly as small as 6 in a fraction of the time
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def clean(text: str) -> str:
    """File names may hold bytes that are no text, and PostgreSQL refuses NUL: both become the replacement sign."""
    return _UNSTORABLE.sub("\ufffd", text)


def pack(text: str) -> bytes:
    """Long text for a binary column. Nothing in it is replaced, so that places in it stay true."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"), PACKING)


def unpack(data: bytes) -> str:
    """Raises StoreError where the bytes are no longer those that were packed: zlib keeps a checksum with them."""
    try:
        return zlib.decompress(data).decode("utf-8", "surrogatepass")
    except (zlib.error, UnicodeDecodeError) as error:
        raise StoreError("Mined data are damaged: evenhand reprocess --all makes them again.") from error


class CleanText(TypeDecorator[str]):
    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else clean(value)


class JsonText(TypeDecorator[Any]):
    """JSON in ASCII: any string survives, which PostgreSQL's own JSON types do not promise."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps(value, sort_keys=True, separators=(",", ":"))

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else json.loads(value)


class UtcTime(TypeDecorator[datetime]):
    """A moment; SQLite forgets the zone, so it is always UTC."""

    impl = DateTime
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(DateTime(timezone=dialect.name == "postgresql"))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        moment = value.astimezone(UTC)
        return moment if dialect.name == "postgresql" else moment.replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
"""Constraints have names, or a later migration could not change them."""

MASTER = MetaData(naming_convention=NAMES)

counters = Table(
    "counters", MASTER, Column("name", String(32), primary_key=True), Column("value", BigInteger, nullable=False)
)

jobs = Table(
    "jobs",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("title", CleanText),
    Column("text", CleanText, nullable=False),  # as given; `requirements` is what was understood and edited
    Column("requirements", JsonText, nullable=False),
    Column("created", UtcTime, nullable=False),
    Column("closed", UtcTime),
    Column("external_id", CleanText, unique=True, index=True),  # by which another system knows it
)

candidates = Table(
    "candidates",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("form", JsonText, nullable=False),
    Column("created", UtcTime, nullable=False),
)

documents = Table(
    "documents",
    MASTER,
    Column("sha256", String(64), primary_key=True),
    Column("size_bytes", BigInteger, nullable=False),
    Column("format", String(16)),
    Column("file", CleanText),  # the first name under which it came
    Column("received", UtcTime, nullable=False),
)

applications = Table(
    "applications",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("job", ForeignKey("jobs.id"), nullable=False),
    Column("candidate", ForeignKey("candidates.id"), nullable=False, index=True),
    Column("document", ForeignKey("documents.sha256"), nullable=False, index=True),
    Column("source", CleanText),
    Column("status", String(16), nullable=False),
    Column("file", CleanText),
    Column("received", UtcTime, nullable=False),
    Column("revision", BigInteger, nullable=False, unique=True),
    # The revision at which anything but its status last changed: an index need not read it all for a decision.
    Column("content", BigInteger, nullable=False),
    Column("external_id", CleanText),  # by which another system knows it
    UniqueConstraint("job", "document"),
    Index("ix_applications_job_external_id", "job", "external_id", unique=True),
    Index("ix_applications_job_status", "job", "status"),  # the counters of every page
)
