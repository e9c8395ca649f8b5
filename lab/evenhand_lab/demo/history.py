"""What has happened in the demo before anybody opens it: decisions with true reasons, one taken back, notes, tags.

Every step looks first whether it has been done, so that a build that was cut off goes on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evenhand.search.criteria import Criteria
from evenhand.search.rankers.best import Best
from evenhand.search.screener import SearchHit
from evenhand.search.service import Service
from evenhand.store.duplicates import RelatedApplication

MAX_SPARED = 30  # of a list, when the rest is rejected


@dataclass(frozen=True, slots=True)
class DemoReviewer:
    """One job and who fills it."""

    service: Service
    job: str
    actor: str
    ids: tuple[str, ...]  # of its applications, in the order of the list

    def at(self, place: int) -> SearchHit:
        with self.service.screener(self.job, ranker=Best.name) as screener:
            return screener.screen(Criteria(job=self.job), first=place, size=1).listed[0]

    def decide(self, id: str, action: str, reason: str) -> None:
        """Unless it was done in an earlier run."""
        made = self.service.store.decisions.of_application(id)
        if not any(decision.action == action and not decision.bulk for decision in made):
            self.service.store.decisions.decide([id], action, actor=self.actor, reason=reason)

    def remark(self, place: int, *, note: str = "", tags: Sequence[str] = ()) -> None:
        id = self.ids[place]
        if note and not self.service.store.notes.of_application(id):
            self.service.store.notes.add(id, note, actor=self.actor)
        for tag in tags:
            self.service.store.notes.add_tag(id, tag, actor=self.actor)

    def shortlist(self, *places: int) -> None:
        for place in places:
            self.decide(self.ids[place], "shortlist", strength_of(self.at(place)))

    def reject_weak(self, count: int) -> None:
        """Of the lowest, those who lack something that the job cannot do without."""
        for place in range(len(self.ids) - count, len(self.ids)):
            listed = self.at(place)
            if listed.result.missing:
                self.decide(self.ids[place], "reject", f"No sign of {' or '.join(listed.result.missing[:2])}.")

    def reject_second_name(self) -> None:
        """The lower of two applications for this job whose resumes are nearly the same."""
        related = self._related()
        for id in reversed(self.ids):
            if any(other.link == "near_duplicate" and other.job == self.job for other in related[id]):
                self.decide(id, "reject", "The same resume as another application here, under another name.")
                return

    def offer_to_double(self) -> None:
        """The best who has applied for another job as well: there, an alert tells of it."""
        related = self._related()
        for place, id in enumerate(self.ids):
            if any(other.link == "same_candidate" for other in related[id]):
                self.decide(id, "shortlist", strength_of(self.at(place)))
                self.decide(id, "offer", "Two interviews; the team and the manager agree.")
                return

    def reject_rest(self, reason: str) -> str:
        """The batch, of this run or of an earlier one."""
        for made in self.service.store.decisions.histories(self.ids).values():
            for decision in made:
                if decision.bulk:
                    return decision.batch
        spared = self.service.spared(self.ids, keep=min(MAX_SPARED, len(self.ids) // 2))
        return self.service.store.decisions.reject_rest(
            self.job, self.ids, spared, actor=self.actor, reason=reason
        ).batch

    def undo(self, batch: str, reason: str) -> None:
        if all(decision.undone_by is None for decision in self.service.store.decisions.batch(batch)):
            self.service.store.decisions.undo(batch, actor=self.actor, reason=reason)

    def _related(self) -> dict[str, list[RelatedApplication]]:
        """Other applications of the same people, by application."""
        alerts = self.service.store.duplicates.alerts(self.ids)
        return {
            id: [other for alert in of_application for other in alert.related] for id, of_application in alerts.items()
        }


def make_history(service: Service, jobs: Mapping[str, str], *, actors: Mapping[str, str]) -> None:
    """Ids of jobs and of those who fill them, by the names of the ads; some jobs nobody has worked on yet."""
    for ad, work in WORK.items():
        if ad in jobs:
            with service.screener(jobs[ad], ranker=Best.name) as screener:
                ids = tuple(screener.ids(Criteria(job=jobs[ad])))
            work(DemoReviewer(service, jobs[ad], actors[ad], ids))
    service.follow()


def _marketing(reviewer: DemoReviewer) -> None:
    reviewer.shortlist(0, 1, 3)
    reviewer.remark(0, note="Called on Tuesday: still interested, could start in January.", tags=["called"])
    reviewer.remark(1, tags=["second interview"])
    reviewer.reject_weak(3)
    reviewer.reject_second_name()


def _sales(reviewer: DemoReviewer) -> None:
    reviewer.offer_to_double()
    batch = reviewer.reject_rest("Not among the best of the list.")
    reviewer.undo(batch, "Too early: the agency sends more until Friday.")


def _nursing(reviewer: DemoReviewer) -> None:
    reviewer.shortlist(0, 2)
    reviewer.remark(2, tags=["nights"])
    reviewer.reject_weak(2)


def _wiring(reviewer: DemoReviewer) -> None:
    reviewer.shortlist(0, 1)
    reviewer.reject_rest("Not among the best of the list; the crew is complete.")


WORK = {"marketing-manager": _marketing, "sales-manager": _sales, "registered-nurse": _nursing, "electrician": _wiring}


def strength_of(listed: SearchHit) -> str:
    """Why someone is worth an interview, by what the resume shows."""
    musts = [match for match in listed.result.matched if match.must]
    longest = max(musts, key=lambda match: match.months or 0, default=None)
    counted = f"{len(musts)} of the must-haves"
    if longest is None or not longest.months:
        return f"{counted}."
    years = longest.months // 12
    span = f"{years} years" if years > 1 else f"{longest.months} months"
    return f"{counted}, {longest.skill} for {span}."
