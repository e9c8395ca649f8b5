"""Weights of the default ranker from what is kept of people's decisions: which of these teach, and what they taught."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from evenhand.progress import Progress, no_progress
from evenhand.records.conversion import to_json
from evenhand.records.event import EventDraft
from evenhand.search.criteria import Criteria
from evenhand.search.index.reader import Snapshot
from evenhand.search.rankers.best import Best
from evenhand.search.rankers.weight_training import Feedback, FeedbackLabel, learn_weights
from evenhand.search.rankers.weights import Proposal, WeightsInForce
from evenhand.search.screener import Screener
from evenhand.search.service import Service
from evenhand.store.applications import SHORTLISTED
from evenhand.store.decisions import Decision
from evenhand.store.jobs import StoredJob
from evenhand.store.store import Store

DECISIONS = {"shortlist": True, "offer": True, "reject": False}
OPINIONS = {"relevant": True, "irrelevant": False}


@dataclass(frozen=True, slots=True)
class SetAside:
    """Applications on whom a decision stands that teaches nothing.

    Who was rejected with the rest of a list was mostly not looked at, but stood low: learning from it would teach the
    ranker its own order. Who is rejected after being shortlisted was mostly interviewed: no resume tells how that went.
    """

    rejected_with_the_rest: int = 0
    rejected_after_shortlist: int = 0

    def __add__(self, other: SetAside) -> SetAside:
        return SetAside(
            self.rejected_with_the_rest + other.rejected_with_the_rest,
            self.rejected_after_shortlist + other.rejected_after_shortlist,
        )


@dataclass(frozen=True, slots=True)
class RankerTrainingResult:
    """What decisions taught. Nothing changes before someone adopts it."""

    proposal: Proposal
    before: WeightsInForce
    job: str | None  # the only one learned from, or all
    set_aside: SetAside

    @property
    def refusal(self) -> str | None:
        return self.proposal.refusal

    def to_json(self) -> dict[str, Any]:
        about = {"job": self.job, "before": self.before.version, "set_aside": to_json(self.set_aside)}
        return {**self.proposal.to_json(), **about}


@dataclass(frozen=True, slots=True)
class RelevanceLabel:
    """One user's view of one application."""

    user: str
    application: str
    shortlisted: bool
    time: datetime


def learn_from_decisions(
    service: Service, *, job: str | None = None, progress: Progress = no_progress
) -> RankerTrainingResult:
    """From one job or all, closed ones too; raises NotFound for a job that is not kept."""
    store, before, snapshot = service.store, service.weights.in_force(), service.snapshot()
    jobs = [store.jobs.get(job)] if job is not None else store.jobs.all(closed=True)
    ranker = Best(weights=before.weights)
    labels: list[tuple[datetime, FeedbackLabel]] = []
    set_aside = SetAside()
    with progress("Learning", len(jobs)) as bar:
        for stored in jobs:
            judgements, left_out = collect_labels(store, stored.id)
            set_aside += left_out
            labels += labels_of(judgements, stored, store, snapshot, ranker=ranker)
            bar.advance()
    labels.sort(key=lambda dated: dated[0])  # the cap keeps the latest, of whichever job
    feedback = Feedback(tuple(label for _, label in labels))
    return RankerTrainingResult(learn_weights(feedback, start=before.weights), before, job, set_aside)


def adopt(service: Service, lesson: RankerTrainingResult, *, by: str, time: datetime) -> int:
    """The number of the new version; raises UsageError where the lesson is refused."""
    about = {**lesson.to_json(), "by": by, "time": time.isoformat(timespec="seconds")}
    version = service.weights.adopt(lesson.proposal, about=about)
    service.store.ledger.append([EventDraft("weights", by, body={"action": "adopt", "version": version})])
    return version


def roll_back(service: Service, version: int | None, *, by: str) -> WeightsInForce:
    restored = service.weights.roll_back(version)
    body = {"action": "roll back", "version": restored.version}
    service.store.ledger.append([EventDraft("weights", by, body=body)])
    return restored


def collect_labels(store: Store, job: str) -> tuple[list[RelevanceLabel], SetAside]:
    """Standing decisions and the newest opinions, in the order of time."""
    decisions = store.decisions.current(job)
    opinions = store.labels.of_job(job)
    judgements = [
        RelevanceLabel(_person(made.actor), made.application, DECISIONS[made.action], made.time)
        for made in decisions
        if made.action in DECISIONS and not _after_shortlist(made)
    ]
    judgements += [
        RelevanceLabel(_person(opinion.user), opinion.application, OPINIONS[opinion.label], opinion.time)
        for opinion in opinions
        if opinion.label in OPINIONS
    ]
    judgements.sort(key=lambda judgement: judgement.time)
    after = {made.application for made in decisions if _after_shortlist(made)}
    return judgements, SetAside(store.decisions.count_bulk(job), len(after))


def _after_shortlist(decision: Decision) -> bool:
    return decision.action == "reject" and decision.from_status == SHORTLISTED


def _person(name: str) -> str:
    """One person under two spellings would be heard twice."""
    return " ".join(name.split()).casefold()


def labels_of(
    judgements: Sequence[RelevanceLabel], job: StoredJob, store: Store, snapshot: Snapshot, *, ranker: Best
) -> Iterator[tuple[datetime, FeedbackLabel]]:
    """With the shares of the job's features as they are today; who is not in the index is left out."""
    applications = list(dict.fromkeys(judgement.application for judgement in judgements))
    shares = measure_shares(applications, job, snapshot, ranker=ranker)
    # Which resumes are held out depends on their bytes, so one that came for two jobs is on one side.
    documents = {application.id: application.document for application in store.applications.get_many(list(shares))}
    for label in judgements:
        if label.application in shares:
            resume, share = documents[label.application], shares[label.application]
            yield label.time, FeedbackLabel(label.user, job.id, resume, label.shortlisted, share)


def measure_shares(
    applications: Sequence[str], job: StoredJob, snapshot: Snapshot, *, ranker: Best
) -> dict[str, dict[str, float]]:
    """By application: what the ranker sees of it when the job is screened, before any weight."""
    addresses = [address for address in map(snapshot.find, applications) if address is not None]
    if not addresses:
        return {}
    keys, digests = snapshot.table(addresses)
    query = Screener(snapshot, job.requirements, ranker).ask(Criteria(job=job.id)).query
    features = ranker.features(query, digests, snapshot.statistics)
    return {
        key: {name: float(feature.shares[row]) for name, feature in features.items()} for row, key in enumerate(keys)
    }
