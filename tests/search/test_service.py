"""A screener's day from end to end: the batch, the list, decisions, a warning about someone who came back."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenhand.errors import StoreError, UsageError
from evenhand.screening.service import ingest_files, open_service
from evenhand.search.criteria import Criteria
from evenhand.search.index_sync import disagreements
from evenhand.search.screener import SearchResults
from evenhand.search.service import Service
from evenhand.settings import Settings
from evenhand.store.decisions import Decision
from evenhand.store.duplicates import Alert, RelatedApplication
from evenhand_lab.corpora.generate import CorpusRequest, make
from evenhand_lab.corpora.planting import PlantedCase
from tests.screening.applicants import AS_OF, ASHA, BORIS, CLARA, FIVE, JAVA_JOB, Taken, take_in


def screen(service: Service, taken: Taken, **criteria: object) -> SearchResults:
    with service.screener(taken.job, ranker="bm25") as screener:
        return screener.screen(Criteria(job=taken.job, **criteria))  # type: ignore[arg-type]


def statuses(service: Service, taken: Taken) -> dict[str, str]:
    """By name, as the page shows them."""
    return {taken.named([each.entry.application])[0]: str(each.entry.status) for each in screen(service, taken).listed}


def counted(service: Service, taken: Taken) -> dict[str, int]:
    [facet] = [each for each in screen(service, taken).facets.facets if each.name == "status"]
    return {each.value: each.count for each in facet.values}


def steps(decisions: list[Decision]) -> list[tuple[str, str, str, str, str]]:
    return [(each.action, each.from_status, each.to_status, each.actor, each.reason) for each in decisions]


def test_rejecting_all_but_the_shortlist(service: Service) -> None:
    """The list is those with Java (Asha, Boris, David), the shortlist Asha: Clara and Elena are not touched."""
    taken = take_in(service, *FIVE)
    service.store.decisions.decide([taken.ids["Asha"]], "shortlist", actor="ann")
    listed = [each.entry.application for each in screen(service, taken, facets={"skill": ("java",)}).listed]
    assert sorted(taken.named(listed)) == ["Asha", "Boris", "David"]
    outcome = service.store.decisions.reject_rest(
        taken.job, listed, [taken.ids["Asha"]], actor="ann", reason="position filled"
    )
    assert sorted(taken.named(outcome.changed)) == ["Boris", "David"]
    assert statuses(service, taken) == {
        "Asha": "shortlisted",
        "Boris": "rejected",
        "Clara": "new",
        "David": "rejected",
        "Elena": "new",
    }
    assert counted(service, taken) == {"new": 2, "rejected": 2, "shortlisted": 1}
    assert steps(service.store.decisions.of_application(taken.ids["Boris"])) == [
        ("screen", "new", "screened", "ann", "position filled"),
        ("reject", "screened", "rejected", "ann", "position filled"),
    ]
    assert service.store.decisions.of_application(taken.ids["Clara"]) == []

    undone = service.store.decisions.undo(outcome.batch, actor="ben", reason="withdrawn")
    assert undone.changed == outcome.changed
    assert counted(service, taken) == {"new": 4, "shortlisted": 1}
    assert steps(service.store.decisions.of_application(taken.ids["Boris"]))[2:] == [
        ("undo", "rejected", "new", "ben", "withdrawn")
    ]
    assert list(disagreements(service.store, service.snapshot())) == []


def test_who_got_further_is_spared(service: Service) -> None:
    taken = take_in(service, *FIVE)
    service.store.decisions.decide([taken.ids["Elena"]], "shortlist", actor="ann")
    with service.screener(taken.job, ranker="bm25") as screener:
        listed = screener.ids(Criteria(job=taken.job))
    spared = service.spared(listed, keep=2)
    expected = [*listed[:2], taken.ids["Elena"]]
    assert spared == list(dict.fromkeys(expected))


def write(path: Path, number: int, case: PlantedCase | None = None) -> Path:
    path.write_bytes(make(CorpusRequest(seed=8, kind="it", formats=("txt",)), number, case).files[0].data)
    return path


@pytest.mark.parametrize(
    ("action", "same_job", "codes"),
    [
        ("reject", True, ["rejected_before", "other_applications"]),
        ("offer", False, ["offered_elsewhere", "other_applications"]),
        ("screen", False, ["other_applications"]),
    ],
)
def test_someone_who_comes_back_under_another_name_is_noticed(
    service: Service, tmp_path: Path, action: str, same_job: bool, codes: list[str]
) -> None:
    """The second file has another name, address and telephone number, and 5 % of its words were changed."""
    first, second = service.store.jobs.add(JAVA_JOB), service.store.jobs.add(JAVA_JOB)
    job = first if same_job else second
    others = [write(tmp_path / f"{number}.txt", number) for number in range(4)]
    assert ingest_files(service, others, first, total=4, as_of=AS_OF).duplicates == 0
    [original] = [each for each in service.store.applications.of_job(first) if each.file == str(others[1])]
    if action == "offer":
        service.store.decisions.decide([original.id], "shortlist", actor="ann")
    service.store.decisions.decide([original.id], action, actor="ann")

    again = write(tmp_path / "again.txt", 9, PlantedCase(9, "duplicates", original=1))
    assert again.read_bytes() != others[1].read_bytes()
    assert ingest_files(service, [again], job, total=1, as_of=AS_OF).duplicates == 1
    [back] = [each for each in service.store.applications.of_job(job) if each.file == str(again)]
    assert back.candidate != original.candidate  # noticed, and nobody is merged
    alerts = service.store.duplicates.alerts([back.id])[back.id]
    assert [alert.code for alert in alerts] == codes
    [(_, resemblance)] = service.store.duplicates.of_document(back.document)
    assert 0.4 < resemblance < 1
    status = service.store.applications.get(original.id).status
    related = RelatedApplication(original.id, first, "Java Developer", status, "near_duplicate", resemblance)
    assert {alert.related for alert in alerts} == {(related,)}
    assert isinstance(alerts[0], Alert)

    with service.screener(job, ranker="bm25") as screener:
        page = service.with_alerts(screener.screen(Criteria(job=job)))
    flags = {each.entry.application: [flag.code for flag in each.result.flags] for each in page.listed}
    assert flags[back.id] == codes
    unrelated = [id for id in flags if id not in (back.id, original.id)]
    assert all(flags[id] == [] for id in unrelated)


def test_watch_lists_highlight_and_reject_no_one(service: Service) -> None:
    taken = take_in(service, ASHA, BORIS)
    service.store.watchlist.add("no_hire", "Initech Limited")
    service.store.watchlist.add("not_accredited", "Anna University")
    page = screen(service, taken)
    assert page.total == 2
    assert [[flag.code for flag in each.result.flags] for each in page.listed] == [
        ["no_hire", "not_accredited"],
        ["no_hire", "not_accredited"],
    ]
    assert counted(service, taken) == {"new": 2}


def test_a_service_that_is_opened_again_goes_on(service: Service, settings: Settings) -> None:
    taken = take_in(service, ASHA, BORIS)
    service.store.decisions.decide([taken.ids["Asha"]], "shortlist", actor="ann")
    with open_service(settings) as again:
        assert statuses(again, taken) == {"Asha": "shortlisted", "Boris": "new"}
        more = take_in(again, CLARA)
        assert statuses(again, more) == {"Clara": "new"}
    assert statuses(service, more) == {"Clara": "new"}
    assert service.snapshot().number == 3


def test_a_wrong_ranker_is_said(service: Service) -> None:
    taken = take_in(service, ASHA)
    with pytest.raises(UsageError), service.screener(taken.job, ranker="magic"):
        pass


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file, where a folder should be")
    with pytest.raises(StoreError), open_service(Settings(data=str(tmp_path / "data"))):
        pass
