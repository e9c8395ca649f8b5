"""Swap audits of real files and of a job, with the real miner and the real rankers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evenhand.audit.swaps.editing import AuditSubject, Edit, apply_edits, draw, read_subjects
from evenhand.audit.swaps.effects import TrialOutcome
from evenhand.audit.swaps.plan import swap_families
from evenhand.audit.swaps.report import stretch_of, swap_report
from evenhand.audit.swaps.run import audit_job, audit_swaps
from evenhand.audit.swaps.scoring import ResumeReading, SwapAudit, SwapPlan, SwapRequest, SwapScores, plan_all, try_all
from evenhand.documents.parse import parse
from evenhand.errors import UsageError
from evenhand.masking.masker import Masker
from evenhand.records.job import Job
from evenhand.screening.service import open_service
from evenhand.search.ranking import rank
from evenhand.search.service import Service
from evenhand.settings import Settings
from tests.screening.applicants import AS_OF, FIVE, JAVA_JOB, take_in

RANKERS = ("bm25", "best")
FAMILIES = ("name_gender", "career_path")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("resumes")
    return [str(applicant.write(folder)) for applicant in FIVE]


@pytest.fixture(scope="module")
def audit(files: list[str], tmp_path_factory: pytest.TempPathFactory) -> SwapAudit:
    settings = Settings(data=str(tmp_path_factory.mktemp("data")))
    request = SwapRequest(rankers=RANKERS, families=FAMILIES, shortlist=2)
    return audit_swaps(JAVA_JOB, files, request, as_of=AS_OF, settings=settings)


@pytest.mark.parametrize("ranker", RANKERS)
def test_ranks_are_those_of_the_ranking(audit: SwapAudit, files: list[str], ranker: str) -> None:
    ranking = rank(JAVA_JOB, files, ranker=ranker, as_of=AS_OF)
    scores = [result.score.value for result in ranking.results]
    # Equals share a rank here; a list has to put one of them first.
    expected = {
        result.file: (1 + sum(other > result.score.value for other in scores), result.score.value)
        for result in ranking.results
    }
    (outcome,) = [each for each in audit.trials.outcomes if each.scorer == f"ranker {ranker}"]
    assert outcome.base_rank is not None
    for number, one in enumerate(audit.planned):
        place, score = expected[one.subject.key]
        assert outcome.base[number] == pytest.approx(score, abs=1e-9)
        assert outcome.base_rank[number] == place


def test_no_ranker_goes_by_the_name(audit: SwapAudit) -> None:
    names = [each for each in audit.comparisons if each.family == "name_gender"]
    assert [(each.score.effect.mean, each.flips.changed) for each in names] == [(0.0, 0)] * len(RANKERS)


def test_five_resumes_are_too_few_to_tell(audit: SwapAudit) -> None:
    assert {each.severity for each in audit.comparisons} == {"unknown"}
    report = swap_report(audit)
    assert report.worst == "unknown"
    assert report.data["variants"] == len(audit.trials.resume)
    assert {finding.code for finding in report.findings} == {"swap.unknown.ranker.bm25+ranker.best"}


def test_contact_data_is_masked_before_the_text_is_cut() -> None:
    text = "Ada Brent\nSee https://pages.example.com/" + "a" * 300 + "/brent-7731\nLeeds, where Ada Brent bakes"
    document = parse(text.encode())
    at = document.text.index("bakes")
    shown = stretch_of(apply_edits(document, [Edit(at, at + 5, "cooks")]), Masker(document.text, kinds={"contact"}))
    assert shown.text.endswith("Leeds, where Ada Brent cooks")
    assert "7731" not in shown.text
    assert [shown.text[start:end] for start, end in shown.marks] == ["cooks"]


def test_names_weigh_less_than_their_number(audit: SwapAudit) -> None:
    """A resume has a name and an address of one word with it: two of 36 words. Blanked, the surname is left alone."""
    share = next(each.share for each in audit.comparisons if each.family == "name_gender")
    assert share is not None
    assert share.tokens == pytest.approx(2 / 36, abs=0.01)
    assert share.attribution < share.tokens / 2


class OnceOnly:
    """A judge by the length of the text that minds being asked again."""

    name = "model length"

    def __init__(self, *, may_score: bool = True) -> None:
        self.may_score = may_score

    def score(self, base: ResumeReading, readings: list[ResumeReading]) -> SwapScores:
        assert self.may_score, "this was judged before"
        lengths = np.array([len(each.text) for each in readings], np.float64)
        return SwapScores(lengths, (lengths > 300).astype(np.int64))

    def outcome(self, scores: SwapScores, base: SwapScores, resumes: object) -> TrialOutcome:
        return TrialOutcome(self.name, scores.score, scores.label, base.score, base.label, labels=("short", "long"))


@pytest.fixture(scope="module")
def planned(files: list[str]) -> list[SwapPlan]:
    subjects, errors = read_subjects(files[:2], as_of=AS_OF)
    assert not errors
    return plan_all(subjects, swap_families(["name_gender"]), seed=0)


def test_a_run_that_was_stopped_goes_on(planned: list[SwapPlan], tmp_path: Path) -> None:
    families = swap_families(["name_gender"])
    first = try_all(planned, families, [OnceOnly()], kept=tmp_path)  # type: ignore[list-item]
    again = try_all(planned, families, [OnceOnly(may_score=False)], kept=tmp_path)  # type: ignore[list-item]
    assert first.outcomes[0].score.tolist() == again.outcomes[0].score.tolist()
    (block,) = tmp_path.iterdir()
    block.write_bytes(block.read_bytes()[:200])  # a file cut short is no result
    with pytest.raises(AssertionError, match="judged before"):
        try_all(planned, families, [OnceOnly(may_score=False)], kept=tmp_path)  # type: ignore[list-item]


def test_length_is_exactly_that_of_the_names(planned: list[SwapPlan]) -> None:
    """The independent computation: a judge by length must move by how much longer the names are."""
    found = try_all(planned, swap_families(["name_gender"]), [OnceOnly()])  # type: ignore[list-item]
    for row in found.triples(0).tolist():
        one = planned[int(found.resume[row[0]])]
        longer = [
            sum(len(edit.text) - (edit.end - edit.start) for edit in variant.edits) for variant in one.variants[:3]
        ]
        base = len(one.subject.text)
        assert found.outcomes[0].score[row].tolist() == [base + each for each in longer]


def test_the_job_of_a_store(tmp_path: Path) -> None:
    settings = Settings(data=str(tmp_path))
    with open_service(settings) as service:
        taken = take_in(service, *FIVE[:3])
        found = audit_job(service, taken.job, SwapRequest(families=("name_gender",), most=2))
        assert_of_job(found, service, taken.job)
        with pytest.raises(UsageError, match="Nobody"):
            audit_job(service, service.store.jobs.add(Job("Empty")), SwapRequest(families=("name_gender",)))


def assert_of_job(found: SwapAudit, service: Service, job: str) -> None:
    assert (found.pool, len(found.planned), found.subject) == (3, 2, "Java Developer")
    ids = {each.id for each in service.store.applications.of_job(job)}
    assert {one.subject.key for one in found.planned} <= ids
    (outcome,) = found.trials.outcomes
    assert outcome.base_rank is not None
    assert set(outcome.base_rank.tolist()) <= {1, 2, 3}


def test_a_draw_is_by_chance_and_in_order() -> None:
    subjects = [AuditSubject(str(number), None, None) for number in range(50)]  # type: ignore[arg-type]
    drawn = [int(each.key) for each in draw(subjects, 10, seed=1)]
    assert len(set(drawn)) == 10
    assert drawn == sorted(drawn)
    assert drawn != [int(each.key) for each in draw(subjects, 10, seed=2)]


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"rankers": ("best", "bestest")}, "no ranker 'bestest'"),
        ({"rankers": (), "models": ()}, "Name a ranker or a model"),
        ({"most": 0}, "at least 1"),
    ],
)
def test_requests_that_make_no_sense(request_: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        SwapRequest(**request_)  # type: ignore[arg-type]
