"""Resumes that exist as text only, scored by every ranker and by the occupation model, all in one pool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.models.inputs import ResumeInput
from evenhand.records.document import Document
from evenhand.search.rankers import SkillDictionary, make_query
from evenhand.search.rankers.registry import RANKERS, make_ranker
from evenhand.search.rankers.semantic import Semantic
from evenhand.search.statistics import PoolStatistics
from evenhand.settings import Settings
from evenhand.workflows.encoding import encoder_for
from evenhand.workflows.job_reading import read_job
from evenhand.workflows.mining import Mined, mine_with_documents
from evenhand.workflows.model_choice import find_model
from evenhand.workflows.model_inputs import resume_input
from evenhand.workflows.occupation_data import AS_OF
from evenhand.workflows.predicting import judge_for
from evenhand.workflows.ranking import digest_of, skill_forms
from evenhand.workflows.reading import open_pool, read
from evenhand.workflows.resume_pool import Resume
from evenhand.workflows.watching import Watch, watched

Floats = NDArray[np.float64]
OCCUPATION = "occupation model"


@dataclass
class RememberingEncoder:
    """The encoder, asked once for every text: resumes that differ in a name share all their sections but one."""

    encoder: Any
    known: dict[str, NDArray[np.float32]] = field(default_factory=dict)

    def encode(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        for text in dict.fromkeys(texts):
            if text not in self.known:
                self.known[text] = self.encoder.encode([text])[0]
        if not texts:
            return np.asarray(self.encoder.encode([]))
        return np.stack([self.known[text] for text in texts])

    def windows(self, text: str, /, *rest: int) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = self.encoder.windows(text, *rest)
        return found


def mine_texts(texts: Sequence[str], *, settings: Settings, watch: Watch) -> list[Mined]:
    """Read and mined as if each were a text file."""

    def documents() -> Iterator[Document]:
        with open_pool(settings, workers=1) as pool:
            for text in texts:
                yield read(text.encode(), settings=settings, pool=pool)

    stream = mine_with_documents(documents(), as_of=AS_OF, settings=settings)
    return list(watched(stream, watch, "reading and mining resumes", len(texts)))


def score_all(
    job_text: str, mined: Sequence[Mined], label: str, *, settings: Settings, watch: Watch
) -> Iterator[tuple[str, Floats]]:
    """The name of each ranker that can run, and one number per resume; then the occupation model's probability of
    `label`, as a logit, in which small changes of a sure model can be seen."""
    job = read_job(job_text, settings)
    resumes = [Resume(str(at), each.document.text, each.profile) for at, each in enumerate(mined)]
    query = make_query(job, dictionary=SkillDictionary(skill_forms(resumes)))
    plain = [digest_of(each, None) for each in watched(resumes, watch, "comparing resumes", len(resumes))]
    encoder = encoder_for(settings)
    for name in RANKERS:
        if name == Semantic.name and encoder is None:
            continue
        needed = RememberingEncoder(encoder) if name == Semantic.name else None
        digests = plain if needed is None else [digest_of(each, needed) for each in resumes]
        ranker = make_ranker(name, encoder=encoder if needed else None)
        yield name, np.asarray(ranker.contributions(query, digests, PoolStatistics(digests)).totals())
    yield (
        OCCUPATION,
        occupation_logits([resume_input(each.document, each.profile) for each in mined], label, settings),
    )


def occupation_logits(inputs: Sequence[ResumeInput], label: str, settings: Settings) -> Floats:
    """Each different input is judged once: those with a blanked name differ in the number of blanks at most."""
    judge = judge_for(find_model("occupation", None, settings), settings)
    place = judge.manifest.labels.index(label)
    known: dict[Any, float] = {}

    def of(given: ResumeInput) -> float:
        key = (given.sections, given.titles)
        if key not in known:
            chance = float(np.clip(judge.predict([given])[0][place], 1e-12, 1 - 1e-12))
            known[key] = float(np.log(chance / (1 - chance)))
        return known[key]

    return np.array([of(each) for each in inputs])
