"""A resume with its score to a Result: what it has of what the job asks for, what it lacks, and where that stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evenhand.records.job import Job
from evenhand.records.ranking import Flag, Result, Score, Snippet
from evenhand.search.snippets import Wanted, make_snippets
from evenhand.workflows.candidate_facts import CandidateFacts, facts_of
from evenhand.workflows.flags import copying_flags, resume_flags
from evenhand.workflows.matching import match_job
from evenhand.workflows.resume_pool import Resume
from evenhand.workflows.watchlists import WatchLists


@dataclass(frozen=True, slots=True)
class Describer:
    """What is the same for all results of a ranking."""

    job: Job
    wanted: Wanted
    lists: WatchLists
    duplicates: Mapping[str, Flag]  # by file

    def __call__(self, rank: int, resume: Resume, score: Score) -> tuple[Result, CandidateFacts]:
        profile = resume.profile
        matching = match_job(self.job, profile)
        result = Result(
            rank=rank,
            file=resume.file,
            candidate=profile.name.value if profile.name else None,
            score=score,
            matched=matching.matched,
            missing=matching.missing,
            flags=self._flags(resume),
            snippets=self._snippets(resume),
        )
        return result, facts_of(profile, self.job, matching.matched)

    def _flags(self, resume: Resume) -> tuple[Flag, ...]:
        duplicate = self.duplicates.get(resume.file)
        own = (*copying_flags(self.job, resume.text), *resume_flags(resume.profile))
        return (*((duplicate,) if duplicate else ()), *self.lists.flags(resume.profile), *own)

    def _snippets(self, resume: Resume) -> tuple[Snippet, ...]:
        places = {
            skill.name: [(place.start, place.end) for place in skill.evidence]
            for skill in resume.profile.skills
        }
        return make_snippets(resume.text, self.wanted, places=places)
