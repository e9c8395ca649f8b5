"""What a sweep over k found, as figures show it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a method stands, in per cent: how well the sensitive variable and the task are told from its rows."""

    name: str
    sensitive: float
    task: float


@dataclass(frozen=True, slots=True)
class Sweep:
    """Accuracies in per cent for each k. `ranges`, where given, are the least and the most over seeds.

    `original` is the model before anything (Baseline1), `reference` what removal is compared with (Baseline2), and
    `rivals` are other methods. `floor` is what the task's labels alone tell of the sensitive variable.
    """

    ks: tuple[int, ...]
    sensitive: tuple[float, ...]
    task: tuple[float, ...]
    floor: float
    original: Standing
    reference: Standing | None = None
    rivals: tuple[Standing, ...] = ()
    probe: str = ""  # which one measured `sensitive`, where there are several
    probes: tuple[tuple[str, tuple[float, ...]], ...] = ()  # others, as further lines
    sensitive_ranges: tuple[tuple[float, float], ...] = ()
    task_ranges: tuple[tuple[float, float], ...] = ()
    recommended: int | None = None
    sensitive_name: str = "gender"
    task_name: str = "occupation"

    def __post_init__(self) -> None:
        series = (self.sensitive, self.task, *(values for _, values in self.probes))
        ranges = (self.sensitive_ranges or self.sensitive, self.task_ranges or self.task)
        if any(len(each) != len(self.ks) for each in (*series, *ranges)):
            raise ValueError("A sweep needs one value of each kind for every k.")

    def words(self) -> str:
        """For who cannot see the figures."""
        first, last = (
            f"{self.sensitive[at]:.1f} % {self.sensitive_name} and {self.task[at]:.1f} % {self.task_name}"
            for at in (0, -1)
        )
        compared = "; ".join(
            f"{each.name}: {each.sensitive:.1f} and {each.task:.1f} %"
            for each in (self.original, *([self.reference] if self.reference else []), *self.rivals)
        )
        kept = "" if self.recommended is None else f" Recommended: k = {self.recommended}."
        return (
            f"Accuracy with {self.ks[0]} concepts removed: {first}; with {self.ks[-1]} removed: {last}. {compared}. "
            f"The label alone tells {self.floor:.1f} % of {self.sensitive_name}.{kept}"
        )
