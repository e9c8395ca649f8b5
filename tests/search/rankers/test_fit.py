"""The features of a fit against shares worked out by hand on a background of ten resumes, ads and titles."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from evenhand.records.job import Demand, Job
from evenhand.records.profile import Education, Fact, Position, Profile, Skill
from evenhand.search.analysis import term_id
from evenhand.search.feature_extraction import extract_features
from evenhand.search.features import ResumeFeatures
from evenhand.search.rankers import first_best
from evenhand.search.rankers.background import Background, Commonness, load_background
from evenhand.search.rankers.base import Query, make_query
from evenhand.search.rankers.fit import (
    FULL,
    Assumptions,
    compare_titles,
    measure_demands,
    measure_education,
    measure_experience,
    measure_skilled_months,
    measure_total,
    measure_words,
    telling_words,
)
from tests.search.rankers.resumes import AS_OF, SOURCE, digest, place, position

LN11 = math.log(11)
BACKGROUND = Background(
    Commonness(10, 10, 10),
    {
        "work": Commonness(10, 10, 0),
        "ledger": Commonness(4, 0, 0),
        "clerk": Commonness(0, 0, 4),
        "manag": Commonness(0, 0, 10),
    },
    {"excel": 10, "sql": 4},
)
HABITS = Assumptions(half_life_years=10)


def test_weights_of_words_are_the_mean_of_both_rarities() -> None:
    assert BACKGROUND.word_weight("work") == 0
    assert BACKGROUND.word_weight("ledger") == pytest.approx(math.sqrt(math.log(11 / 5) * LN11))
    assert BACKGROUND.word_weight("unheard") == pytest.approx(LN11)
    assert BACKGROUND.title_weight("clerk") == pytest.approx(math.log(11 / 5))
    numbers = digest("ledger unheard").terms
    wanted = {term_id(term): BACKGROUND.word_weight(term) for term in ("ledger", "unheard")}
    assert dict(zip(numbers, BACKGROUND.word_weights(numbers), strict=True)) == pytest.approx(wanted)


def test_words_that_ran_together_are_taken_apart_unless_known() -> None:
    known = dataclasses.replace(BACKGROUND, words={**BACKGROUND.words, "javascript": Commonness(1, 1, 0)})
    found = {word.term: word.written for word in telling_words("JavaScript experienceLedger", known, HABITS)}
    assert found == {"javascript": "javascript", "experi": "experience", "ledger": "ledger"}


def test_numbers_and_addresses_tell_nothing() -> None:
    found = telling_words("3 ledgers, 401k, www.ledger.example jobs@clerk.example", BACKGROUND, HABITS)
    assert [word.written for word in found] == ["ledgers", "401k"]


def asking(text: str, *demands: Demand) -> Query:
    return make_query(Job(text, demands=demands))


def test_unknown_words_are_names_and_count_half_unless_a_demand_has_them() -> None:
    for skills, share in ((frozenset[str](), 0.5), (frozenset({"unheard"}), 1.0)):
        [word] = telling_words("unheard", BACKGROUND, HABITS, skills)
        assert word.weight == pytest.approx(share * LN11)
    resumes = [digest("unheard")]
    name = measure_words(asking("ledger unheard"), resumes, background=BACKGROUND, assumptions=HABITS)
    skill = measure_words(
        asking("ledger unheard", Demand(("unheard",), must=True)), resumes, background=BACKGROUND, assumptions=HABITS
    )
    assert name
    assert skill
    assert 0 < name.shares[0] < skill.shares[0]


def test_share_of_words() -> None:
    resumes = [digest("ledger " * 3 + "x"), digest("garden")]
    feature = measure_words(asking("Ledger work, ledger"), resumes, background=BACKGROUND, assumptions=HABITS)
    assert feature
    # One telling word, so asked / |asked| is 1; three mentions outside any job count a half each.
    weight = BACKGROUND.word_weight("ledger")
    assert feature.shares.tolist() == pytest.approx([weight * math.log1p(1.5) / math.sqrt(4) / FULL, 0])
    assert feature.reason(0) == "1 of 1 keywords from the ad. Top matches: ledger"
    assert feature.reason(1) == "0 of 1 keywords from the ad"
    assert measure_words(asking("work"), resumes, background=BACKGROUND, assumptions=HABITS) is None


def career(*positions: Position) -> ResumeFeatures:
    return extract_features("", Profile(SOURCE, AS_OF, positions=positions))


def test_title_and_experience() -> None:
    resumes = [
        career(position("Sales Clerk", "2013-07", "2014-06", 12), position("Gardener", "2020-01", "present", 54)),
        career(position("Sr. Clerk", None, None, None)),
        career(),
    ]
    roles = compare_titles("Senior Clerk", resumes, background=BACKGROUND, assumptions=HABITS)
    clerk, sale = math.log(11 / 5), LN11
    alike = 2 * clerk / (clerk + clerk + sale)
    assert roles.likeness.tolist() == pytest.approx([alike, 0, 1])
    title = first_best._measure_title(roles, "Senior Clerk")
    # Ten years before the last position ends: half; undated ones count as five years ago.
    assert title.shares.tolist() == pytest.approx([alike / 2, 0.5**0.5, 0])
    assert title.reason(0) == f"Sales Clerk until 2014: {alike:.0%} like Senior Clerk"
    assert title.reason(2) == "no title like Senior Clerk"
    none = np.zeros(3)
    experience = measure_experience(roles, asked=24, skilled=none, assumptions=HABITS)
    assert experience.shares.tolist() == pytest.approx([alike * 12 / 24, 6 / 24, 0])
    assert (
        experience.reason(1)
        == "6 months under similar titles, each counted by its similarity (Sr. Clerk); required: 2 years"
    )
    unstated = measure_experience(roles, asked=None, skilled=none, assumptions=HABITS)
    assert unstated.shares[1] == pytest.approx(6 / 36)
    assert unstated.reason(2) == "0 months under similar titles, each counted by its similarity; 3 years count in full"
    # Under a title that is nothing like the job's, time with its must-haves counts half.
    other = measure_experience(roles, asked=24, skilled=np.array([0, 0, 0.75]), assumptions=HABITS)
    assert other.shares.tolist() == pytest.approx([alike * 12 / 24, 6 / 24, 0.375])
    assert other.reason(2) == "75% of 2 years with the requirements, under other titles"


def test_titles_in_short_and_in_full_are_alike() -> None:
    resumes = [career(position("HR Mgr", "2020-01", "2021-01", 13))]
    roles = compare_titles("Human Resources Manager", resumes, background=BACKGROUND, assumptions=HABITS)
    assert roles.likeness.tolist() == pytest.approx([1.0])


def test_all_work_counts_for_a_job_without_title() -> None:
    resumes = [extract_features("", Profile(SOURCE, AS_OF, total_months=18)), digest("")]
    feature = measure_total(resumes, 24)
    assert feature.shares.tolist() == [0.75, 0.0]
    assert feature.reason(0) == "1 year 6 months total experience; required: 2 years"


def skilled(*skills: Skill, used: tuple[str, ...] = ()) -> ResumeFeatures:
    job = dataclasses.replace(position("Clerk", "2013-07", "2014-06", 12), skills=used)
    return extract_features("", Profile(SOURCE, AS_OF, positions=(job,), skills=skills))


def skill(name: str, months: int | None = None, last_used: str | None = None) -> Skill:
    return Skill(name, (name,), months, months, last_used, (place(60, 64),))


def test_demands() -> None:
    demands = [Demand(("sql",), must=True, months=24), Demand(("cobol", "rpg"), must=True)]
    resumes = [
        skilled(skill("sql", 12, "2014-06"), used=("sql",)),
        skilled(skill("sql"), skill("rpg", 12, "2004-06"), used=("rpg",)),
        skilled(),
    ]
    feature = measure_demands(demands, resumes, background=BACKGROUND, assumptions=HABITS)
    assert feature
    sql, cobol = math.log(11 / 5), LN11
    # Used to the last: 1, with half of the months: 0.3 + 0.35. Only mentioned: 1/2, without months 0.3 of that.
    # Ten years ago: 3/4.
    met = [(0.65, 0.0), (0.15, 0.75), (0.0, 0.0)]
    wanted = [(sql * first + cobol * second) / (sql + cobol) for first, second in met]
    assert feature.shares.tolist() == pytest.approx(wanted)
    assert feature.reason(0) == "0 of 2 met; too short: sql 1 year (required: 2 years); not mentioned: cobol or rpg"
    assert feature.reason(1) == "1 of 2 met: rpg 1 year; duration unknown: sql (required: 2 years)"
    assert measure_demands([], resumes, background=BACKGROUND, assumptions=HABITS) is None


def test_months_with_the_must_haves() -> None:
    demands = [Demand(("sql",), must=True), Demand(("cobol", "rpg"), must=True)]
    resumes = [skilled(skill("sql", 12), skill("rpg", 99)), skilled(skill("cobol")), skilled()]
    found = measure_skilled_months(demands, resumes, needed=24, background=BACKGROUND)
    sql, cobol = math.log(11 / 5), LN11
    assert found.tolist() == pytest.approx([(sql * 0.5 + cobol) / (sql + cobol), 0, 0])
    assert measure_skilled_months([], resumes, needed=24, background=BACKGROUND).tolist() == [0, 0, 0]


def test_a_skill_that_everybody_has_still_counts_when_nothing_else_is_asked() -> None:
    feature = measure_demands(
        [Demand(("excel",), must=True)], [skilled(skill("excel")), skilled()], background=BACKGROUND, assumptions=HABITS
    )
    assert feature
    assert feature.shares.tolist() == [0.5, 0.0]


def graduate(degree: str | None, *fields: str) -> ResumeFeatures:
    studies = tuple(
        Education(None, None, degree, Fact(field, field, place(0, 1)), None, None, place(0, 1)) for field in fields
    )
    return extract_features("", Profile(SOURCE, AS_OF, highest_degree=degree, education=studies))


@pytest.mark.parametrize(
    ("job", "wanted"),
    [
        (Job("", degree="bachelor"), [1, 2 / 3, 0]),
        (Job("", fields=("ledger",)), [0, 1 / 2, 0]),
        (Job("", degree="bachelor", fields=("ledger",)), [0.6, 0.6 * 2 / 3 + 0.4 / 2, 0]),
    ],
)
def test_education(job: Job, wanted: list[float]) -> None:
    even = dataclasses.replace(BACKGROUND, words={})  # every word weighs the same
    resumes = [graduate("master", "Art"), graduate("associate", "Art", "Ledger Studies"), graduate(None)]
    feature = measure_education(job, resumes, background=even)
    assert feature
    assert feature.shares.tolist() == pytest.approx(wanted)


def test_reason_of_education() -> None:
    job = Job("", degree="bachelor", fields=("ledger", "art"))
    feature = measure_education(job, [graduate("master", "Art")], background=BACKGROUND)
    assert feature
    assert feature.reason(0) == "master's degree, Art; required: bachelor's degree, ledger or art"
    assert measure_education(Job(""), [graduate("master")], background=BACKGROUND) is None


def test_the_counts_that_ship_hold_words_and_no_people() -> None:
    background = load_background()
    assert background.size.resumes > 1000
    assert background.knows("account")
    assert background.word_weight("experi") < background.word_weight("ledger") < background.word_weight("xyzzy")
    assert min(max(count.resumes, count.ads, count.titles) for count in background.words.values()) >= 5
    assert min(background.skills.values()) >= 5
    assert not any(background.knows(name) for name in ("john", "mari", "smith", "garcia", "jennif"))
    assert not any("@" in word or (word.isdigit() and len(word) > 4) for word in background.words)
