"""`evenhand reproduce audit`: published bias audits beside ours, on callbacks, names and variants of resumes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

from rich.console import Group
from rich.table import Table

from evenhand.errors import UsageError
from evenhand.settings import Settings
from evenhand.workflows.reproduction.audit_callbacks import (
    PUBLISHED,
    CallbackRow,
    TraitRow,
    measure_callbacks,
    read_callbacks,
)
from evenhand.workflows.reproduction.audit_names import NamesResult, measure_names, read_names
from evenhand.workflows.reproduction.audit_variants import EffectRow, measure_variants, read_variants
from evenhand.workflows.reproduction.results import Check
from evenhand.workflows.watching import Watch, unwatched

FEWEST = 2  # names of each group, to show that it runs
FOUR_FIFTHS = 0.8


@dataclass(frozen=True, slots=True)
class Audits:
    title: ClassVar[str] = "published bias audits: callbacks by name, names among equals, variants of resumes"
    callbacks: list[CallbackRow]
    traits: list[TraitRow]
    names: NamesResult
    effects: list[EffectRow]
    checks: list[Check]
    seconds: float

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def rows(self) -> list[tuple[str, str]]:
        found = [
            (f"callbacks, {row.among}: white against African American names", str(row))
            for row in self.callbacks
        ]
        found += [(f"callbacks, {row.trait}: with against without", str(row)) for row in self.traits]
        found += [(f"first among eight, {row.job}, {row.ranker}", str(row)) for row in self.names.tops]
        found += [(f"same resume, other name, {row.job}, {row.ranker}", str(row)) for row in self.names.pairs]
        found.append((f"{self.names.names} names, where mining found them", str(self.names.blanking)))
        found += [(f"{row.contrast}, {row.ranker}", str(row)) for row in self.effects]
        found += [(check.claim, "holds" if check.holds else "does not hold") for check in self.checks]
        return [*found, ("wall time", f"{self.seconds / 60:.1f} min")]

    def table(self) -> Group:
        return Group(self._callbacks(), self._names(), self._effects(), self._checks())

    def _callbacks(self) -> Table:
        table = Table("Callbacks", "found", title="Callbacks of the correspondence study")
        for row in self.callbacks:
            table.add_row(row.among, str(row))
        for trait in self.traits:
            table.add_row(trait.trait, str(trait))
        return table

    def _names(self) -> Table:
        title = f"{self.names.names} names, each on a resume of every job"
        table = Table("Job", "Ranker", "first among eight", "same resume, other name", title=title)
        for top, pair in zip(self.names.tops, self.names.pairs, strict=True):
            table.add_row(top.job, top.ranker, str(top), str(pair))
        table.caption = f"Names, by mining: {self.names.blanking}"
        return table

    def _effects(self) -> Table:
        table = Table("Factor", "Ranker", "effect", title="Resumes of one substance in different wordings")
        for row in sorted(self.effects, key=lambda each: each.contrast):
            table.add_row(row.contrast, row.ranker, str(row))
        return table

    def _checks(self) -> Table:
        table = Table("Claim", "holds")
        for check in self.checks:
            table.add_row(check.claim, "yes" if check.holds else "no")
        return table


def run(
    data: Path | None = None,
    *,
    n: int | None = None,
    seed: int = 0,
    small: bool = False,
    watch: Watch = unwatched,
) -> Audits:
    """`n` names of each of the eight groups, all 100 without; `small` takes two."""
    if data is None:
        raise UsageError("The experiment audit needs --data: the folder of the published audits.")
    started = time.perf_counter()
    settings = Settings()
    callbacks, traits = measure_callbacks(read_callbacks(data), seed=seed)
    variants, jobs = read_variants(data)
    given = read_names(data, n=n or (FEWEST if small else None))
    effects = measure_variants(variants, jobs, settings=settings, watch=watch)
    names = measure_names(given, seed=seed, settings=settings, watch=watch)
    return Audits(
        callbacks, traits, names, effects, check(callbacks, names, effects), time.perf_counter() - started
    )


def check(callbacks: Sequence[CallbackRow], names: NamesResult, effects: Sequence[EffectRow]) -> list[Check]:
    all_of_them = callbacks[0]
    recovered = all(
        round(100 * (rate.value or 0.0), 2) == round(100 * published, 2)
        for rate, published in zip((all_of_them.white, all_of_them.black), PUBLISHED, strict=True)
    )
    disparities = [row.disparity for row in names.tops if row.disparity is not None]
    moved = [row for row in names.pairs if row.p < 0.05 / max(len(names.pairs), 1)]
    return [
        Check("callbacks of 9.65% and 6.45% are recovered", recovered),
        Check("their gap does not include 0", all_of_them.gap.excludes_zero),
        Check("no ranker or model puts a group first less than four fifths as often as another",
              all(each >= FOUR_FIFTHS for each in disparities)),
        Check("no group's names move a score (Bonferroni over jobs and rankers)", not moved),
        Check("a gap in the career lowers no score on average",
              not any((row.effect.high or 0.0) < 0 for row in effects if "gap" in row.contrast)),
    ]  # fmt: skip
