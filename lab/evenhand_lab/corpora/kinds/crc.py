"""Applicants for jobs as clinical research coordinators, with the level that an annotator gives them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evenhand_lab.corpora import lexicon, people
from evenhand_lab.corpora.career import Activity, Career, CareerJob, CareerSkill, CareerStudy, Month, Person
from evenhand_lab.corpora.groups import Groups
from evenhand_lab.corpora.kinds import crc_guideline as guideline
from evenhand_lab.corpora.kinds.crc_guideline import GuidelineFacts, Outline
from evenhand_lab.corpora.lexicon import Stream, chance, fill, some, stream, weighted
from evenhand_lab.corpora.occupations import existed, mentions, uses_of
from evenhand_lab.corpora.people import CorpusCity, PersonIdentity, School, Schooling

# How people who read resumes for their level differ from the guideline, and so from each other.
#
# An annotator judges by the guideline, but of what was read: months guessed more than counted, a student's
# hours overlooked, bench work taken for clinical research, a course for a certification. A misreading changes
# the level only where the career is near a border. What is set is how careless annotators are on the whole,
# per round: that one scale was chosen so that three of them agree about as much as people did in the last
# rounds of the published study. How agreement differs between levels follows from the slips; round 1 agrees
# far more than people did.


CARELESSNESS = (1.2, 0.9, 0.75, 0.6, 0.5)  # of an expert, per round of the guideline: it gets clearer
LAST_ROUND = len(CARELESSNESS)
COUNTED = frozenset({"research", "clinical", "laboratory"})
NON_EXPERT = 2  # the third annotator; experts are 0 and 1
NON_EXPERT_FACTOR = 1.3


@dataclass(frozen=True, slots=True)
class Slips:
    """How often, and how far, one annotator misreads."""

    months: float  # spread of what months are taken for, on a log scale
    doubtful_job: float  # unpaid or few hours: counted all the same
    bench: float  # a laboratory job taken for clinical research
    setting: float  # office, school or shop taken for work in a clinical setting
    title: float  # a job of clinical research not seen as such
    field: float  # a field that can be seen either way: seen the other way
    hours: float  # part-time work counted as full-time
    certification: float
    doctor: float  # training abroad taken for clinical research


def slips(annotator: int, round: int) -> Slips:
    if not 1 <= round <= LAST_ROUND:
        raise ValueError(f"there are rounds 1 to {LAST_ROUND}")
    care = CARELESSNESS[round - 1] * (NON_EXPERT_FACTOR if annotator == NON_EXPERT else 1.0)
    often = min(0.9, 0.6 * care)
    return Slips(
        months=0.45 * care,
        doubtful_job=often,
        bench=0.35 * care,
        setting=0.25 * care,
        title=0.15 * care,
        field=often,
        hours=min(0.9, 0.7 * care),
        certification=0.3 * care,
        doctor=0.4 * care,
    )


def annotate(career: Career, annotator: int, round: int = LAST_ROUND, *, seed: int = 0) -> str:
    """The level that one annotator gives in one round; asked again, the same."""
    rng = stream(seed, career.number, f"annotator {annotator} round {round}")
    return guideline.level_of(perceive(rng, career, slips(annotator, round)))


def perceive(rng: random.Random, career: Career, slip: Slips) -> GuidelineFacts:
    """The facts as one annotator took them in."""
    seen = tuple(_seen_job(rng, job, slip, career.as_of) for job in career.jobs)
    facts = guideline.facts_of(replace(career, jobs=seen))
    months = ("research_months", "clinical_months", "laboratory_months", "supervising_months")
    guesses = {name: getattr(facts, name) * rng.lognormvariate(0, slip.months) for name in months}
    is_doubtful = any("doubtful" in study.tags for study in career.studies)
    return replace(
        facts,
        **guesses,
        is_scientific=facts.is_scientific != (is_doubtful and chance(rng, slip.field)),
        is_certified=facts.is_certified != chance(rng, slip.certification / (3 if facts.is_certified else 1)),
    )


def _seen_job(rng: random.Random, job: CareerJob, slip: Slips, as_of: int) -> CareerJob:
    # Every choice is drawn whether it matters or not: one more tag on a job must not shift the luck of the next.
    doubtful, bench, setting, title, hours, doctor = (rng.random() for _ in range(6))
    tags = job.tags
    if "research" in tags and not guideline.counts_as_research(job, as_of) and doubtful < slip.doubtful_job:
        return replace(job, is_paid=True, tags=tags - {"academic"}, hours_per_week=max(20, job.hours_per_week))
    if "laboratory" in tags and bench < slip.bench:
        tags = tags - {"laboratory", "academic"} | {"research"}
    elif "abroad" in tags and doctor < slip.doctor:
        tags |= {"research"}
    elif not tags & COUNTED and setting < slip.setting:
        tags |= {"clinical"}
    elif "research" in tags and job.hours_per_week >= 35 and title < slip.title:
        tags -= {"research"}
    worked = 40 if job.hours_per_week < 35 and hours < slip.hours else job.hours_per_week
    return replace(job, tags=tags, hours_per_week=worked)


# From an outline to a career that can be written: employers, titles, duties, schools, and what else people
# tell.


def _dressed_study(rng: random.Random, kind: str, study: CareerStudy, identity: PersonIdentity) -> Schooling:
    if kind == "md_abroad":
        home = people.sample_city(rng, foreign_country(identity), rural=0.0)
        table = lexicon.table("crc/places.toml")
        words = {"foreign_stem": table["foreign_stems"][home.country]}
        name = fill(rng, rng.choice(table["medical_schools"]["patterns"]), words)
        school = School(name, home, "state")
        study = replace(study, degree=table["foreign_degrees"].get(home.country, study.degree))
    else:
        school = people.sample_school(
            rng, identity.home, level=study.level, gender=identity.gender, origin=identity.origin
        )
    grade = people.sample_grade(rng, school.city.country) if study.level != "highschool" else None
    dressed = replace(study, school=school.name, city=school.city.name, grade=grade)
    return Schooling(dressed, school.type)


def foreign_country(identity: PersonIdentity) -> str:
    """Where a doctor trained; it goes by the name, and whether someone trained abroad does not."""
    return str(lexicon.table("crc/places.toml")["foreign"][identity.origin])


def dress_jobs(
    rng: random.Random, outline: Outline, identity: PersonIdentity, schoolings: Sequence[Schooling], as_of: Month
) -> list[CareerJob]:
    """Oldest first. A job that follows at once on a similar one is a promotion at the same employer now and then."""
    home = identity.home
    abroad = people.sample_city(rng, foreign_country(identity), rural=0.0)
    used: set[str] = set()  # patterns of duties
    dressed: list[CareerJob] = []
    for role, job in outline.jobs:
        before = dressed[-1] if dressed else None
        # The study during which someone had a student's job: the latest that had begun.
        begun = [entry.study for entry in schoolings if entry.study.period.start <= job.period.start]
        above = [study for study in begun if study.level != "highschool" and "foreign" not in study.tags]
        study = above[-1] if above else None
        if before and _follows(before, job) and chance(rng, 0.45):
            employer, city = before.employer, before.city
        else:
            base = home
            if "abroad" in job.tags:
                base = abroad
            elif study and job.period.start <= study.period.last(job.period.start):  # students live where they study
                base = next((city for city in people.cities_near(home) if city.name == study.city), home)
            employer, city = _employer(rng, role, base, study)
        titled = replace(job, employer=employer, city=city, title=_title(rng, role, study))
        dressed.append(_with_duties(rng, role, titled, used, as_of))
    return dressed


def _follows(before: CareerJob, job: CareerJob) -> bool:
    at_once = before.period.end is not None and 0 <= job.period.start - before.period.end <= 1
    return at_once and bool(before.tags & job.tags) and before.is_paid and "academic" not in before.tags


def _title(rng: random.Random, role: str, study: CareerStudy | None) -> str:
    """One of the role's titles; only graduates are "graduate" assistants."""
    titles: dict[str, float] = lexicon.table("crc/roles.toml")[role]["titles"]
    wrong = "Undergraduate" if study and study.level in ("master", "doctorate") else "Graduate "
    return weighted(rng, {title: weight for title, weight in titles.items() if wrong not in title})


