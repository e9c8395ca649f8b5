"""How much of a file may still be read: characters, cells, pages, nesting, seconds; and what was left out."""

from __future__ import annotations

import time

from evenhand.documents.draft import ReadLimits
from evenhand.records.document import Warning

CLOCK_EVERY = 64  # looking at the clock for every paragraph would cost more than it saves


class Budget:
    """Counts down while a body is walked; once `spent` is set the walkers stop and the draft is partial."""

    def __init__(self, limits: ReadLimits) -> None:
        self.limits = limits
        self.spent: str | None = None
        self.too_deep = False
        self._characters = limits.characters
        self._cells = limits.table_cells
        self._deadline = time.monotonic() + limits.seconds
        self._ticks = 0

    def take_text(self, text: str, page: int = 1) -> str:
        """`text`, or what of it still fits."""
        if page > self.limits.pages:
            self.spent = self.spent or f"Only the first {self.limits.pages} pages were read."
            return ""
        self._look_at_clock()
        self._characters -= len(text)
        if self._characters >= 0:
            return text
        self.spent = self.spent or f"Only the first {self.limits.characters} characters were read."
        return text[: max(0, len(text) + self._characters)]

    def take_cell(self) -> bool:
        self._cells -= 1
        if self._cells < 0:
            self.spent = self.spent or f"Only the first {self.limits.table_cells} table cells were read."
        return self._cells >= 0

    def may_enter(self, depth: int) -> bool:
        if depth > self.limits.nesting:
            self.too_deep = True
            return False
        return True

    def go_on(self, page: int) -> bool:
        """Asked before every block."""
        if page > self.limits.pages:
            self.spent = self.spent or f"Only the first {self.limits.pages} pages were read."
        self._look_at_clock()
        return self.spent is None

    def _look_at_clock(self) -> None:
        self._ticks += 1
        if self._ticks % CLOCK_EVERY == 0 and time.monotonic() > self._deadline:
            self.spent = self.spent or f"Reading stopped after {self.limits.seconds:g} seconds."

    def warnings(self) -> list[Warning]:
        found = [Warning("truncated", self.spent)] if self.spent else []
        if self.too_deep:
            found.append(Warning("truncated", "Content nested too deeply was left out."))
        return found
