"""What has happened in the demo before anybody opens it: decisions with true reasons, one taken back, notes, tags.

Every step looks first whether it has been done, so that a build that was cut off goes on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evenhand.search.criteria import Criteria
from evenhand.search.rankers.best import Best
from evenhand.workflows.screening import Listed
from evenhand.workflows.service import Service

LISTED = 500  # more than apply for any of its jobs
KEPT = 30  # of the rest of a list, the first ones


@dataclass(frozen=True, slots=True)
class Desk:
    """One job on the desk of whoever decides."""

    service: Service
    job: str
    actor: str
    listed: tuple[Listed, ...]

    def decide(self, ids: Sequence[str], action: str, reason: str) -> None:
        """Unless somebody has, in an earlier run."""
        for id in ids:
            made = self.service.store.decisions_on(id)
            if not any(decision.action == action and not decision.bulk for decision in made):
                self.service.store.decide([id], action, actor=self.actor, reason=reason)

    def remark(self, place: int, *, note: str = "", tags: Sequence[str] = ()) -> None:
        id = self.listed[place].entry.application
        if note and not self.service.store.notes(id):
            self.service.store.add_note(id, note, actor=self.actor)
        for tag in tags:
            self.service.store.add_tag(id, tag, actor=self.actor)

    def shortlist(self, places: Sequence[int]) -> None:
        for listed in (self.listed[place] for place in places):
            self.decide([listed.entry.application], "shortlist", strength_of(listed))

    def reject_weak(self, count: int) -> None:
        """The lowest who lack something that the job cannot do without."""
        lacking = [listed for listed in reversed(self.listed) if listed.result.missing]
        for listed in lacking[:count]:
            self.decide([listed.entry.application], "reject", weakness_of(listed))

    def reject_second_name(self) -> None:
        """The lower of two applications for this job whose resumes are nearly the same."""
        alerts = self.service.store.alerts([listed.entry.application for listed in self.listed])
        for listed in reversed(self.listed):
            id = listed.entry.application
            related = [other for alert in alerts[id] for other in alert.related]
            if any(other.link == "near_duplicate" and other.job == self.job for other in related):
                self.decide(
                    [id], "reject", "The same resume as another application here, under another name."
                )
                return

    def offer_to_double(self) -> None:
        """The best who has applied for another job as well: there, an alert tells of it."""
        alerts = self.service.store.alerts([listed.entry.application for listed in self.listed])
        for listed in self.listed:
            id = listed.entry.application
            if any(other.link == "same_candidate" for alert in alerts[id] for other in alert.related):
                self.decide([id], "shortlist", strength_of(listed))
                self.decide([id], "offer", "Two interviews; the team and the manager agree.")
                return

    def reject_rest(self, reason: str) -> str:
        """The batch, of this run or of an earlier one."""
        ids = [listed.entry.application for listed in self.listed]
        histories = self.service.store.histories(ids)
        for decision in (each for made in histories.values() for each in made):
            if decision.bulk:
                return decision.batch
        spared = self.service.spared(ids, keep=min(KEPT, len(ids) // 2))
        done = self.service.store.reject_rest(self.job, ids, spared, actor=self.actor, reason=reason)
        return done.batch

    def undo(self, batch: str, reason: str) -> None:
        if all(decision.undone_by is None for decision in self.service.store.batch(batch)):
            self.service.store.undo(batch, actor=self.actor, reason=reason)


def make_history(service: Service, jobs: Mapping[str, str], *, actors: Mapping[str, str]) -> None:
    """Ids of jobs and of those who fill them, by the names of the ads; some jobs nobody has worked on yet."""
    desks = {ad: desk(service, job, actors[ad]) for ad, job in jobs.items()}
    _marketing(desks["marketing-manager"])
    _sales(desks["sales-manager"])
    if "registered-nurse" in desks:
        desks["registered-nurse"].shortlist([0, 2])
        desks["registered-nurse"].remark(2, tags=["nights"])
        desks["registered-nurse"].reject_weak(2)
    if "electrician" in desks:
        desks["electrician"].shortlist([0, 1])
        desks["electrician"].reject_rest("Not among the best of the list; the crew is complete.")
    service.follow()


def _marketing(desk: Desk) -> None:
    desk.shortlist([0, 1, 3])
    desk.remark(0, note="Called on Tuesday: still interested, could start in January.", tags=["called"])
    desk.remark(1, tags=["second interview"])
    desk.reject_weak(3)
    desk.reject_second_name()


def _sales(desk: Desk) -> None:
    desk.offer_to_double()
    batch = desk.reject_rest("Not among the best of the list.")
    desk.undo(batch, "Too early: the agency sends more until Friday.")


def desk(service: Service, job: str, actor: str) -> Desk:
    with service.screener(job, ranker=Best.name) as screener:
        screen = screener.screen(Criteria(job=job), size=LISTED)
    return Desk(service, job, actor, screen.listed)


def strength_of(listed: Listed) -> str:
    """Why someone is worth an interview, by what the resume shows."""
    musts = [match for match in listed.result.matched if match.must]
    longest = max(musts, key=lambda match: match.months or 0, default=None)
    counted = f"{len(musts)} of the must-haves"
    if longest is None or not longest.months:
        return f"{counted}."
    years = longest.months // 12
    span = f"{years} years" if years > 1 else f"{longest.months} months"
    return f"{counted}, {longest.skill} for {span}."


def weakness_of(listed: Listed) -> str:
    return f"No sign of {' or '.join(listed.result.missing[:2])}."
