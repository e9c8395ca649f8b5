"""Careers of many occupations, from apprentices to directors, each with the titles and duties of its trade."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from evenhand_lab.corpora import lexicon, occupations, people
from evenhand_lab.corpora.career import Career, CareerJob, CareerPeriod, Month, cut, sample_stays, year_of
from evenhand_lab.corpora.groups import Groups
from evenhand_lab.corpora.kinds import working
from evenhand_lab.corpora.lexicon import Stream, chance, some
from evenhand_lab.corpora.occupations import Occupation
from evenhand_lab.corpora.people import PersonIdentity


def draw_occupation(stream: Stream) -> str:
    return stream("occupation").choice(occupations.occupations())


def sample(stream: Stream, number: int, as_of: Month) -> tuple[Career, Groups]:
    name = draw_occupation(stream)
    who = people.sample_identity(stream, lexicon.table("places.toml")["residents"]["mixed"])
    trade = occupations.occupation(name, who.home.country)
    path = working.sample_path(stream("path"), trade.degrees)
    months = working.sample_experience(stream("experience"))
    leaving = year_of(as_of - months)
    schoolings = working.sample_studies(stream, who, path, leaving=leaving, as_of=as_of)
    studies = tuple(entry.study for entry in reversed(schoolings))
    start = working.first_month(stream("start"), studies, leaving=leaving)
    worker = Worker(trade, who, as_of, _known(stream("known"), trade))
    jobs = worker.jobs(stream("jobs"), start=start, level=people.level_of(path.degree))
    jobs += working.sample_side_jobs(stream, who, studies, jobs, as_of=as_of, months=months)
    career = Career(
        number=number,
        kind="mixed",
        as_of=as_of,
        person=who.person,
        occupation=trade.title,
        jobs=working.sort_jobs(jobs, as_of),
        studies=studies,
        certificates=working.sample_certificates(
            stream("certificates"), trade.certificates, since=start // 12, as_of=as_of
        ),
        languages=working.sample_languages(stream("languages"), who),
        activities=working.sample_activities(stream("activities"), since=min(start, as_of), as_of=as_of),
        extra_skills=working.sample_extra_skills(stream("extra"), worker.known, jobs, as_of=as_of),
    )
    begin = min(job.period.start for job in jobs)
    return career, people.groups_of(
        who, schoolings, career, birth=people.sample_birth(stream("birth"), schoolings, begin)
    )


def _known(rng: random.Random, trade: Occupation) -> list[str]:
    """The part of the trade's skills that this person has."""
    skills = some(rng, trade.skills, max(4, len(trade.skills) // 2), max(5, len(trade.skills) * 4 // 5))
    return skills + some(rng, trade.software, 2, max(3, len(trade.software) * 2 // 3))


@dataclass
class Worker:
    """Someone on the way through a trade; remembers what was said already and the rung reached."""

    trade: Occupation
    who: PersonIdentity
    as_of: Month
    known: list[str]
    said: set[str] = field(default_factory=set)
    rung: int = 0
    currency: str = "$"

    def jobs(self, rng: random.Random, *, start: Month, level: str) -> list[CareerJob]:
        stays = sample_stays(rng, start=start, as_of=self.as_of)
        self.rung = working.first_rung(rng, self.trade.first_rung, level)
        self.currency = rng.choice(self.trade.slots["currency"])
        jobs: list[CareerJob] = []
        if len(stays) > 2 and chance(rng, 0.08):  # came from another trade
            other = occupations.occupation(rng.choice(occupations.occupations()), self.who.home.country)
            if other.name != self.trade.name:
                elsewhere = stays[: rng.randint(1, 2)]
                before = Worker(other, self.who, self.as_of, _known(rng, other))
                jobs = [replace(before._stay(rng, stay, 0.0, False)[0], is_relevant=False) for stay in elsewhere]
        own = stays[len(jobs) :]
        for stay in own:
            jobs += self._stay(rng, stay, (stay.start - own[0].start) / 12, stay is stays[-1])
        return jobs

    def _stay(self, rng: random.Random, stay: CareerPeriod, years: float, is_last: bool) -> list[CareerJob]:
        """One employer: a job, or two where someone was promoted."""
        city = working.sample_job_city(rng, self.who.home, is_last=is_last)
        employer = occupations.sample_employer(rng, self.trade.employers, city)
        top = len(self.trade.ladder) - 1
        months = stay.months(self.as_of)
        self.rung = working.rung_at(rng, years + max(0, months - 24) / 24, least=self.rung, top=top)
        pieces = [stay]
        if self.rung < top and months >= 30 and chance(rng, 0.45):
            parts = cut(rng, stay, self.as_of, 2, least=11)
            waited = years + (parts[1].start - stay.start) / 12
            pieces = parts if waited >= 0.7 * working.RUNG_YEARS[self.rung + 1] else [stay]  # nobody rises at once
        jobs = []
        for index, piece in enumerate(pieces):
            self.rung += index
            jobs.append(self._job(rng, employer, city.name, piece))
        return jobs

    def _job(self, rng: random.Random, employer: str, city: str, period: CareerPeriod) -> CareerJob:
        trade, at, months = self.trade, period.start, period.months(self.as_of)
        duties = self._duties(rng, period)
        mine = [name for name in self.known if occupations.existed(name, at)]
        return CareerJob(
            employer=employer,
            title=trade.title_at(rng, self.rung, period, months),
            city=city,
            period=period,
            projects=(),
            uses=occupations.uses_of(rng, some(rng, mine, 2, 5), duties, at),
            duties=duties,
            hours_per_week=rng.choice([20, 24, 30]) if self.rung < 2 and chance(rng, 0.07) else 40,
        )

    def _duties(self, rng: random.Random, period: CareerPeriod) -> tuple[str, ...]:
        """More for recent jobs than for old ones, and leading where the rung is high."""
        trade, at = self.trade, period.start
        words = {**occupations.words_at(trade.slots, at), **occupations.skill_words(trade.groups, at, known=self.known)}
        words["currency"] = [self.currency]
        is_recent = self.as_of - period.last(self.as_of) < 72
        count = rng.randint(4, 9) if is_recent else rng.randint(2, 5)
        leading = rng.randint(self.rung - 1, self.rung) if self.rung >= 2 else 0
        plain = trade.duties + trade.grown if self.rung else trade.duties
        led = occupations.sample_duties(rng, trade.lead, words, at=at, count=leading, avoid=self.said, again=False)
        done = occupations.sample_duties(rng, plain, words, at=at, count=max(1, count - len(led)), avoid=self.said)
        return led + done