def _employer(rng: random.Random, role: str, home: CorpusCity, study: CareerStudy | None) -> tuple[str, str]:
    kind = rng.choice(lexicon.table("crc/roles.toml")[role]["places"])
    if kind == "school":
        if study is not None:
            return study.school, study.city
        kind = "university"
    table = lexicon.table("crc/places.toml")
    nearby = [city for city in people.cities_near(home) if city.region == home.region]
    city = home if chance(rng, 0.7) else rng.choice(nearby)
    words: dict[str, Sequence[str]] = {"stem": table["stems"], "city": [city.name], "dept": table["depts"]}
    if kind == "foreign_hospital":
        words["foreign_stem"] = table["foreign_stems"][home.country]
    if kind == "university":
        school = people.sample_school(
            rng, home, level="master", type=rng.choice(["state", "state", "elite", "private"])
        )
        city = school.city
        words["school"] = [school.name]
    return fill(rng, rng.choice(table[kind]), words), city.name


def _with_duties(rng: random.Random, role: str, job: CareerJob, used: set[str], as_of: Month) -> CareerJob:
    """Duties from the role's pools and the skills they name; a long career may say a thing again, in other numbers."""
    entry = lexicon.table("crc/roles.toml")[role]
    table = lexicon.table("crc/duties.toml")
    start = job.period.start
    count = rng.randint(3, 7) + min(4, job.period.months(as_of) // 14)
    duties: list[str] = []
    # Students and volunteers say how much they worked; the guideline asks for it.
    is_student = "academic" in job.tags
    if job.hours_per_week < 35 and (is_student or not job.is_paid or chance(rng, 0.4)):
        week, hours = job.hours_per_week, guideline.hours_of(job, as_of)
        in_total = f"complete about {round(hours, -1):,.0f} hours in total"
        if is_student:
            during = f"work {week} hours per week during the semester"
            duties.append(rng.choice([during, f"contribute {week} hours a week alongside classes", in_total]))
        elif not job.is_paid:
            duties.append(rng.choice([f"volunteer {week} hours a week", in_total]))
        else:
            duties.append(f"work part-time, {week} hours per week")
    for pool in (pool for pool in entry.get("must", ()) for _ in range(2)):
        duties.append(fill(rng, rng.choice(table["pools"][pool]), table["slots"]))
    for tries in range(5 * count):
        if len(duties) >= count:
            break
        pattern = rng.choice(table["pools"][weighted(rng, entry["duties"])])
        duty = fill(rng, pattern, table["slots"])
        is_fresh = pattern not in used or tries > 3 * count
        if is_fresh and all(existed(name, start) for name in mentions(duty)):
            used.add(pattern)
            duties.append(duty)
    known = [name for name in some(rng, entry["skills"], 1, 5) if existed(name, start)]
    return replace(job, duties=tuple(dict.fromkeys(duties)), uses=uses_of(rng, known, duties, start))


def sample_extras(
    rng: random.Random, identity: PersonIdentity, jobs: Sequence[CareerJob]
) -> tuple[tuple[tuple[str, str], ...], tuple[Activity, ...], tuple[CareerSkill, ...]]:
    """Languages by the name's origin, memberships and volunteering, and skills claimed without a job to show for."""
    table = lexicon.table("crc/extras.toml")
    languages: list[tuple[str, str]] = []
    if chance(rng, 0.45):
        known = [*table["languages"].get(identity.origin, []), *table["languages"]["anyone"]]
        chosen = list(dict.fromkeys(some(rng, known, 1, 2)))
        was_abroad = any("abroad" in job.tags for job in jobs)
        languages = [("English", "fluent" if was_abroad else rng.choice(["fluent", "native"]))]
        languages += [(name, rng.choice(table["degrees_of_language"])) for name in chosen]
    activities = tuple(Activity(text) for text in some(rng, table["activities"], 0, 4))
    used = {use.skill for job in jobs for use in job.uses}
    extra = [name for name in some(rng, table["claimed"], 0, 6) if name not in used]
    return tuple(languages), activities, tuple(CareerSkill(name) for name in extra)


# How often annotators gave each level in the study the guideline comes from.
LEVEL_SHARES = {"NQ": 0.1387, "CRC1": 0.5880, "CRC2": 0.1115, "CRC3": 0.1530, "CRC4": 0.0088}
MAX_OUTLINES = 2000  # the rarest level is found within a few hundred
_NOBODY = Person("", "", "", "", None, "")


def sample(stream: Stream, number: int, as_of: Month) -> tuple[Career, Groups]:
    return sample_with(stream, number, as_of, LEVEL_SHARES)


def sample_with(stream: Stream, number: int, as_of: Month, level_shares: Mapping[str, float]) -> tuple[Career, Groups]:
    """An applicant whose annotated level is drawn by the shares; everything else is as applicants are."""
    wanted = weighted(stream("level"), level_shares)
    outline, bare = sample_at_level(stream("outline"), number, as_of, wanted)
    identity = people.sample_identity(stream, {"United States": 1.0})
    rng = stream("schools")
    schoolings = [_dressed_study(rng, kind, study, identity) for kind, study in outline.studies]
    jobs = dress_jobs(stream("employers"), outline, identity, schoolings, as_of)
    languages, activities, extra_skills = sample_extras(stream("extras"), identity, jobs)
    career = replace(
        bare,
        person=identity.person,
        occupation=([job for job in jobs if job.is_relevant] or jobs)[-1].title,  # of the latest relevant job
        jobs=tuple(reversed(jobs)),
        studies=tuple(schooling.study for schooling in reversed(schoolings)),
        languages=languages,
        activities=activities,
        extra_skills=extra_skills,
    )
    first_job = min((job.period.start for job in jobs), default=as_of)
    birth = people.sample_birth(stream("birth"), schoolings, first_job)
    return career, people.groups_of(identity, schoolings, career, birth=birth)


def sample_at_level(rng: random.Random, number: int, as_of: Month, wanted: str) -> tuple[Outline, Career]:
    """Outlines of one population of applicants, until an annotator calls one by the level that is wanted."""
    slip = slips(annotator=0, round=LAST_ROUND)
    for _ in range(MAX_OUTLINES):
        outline = guideline.sample_outline(rng, as_of)
        jobs = tuple(job for _, job in reversed(outline.jobs))
        studies = tuple(study for _, study in reversed(outline.studies))
        career = Career(number, "crc", as_of, _NOBODY, "", jobs, studies, outline.certificates)
        if jobs and guideline.level_of(perceive(rng, career, slip)) == wanted:
            return outline, replace(career, level=wanted, true_level=guideline.true_level(career))
    raise ValueError(f"no applicant of level {wanted!r} in {MAX_OUTLINES} outlines")
