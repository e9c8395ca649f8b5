"""What was misread is put right: facts, months and rank follow, both versions stay, and mining anew keeps it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from sqlalchemy import create_engine

from evenhand.applicants.corrections import (
    accept_correction,
    correct,
    decline_correction,
    list_proposed,
    revert_correction,
)
from evenhand.errors import Forbidden, NotFound, UsageError
from evenhand.ledger.verify import verify_ledger
from evenhand.mining.corrections import CorrectionInput
from evenhand.mining.pipeline import MinedResume
from evenhand.records import Profile
from evenhand.records.conversion import content_hash
from evenhand.screening.candidate_list import Viewer
from evenhand.screening.service import reprocess
from evenhand.search.criteria import Criteria
from evenhand.search.index_sync import disagreements
from evenhand.search.service import ListRank, Service, rank_of
from evenhand.search.visibility import OPEN, visibility_for
from evenhand.settings import Settings
from evenhand.store.mined import mined_hashes
from evenhand.store.tables import unpack
from tests.screening.applicants import AS_OF, ASHA, BORIS, FIVE, JAVA_JOB, Taken, take_in


def profile_of(service: Service, taken: Taken, name: str) -> Profile:
    found = service.store.applications.profile(taken.ids[name])
    assert found is not None
    return found


def fix(service: Service, taken: Taken, name: str, wanted: CorrectionInput, *, reason: str = "") -> str:
    application = service.store.applications.get(taken.ids[name])
    return correct(service, application, wanted, actor="ann", reason=reason).correction


def listed(service: Service, taken: Taken) -> list[str]:
    with service.screener(taken.job, ranker="best") as screener:
        return taken.named(screener.ids(Criteria(job=taken.job)))


def test_dates_change_months_totals_rank_and_index(service: Service) -> None:
    taken = take_in(service, *FIVE)
    boris = service.store.applications.get(taken.ids["Boris"])
    assert profile_of(service, taken, "Boris").skills[0].months == 30
    first = listed(service, taken)
    outcome = correct(
        service,
        boris,
        CorrectionInput("position.dates", {"start": "2012-01", "end": "present"}, entry=0),
        actor="ann",
        reason="He wrote to us.",
    )
    after = profile_of(service, taken, "Boris")
    months = 14 * 12 + 1  # January 2012 to January 2026
    assert (after.positions[0].period.start, after.positions[0].period.end) == ("2012-01", "present")
    assert after.positions[0].period.months == months
    assert [(skill.name, skill.months, skill.last_used) for skill in after.skills] == [("java", months, "2026-01")]
    assert (after.total_months, after.relevant_months) == (months, months)
    evidence = after.positions[0].period.evidence
    assert evidence is not None
    assert (evidence.method, evidence.confidence) == ("person", 1.0)
    assert outcome.before.rank == first.index("Boris") + 1
    assert outcome.after.rank == listed(service, taken).index("Boris") + 1
    assert outcome.after.rank < outcome.before.rank
    assert outcome.after.score is not None
    assert outcome.before.score is not None
    assert outcome.after.score > outcome.before.score
    assert outcome.before.total == outcome.after.total == 5
    assert list(disagreements(service.store, service.snapshot())) == []


def test_both_versions_are_on_record(service: Service) -> None:
    taken = take_in(service, BORIS)
    id = fix(service, taken, "Boris", CorrectionInput("name", "Boris Nowak"), reason="Misspelt")
    boris = service.store.applications.get(taken.ids["Boris"])
    [event] = [each for each in service.store.ledger.of_application(boris.id) if each.kind == "correction"]
    assert event.job == taken.job
    assert {name: event.body[name] for name in ("action", "correction", "field")} == {
        "action": "correct",
        "correction": id,
        "field": "name",
    }
    assert "Nowak" not in str(event.to_json())
    with create_engine(service.settings.database_url).connect() as connection:
        mined = mined_hashes(connection, [boris.id])[boris.id]
        read = mined_hashes(connection, [boris.id], corrected=False)[boris.id]
    assert service.store.ledger.opening(event.sequence) == {
        "old": "Boris Novak",
        "new": "Boris Nowak",
        "reason": "Misspelt",
        "change": content_hash({"country": None, "entry": None, "place": None, "value": "Boris Nowak"}),
        "mined": mined,
        "read": read,
    }
    [old] = service.store.documents.mined_versions([boris.document])[boris.document]
    assert old.packed_profile is not None
    assert json.loads(unpack(old.packed_profile))["name"] == "Boris Novak"
    [kept] = service.store.corrections.of_application(boris.id)
    assert (kept.old, kept.new, kept.actor, kept.application) == ("Boris Novak", "Boris Nowak", "ann", boris.id)
    assert kept.ranks is not None
    assert ListRank(**kept.ranks["before"]).total == 1


def test_a_value_that_stands_in_the_text_is_placed_there(service: Service) -> None:
    taken = take_in(service, BORIS)
    fix(service, taken, "Boris", CorrectionInput("position.employer", "finance  DEPARTMENT", entry=0))
    found = profile_of(service, taken, "Boris").positions[0].employer
    assert found is not None
    assert (found.value, found.surface) == ("finance DEPARTMENT", "finance department")
    assert BORIS.text[found.evidence.start : found.evidence.end] == "finance department"


def test_a_value_that_does_not_keeps_the_old_place(service: Service) -> None:
    taken = take_in(service, BORIS)
    old = profile_of(service, taken, "Boris").positions[0].employer
    fix(service, taken, "Boris", CorrectionInput("position.employer", "Initech Holding", entry=0))
    found = profile_of(service, taken, "Boris").positions[0].employer
    assert old is not None
    assert found is not None
    assert found.value == "Initech Holding"
    assert (found.evidence.start, found.evidence.end) == (old.evidence.start, old.evidence.end)
    address = service.snapshot().find(taken.ids["Boris"])
    assert address is not None
    assert service.snapshot().entry(address).employers == ("Initech Holding",)


def test_a_skill_is_added_with_the_words_that_show_it(service: Service) -> None:
    taken = take_in(service, BORIS)
    fix(service, taken, "Boris", CorrectionInput("skill.add", "Python", words="payroll reports"))
    after = profile_of(service, taken, "Boris")
    added = next(skill for skill in after.skills if skill.name == "python")
    # The words stand in the only job, January 2020 to June 2022.
    assert (added.months, added.months_sum, added.last_used) == (30, 30, "2022-06")
    assert added.surfaces == ("payroll reports",)
    assert "python" in after.positions[0].skills
    address = service.snapshot().find(taken.ids["Boris"])
    assert address is not None
    assert dict(service.snapshot().entry(address).skills)["python"] == 30


def test_a_skill_outside_of_any_job_has_no_months(service: Service) -> None:
    taken = take_in(service, BORIS)
    fix(service, taken, "Boris", CorrectionInput("skill.add", "Python", words="Anna University"))
    added = next(skill for skill in profile_of(service, taken, "Boris").skills if skill.name == "python")
    assert (added.months, added.last_used) == (None, None)


def test_a_skill_that_is_none_is_taken_away(service: Service) -> None:
    taken = take_in(service, *FIVE)
    before = listed(service, taken)
    id = fix(service, taken, "David", CorrectionInput("skill.remove", "java"))
    after = profile_of(service, taken, "David")
    assert [skill.name for skill in after.skills] == []
    assert after.positions[0].skills == ()
    assert listed(service, taken).index("David") > before.index("David")
    david = service.store.applications.get(taken.ids["David"])
    revert_correction(service, david, id, actor="ann")
    assert listed(service, taken) == before


def test_degrees(service: Service) -> None:
    taken = take_in(service, BORIS)
    fix(service, taken, "Boris", CorrectionInput("education.level", "master", entry=0))
    assert profile_of(service, taken, "Boris").highest_degree == "master"
    fix(service, taken, "Boris", CorrectionInput("highest_degree", "doctorate"))
    after = profile_of(service, taken, "Boris")
    assert (after.education[0].level, after.highest_degree) == ("master", "doctorate")
    fix(service, taken, "Boris", CorrectionInput("education.university", "University of Madras", entry=0))
    after = profile_of(service, taken, "Boris")
    assert after.highest_degree == "doctorate"  # what a person said is not counted away
    assert after.education[0].university is not None
    assert after.education[0].university.value == "University of Madras"


def test_a_city_brings_its_country_and_nothing_is_nothing(service: Service) -> None:
    taken = take_in(service, BORIS)
    fix(service, taken, "Boris", CorrectionInput("city", "Berlin"))
    after = profile_of(service, taken, "Boris")
    assert after.city is not None
    assert (after.city.value, after.country) == ("Berlin", "Germany")
    fix(service, taken, "Boris", CorrectionInput("city", ""))
    after = profile_of(service, taken, "Boris")
    assert (after.city, after.country) == (None, None)


def test_taking_one_back_leaves_the_others(service: Service) -> None:
    taken = take_in(service, BORIS)
    before = profile_of(service, taken, "Boris")
    name = fix(service, taken, "Boris", CorrectionInput("name", "Boris Nowak"))
    dates = fix(service, taken, "Boris", CorrectionInput("position.dates", {"start": "2020", "end": "2021"}, entry=0))
    boris = service.store.applications.get(taken.ids["Boris"])
    revert_correction(service, boris, name, actor="bea", reason="He is called Novak after all")
    after = profile_of(service, taken, "Boris")
    assert after.name == before.name
    assert after.total_months == 24
    revert_correction(service, boris, dates, actor="bea")
    assert profile_of(service, taken, "Boris") == before
    with pytest.raises(UsageError, match="was already undone"):
        revert_correction(service, boris, dates, actor="bea")
    kinds = [
        event.body["action"] for event in service.store.ledger.of_application(boris.id) if event.kind == "correction"
    ]
    assert kinds == ["correct", "correct", "undo", "undo"]
    assert [each.undone_by for each in service.store.corrections.of_application(boris.id)] == ["bea", "bea"]
    assert service.store.corrections.active([boris.document]) == {}


def test_mining_anew_keeps_corrections(service: Service) -> None:
    taken = take_in(service, *FIVE)
    fix(service, taken, "Boris", CorrectionInput("name", "Boris Nowak"))
    fix(service, taken, "Boris", CorrectionInput("position.dates", {"start": "2012", "end": "2019"}, entry=0))
    fix(service, taken, "Boris", CorrectionInput("skill.add", "Python", words="payroll reports"))
    corrected, order = profile_of(service, taken, "Boris"), listed(service, taken)
    service.store.documents.drop_mined()
    reprocess(service, as_of=AS_OF)
    assert profile_of(service, taken, "Boris") == corrected
    assert listed(service, taken) == order
    boris = service.store.applications.get(taken.ids["Boris"])
    for each in service.store.corrections.of_application(boris.id):
        revert_correction(service, boris, each.id, actor="ann")
    service.store.documents.drop_mined()
    reprocess(service, as_of=AS_OF)
    plain = profile_of(service, taken, "Boris")
    assert plain.name is not None
    assert (plain.name.value, plain.total_months) == ("Boris Novak", 30)


def named(service: Service, taken: Taken) -> str:
    """As the index has it."""
    address = service.snapshot().find(taken.ids["Boris"])
    assert address is not None
    return str(service.snapshot().entry(address).card.name)


def test_the_same_file_for_another_job_after_mined_data_were_dropped(service: Service, settings: Settings) -> None:
    taken = take_in(service, BORIS)
    fix(service, taken, "Boris", CorrectionInput("name", "Boris Nowak"))
    service.store.documents.drop_mined()
    other = take_in(service, BORIS)
    assert (named(service, taken), named(service, other)) == ("Boris Nowak", "Boris Novak")
    assert verify_ledger(service.store, settings).findings == ()


def test_one_file_for_two_jobs_is_put_right_for_the_one_and_proposed_for_the_other(
    service: Service, settings: Settings
) -> None:
    first, second = take_in(service, BORIS), take_in(service, BORIS, ASHA)
    boris = service.store.applications.get(second.ids["Boris"])
    before = rank_of(service, second.job, boris.id)
    dates = CorrectionInput("position.dates", {"start": "2012-01", "end": "present"}, entry=0)
    made = fix(service, first, "Boris", dates, reason="Secret reason")
    assert rank_of(service, second.job, boris.id) == before
    assert service.store.applications.get(boris.id) == boris  # not even a new revision
    assert [event.kind for event in service.store.ledger.of_application(boris.id)] == ["ingest"]
    viewer = Viewer("cy", OPEN, lambda job: True)
    [proposed] = list_proposed(service, viewer, boris)
    assert (proposed.id, proposed.field, proposed.new) == (made, "position.dates", "2012-01 to present")
    outcome = accept_correction(service, viewer, boris, made, actor="cy")
    assert outcome.after.score is not None
    assert before.score is not None
    assert outcome.after.score > before.score
    assert profile_of(service, second, "Boris").total_months == 14 * 12 + 1
    event = service.store.ledger.of_application(boris.id)[-1]
    assert (event.kind, event.body["action"], event.body["scope"]) == ("correction", "accept", "application")
    assert service.store.ledger.unsealed([event.actor]) == {event.actor: "cy"}
    with pytest.raises(NotFound, match="no such proposed"):
        accept_correction(service, viewer, boris, made, actor="cy")
    # Each is undone by itself, and is not proposed again to who took it back.
    origin = service.store.applications.get(first.ids["Boris"])
    revert_correction(service, origin, made, actor="ann")
    assert profile_of(service, first, "Boris").total_months == 30
    assert profile_of(service, second, "Boris").total_months == 14 * 12 + 1
    assert list_proposed(service, viewer, origin) == ()
    assert list(disagreements(service.store, service.snapshot())) == []
    assert verify_ledger(service.store, settings).findings == ()


def test_a_declined_correction_changes_nothing_and_is_not_proposed_again(service: Service, settings: Settings) -> None:
    first, second = take_in(service, BORIS), take_in(service, BORIS)
    made = fix(service, first, "Boris", CorrectionInput("name", "Boris Nowak"))
    boris, viewer = service.store.applications.get(second.ids["Boris"]), Viewer("cy", OPEN, lambda job: True)
    decline_correction(service, viewer, boris, made, actor="cy", reason="He is Novak")
    assert named(service, second) == "Boris Novak"
    assert list_proposed(service, viewer, boris) == ()
    event = service.store.ledger.of_application(boris.id)[-1]
    assert (event.body["action"], service.store.ledger.opening(event.sequence)["reason"]) == ("decline", "He is Novak")
    with pytest.raises(NotFound, match="no such correction"):
        revert_correction(service, boris, made, actor="cy")
    service.store.documents.drop_mined()
    reprocess(service, as_of=AS_OF)
    assert (named(service, first), named(service, second)) == ("Boris Nowak", "Boris Novak")
    assert verify_ledger(service.store, settings).findings == ()


def test_on_behalf_of_the_applicant_all_their_applications_are_put_right(service: Service, settings: Settings) -> None:
    first, second, third = take_in(service, BORIS), take_in(service, BORIS, ASHA), take_in(service, BORIS)
    fix(service, third, "Boris", CorrectionInput("name", "Boris Nowak"))
    boris = service.store.applications.get(first.ids["Boris"])
    wanted = CorrectionInput("name", "Boris Nowak")
    made = correct(service, boris, wanted, actor="ada", reason="He wrote", everywhere=True).correction
    for taken in (first, second):
        assert named(service, taken) == "Boris Nowak"
        event = service.store.ledger.of_application(taken.ids["Boris"])[-1]
        told = {name: event.body[name] for name in ("action", "correction", "scope")}
        assert told == {"action": "correct", "correction": made, "scope": "person"}
        [line] = service.store.corrections.of_application(taken.ids["Boris"])
        assert line.ranks is not None
    assert [one.id for one in service.store.corrections.of_application(third.ids["Boris"])] != [made]  # right already
    assert (
        list_proposed(service, Viewer("cy", OPEN, lambda job: True), service.store.applications.get(third.ids["Boris"]))
        == ()
    )
    assert verify_ledger(service.store, settings).findings == ()


def test_a_proposed_name_is_masked_for_who_screens_blind(service: Service) -> None:
    first, second = take_in(service, BORIS), take_in(service, BORIS)
    name = fix(service, first, "Boris", CorrectionInput("name", "Boris Quillfeather"))
    fix(service, first, "Boris", CorrectionInput("position.employer", "Quillfeather and Sons", entry=0))
    boris = service.store.applications.get(second.ids["Boris"])
    blind = Viewer("cy", visibility_for(role="recruiter", blind=True, schools=False), lambda job: False)
    proposed = list_proposed(service, blind, boris)
    assert [(one.field, one.is_masked) for one in proposed] == [("name", True), ("position.employer", False)]
    assert "Quillfeather" not in str(proposed)
    with pytest.raises(Forbidden, match="masked for you"):
        accept_correction(service, blind, boris, name, actor="cy")


def test_what_can_no_longer_be_placed_is_said(
    service: Service, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    from evenhand.screening import ingest

    taken = take_in(service, BORIS)
    fix(service, taken, "Boris", CorrectionInput("position.title", "Programmer", entry=0))
    fix(service, taken, "Boris", CorrectionInput("name", "Boris Nowak"))

    def without_jobs(sources: object, *, as_of: str | None, settings: Settings) -> object:
        """As if a newer miner saw no job in this resume."""
        from tests.screening.service_fixtures import mine_here

        for mined in mine_here(sources, as_of=as_of, settings=settings):  # type: ignore[arg-type]
            yield MinedResume(mined.document, replace(mined.profile, positions=(), skills=()))

    monkeypatch.setattr(ingest, "mine_with_documents", without_jobs)
    service.store.documents.drop_mined()
    reprocess(service, as_of=AS_OF)
    after = profile_of(service, taken, "Boris")
    assert after.name is not None
    assert after.name.value == "Boris Nowak"
    assert [warning.code for warning in after.warnings] == ["correction_lost"]
    with service.screener(taken.job, ranker="best") as screener:
        [found] = screener.screen(Criteria(job=taken.job)).listed
    assert [flag.code for flag in found.result.flags] == ["correction_lost"]


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (CorrectionInput("name", "Boris Novak"), "what was read already"),
        (CorrectionInput("phone", "555-0100"), "no field 'phone'"),
        (CorrectionInput("position.title", "Cook", entry=7), "Choose the job"),
        (CorrectionInput("position.title", "Cook"), "Choose the job"),
        (CorrectionInput("education.level", "wizard", entry=0), "no degree level 'wizard'"),
        (CorrectionInput("position.dates", {"start": "March 2020", "end": ""}, entry=0), "is no date"),
        (CorrectionInput("position.dates", {"start": "2020-05", "end": "2020-04"}, entry=0), "end before it begins"),
        (CorrectionInput("position.dates", {"start": "present", "end": ""}, entry=0), "cannot begin at present"),
        (CorrectionInput("skill.add", "Python"), "is not in the resume"),
        (CorrectionInput("skill.add", "Java"), "among the skills already"),
        (CorrectionInput("skill.add", "Python", words="quantum entanglement"), "is not in the resume"),
        (CorrectionInput("skill.remove", "cobol"), "not among the skills"),
        (CorrectionInput("name", "x" * 301), "at most 300"),
    ],
)
def test_what_cannot_be_is_refused_in_words(service: Service, wanted: CorrectionInput, words: str) -> None:
    taken = take_in(service, BORIS)
    with pytest.raises(UsageError, match=words):
        fix(service, taken, "Boris", wanted)
    assert service.store.corrections.of_application(taken.ids["Boris"]) == []


def test_two_at_once_do_not_lose_each_others_work(service: Service) -> None:
    from evenhand.screening.ingest import prepared
    from evenhand.store.corrections import CorrectionDraft

    taken = take_in(service, BORIS)
    boris = service.store.applications.get(taken.ids["Boris"])
    stale = service.store.corrections.reading(boris.id)
    fix(service, taken, "Boris", CorrectionInput("name", "Boris Nowak"))
    new = CorrectionDraft("city", {}, "Prague", "Brno", "")
    result = prepared(stale.profile(), stale.text)
    with pytest.raises(UsageError, match="in the meantime"):
        service.store.corrections.add([(stale, new, result)], actor="bea")


def test_a_rank_is_known_however_long_the_list(service: Service) -> None:
    taken = take_in(service, *FIVE, job=JAVA_JOB)
    for number, name in enumerate(listed(service, taken), start=1):
        assert rank_of(service, taken.job, taken.ids[name]).rank == number
