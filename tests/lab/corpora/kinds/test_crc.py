"""Applicants of the crc kind: repeatable, in the shares asked for, annotated as people annotate."""

from __future__ import annotations

from collections import Counter

import pytest

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.annotation import count_ratings, fleiss_kappa
from evenhand_lab.corpora.career import Career, month
from evenhand_lab.corpora.kinds.crc import LEVEL_SHARES, annotate, sample_with
from evenhand_lab.corpora.kinds.crc_guideline import LEVELS, facts_of, true_level
from evenhand_lab.corpora.kinds.kinds import AS_OF, sample_career
from evenhand_lab.corpora.lexicon import streams
from evenhand_lab.corpora.occupations import mentions, skills


@pytest.fixture(scope="module")
def careers() -> list[Career]:
    return [sample_career("crc", seed=3, number=number)[0] for number in range(400)]


def test_the_same_number_is_the_same_person() -> None:
    assert sample_career("crc", seed=3, number=17) == sample_career("crc", seed=3, number=17)
    assert sample_career("crc", seed=3, number=17) != sample_career("crc", seed=4, number=17)


def test_levels_come_in_the_published_shares(careers: list[Career]) -> None:
    counts = Counter(career.level for career in careers)
    for level, share in LEVEL_SHARES.items():
        deviation = (share * (1 - share) / len(careers)) ** 0.5
        assert counts[level] / len(careers) == pytest.approx(share, abs=3.5 * deviation)


def test_shares_are_a_parameter() -> None:
    found = [sample_with(streams(1, number), number, AS_OF, {"CRC4": 1.0})[0] for number in range(5)]
    assert [career.level for career in found] == ["CRC4"] * 5


def test_the_true_level_follows_from_the_career(careers: list[Career]) -> None:
    assert all(career.true_level == true_level(career) for career in careers)
    agreeing = sum(career.level == career.true_level for career in careers) / len(careers)
    assert 0.75 < agreeing < 0.92


def test_careers_hold_together(careers: list[Career]) -> None:
    for career in careers:
        assert career.jobs
        assert career.studies
        starts = [job.period.start for job in career.jobs]
        assert starts == sorted(starts, reverse=True)
        for job in career.jobs:
            assert job.employer
            assert job.title
            assert job.city
            assert job.duties
            assert job.period.months(career.as_of) >= 3
            assert job.period.last(career.as_of) <= career.as_of
        assert all(study.school and study.period.start < career.as_of for study in career.studies)


def test_duties_are_filled_and_their_skills_are_known_and_used(careers: list[Career]) -> None:
    for job in (job for career in careers for job in career.jobs):
        used = {use.skill for use in job.uses}
        assert {name for duty in job.duties for name in mentions(duty)} <= used
        assert used <= set(skills())


def test_no_skill_before_its_time(careers: list[Career]) -> None:
    for job in (job for career in careers for job in career.jobs):
        assert all(skills()[use.skill].year <= job.period.last(month(2026, 10)) // 12 for use in job.uses)


def test_nurses_have_studied_nursing(careers: list[Career]) -> None:
    nurses = [career for career in careers if any("Nurse" in job.title for job in career.jobs)]
    assert nurses
    licensed = [career for career in nurses if any("Registered" in job.title for job in career.jobs)]
    assert all(any(study.field == "Nursing" for study in career.studies) for career in licensed)


def test_titles_do_not_give_the_level_away(careers: list[Career]) -> None:
    coordinators = [career for career in careers if career.occupation == "Clinical Research Coordinator"]
    assert {"CRC1", "CRC2", "CRC3"} <= {career.true_level for career in coordinators}
    assistants = {career.true_level for career in careers if career.occupation == "Research Assistant"}
    assert {"NQ", "CRC1", "CRC2"} <= assistants


def test_there_are_many_ways_to_tell_of_work() -> None:
    pools = lexicon.table("crc/duties.toml")["pools"]
    assert len({pattern for pool in pools.values() for pattern in pool}) >= 150


def test_agreement_grows_with_the_guideline(careers: list[Career]) -> None:
    """Moderate to substantial, as between people; and the clearer the guideline, the more."""
    kappas = []
    for round in (1, 5):
        ratings = [[annotate(career, annotator, round) for annotator in range(3)] for career in careers]
        kappas.append(fleiss_kappa(count_ratings(ratings, LEVELS), LEVELS).kappa or 0.0)
    assert kappas[0] < kappas[1]
    assert 0.5 < kappas[1] < 0.72


def test_annotators_err_near_borders(careers: list[Career]) -> None:
    """Of scientific bachelors: two years of clinical research divide CRC1 from CRC2."""
    near: list[bool] = []
    far: list[bool] = []
    for career in careers:
        facts = facts_of(career)
        if (facts.degree, facts.is_scientific) == ("bachelor", True) and not facts.laboratory_months:
            errs = [annotate(career, annotator) != career.true_level for annotator in range(5)]
            (near if 16 <= facts.research_months <= 34 else far).extend(errs)
    assert sum(near) / len(near) > 2 * sum(far) / len(far)


def test_annotators_repeat_themselves_and_differ() -> None:
    career, _ = sample_career("crc", seed=3, number=8)
    assert annotate(career, 1, 2) == annotate(career, 1, 2)
    with pytest.raises(ValueError, match="rounds 1 to 5"):
        annotate(career, 0, 6)
