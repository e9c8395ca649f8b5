"""A model's say in a ranking, if somebody gives it a weight: one more part of the score, with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evenhand.errors import UsageError
from evenhand.models.judging import Judge
from evenhand.records.job import Job
from evenhand.search.digest import Digest
from evenhand.search.rankers import Ranker
from evenhand.search.rankers.best import Best
from evenhand.settings import Settings
from evenhand.workflows.model_choice import find_model
from evenhand.workflows.model_inputs import input_of_text
from evenhand.workflows.predicting import AT_ONCE, judge_for
from evenhand.workflows.resume_pool import Resume
from evenhand.workflows.watching import Watch, unwatched


@dataclass(frozen=True, slots=True, eq=False)
class PredictedFit:
    """`label` is the model's last: labels of fit are in ascending order, as reject and accept are."""

    judge: Judge
    job_text: str
    weight: float

    @property
    def label(self) -> int:
        return len(self.judge.manifest.labels) - 1

    def join(
        self,
        ranker: Ranker,
        resumes: Sequence[Resume],
        digests: Sequence[Digest],
        *,
        watch: Watch = unwatched,
    ) -> Ranker:
        """The ranker with one part more. Whether a resume is in the list changes nobody else's likelihood."""
        if not isinstance(ranker, Best):
            raise UsageError(f"The ranker {ranker.name} has no part for predictions; best has.")
        likely = dict(zip(map(id, digests), self._likelihoods(resumes, watch), strict=True))
        weights = replace(ranker.weights, prediction=self.weight)
        return replace(ranker, weights=weights, likelihood=lambda digest: likely[id(digest)])

    def _likelihoods(self, resumes: Sequence[Resume], watch: Watch) -> list[float]:
        found: list[float] = []
        with watch("Asking the model", len(resumes)) as bar:
            for start in range(0, len(resumes), AT_ONCE):
                some = [input_of_text(each.text, each.profile) for each in resumes[start : start + AT_ONCE]]
                found += self.judge.predict(some, job_text=self.job_text)[:, self.label].tolist()
                for _ in some:
                    bar.advance()
        return found


def predicted_fit(ranker: str, job: Job, settings: Settings) -> PredictedFit | None:
    """None unless the settings give a model a weight; a model that cannot be used is said before the work."""
    if not settings.fit_weight or ranker != Best.name:
        return None
    folder = find_model("fit", settings.fit_model, settings)
    return PredictedFit(judge_for(folder, settings), job.text, settings.fit_weight)
