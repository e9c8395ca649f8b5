"""The one JSON form in which records are printed, stored, hashed and compared."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical_json(value: Any) -> str:
    """Sorted keys, no spaces, real Unicode, no NaN: equal values give equal bytes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def content_hash(value: Any) -> str:
    """SHA-256 of the canonical form, in hexadecimal."""
    # Forms may hold half a surrogate pair, which strict UTF-8 has no bytes for.
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()
