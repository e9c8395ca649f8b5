"""`evenhand bench predict`: resumes judged per second by a network of chunks, beside plain transformers, and training.

Both sides get the same cut resumes and share the head; times are of the processor, on one thread, the best of several
rounds that take turns. The peer pads chunks to the longest of their batch, in fp32, and is run with several batch
sizes; beside it stands transformers' own pipeline on the same chunks as texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from time import process_time
from typing import TYPE_CHECKING, Any, ClassVar

from rich.table import Table

from evenhand.bench.measurements import as_table
from evenhand.errors import UsageError
from evenhand.models.artefact import Artefact, load_artefact
from evenhand.models.calibration import Floats
from evenhand.models.inputs import ResumeInput
from evenhand.models.judging.encoders import find_fitting
from evenhand.models.judging.loading import load_network
from evenhand.models.judging.network import NetworkJudge
from evenhand.models.shelf import SHIPPED
from evenhand.workflows.competence_corpus import mined_applicants
from evenhand.workflows.model_inputs import input_of_text
from evenhand.workflows.watching import Watch, unwatched

if TYPE_CHECKING:
    from evenhand.bench.training_speed import TrainingSpeed

RESUMES = 60
TRAINED = 24  # of them
ROUNDS = 3
SIZES = (1, 8, 32)  # chunks at once, of the peer
PIPED = 8
PIPELINE = f"its pipeline, {PIPED} chunks at once"
LEAST_RATIO, LEAST_AGREEMENT = 3.0, 0.99


@dataclass(frozen=True, slots=True)
class Timed:
    name: str
    seconds: float
    agreement: float  # share of resumes with the peer's label
    difference: float  # of probabilities from the peer's, at most


@dataclass(frozen=True, slots=True)
class Predicting:
    title: ClassVar[str] = "resumes judged per second, beside plain transformers"
    model: str
    resumes: int
    chunks: int
    tokens: int
    ours: tuple[Timed, ...]  # int8, fp32
    peers: tuple[Timed, ...]
    pipeline: Timed
    training: TrainingSpeed | None = None

    @property
    def fastest_peer(self) -> Timed:
        return min(self.peers, key=lambda each: each.seconds)

    @property
    def ratio(self) -> float:
        return self.fastest_peer.seconds / self.ours[0].seconds

    @property
    def pipeline_ratio(self) -> float:
        return self.pipeline.seconds / self.ours[0].seconds

    def to_json(self) -> dict[str, Any]:
        training = self.training.to_json() if self.training else None
        ratios = {"ratio": self.ratio, "pipeline_ratio": self.pipeline_ratio}
        return asdict(self) | ratios | {"training": training}

    def rows(self) -> list[tuple[str, str]]:
        return [
            (
                "model, resumes, chunks, tokens",
                f"{self.model}, {self.resumes}, {self.chunks:,}, {self.tokens:,}",
            ),
            *((f"Evenhand, {each.name}", self._row(each)) for each in self.ours),
            *((f"transformers, {each.name}", self._row(each)) for each in self.peers),
            (f"transformers, {self.pipeline.name}", self._row(self.pipeline)),
            ("times as fast as the pipeline", f"{self.pipeline_ratio:.2f} (at least {LEAST_RATIO:g})"),
            ("times as fast as the fastest of all", f"{self.ratio:.2f}"),
            ("  at the same label", f"{self.ours[0].agreement:.4f} of resumes (at least {LEAST_AGREEMENT})"),
            ("  probabilities differ by at most", f"{self.ours[0].difference:.4f}"),
            *(self.training.rows() if self.training else ()),
        ]

    def _row(self, each: Timed) -> str:
        return f"{self.resumes / each.seconds:.2f} resumes/s, {self.tokens / each.seconds:,.0f} tokens/s"

    def table(self) -> Table:
        return as_table(self.title, self.rows())


def run(*, n: int = RESUMES, seed: int = 1, watch: Watch = unwatched) -> Predicting:
    """Measure the shipped model of levels on `n` generated resumes, and training on some of them."""
    from evenhand.bench.training_speed import measure_training  # noqa: PLC0415 - loads torch

    artefact = load_artefact(SHIPPED / "level")
    applicants = mined_applicants(n, seed, watch=watch)
    resumes = [input_of_text(applicant.text, applicant.profile) for applicant in applicants]
    found = measure(artefact, resumes, watch=watch)
    return replace(found, training=measure_training(resumes[:TRAINED]))


def measure(
    artefact: Artefact, resumes: Sequence[ResumeInput], *, rounds: int = ROUNDS, watch: Watch = unwatched
) -> Predicting:
    judges = open_judges(artefact)
    first = judges["int8"]
    if first.design.cut != "chunked" or first.design.needs_job:
        raise UsageError(f"The model {artefact.manifest.name} is no network of chunks without a job.")
    seconds = dict.fromkeys(judges, float("inf"))
    found: dict[str, Floats] = {}
    with watch("judging", rounds * len(judges)) as bar:
        for _ in range(rounds):
            for name, judge in judges.items():
                found[name], spent = timed(judge, resumes)
                seconds[name] = min(seconds[name], spent)
                bar.advance()
    expected = found[peer_name(SIZES[0])]
    timings = {name: compared(name, seconds[name], found[name], expected) for name in judges}
    cuts = [sequence for resume in resumes for sequence in first.cut(resume).sequences]
    return Predicting(
        model=f"{artefact.manifest.name} {artefact.manifest.version} ({first.design.name})",
        resumes=len(resumes),
        chunks=len(cuts),
        tokens=sum(map(len, cuts)),
        ours=(timings["int8"], timings["fp32"]),
        peers=tuple(timings[peer_name(size)] for size in SIZES),
        pipeline=timings[PIPELINE],
    )


def open_judges(artefact: Artefact) -> dict[str, NetworkJudge]:
    # Who lists benches need not have torch.
    from evenhand.bench.plain_transformers import open_pipeline, open_plain  # noqa: PLC0415

    def ours(precision: Any) -> NetworkJudge:
        return load_network(artefact, encoders=(None,), precision=precision, cache=None, threads=1)

    folder = find_fitting(artefact.manifest, (None,)).folder
    full = ours("fp32")
    peers = {
        peer_name(size): replace(full, encoder=open_plain(artefact, folder, size=size)) for size in SIZES
    }
    piped = replace(full, encoder=open_pipeline(artefact, folder, size=PIPED))
    return {"int8": ours("int8"), "fp32": full, **peers, PIPELINE: piped}


def peer_name(size: int) -> str:
    return f"{size} chunk{'s' * (size > 1)} at once"


def timed(judge: NetworkJudge, resumes: Sequence[ResumeInput]) -> tuple[Floats, float]:
    start = process_time()
    found = judge.predict(resumes)
    return found, process_time() - start


def compared(name: str, seconds: float, found: Floats, expected: Floats) -> Timed:
    same = (found.argmax(axis=1) == expected.argmax(axis=1)).mean()
    return Timed(name, seconds, float(same), float(abs(found - expected).max()))
