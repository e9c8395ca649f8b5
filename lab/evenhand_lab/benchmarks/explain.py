"""`evenhand bench explain`: seconds to explain a resume by integrated gradients, beside captum's on the same network.

Twice: the shipped network of levels, which reads chunks, and one of the same weights that reads a single sequence of
512 tokens. captum is run as it comes (50 steps of all chunks at once) and as those who know it run it (internal batches
of ten, no gradients of parameters). Times are of the processor, on one thread, and the four take turns on every resume.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from evenhand.explain.attribution import Attribution, PlaceScore, is_complete, words_of
from evenhand.explain.baselines import Reference
from evenhand.explain.places import PlacedResume, placed_text
from evenhand.models.architectures import ARCHITECTURES
from evenhand.models.inference.loading import find_fitting
from evenhand.models.registry import SHIPPED, Artefact, load_artefact
from evenhand.progress import Progress, no_progress
from evenhand.records.conversion import to_json
from evenhand_lab.benchmarks.kit import Figures, Measurement, memory_bytes, timed
from evenhand_lab.training.competence import mined_applicants

if TYPE_CHECKING:
    from evenhand.explain.gradients.networks import OpenNetwork
    from evenhand_lab.benchmarks.plain_transformers import CaptumPeer


class PeakMemory:
    """How much memory a piece of work needs at its peak, on top of what was in use before."""

    megabytes = 0.0

    def __enter__(self) -> PeakMemory:
        # What is free but still held would be used again, and the work would seem to need nothing.
        gc.collect()
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
        with suppress(OSError):  # Linux: the mark of the most memory starts anew
            Path("/proc/self/clear_refs").write_text("5")
        self._first = memory_bytes()[1]
        return self

    def __exit__(self, *_: object) -> None:
        self.megabytes = (memory_bytes()[1] - self._first) / 1e6


RESUMES = 3
DRAWN = 6  # generated for each that is measured
MAX_SEQUENCES = 6  # captum as it comes holds all steps of all of them in memory: some 7 GB
TOP = 20
MIN_PEER_RATIO, MIN_FAST_RATIO, MIN_OVERLAP = 1.5, 2.5, 0.95
FULL, QUICK = "Evenhand", "Evenhand, fast"
PLAIN, TUNED = "captum as it comes", "captum, batches of 10, no gradients of parameters"


@dataclass(frozen=True, slots=True)
class ExplainerRun:
    """One resume by one side; the overlap of its strongest words is with ours at the gate."""

    seconds: float
    delta: float
    overlap: float
    peak_megabytes: float
    converged: bool = True


@dataclass(frozen=True, slots=True)
class ExplainerResult(Figures):
    derived: ClassVar = ("seconds", "delta", "overlap", "peak_megabytes")
    name: str
    resumes: tuple[ExplainerRun, ...]

    @property
    def seconds(self) -> float:
        return sum(run.seconds for run in self.resumes)

    @property
    def delta(self) -> float:
        return median(abs(run.delta) for run in self.resumes)

    @property
    def overlap(self) -> float:
        return fmean(run.overlap for run in self.resumes)

    @property
    def peak_megabytes(self) -> float:
        return max(run.peak_megabytes for run in self.resumes)


@dataclass(frozen=True, slots=True)
class ExplainerComparison:
    """All sides on the same resumes with one network, in the order of FULL, QUICK, PLAIN, TUNED."""

    network: str
    tokens: int
    sides: tuple[ExplainerResult, ...]

    def ratio(self, side: int, peer: int) -> float:
        return self.sides[peer].seconds / self.sides[side].seconds

    def to_json(self) -> dict[str, Any]:
        names = {"ratio": (0, 2), "ratio_tuned": (0, 3), "fast_ratio": (1, 2), "fast_ratio_tuned": (1, 3)}
        return to_json(self) | {name: self.ratio(*sides) for name, sides in names.items()}

    def rows(self) -> list[tuple[str, str]]:
        count = len(self.sides[0].resumes)
        return [
            (self.network, f"{count} resumes, {self.tokens:,} tokens"),
            *((f"  {side.name}", self._row(side, count)) for side in self.sides),
            ("  at the gate, times as fast as captum", self._ratios(0, MIN_PEER_RATIO)),
            ("  fast, times as fast as captum", self._ratios(1, MIN_FAST_RATIO)),
            (
                f"  fast, share of the {TOP} strongest words that are the same",
                f"{self.sides[1].overlap:.3f} (at least {MIN_OVERLAP})",
            ),
        ]

    def _row(self, side: ExplainerResult, count: int) -> str:
        passed = sum(run.converged for run in side.resumes)
        return (
            f"{side.seconds / count:.2f} s a resume, delta {side.delta:.6f} (median), {passed} of {count} at the gate, "
            f"{side.peak_megabytes:,.0f} MB more at the peak, {side.overlap:.3f} of words the same"
        )

    def _ratios(self, side: int, least: float) -> str:
        return f"{self.ratio(side, 2):.2f} as it comes (at least {least:g}), {self.ratio(side, 3):.2f} with care"


@dataclass(frozen=True, slots=True)
class Explaining(Measurement):
    title: ClassVar[str] = "explanations by integrated gradients, beside captum"
    model: str
    chunked: ExplainerComparison
    whole: ExplainerComparison

    def rows(self) -> list[tuple[str, str]]:
        return [("model", self.model), *self.chunked.rows(), *self.whole.rows()]


def run(*, n: int = RESUMES, seed: int = 1, progress: Progress = no_progress) -> Explaining:
    """Explain `n` generated resumes with each of the two networks and each of the four sides."""
    artefact = load_artefact(SHIPPED / "level")
    texts = [
        (mined_applicant.text, placed_text(mined_applicant.text, mined_applicant.profile))
        for mined_applicant in mined_applicants(n * DRAWN, seed, progress=progress)
    ]
    return Explaining(
        f"{artefact.manifest.name} {artefact.manifest.version}",
        compare(artefact, texts, n, progress=progress),
        compare(as_whole(artefact), texts, n, progress=progress),
    )


def as_whole(artefact: Artefact) -> Artefact:
    """A network that reads one sequence, of the same weights but for the vectors of sections."""
    settings = {**artefact.manifest.settings, "design": ARCHITECTURES["Wr"].to_json()}
    tensors = {name: array for name, array in artefact.tensors.items() if name != "sections"}
    return replace(artefact, manifest=replace(artefact.manifest, settings=settings), tensors=tensors)


def compare(
    artefact: Artefact,
    texts: Sequence[tuple[str, PlacedResume]],
    n: int,
    *,
    encoder: Path | None = None,
    progress: Progress = no_progress,
) -> ExplainerComparison:
    from evenhand.explain.gradients.networks import open_network  # noqa: PLC0415
    from evenhand_lab.benchmarks.plain_transformers import open_peer  # noqa: PLC0415 - who lists benches need not have torch

    opened = open_network(artefact, encoders=(encoder,))
    folder = find_fitting(artefact.manifest, (encoder,)).folder
    plain = open_peer(artefact, folder)
    tuned = open_peer(artefact, folder, batch=10, frozen=True)
    chosen = _chosen(opened, texts, n)
    runs: dict[str, list[ExplainerRun]] = {FULL: [], QUICK: [], PLAIN: [], TUNED: []}
    tokens = 0
    with progress(opened.architecture.name, len(chosen)) as bar:
        for text, placed in chosen:
            full: Attribution | None = None
            for name, explain in _explain(opened, plain, tuned, placed).items():
                with PeakMemory() as memory:
                    attribution, seconds = timed(explain)
                full = full or attribution
                overlap = top_overlap(text, placed, full, attribution)
                peak = memory.megabytes
                runs[name].append(ExplainerRun(seconds, attribution.delta, overlap, peak, attribution.converged))
            tokens += full.tokens if full else 0
            bar.advance()
    sides = tuple(ExplainerResult(name, tuple(rows)) for name, rows in runs.items())
    return ExplainerComparison(opened.architecture.name, tokens, sides)


def _chosen(opened: OpenNetwork, texts: Sequence[tuple[str, PlacedResume]], n: int) -> list[tuple[str, PlacedResume]]:
    """The longest of those whose sequences are not too many for captum as it comes."""
    from evenhand.explain.gradients.baselines import cut_placed  # noqa: PLC0415

    cuts = [cut_placed(placed, opened.architecture, opened.rules, words=opened.words) for _, placed in texts]
    fitting = [at for at, cut in enumerate(cuts) if len(cut.sequences) <= MAX_SEQUENCES]
    return [texts[at] for at in sorted(fitting, key=lambda at: -cuts[at].tokens)[:n]]


def _explain(
    opened: OpenNetwork, plain: CaptumPeer, tuned: CaptumPeer, placed: PlacedResume
) -> dict[str, Callable[[], Attribution]]:
    """The four sides, in turn. Nothing is remembered from one to the next."""
    from evenhand.explain.gradients.baselines import cut_placed, predict_reference  # noqa: PLC0415
    from evenhand.explain.gradients.explain import explain_network  # noqa: PLC0415

    cut = cut_placed(placed, opened.architecture, opened.rules, words=opened.words)
    places = [place for sequence in cut.sequences for place in sequence.places if place is not None]
    target = int(predict_reference(opened, Reference((placed.resume,), "one"), None)[0].argmax())

    def ours(fast: bool) -> Attribution:
        opened.remembered.clear()
        return explain_network(opened, placed, target, fast=fast)

    def theirs(peer: CaptumPeer) -> Attribution:
        found = peer.explain(cut.sequences, target, padding=opened.padding)
        scores = tuple(PlaceScore(*place, score) for place, score in zip(places, found.scores.tolist(), strict=True))
        difference = sum(score.score for score in scores) - found.delta
        passed = is_complete(found.delta, difference, 0.0)
        return Attribution("ig", "pad", difference, 0.0, scores, 0.0, found.delta, passed, tokens=cut.tokens)

    return {
        FULL: lambda: ours(fast=False),
        QUICK: lambda: ours(fast=True),
        PLAIN: lambda: theirs(plain),
        TUNED: lambda: theirs(tuned),
    }


def top_overlap(text: str, placed: PlacedResume, one: Attribution, other: Attribution, top: int = TOP) -> float:
    """Share of the strongest words of the one that are among those of the other."""
    words = words_of(text, placed)
    strongest = [
        set(np.argsort(-np.abs(words.gather(scores)[0]), kind="stable")[:top].tolist()) for scores in (one, other)
    ]
    return len(strongest[0] & strongest[1]) / len(strongest[0]) if strongest[0] else 1.0
