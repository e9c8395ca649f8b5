"""The demo's pool: what is in it, that it is there at once the next time, and that it goes on when it was cut off."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from evenhand.errors import UsageError
from evenhand.progress import NoProgressBar, Progress, ProgressBar
from evenhand.screening.service import open_service
from evenhand.search.criteria import Criteria
from evenhand.search.screener import SearchHit
from evenhand.search.service import Service
from evenhand.settings import Settings
from evenhand_lab.demo import history as history_module
from evenhand_lab.demo import pool as pool_module
from evenhand_lab.demo.applicants import COPIED, OPENINGS, PORTAL, SIZES, make_plan, put_letters
from evenhand_lab.demo.pool import STATE, VERSION, Demo, build_demo, demo_settings


class Stopped(BaseException):
    """As Ctrl-C would, in the middle of things."""


class Fuse:
    """A bar that stops everything at a step."""

    def __init__(self, at: int) -> None:
        self.left = at

    def advance(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise Stopped


def stopping(label: str, at: int) -> Progress:
    def progress(shown: str, total: int) -> AbstractContextManager[ProgressBar]:
        return nullcontext(Fuse(at) if shown == label else NoProgressBar())

    return progress


def listed(service: Service, job: str) -> tuple[SearchHit, ...]:
    with service.screener(job, ranker="best") as screener:
        return screener.screen(Criteria(job=job), size=100).listed


def statuses(service: Service, job: str) -> Counter[str]:
    return Counter(
        row.status
        for row in service.store.applications.get_many([each.entry.application for each in listed(service, job)])
    )


def history(service: Service, jobs: list[str]) -> Counter[tuple[str, str, bool]]:
    """How often each step was taken, with the reason and whether in bulk."""
    ids = [each.entry.application for job in jobs for each in listed(service, job)]
    made = (decision for decisions in service.store.decisions.histories(ids).values() for decision in decisions)
    return Counter((decision.action, decision.reason, decision.bulk) for decision in made)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return build_demo(Settings(data=str(tmp_path_factory.mktemp("demo"))), size="small")


@pytest.fixture(scope="module")
def service(demo: Demo) -> Iterator[Service]:
    with open_service(demo.settings) as opened:
        yield opened


def test_two_jobs_with_their_applicants_from_several_sources(demo: Demo, service: Service) -> None:
    titles = [service.store.jobs.get(job).title for job in demo.jobs]
    assert titles == ["Area Sales Manager", "Marketing Manager"]
    assert demo.applications == 44  # 40 people, of whom four apply for both
    sources = [{each.entry.source for each in listed(service, job)} for job in demo.jobs]
    assert sources == [set(OPENINGS[0].sources), set(OPENINGS[1].sources)]


def test_every_planted_case_is_shown(demo: Demo, service: Service) -> None:
    flags = [Counter(flag.code for each in listed(service, job) for flag in each.result.flags) for job in demo.jobs]
    assert flags == [
        {"copied_job": 1, "hidden_text": 1, "no_hire": 1, "recognised_text": 1},
        {"not_accredited": 1, "repeated_words": 1},  # a company that only resembles one of the list is not told of
    ]
    refused = [[refusal.failure.code for refusal in service.store.applications.refusals(job)] for job in demo.jobs]
    assert refused == [["encrypted_document", "empty_document"], ["corrupt_document", "unsupported_format"]]


def test_who_applied_twice_or_was_decided_on_is_told_of(demo: Demo, service: Service) -> None:
    sales, marketing = demo.jobs
    found = [
        Counter(alert.code for alerts in service.store.duplicates.alerts(ids).values() for alert in alerts)
        for ids in ([each.entry.application for each in listed(service, job)] for job in demo.jobs)
    ]
    # Four applied for the other job as well, and a resume came under two names; in sales one of these is of those.
    assert found == [
        {"other_applications": 5, "offered_elsewhere": 1},
        {"other_applications": 6, "offered_elsewhere": 1, "rejected_before": 1},
    ]
    assert statuses(service, sales) == {"new": 21, "offered": 1}
    assert statuses(service, marketing) == {"new": 15, "shortlisted": 3, "rejected": 4}


def test_a_bulk_rejection_was_taken_back(demo: Demo, service: Service) -> None:
    made = history(service, demo.jobs)
    rejected = sum(count for (action, _, bulk), count in made.items() if bulk and action == "reject")
    undone = sum(count for (action, _, _), count in made.items() if action == "undo")
    assert rejected == undone > 5


def test_the_best_are_of_the_trade(demo: Demo, service: Service) -> None:
    """Not by their words alone: most of the ten best hold a title of it."""
    for job, word in zip(demo.jobs, ("sales", "marketing"), strict=True):
        titles = [(each.entry.card.title or "").lower() for each in listed(service, job)[:10]]
        assert sum(word in title for title in titles) >= 6, titles


def test_recruiters_have_their_jobs_and_nobody_has_a_password(demo: Demo, service: Service) -> None:
    users = {user.login: user for user in service.store.accounts.all()}
    assert {login: user.id for login, user in users.items()} == demo.staff
    assert not any(user.has_password for user in users.values())
    assert service.store.jobs.visible_to(demo.staff["robin"]) == set(demo.jobs)
    assert service.store.jobs.visible_to(demo.staff["lena"]) == set()
    assert service.store.jobs.visible_to(demo.staff["auditor"]) == set(demo.jobs)


def test_forms_come_with_the_portal_only(demo: Demo, service: Service) -> None:
    for job in demo.jobs:
        for each in listed(service, job):
            assert bool(each.entry.card.form) == (each.entry.source == PORTAL)


def test_database_files_and_index_agree(service: Service) -> None:
    assert list(service.disagreements()) == []


def test_the_next_start_finds_it_ready(demo: Demo) -> None:
    folder = demo.settings.data_path
    before = (folder / STATE).stat().st_mtime_ns
    again = build_demo(Settings(data=str(folder.parent)), size="small", progress=stopping("Taking in", 1))
    assert (again.jobs, again.applications, again.staff) == (demo.jobs, demo.applications, demo.staff)
    assert (folder / STATE).stat().st_mtime_ns == before
    assert not (folder / "inbox").exists()


@pytest.mark.long
def test_cut_off_again_and_again_it_becomes_the_same(
    demo: Demo, service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data=str(tmp_path))

    def decide_and_stop(*arguments: Any, **options: Any) -> None:
        history_module.make_history(*arguments, **options)
        raise Stopped

    for progress in (stopping("Writing resumes", 1), stopping("Taking in", 10)):
        with pytest.raises(Stopped):
            build_demo(settings, size="small", progress=progress)
        assert "jobs" not in json.loads((tmp_path / "demo" / STATE).read_bytes())
    with monkeypatch.context() as patched:
        patched.setattr(pool_module, "make_history", decide_and_stop)
        with pytest.raises(Stopped):  # everything was decided, and is not decided again
            build_demo(settings, size="small")
    finished = build_demo(settings, size="small")
    assert finished.applications == demo.applications
    with open_service(finished.settings) as other:
        assert history(other, finished.jobs) == history(service, demo.jobs)
        assert list(other.disagreements()) == []
        assert len(other.store.jobs.all()) == 2


def test_a_demo_of_another_version_is_cleared_away(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    (folder / "index").mkdir(parents=True)
    (folder / "index" / "old").write_text("old")
    (folder / STATE).write_text(json.dumps({"version": VERSION - 1, "size": "small", "jobs": []}))
    with pytest.raises(Stopped):
        build_demo(Settings(data=str(tmp_path)), size="small", progress=stopping("Writing resumes", 1))
    assert not (folder / "index" / "old").exists()
    assert json.loads((folder / STATE).read_bytes()) == {"version": VERSION, "size": "small"}


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "thesis.txt").write_text("years of work")
    with pytest.raises(UsageError, match="holds no demo"):
        build_demo(Settings(data=str(tmp_path)), size="small")
    assert (tmp_path / "demo" / "thesis.txt").read_text() == "years of work"


def test_the_demo_touches_nothing_of_the_user_s_own(tmp_path: Path) -> None:
    own = demo_settings(
        Settings(
            data=str(tmp_path),
            database="postgresql://example/people",
            lexicon="own.tsv",
            checkpoint_file="checkpoints.jsonl",
            erasure_file="erasures.jsonl",
            workers=3,
        )
    )
    assert own == Settings(data=str(tmp_path / "demo"), workers=3)
    assert own.database_url == f"sqlite:///{tmp_path}/demo/evenhand.db"


def test_the_whole_demo_is_planned_as_promised() -> None:
    plan = make_plan("full")
    assert len(plan.resumes) == 624
    assert [len(plan.arrivals(number)) for number in range(6)] == [108, 108, 104, 108, 104, 104]
    insiders = Counter(each.opening for each in plan.resumes if each.trade == OPENINGS[each.opening].trade)
    assert insiders == dict.fromkeys(range(6), 60)
    assert len({(each.trade[0], each.person) for each in plan.resumes}) == 624  # nobody comes as two
    planted = Counter(each.case.kind for each in plan.resumes if each.case)
    assert planted["scans"] == 3
    assert planted[COPIED] == 1
    assert planted["duplicates"] == 12
    assert len(plan.broken) == 5
    with pytest.raises(UsageError, match=f"there are {', '.join(SIZES)}"):
        make_plan("huge")


def test_the_same_files_everywhere(tmp_path: Path) -> None:
    resumes = make_plan("small").resumes[:6]
    contents = []
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        put_letters((tmp_path / name, resumes))
        contents.append({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()})
    assert contents[0] == contents[1]
    assert len(contents[0]) == 12
