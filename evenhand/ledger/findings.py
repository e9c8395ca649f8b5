"""What is wrong with a ledger, in words, with a code that never changes and the event it is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Finding:
    code: str
    message: str
    sequence: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {"code": self.code, "message": self.message, "sequence": self.sequence}
