"""How much of a judgement lies on the words that were put in, beside how many of all words they are.

For a ranker: how much of its score goes when these words are blanked. For a model: their share of an explanation.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from evenhand.audit.swaps.comparison import Share
from evenhand.audit.swaps.editing import Edited, Place, apply_edits
from evenhand.audit.swaps.plan import Variant
from evenhand.audit.swaps.trials import Trials
from evenhand.errors import NothingToExplain
from evenhand.models.joined import JoinedJudge
from evenhand.records.document import Document
from evenhand.settings import Settings
from evenhand.workflows.auditing.swap_judges import ModelJudge, RankerJudge, Reading, SwapJudge
from evenhand.workflows.auditing.swap_pool import Subject
from evenhand.workflows.auditing.swap_trying import Planned
from evenhand.workflows.explaining import Explainer, open_explainer
from evenhand.workflows.mining_one import shortened
from evenhand.workflows.mining_pool import MiningPool
from evenhand.workflows.order import in_order
from evenhand.workflows.section_vectors import SectionEncoder
from evenhand.workflows.watching import Watch, unwatched, watched

LOOKED_AT = 6  # resumes for each group
LOOKED_AT_BY_NETWORKS = 2  # whose explanations take seconds each

Key = tuple[str, str, str]  # judge, family, group


@dataclass(frozen=True, slots=True, eq=False)
class _Case:
    """One edited resume, read with the new words and, for rankers, with blanks in their place."""

    variant: Variant
    edited: Edited
    reading: Reading
    without: Reading | None

    @property
    def token_share(self) -> float:
        return words_within(self.edited.document.text, self.edited.places)


def measure_shares(
    planned: Sequence[Planned],
    trials: Trials,
    judges: Sequence[SwapJudge],
    *,
    encoder: SectionEncoder | None = None,
    settings: Settings | None = None,
    watch: Watch = unwatched,
) -> dict[Key, Share]:
    settings = settings or Settings()
    chosen = list(_chosen(planned, trials))
    needs_blank = any(isinstance(judge, RankerJudge) for judge in judges)
    found: dict[Key, list[Share]] = defaultdict(list)
    seen: dict[Key, int] = defaultdict(int)
    explainers = {
        judge.name: _explainer(judge, settings) for judge in judges if isinstance(judge, ModelJudge)
    }
    with MiningPool(settings) as miners:
        reader = _Reader(miners, encoder, settings, needs_blank)
        cases = in_order(reader.read, chosen, threads=settings.workers or os.cpu_count() or 1)
        for case in watched(cases, watch, "Weighing words", len(chosen)):
            for judge in judges:
                key = (judge.name, case.variant.family, case.variant.group)
                if seen[key] < _most(judge):
                    seen[key] += 1
                    found[key] += _share(case, judge, explainers.get(judge.name))
    return {key: _mean(shares) for key, shares in found.items() if shares}


def _chosen(planned: Sequence[Planned], trials: Trials) -> Iterator[tuple[Subject, Variant]]:
    """Of every group that is compared with a reference, the first resumes that have it."""
    taken: dict[tuple[str, str], int] = defaultdict(int)
    compared = {(family.name, group.name) for family in trials.families for group in family.others}
    for one in planned:
        for variant in one.variants:
            key = (variant.family, variant.group)
            if key in compared and taken[key] < LOOKED_AT:
                taken[key] += 1
                yield one.subject, variant


@dataclass(frozen=True, slots=True, eq=False)
class _Reader:
    miners: MiningPool
    encoder: SectionEncoder | None
    settings: Settings
    needs_blank: bool

    def read(self, chosen: tuple[Subject, Variant]) -> _Case:
        subject, variant = chosen
        edited = apply_edits(subject.document, variant.edits)
        without = blanked(edited.document, edited.places) if self.needs_blank else None
        return _Case(
            variant,
            edited,
            self._reading(edited.document, subject.profile.as_of),
            self._reading(without, subject.profile.as_of) if without else None,
        )

    def _reading(self, document: Document, as_of: str) -> Reading:
        part, _ = shortened(document, self.settings.mined_characters)
        return Reading(document.text, self.miners.mine(part, as_of=as_of), self.encoder)


def _most(judge: SwapJudge) -> int:
    is_network = isinstance(judge, ModelJudge) and not isinstance(judge.asked.judge, JoinedJudge)
    return LOOKED_AT_BY_NETWORKS if is_network else LOOKED_AT


def _explainer(judge: ModelJudge, settings: Settings) -> Explainer:
    task, _, model = judge.title.partition(":")
    return open_explainer(task, model=model or None, job=judge.asked.job_text, settings=settings)


def _share(case: _Case, judge: SwapJudge, explainer: Explainer | None) -> list[Share]:
    if explainer is not None:
        return _explained(case, explainer)
    return _blanked(case, judge) if isinstance(judge, RankerJudge) else []


def _explained(case: _Case, explainer: Explainer) -> list[Share]:
    document = case.edited.document
    try:
        found = explainer.explain(document, case.reading.profile, faithful=False, changes=False)
    except NothingToExplain:
        return []
    words = found[0].explanation.words
    total = sum(abs(word.score) for word in words)
    own = [word.score for word in words if _touches(case.edited.places, word.start, word.end)]
    return [Share(1, sum(map(abs, own)) / total, case.token_share, sum(own) / total)] if total else []


def _blanked(case: _Case, judge: RankerJudge) -> list[Share]:
    if case.without is None:
        return []
    scores = judge.judge(case.reading, [case.reading, case.without]).score
    if not scores[0]:
        return []
    change = float(scores[0] - scores[1]) / abs(float(scores[0]))
    return [Share(1, abs(change), case.token_share, change)]


def blanked(document: Document, places: Sequence[Place]) -> Document:
    characters = list(document.text)
    for start, end in places:
        characters[start:end] = ["\n" if each == "\n" else " " for each in characters[start:end]]
    return replace(document, text="".join(characters))


def words_within(text: str, places: Sequence[Place]) -> float:
    """Share of all words of a text that stand in these places."""
    return sum(len(text[start:end].split()) for start, end in places) / max(len(text.split()), 1)


def _touches(places: Sequence[Place], start: int, end: int) -> bool:
    return any(place[0] < end and start < place[1] for place in places)


def _mean(shares: Sequence[Share]) -> Share:
    return Share(
        len(shares),
        fmean(share.attribution for share in shares),
        fmean(share.tokens for share in shares),
        fmean(share.signed for share in shares),
    )
