"""Careers in IT services companies: years of projects for clients, each with its role, team and technologies."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from evenhand_lab.corpora import lexicon, occupations
from evenhand_lab.corpora.career import (
    Career,
    CareerJob,
    CareerPeriod,
    CareerProject,
    Certificate,
    Month,
    cut,
    sample_stays,
    year_of,
)
from evenhand_lab.corpora.groups import Groups
from evenhand_lab.corpora.kinds import working
from evenhand_lab.corpora.lexicon import Stream, chance, some, weighted
from evenhand_lab.corpora.occupations import INDUSTRIES, Role
from evenhand_lab.corpora.people import PersonIdentity, groups_of, sample_birth, sample_identity

OFFICE = ("MS Office", "MS Excel", "Windows XP", "MS Visio", "MS Project", "HTML", "C", "C++", "UML")
LEADING_ROLES = ("Team Lead", "Technical Lead", "Project Lead", "Onsite Coordinator")
LEADING_WORDS = ("Lead", "Senior", "Manager", "Coordinator")


def draw_occupation(stream: Stream) -> str:
    return stream("occupation").choice(occupations.roles())


def sample(stream: Stream, number: int, as_of: Month) -> tuple[Career, Groups]:
    of = occupations.role(draw_occupation(stream))
    who = sample_identity(stream, lexicon.table("places.toml")["residents"]["it"], rural=0.1)
    path = working.sample_path(stream("path"), lexicon.table("it/_shared.toml")["degrees"])
    # six or seven years on average; nobody leads projects as a beginner
    drawn = round(stream("experience").gammavariate(2.1, 3.4) * 12)
    months = min(32 * 12, max(60 if of.name == "project_lead" else 4, drawn))
    leaving = year_of(as_of - months)
    schoolings = working.sample_studies(stream, who, path, leaving=leaving, as_of=as_of)
    studies = tuple(entry.study for entry in reversed(schoolings))
    start = working.first_month(stream("start"), studies, leaving=leaving)
    consultant = Consultant(of, who, as_of, _known(stream("known"), of))
    jobs = consultant.jobs(stream("jobs"), start=start)
    jobs += working.sample_side_jobs(stream, who, studies, jobs, as_of=as_of, months=200 if jobs else months)
    career = Career(
        number=number,
        kind="it",
        as_of=as_of,
        person=who.person,
        occupation=of.title,
        jobs=working.sort_jobs(jobs, as_of),
        studies=studies,
        certificates=_certificates(stream("certificates"), of, since=year_of(start), as_of=as_of),
        languages=working.sample_languages(stream("languages"), who, often=0.45),
        activities=working.sample_activities(stream("activities"), since=min(start, as_of), as_of=as_of),
        extra_skills=working.sample_extra_skills(
            stream("extra"), (*of.all_skills(), *OFFICE), jobs, as_of=as_of, most=7
        ),
    )
    begin = min(job.period.start for job in jobs)
    return career, groups_of(who, schoolings, career, birth=sample_birth(stream("birth"), schoolings, begin))


def _known(rng: random.Random, of: Role) -> set[str]:
    """About two thirds of each group of the role's skills: the part this person deals with."""
    known = set(of.core)
    for pick in of.picks:
        known.update(some(rng, pick.names, max(1, len(pick.names) // 2), max(1, len(pick.names) * 4 // 5)))
    return known


def _certificates(rng: random.Random, of: Role, *, since: int, as_of: Month) -> tuple[Certificate, ...]:
    """Those that were given out in the years the person worked."""
    certificates = []
    for name, issuer, often, first, last in of.certificates:
        low, high = max(since, first), min(year_of(as_of), last)
        if low <= high and chance(rng, often):
            year = rng.randint(low, high) if chance(rng, 0.7) else None
            certificates.append(Certificate(name, year, issuer if chance(rng, 0.5) else None))
    return tuple(sorted(certificates, key=lambda one: -(one.year or 0)))


@dataclass
class Consultant:
    """Someone on the way through services companies; remembers what was said already and the rung reached."""

    role: Role
    who: PersonIdentity
    as_of: Month
    known: set[str]
    said: set[str] = field(default_factory=set)
    rung: int = 0

    def jobs(self, rng: random.Random, *, start: Month) -> list[CareerJob]:
        stays = sample_stays(rng, start=start, as_of=self.as_of, gap_rate=0.07, employed=0.85)
        before = occupations.role(rng.choice(["java", "dotnet", "mainframe", "sap", "tester"]))
        self.rung = working.first_rung(rng, 0, "diploma")
        favourite = rng.choice(INDUSTRIES)
        jobs = []
        for stay in stays:
            years = (stay.start - start) / 12 + max(0, stay.months(self.as_of) - 30) / 24
            self.rung = working.rung_at(rng, years, least=self.rung, top=3)
            of = before if self.role.name == "project_lead" and self.rung < 2 else self.role
            jobs.append(self._job(rng, of, stay, favourite, is_last=stay is stays[-1]))
        return jobs

    def _job(self, rng: random.Random, of: Role, stay: CareerPeriod, favourite: str, *, is_last: bool) -> CareerJob:
        city = working.sample_job_city(rng, self.who.home, is_last=is_last)
        kind = weighted(rng, {"it_services": 84, "software": 10, "bank": 3, "company": 3})
        employer = occupations.sample_employer(rng, [kind], city)
        titles = [title for title in of.ladder[self.rung] if "Train" not in title or stay.months(self.as_of) <= 14]
        title = rng.choice(titles or of.ladder[self.rung])
        industries = [favourite, favourite, *some(rng, INDUSTRIES, 2, 3)]
        if kind != "it_services" and chance(rng, 0.7):  # no clients: the work is told with the job itself
            part = self._project(rng, of, stay, rng.choice(industries))
            return CareerJob(employer, title, city.name, stay, (), part.uses, part.duties)
        periods = _project_periods(rng, stay, self.as_of)
        projects = [self._project(rng, of, period, rng.choice(industries)) for period in periods]
        return CareerJob(employer, title, city.name, stay, tuple(reversed(projects)), (), ())

    def _project(self, rng: random.Random, of: Role, period: CareerPeriod, industry: str) -> CareerProject:
        at = period.start
        currency = lexicon.table("places.toml")["United States"]["currency"]
        about = occupations.sample_engagement(rng, industry, currency)
        stack = occupations.sample_stack(rng, of, self.known, at)
        words = {
            **occupations.words_at(of.slots, at),
            **about.words,
            **occupations.skill_words(of.groups, at, known=stack),
        }
        duties = self._duties(rng, of, period, words)
        names = [name for name in of.roles if self.rung or not any(word in name for word in LEADING_WORDS)]
        names = list(LEADING_ROLES) if self.rung >= 3 else names or list(of.roles)
        return CareerProject(
            name=about.name,
            client=about.client,
            role=rng.choice(names) if chance(rng, 0.85) else None,
            period=period,
            uses=occupations.uses_of(rng, stack, duties, at),
            duties=duties,
            team=rng.randint(3, 28) if chance(rng, 0.6) else None,
        )

    def _duties(
        self, rng: random.Random, of: Role, period: CareerPeriod, words: dict[str, list[str]]
    ) -> tuple[str, ...]:
        at = period.start
        is_recent = self.as_of - period.last(self.as_of) < 60
        count = rng.randint(3, 7) if is_recent else rng.randint(1, 4)
        lead = max(0, self.rung - 1)
        led = occupations.sample_duties(rng, of.lead, words, at=at, count=lead, avoid=self.said, again=False)
        done = occupations.sample_duties(rng, of.duties, words, at=at, count=count, avoid=self.said)
        common = of.shared + of.grown if self.rung else of.shared
        also = occupations.sample_duties(
            rng, common, words, at=at, count=rng.randint(0, 2), avoid=self.said, again=False
        )
        return led + done + also


def _project_periods(rng: random.Random, stay: CareerPeriod, as_of: Month) -> list[CareerPeriod]:
    """One project after another; some overlap, and some begin after a month or two without one."""
    count = max(1, round(stay.months(as_of) / rng.uniform(7, 20)))
    periods = []
    for index, period in enumerate(cut(rng, stay, as_of, min(count, 6))):
        start, end = period.start, period.end
        if index and chance(rng, 0.18):
            start = max(stay.start, start - rng.randint(1, 4))
        elif index and chance(rng, 0.15) and period.months(as_of) > 5:
            start += rng.randint(1, 2)
        periods.append(CareerPeriod(start, end))
    return periods
