"""Jobs with the resumes that applied for them and the grade of each: generated ones by rule, real ones by a reader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from evenhand.corpora.jobs import JobAd, sample_job
from evenhand.corpora.kinds import sample_career
from evenhand.corpora.making import Made, Order, make
from evenhand.corpora.relevance import grade
from evenhand.corpora.sets.judged import read_judged
from evenhand.records.job import Job
from evenhand.records.profile import Profile
from evenhand.search.digest import Digest, make_digest
from evenhand.settings import Settings
from evenhand.workflows.job_reading import understand_text
from evenhand.workflows.mining import Mined, mine_with_documents
from evenhand.workflows.section_vectors import SectionEncoder, section_vectors
from evenhand.workflows.watching import Watch, watched

KIND = "it"
FORMAT = "docx"
OF_THE_TRADE = 2 / 3
"""Of the applicants. Who applies for a job mostly does such work; what tells them apart is how much and how long."""
RELEVANT = 2
FEWEST_RELEVANT = 15  # one in so many applicants, or precision at 20 has no way to be 1
MOST_ADS = 100


@dataclass(frozen=True, slots=True)
class Applicant:
    profile: Profile
    digest: Digest
    forms: tuple[str, ...]  # names and surface forms of the skills


@dataclass(frozen=True, slots=True)
class Round:
    """One job, who applied, and how well each fits, 0 to 3."""

    job: Job
    applicants: tuple[Applicant, ...]
    grades: tuple[int, ...]


class Makers:
    """Resumes by their numbers, each made once and only when somebody asks."""

    def __init__(self, seed: int) -> None:
        self._order = Order(seed, KIND, (FORMAT,))
        self._occupations: list[str] = []
        self._made: dict[int, Made] = {}

    def __getitem__(self, number: int) -> Made:
        if number not in self._made:
            self._made[number] = make(self._order, number)
        return self._made[number]

    def applicants(self, ad: JobAd, n: int) -> list[int]:
        """The first of the ad's occupation, and the first of any other."""
        of_the_trade = islice(
            (at for at in count() if self._occupation(at) == ad.occupation), round(OF_THE_TRADE * n)
        )
        others = (at for at in count() if self._occupation(at) != ad.occupation)
        same = list(of_the_trade)
        return sorted((*same, *islice(others, n - len(same))))

    def _occupation(self, number: int) -> str:
        while number >= len(self._occupations):
            career, _ = sample_career(KIND, seed=self._order.seed, number=len(self._occupations))
            self._occupations.append(career.occupation)
        return self._occupations[number]


def generated_rounds(
    n: int, jobs: int, seed: int, *, encoder: SectionEncoder | None, watch: Watch
) -> list[Round]:
    """The first ads that state years, since only these can be filtered by them, with `n` applicants each."""
    makers = Makers(seed)
    chosen = list(watched(_chosen(makers, n, jobs, seed), watch, "generated applicants", jobs))
    numbers = sorted({number for _, applicants, _ in chosen for number in applicants})
    known = _mine_generated(makers, numbers, encoder, watch)
    return [
        Round(understand_text(ad.text, Settings()), tuple(known[number] for number in applicants), grades)
        for ad, applicants, grades in chosen
    ]


def _chosen(
    makers: Makers, n: int, jobs: int, seed: int
) -> Iterator[tuple[JobAd, list[int], tuple[int, ...]]]:
    found = 0
    for number in range(MOST_ADS):
        ad = sample_job(KIND, seed=seed, number=number)
        if not ad.total_months:
            continue
        applicants = makers.applicants(ad, n)
        grades = tuple(grade(ad, makers[applicant].truth) for applicant in applicants)
        if sum(each >= RELEVANT for each in grades) * FEWEST_RELEVANT >= n:
            yield ad, applicants, grades
            found += 1
        if found == jobs:
            return


def _mine_generated(
    makers: Makers, numbers: Sequence[int], encoder: SectionEncoder | None, watch: Watch
) -> dict[int, Applicant]:
    with TemporaryDirectory() as folder:
        files = [Path(folder, f"{number}.{FORMAT}") for number in numbers]
        for number, file in zip(numbers, files, strict=True):
            file.write_bytes(makers[number].files[0].data)
        as_of = makers[numbers[0]].truth.as_of
        mined = watched(mine_with_documents(files, as_of=as_of), watch, "mining", len(files))
        return {number: _applicant(each, encoder) for number, each in zip(numbers, mined, strict=True)}


def judged_rounds(folder: Path, *, encoder: SectionEncoder | None, watch: Watch) -> list[Round]:
    jobs = list(read_judged(folder))
    files = sorted({judgment.file for job in jobs for judgment in job.judgments})
    mined = watched(mine_with_documents(files), watch, "judged resumes", len(files))
    known = {file: _applicant(each, encoder) for file, each in zip(files, mined, strict=True)}
    return [
        Round(
            understand_text(job.text, Settings()),
            tuple(known[judgment.file] for judgment in job.judgments),
            tuple(judgment.grade for judgment in job.judgments),
        )
        for job in jobs
    ]


def _applicant(mined: Mined, encoder: SectionEncoder | None) -> Applicant:
    text, profile = mined.document.text, mined.profile
    vectors = section_vectors(text, profile, encoder) if encoder else None
    forms = tuple(form for skill in profile.skills for form in (skill.name, *skill.surfaces))
    return Applicant(profile, make_digest(text, profile, vectors=vectors), forms)
