"""A network made ready: its encoder found and merged, its sizes checked, its small integers compared or left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evenhand.errors import ModelMalformed, UsageError
from evenhand.models.artefact import Artefact
from evenhand.models.competence.cutting import read_rules
from evenhand.models.competence.designs import Design, design_from_json
from evenhand.models.competence.pruning import PruningWords
from evenhand.models.encoder import Precision
from evenhand.models.encoder.sentences import SENTENCES
from evenhand.models.encoder.tokens import Ids
from evenhand.models.encoder.weights import BertWeights, EncoderSource, read_shape, read_weights
from evenhand.models.judging.agreement import Agreement, AgreementNotes, made_up_resumes, measure_judges
from evenhand.models.judging.attention import Attention, read_attention
from evenhand.models.judging.encoders import find_fitting, merge
from evenhand.models.judging.limits import measure_limits
from evenhand.models.judging.network import NetworkJudge
from evenhand.models.judging.sequences import States, open_sequences


def load_network(
    artefact: Artefact,
    *,
    encoders: Sequence[Path | None],
    precision: Precision,
    cache: Path | None,
    threads: int,
) -> NetworkJudge:
    source = find_fitting(artefact.manifest, encoders)
    weights = merge(read_weights(source.folder, read_shape(source.folder)), artefact)
    opening = _Opening(artefact, _design(artefact), source, weights, threads)
    opening.check()
    return opening.full() if precision == "fp32" else opening.compact(cache)


@dataclass(frozen=True, slots=True)
class _Opening:
    artefact: Artefact
    design: Design
    source: EncoderSource
    weights: BertWeights
    threads: int

    def check(self) -> None:
        """The sizes of what is multiplied later, so that a wrong model is refused before it judges anybody."""
        manifest, hidden = self.artefact.manifest, self.weights.shape.hidden
        features = len(manifest.settings.get("features") or ())
        has_job = self.design.job in {"concat", "attention"}
        with_job = self.design.job == "concat" or (has_job and self.design.concat_job)
        units = len(self.artefact.tensor("features.hidden.bias")) if features else 0
        expected = {
            "decoder.weight": (len(manifest.labels), hidden + hidden * with_job + units),
            "decoder.bias": (len(manifest.labels),),
        }
        if self.design.sections:
            expected["sections"] = (6, hidden)
        if features:
            expected |= {"features.mean": (features,), "features.scale": (features,)}
            expected["features.hidden.weight"] = (units, features + hidden * has_job)
        for name, shape in expected.items():
            if (found := self.artefact.tensor(name).shape) != shape:
                raise ModelMalformed(f"The model {manifest.name} has {name} of size {found}, not {shape}.")

    def full(self) -> NetworkJudge:
        return self._judge("fp32")

    def compact(self, cache: Path | None) -> NetworkJudge:
        """fp32 with a note where small integers would say other things."""
        notes = AgreementNotes.of(self.artefact, self.source, cache)
        if kept := notes.read():
            agreement, limits = kept
            return self._judge("int8", limits) if not agreement.objection else self._instead(agreement)
        full = self.full()
        measured = measure_limits(self.weights, _sequences(full), threads=self.threads)
        for limits in (measured, {}):  # one scale for all rows is faster, one for each is nearer to the truth
            compact = self._judge("int8", limits)
            agreement = measure_judges(full, compact)
            if not agreement.objection:
                break
        notes.write(agreement, limits)
        return compact if not agreement.objection else replace(full, note=agreement.objection)

    def _instead(self, agreement: Agreement) -> NetworkJudge:
        return replace(self.full(), note=agreement.objection)

    def _judge(self, precision: Precision, limits: Mapping[str, float] | None = None) -> NetworkJudge:
        output: States = "states" if self.design.job == "attention" else "first"
        pruning = self.artefact.manifest.settings.get("pruning")
        return NetworkJudge(
            artefact=self.artefact,
            design=self.design,
            rules=read_rules(self.source.folder / "tokenizer.json", self.weights.shape.positions),
            words=PruningWords.from_json(pruning) if pruning else None,
            encoder=open_sequences(
                self.weights, output, compact=precision == "int8", limits=limits, threads=self.threads
            ),
            attentions=self._attentions(),
            precision=precision,
        )

    def _attentions(self) -> tuple[Attention, Attention] | None:
        if self.design.job != "attention":
            return None
        blocks = ("shared", "shared") if self.design.shared_attention else ("r2b", "b2r")
        to_job, from_job = (read_attention(self.artefact, block, self.design.heads) for block in blocks)
        return to_job, from_job


def _sequences(judge: NetworkJudge) -> list[Ids]:
    job_text = SENTENCES[-1] if judge.design.needs_job else None
    return [sequence for resume in made_up_resumes() for sequence in judge.cut(resume, job_text).sequences]


def _design(artefact: Artefact) -> Design:
    try:
        return design_from_json(artefact.manifest.settings["design"])
    except (KeyError, TypeError, UsageError) as error:
        raise ModelMalformed(
            f"The model {artefact.manifest.name} names no design that is known: {error}"
        ) from error
