"""The twelve published networks as a table: what is cut how, what is added, what the job does.

Li et al. 2020, "Competence-Level Prediction and Resume & Job Description Matching Using Context-Aware Transformer
Models". The first five answer which level an applicant has, the other seven whether a resume fits a job. Where the
paper is silent or contradicts itself, the field below says what is done by default and what else can be chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from evenhand.errors import UsageError
from evenhand.records.conversion import JsonRecord

Cut = Literal["whole", "pruned", "chunked"]
Job = Literal["none", "joined", "concat", "attention"]
Pooling = Literal["sum", "mean"]
Binding = Literal["gelu", "none"]


@dataclass(frozen=True, slots=True)
class Architecture(JsonRecord):
    """One network but for its encoder and its labels."""

    name: str
    cut: Cut  # one trimmed sequence; one pruned sequence per section; chunks of each section
    sections: bool = False  # +I: a learned vector per kind of section, added to each sequence's vector
    job: Job = "none"  # joined: in the same sequence; concat: +J; attention: +J+A
    embeddings: bool = True  # False is -E: attention and section vectors alone
    concat_job: bool = False  # with attention: the job's own vector too goes to the decoder; the formula has it not
    heads: int = 12  # of the attention between resume and job; unstated
    shared_attention: bool = True  # one block for both directions: the published 112 M parameters; two make 114 M
    pooling: Pooling = "sum"  # over the sequences of a resume, as published; long resumes get longer vectors
    # A sum of (e + section vector) is the same whichever sequence has which section, so that by the letter +I could
    # only say how many sequences each section has. "gelu" bends each sequence's vector before they are summed, which
    # ties what is said to where it is said and costs no parameter; "none" is the letter.
    binding: Binding = "gelu"
    whole_tokens: int = 510  # N, for the first token and the last of a sequence of 512 are not the resume's
    chunk_tokens: int = 126  # L, likewise of 128

    @property
    def needs_job(self) -> bool:
        return self.job != "none"


ARCHITECTURES: Mapping[str, Architecture] = {
    architecture.name: architecture
    for architecture in (
        Architecture("Wr", "whole"),
        Architecture("P", "pruned"),
        Architecture("P+I", "pruned", sections=True),
        Architecture("C", "chunked"),
        Architecture("C+I", "chunked", sections=True),
        Architecture("Wr+b", "whole", job="joined"),
        Architecture("P+I+J", "pruned", sections=True, job="concat"),
        Architecture("P+I+J+A", "pruned", sections=True, job="attention"),
        Architecture("P+I+J+A-E", "pruned", sections=True, job="attention", embeddings=False),
        Architecture("C+I+J", "chunked", sections=True, job="concat"),
        Architecture("C+I+J+A", "chunked", sections=True, job="attention"),
        Architecture("C+I+J+A-E", "chunked", sections=True, job="attention", embeddings=False),
    )
}
LEVEL_ARCHITECTURES = tuple(name for name, architecture in ARCHITECTURES.items() if not architecture.needs_job)
FIT_ARCHITECTURES = tuple(name for name, architecture in ARCHITECTURES.items() if architecture.needs_job)


def find_architecture(name: str) -> Architecture:
    if name not in ARCHITECTURES:
        raise UsageError(f"There is no network {name!r}; there are {', '.join(ARCHITECTURES)}.")
    return ARCHITECTURES[name]


def architecture_from_json(content: Mapping[str, Any]) -> Architecture:
    """As `to_json` wrote it; a field that this version does not know would change what is computed."""
    unknown = set(content) - {field.name for field in fields(Architecture)}
    if unknown or not {"name", "cut"} <= set(content):
        raise UsageError("The model's design was written by another version of Evenhand.")
    return Architecture(**content)
