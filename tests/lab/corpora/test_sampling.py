"""Careers of kinds it and mixed: the same for the same seed, and possible: nothing before its time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict

import pytest

from evenhand.records import canonical_json
from evenhand_lab.corpora.career import Career, CareerJob, CareerPeriod, CareerProject, month, year_of
from evenhand_lab.corpora.groups import Groups
from evenhand_lab.corpora.kinds.kinds import AS_OF, drawn_occupation, sample_career
from evenhand_lab.corpora.occupations import mentions, occupation, occupations, role, roles, skills
from evenhand_lab.corpora.people import age_band

NUMBERS = range(500)


def as_bytes(pair: tuple[Career, Groups]) -> bytes:
    career, groups = pair
    parts = (repr(career), canonical_json(asdict(groups)))
    return "\n".join(parts).encode()


@pytest.fixture(scope="module", params=["it", "mixed"])
def pairs(request: pytest.FixtureRequest) -> list[tuple[Career, Groups]]:
    return [sample_career(request.param, seed=11, number=number) for number in NUMBERS]


def parts(career: Career) -> Iterator[CareerJob | CareerProject]:
    for job in career.jobs:
        yield job
        yield from job.projects


def test_the_occupation_can_be_known_without_the_career() -> None:
    for number in range(40):
        mixed, it = (drawn_occupation(kind, seed=3, number=number) for kind in ("mixed", "it"))
        assert occupation(mixed).title == sample_career("mixed", seed=3, number=number)[0].occupation
        assert role(it).title == sample_career("it", seed=3, number=number)[0].occupation


def test_the_same_seed_and_number_give_the_same_bytes(pairs: list[tuple[Career, Groups]]) -> None:
    for number in (0, 7, 499):
        kind = pairs[number][0].kind
        assert as_bytes(sample_career(kind, seed=11, number=number)) == as_bytes(pairs[number])


def test_other_seeds_and_kinds_give_other_people() -> None:
    names = {sample_career("it", seed=seed, number=3)[0].person.email for seed in range(20)}
    assert len(names) >= 19
    assert sample_career("it", seed=1, number=3)[0].person != sample_career("mixed", seed=1, number=3)[0].person


def test_an_unknown_kind_is_named() -> None:
    with pytest.raises(ValueError, match="there is no kind 'poets'; there are it, crc, mixed"):
        sample_career("poets", seed=1, number=1)


def test_everybody_has_work_and_studies(pairs: list[tuple[Career, Groups]]) -> None:
    for career, _ in pairs:
        assert career.jobs
        assert career.studies
        assert all(job.duties or job.projects for job in career.jobs)
        assert all(project.duties and project.uses for job in career.jobs for project in job.projects)


def test_latest_comes_first(pairs: list[tuple[Career, Groups]]) -> None:
    for career, _ in pairs:
        ends = [job.period.last(career.as_of) for job in career.jobs]
        assert ends == sorted(ends, reverse=True)
        starts = [study.period.start for study in career.studies]
        assert starts == sorted(starts, reverse=True)


def test_nothing_lies_in_the_future_and_nothing_ends_before_it_begins(pairs: list[tuple[Career, Groups]]) -> None:
    for career, _ in pairs:
        periods = [part.period for part in parts(career)] + [study.period for study in career.studies]
        periods += [activity.period for activity in career.activities if activity.period]
        assert all(period.start <= period.last(AS_OF) <= AS_OF for period in periods)
        assert all(year_of(AS_OF) >= (one.year or 0) for one in career.certificates)


def test_projects_lie_within_their_job(pairs: list[tuple[Career, Groups]]) -> None:
    for career, _ in pairs:
        for job in career.jobs:
            for project in job.projects:
                assert job.period.start <= project.period.start
                assert project.period.last(AS_OF) <= job.period.last(AS_OF)
                assert project.period.months(AS_OF) >= min(3, job.period.months(AS_OF))


def test_nobody_works_before_sixteen(pairs: list[tuple[Career, Groups]]) -> None:
    """The band a person is in allows the first job: the youngest of a band were at least 16 then."""
    oldest = {"under_30": 29, "30_39": 39, "40_49": 49, "50_plus": 90}
    for career, groups in pairs:
        first = min(job.period.start for job in career.jobs)
        assert (AS_OF - first) / 12 <= oldest[groups.age_band] + 1 - 16


def test_full_time_work_of_the_trade_follows_the_first_degree(pairs: list[tuple[Career, Groups]]) -> None:
    for career, _ in pairs:
        first_degree = min(study.period.last(AS_OF) for study in career.studies)
        relevant = [job.period.start for job in career.jobs if job.is_relevant]
        assert all(start > first_degree for start in relevant)


def test_no_skill_before_its_year_and_no_version_before_it_was_out(pairs: list[tuple[Career, Groups]]) -> None:
    known = skills()
    for career, _ in pairs:
        for part in parts(career):
            for use in part.uses:
                entry = known[use.skill]
                assert entry.year <= year_of(part.period.start)
                if use.version is not None:
                    assert dict(entry.versions)[use.version] <= year_of(part.period.start)


def test_duties_name_only_skills_in_use_and_have_no_slot_left(pairs: list[tuple[Career, Groups]]) -> None:
    for career, _ in pairs:
        for part in parts(career):
            used = {use.skill for use in part.uses}
            for duty in part.duties:
                assert set(mentions(duty)) <= used
                assert duty == duty.strip()


def test_no_duty_stands_twice_in_a_job_and_no_skill_twice(pairs: list[tuple[Career, Groups]]) -> None:
    for career, _ in pairs:
        for part in parts(career):
            assert len(set(part.duties)) == len(part.duties)
            names = [use.skill for use in part.uses]
            assert len(set(names)) == len(names)


def test_claimed_skills_are_used_nowhere(pairs: list[tuple[Career, Groups]]) -> None:
    for career, _ in pairs:
        used = {use.skill for part in parts(career) for use in part.uses}
        assert used.isdisjoint(use.skill for use in career.extra_skills)


def busy_months(career: Career) -> set[int]:
    periods = [job.period for job in career.jobs] + [study.period for study in career.studies]
    return {value for period in periods for value in range(period.start, period.last(AS_OF) + 1)}


def test_a_career_gap_is_half_a_year_in_neither_job_nor_study(pairs: list[tuple[Career, Groups]]) -> None:
    """Counted month by month, another way than the sampler does."""
    for career, groups in pairs:
        busy = busy_months(career)
        run = longest = 0
        for value in range(min(busy), max(busy) + 1):
            run = 0 if value in busy else run + 1
            longest = max(longest, run)
        assert groups.career_gap == (longest >= 6)


def test_stays_are_of_ordinary_length(pairs: list[tuple[Career, Groups]]) -> None:
    stays = [job.period.months(AS_OF) for career, _ in pairs for job in career.jobs if job.period.end]
    ordinary = sum(8 <= stay <= 72 for stay in stays) / len(stays)
    assert ordinary > 0.8


def test_contact_data_is_of_reserved_names(pairs: list[tuple[Career, Groups]]) -> None:
    for career, _ in pairs:
        assert career.person.email.rpartition("@")[2] in ("example.com", "example.org", "example.net")
        assert all(".example" in link for link in career.person.links)


def test_every_occupation_occurs(pairs: list[tuple[Career, Groups]]) -> None:
    found = {career.occupation for career, _ in pairs}
    if pairs[0][0].kind == "mixed":
        assert found == {occupation(name).title for name in occupations()}
        assert len(found) == 29
    else:
        assert found == {role(name).title for name in roles()}
        assert len(found) == 13


def test_no_group_is_written_into_a_career(pairs: list[tuple[Career, Groups]]) -> None:
    fields = set(asdict(pairs[0][0])) | set(asdict(pairs[0][0].person))
    assert fields.isdisjoint({"gender", "origin", "age_band", "place", "school_type", "career_gap"})
    assert all(career.number == groups.number for career, groups in pairs)


def months_of_work(career: Career) -> int:
    return len({value for job in career.jobs for value in range(job.period.start, job.period.last(AS_OF) + 1)})


def test_groups_say_nothing_about_experience() -> None:
    """Gender and place are drawn apart from careers: means differ by chance only (within three standard errors)."""
    pairs = [sample_career("mixed", seed=5, number=number) for number in range(1500)]
    genders = Counter(groups.gender for _, groups in pairs)
    assert 690 <= genders["female"] <= 810  # a fair coin leaves this range once in 500 seeds
    for attribute, value in (("gender", "female"), ("place", "rural")):
        inside = [months_of_work(career) for career, groups in pairs if getattr(groups, attribute) == value]
        outside = [months_of_work(career) for career, groups in pairs if getattr(groups, attribute) != value]
        spread = (variance(inside) / len(inside) + variance(outside) / len(outside)) ** 0.5
        assert abs(sum(inside) / len(inside) - sum(outside) / len(outside)) < 3 * spread


def variance(values: list[int]) -> float:
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1)


def test_as_of_moves_the_end() -> None:
    career, _ = sample_career("it", seed=1, number=4, as_of=month(2012, 6))
    assert career.as_of == month(2012, 6)
    assert all(part.period.last(career.as_of) <= career.as_of for part in parts(career))
    assert all(skills()[use.skill].year <= 2012 for part in parts(career) for use in part.uses)


def test_bands_of_age() -> None:
    bands = [age_band(age) for age in (29, 30, 39, 40, 49, 50)]
    assert bands == ["under_30", "30_39", "30_39", "40_49", "40_49", "50_plus"]


def test_periods_of_one_month_count_one() -> None:
    assert CareerPeriod(month(2020, 3), month(2020, 3)).months(AS_OF) == 1
