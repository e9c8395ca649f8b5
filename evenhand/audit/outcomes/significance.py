"""Whether a difference could be chance: Fisher's exact test, and Holm's correction where many are looked at."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache


@lru_cache(maxsize=4096)
def fisher(selected: int, n: int, other_selected: int, other_n: int) -> float:
    """Two-sided: how often chance alone would give a table at least as unlikely as this one."""
    from scipy.stats import fisher_exact  # type: ignore[import-untyped]  # noqa: PLC0415 - half a second

    table = [[selected, n - selected], [other_selected, other_n - other_selected]]
    return float(fisher_exact(table).pvalue)


def holm(ps: Sequence[float], *, tests: int | None = None) -> list[float]:
    """The same values as if each had been tested as strictly as its place among all of them asks. `tests` is how many
    could have been made, where these were picked from more."""
    many = len(ps) if tests is None else tests
    order = sorted(range(len(ps)), key=lambda at: ps[at])
    adjusted, most = [0.0] * len(ps), 0.0
    for place, at in enumerate(order):
        most = max(most, min(1.0, ps[at] * (many - place)))
        adjusted[at] = most
    return adjusted
