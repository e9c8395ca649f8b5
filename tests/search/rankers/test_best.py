"""The default ranker: 100 for a full fit, the screeners' wishes, and no say for who else applied."""

from __future__ import annotations

import dataclasses

import pytest

from evenhand.records.job import Demand, Job
from evenhand.records.profile import Period, Profile, Project, Skill
from evenhand.records.ranking import Score
from evenhand.search.feature_extraction import extract_features
from evenhand.search.features import ResumeFeatures
from evenhand.search.rankers.base import make_query
from evenhand.search.rankers.best import NAMES, Best, Weights
from evenhand.search.rankers.registry import make_ranker
from evenhand.search.statistics import PoolStatistics
from tests.search.rankers.resumes import AS_OF, SOURCE, place, position

JOB = Job(
    "Java Developer\nSpring, SQL",
    "Java Developer",
    demands=(Demand(("java",), must=True, months=24), Demand(("sql",), must=False)),
    months=60,
    degree="bachelor",
)


def resume(java_at: str | None = None, ends: tuple[str, str] = ("2014-06", "2020-06")) -> ResumeFeatures:
    """Two projects, the later one last; Java stands in the summary or in the project that ends then."""
    head = "Summary\n" + ("Java\n" if java_at is None else "")
    text, projects = head, []
    for end in ends:
        body = f"Project {'Java' if java_at == end else 'thing'}\n"
        where = place(len(text), len(text) + len(body))
        skills = ("java",) if java_at == end else ()
        projects.append(Project(None, None, None, Period("2010-01", end, None, None), skills, None, where))
        text += body
    at = text.index("Java")
    java = Skill("java", ("Java",), None, None, java_at, (place(at, at + 4),))
    return extract_features(text, Profile(SOURCE, AS_OF, projects=tuple(projects), skills=(java,)))


def score(ranker: Best, *digests: ResumeFeatures, job: Job = JOB) -> list[Score]:
    return ranker.rank(make_query(job), digests, PoolStatistics(digests))


def test_java_in_a_project_counts_more_and_more_so_lately() -> None:
    summary, old, recent = score(Best(), resume(None), resume("2014-06"), resume("2020-06"))
    assert summary.value < old.value < recent.value


def test_a_prediction_is_nothing_without_a_weight() -> None:
    pool = [resume(None), resume("2020-06")]

    def likelihood(digest: ResumeFeatures) -> float:
        return 0.75 if digest is pool[0] else 0.25

    assert score(Best(likelihood=likelihood), *pool) == score(Best(), *pool)
    weighed = score(Best(Weights(prediction=100), likelihood=likelihood), *pool)
    parts = [part for part in weighed[0].parts if part.name == NAMES["prediction"]]
    assert [part.reason for part in parts] == ["a model holds a fit for 75% likely"]
    # Of 100 points without licences, which the job does not ask for, and the 100 of the prediction.
    assert parts[0].value == pytest.approx(7500 / 194)
    with pytest.raises(ValueError, match="prediction needs a model's likelihoods"):
        Best(Weights(prediction=1))


def test_a_full_fit_scores_100() -> None:
    text = "Java Developer"
    job = Job(text, text, demands=(Demand(("java",), must=True),), months=12, degree="bachelor")
    held = dataclasses.replace(position(text, "2020-01", "present", 54), skills=("java",), evidence=place(0, len(text)))
    java = Skill("java", ("Java",), 54, 54, AS_OF, (place(0, 4),))
    known = Profile(SOURCE, AS_OF, positions=(held,), skills=(java,), highest_degree="master")
    (found,) = score(Best(), extract_features(text, known), job=job)
    assert found.value == pytest.approx(100)
    # No licences and nothing desirable are asked for: the others share their 13 points.
    assert {part.name: part.value for part in found.parts} == pytest.approx(
        {
            "Role match": 4000 / 87,
            "Requirements": 2000 / 87,
            "Experience": 800 / 87,
            "Education": 500 / 87,
            "Match with job ad": 1400 / 87,
        }
    )


def test_a_score_does_not_depend_on_who_else_applied() -> None:
    pool = [resume(None), resume("2014-06"), resume("2020-06")]
    assert score(Best(), *pool)[1] == score(Best(), pool[1])[0]


def test_weights_that_are_0_leave_no_part() -> None:
    only_words = Best(Weights(0, 0, 0, 0, 0, 0, words=45))
    assert [part.name for part in score(only_words, resume(None))[0].parts] == [NAMES["words"]]


@pytest.mark.parametrize("numbers", [(-1, 1), (0, 0)])
def test_weights_that_make_no_sense(numbers: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="not negative"):
        Weights(*numbers, 0, 0, 0, 0, 0)


def test_by_its_name() -> None:
    assert make_ranker("best") == Best()
