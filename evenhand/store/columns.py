"""Column types that keep the same values in SQLite and in PostgreSQL."""

from __future__ import annotations

import json
import re
import zlib
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import BigInteger, DateTime, Dialect, Integer, Text
from sqlalchemy.types import TypeDecorator, TypeEngine

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
    return zlib.decompress(data).decode("utf-8", "surrogatepass")


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
