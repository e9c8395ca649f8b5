"""Which method explains which model: exact scores, path integrals with torch, or taking words away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from evenhand.errors import GradientsUnavailable, UnknownBaseline, UnknownMethod, UsageError
from evenhand.explain.asking import Asked
from evenhand.explain.attribution import Attribution
from evenhand.explain.linear import attribute_linear
from evenhand.explain.linear_baselines import BASELINES, make_baseline
from evenhand.explain.occlusion import UNITS, Unit, attribute_by_occlusion
from evenhand.explain.places import PlacedResume
from evenhand.explain.reference import Reference
from evenhand.explain.words import Words
from evenhand.models.artefact import MANIFEST, load_artefact
from evenhand.models.joined import JoinedJudge
from evenhand.settings import Settings
from evenhand.workflows.reading import PathLike
from evenhand.workflows.reference_resumes import find_reference

if TYPE_CHECKING:
    from evenhand.explain.gradients.networks import OpenNetwork

METHODS = ("ig", "lig", "deeplift", "conductance", "occlusion")
NO_TORCH = "torch, which is not installed (`make models` installs it)"
EXACT = (
    "This model is a sum of terms: its scores are exact and take no steps, and {method} gives the same as ig."
)
NO_LAYERS = "This model has no layers; {layer!r} was not used."


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """A model ready to be asked, and where to find what else some methods need."""

    folder: Path
    asked: Asked
    reference_folder: PathLike | None
    settings: Settings

    @property
    def is_linear(self) -> bool:
        judge = self.asked.judge
        return isinstance(judge, JoinedJudge) and not judge.model.vectors

    def reference(self) -> Reference:
        return find_reference(self.reference_folder, self.settings)

    def network(self) -> OpenNetwork:
        named = self.settings.encoder
        encoder = Path(named).expanduser().absolute() if named else None
        changed = (self.folder / MANIFEST).stat().st_mtime_ns
        return _open_network(self.folder.absolute(), changed, encoder)


@lru_cache(maxsize=2)
def _open_network(folder: Path, changed: int, encoder: Path | None) -> OpenNetwork:
    from evenhand.explain.gradients.networks import open_network  # noqa: PLC0415 - torch is for gradients

    encoders = (None,) if encoder is None else (encoder, None)
    return open_network(load_artefact(folder), encoders=encoders)


@dataclass(frozen=True, slots=True)
class Method:
    """As it was asked for and found possible; `warnings` say where it is not what was meant."""

    name: str
    baseline: str = "pad"
    layer: str | None = None
    steps: int | None = None
    fast: bool = False
    unit: Unit = "word"
    seed: int = 0
    warnings: tuple[str, ...] = ()


def choose(
    opened: Opened,
    *,
    method: str | None,
    baseline: str = "pad",
    layer: str | None = None,
    steps: int | None = None,
    fast: bool = False,
    unit: str | None = None,
    seed: int = 0,
) -> Method:
    """Without `method` integrated gradients, or occlusion where they cannot be had."""
    name, warnings = _method(opened, method)
    if baseline not in BASELINES:
        raise UnknownBaseline(f"There is no baseline {baseline!r}; there are {', '.join(BASELINES)}.")
    if name == "occlusion" and baseline != "pad":
        raise UnknownBaseline(
            "Occlusion takes words away: it has no other baseline than pad, the empty resume."
        )
    if unit is not None and name != "occlusion":
        raise UsageError("Words, lines or sections are taken away by --method occlusion only.")
    if steps is not None and steps < 1:
        raise UsageError("A path takes one step at least.")
    if layer is not None and opened.is_linear:
        warnings = (*warnings, NO_LAYERS.format(layer=layer))
    return Method(name, baseline, layer, steps, fast, _unit(opened, unit), seed, warnings)


def _method(opened: Opened, method: str | None) -> tuple[str, tuple[str, ...]]:
    if method is not None and method not in METHODS:
        raise UnknownMethod(f"There is no method {method!r}; there are {', '.join(METHODS)}.")
    if method == "occlusion" or opened.is_linear:
        return method or "ig", ()
    if isinstance(opened.asked.judge, JoinedJudge):
        if method is not None:
            raise UnknownMethod("A part of this model reads with an encoder: explain it by occlusion.")
        return "occlusion", (
            "A part of this model reads with an encoder, so words were taken away one by one.",
        )
    if find_spec("torch") is not None:
        return method or "ig", ()
    if method is not None:
        raise GradientsUnavailable(f"The method {method} needs {NO_TORCH}; --method occlusion does without.")
    return "occlusion", (f"Lines were taken away one by one, because integrated gradients need {NO_TORCH}.",)


def _unit(opened: Opened, unit: str | None) -> Unit:
    """Networks take long to read a resume once for each of its words; lines are what they are asked about."""
    for known in UNITS:
        if unit == known:
            return known
    if unit is not None:
        raise UsageError(f"{', '.join(UNITS)} can be taken away, not {unit!r}.")
    return "word" if isinstance(opened.asked.judge, JoinedJudge) else "line"


def attribute(
    opened: Opened,
    placed: PlacedResume,
    words: Words,
    target: int,
    method: Method,
    progress: Callable[[int, int], None] | None = None,
) -> Attribution:
    """`progress` hears of some of all steps, where a method takes many."""
    if method.name == "occlusion":
        found = attribute_by_occlusion(opened.asked, placed, words, target, unit=method.unit)
    elif isinstance(opened.asked.judge, JoinedJudge):
        found = _linear(opened, opened.asked.judge, placed, target, method)
    else:
        found = _by_gradients(opened, placed, target, method, progress)
    return replace(found, warnings=(*method.warnings, *found.warnings))


def _linear(
    opened: Opened, judge: JoinedJudge, placed: PlacedResume, target: int, method: Method
) -> Attribution:
    against = make_baseline(
        method.baseline, judge, placed.resume, target, find=opened.reference, seed=method.seed
    )
    note = () if method.name == "ig" else (EXACT.format(method=method.name),)
    return attribute_linear(
        judge.model,
        placed,
        target,
        baselines=against.points,
        method=method.name,
        baseline=against.name,
        warnings=(*note, *against.warnings),
    )


def _by_gradients(
    opened: Opened,
    placed: PlacedResume,
    target: int,
    method: Method,
    progress: Callable[[int, int], None] | None,
) -> Attribution:
    from evenhand.explain.gradients.explain import explain_network  # noqa: PLC0415 - torch is for gradients

    return explain_network(
        opened.network(),
        placed,
        target,
        job_text=opened.asked.job_text,
        method=method.name,
        baseline=method.baseline,
        layer=method.layer,
        steps=method.steps,
        fast=method.fast,
        reference=None if method.baseline == "pad" else opened.reference(),
        seed=method.seed,
        progress=progress,
    )
