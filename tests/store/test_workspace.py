"""Notes, tags, flags set aside, saved searches, how a job is shown: kept, on record, and only where they belong."""

from __future__ import annotations

import pytest

from evenhand.errors import NotFound, UsageError
from evenhand.store.jobs import JobSettings
from evenhand.store.notes import flag_key
from evenhand.store.store import Store
from tests.store.resumes import JOB, apply


def kinds(store: Store) -> list[str]:
    return [event.kind for event in store.ledger.walk()]


def test_notes_the_newest_first_and_each_on_record(store: Store) -> None:
    [one] = apply(store, store.jobs.add(JOB), "Java and more")
    first = store.notes.add(one, "  Called.  ", actor="ann")
    second = store.notes.add(one, "No answer", actor="bob")
    assert [(note.id, note.actor, note.text) for note in store.notes.of_application(one)] == [
        (second, "bob", "No answer"),
        (first, "ann", "Called."),
    ]
    store.notes.remove(first, application=one, actor="ann")
    assert [note.id for note in store.notes.of_application(one)] == [second]
    assert kinds(store)[-3:] == ["note", "note", "note"]


def test_what_a_note_says_is_not_in_the_chain(store: Store) -> None:
    [one] = apply(store, store.jobs.add(JOB), "Java and more")
    store.notes.add(one, "xylophone player", actor="ann")
    [event] = store.ledger.events(kinds=["note"])
    assert "xylophone" not in str(event.to_json())
    assert event.body["what"] == "added"


def test_a_note_is_reached_through_its_application_only(store: Store) -> None:
    one, other = apply(store, store.jobs.add(JOB), "Java and more", "Perl and more")
    note = store.notes.add(one, "Called.", actor="ann")
    with pytest.raises(NotFound):
        store.notes.remove(note, application=other, actor="ann")


@pytest.mark.parametrize("text", ["", "   ", "x" * 10_001])
def test_a_note_has_words_and_an_end(store: Store, text: str) -> None:
    [one] = apply(store, store.jobs.add(JOB), "Java and more")
    with pytest.raises(UsageError):
        store.notes.add(one, text, actor="ann")


def test_a_note_needs_an_application(store: Store) -> None:
    with pytest.raises(NotFound):
        store.notes.add("0" * 16, "Called.", actor="ann")


def test_tags_are_added_once_and_in_order(store: Store) -> None:
    one, other = apply(store, store.jobs.add(JOB), "Java and more", "Perl and more")
    assert store.notes.add_tag(one, "  call   back ", actor="ann")
    assert store.notes.add_tag(one, "abroad", actor="ann")
    assert not store.notes.add_tag(one, "abroad", actor="bob")
    assert store.notes.tags([one, other]) == {one: ("abroad", "call back")}
    store.notes.remove_tag(one, "abroad", actor="bob")
    assert store.notes.tags([one]) == {one: ("call back",)}
    with pytest.raises(NotFound):
        store.notes.remove_tag(one, "abroad", actor="bob")


def test_a_flag_set_aside_needs_a_reason_and_can_be_brought_back(store: Store) -> None:
    [one] = apply(store, store.jobs.add(JOB), "Java and more")
    with pytest.raises(UsageError):
        store.notes.dismiss_flag(one, "no_hire", "Employer X.", actor="ann", reason=" ")
    store.notes.dismiss_flag(one, "no_hire", "Employer X.", actor="ann", reason="another firm")
    key = flag_key("no_hire", "Employer X.")
    assert store.notes.dismissed_flags([one]) == {one: {key: "another firm"}}
    assert key != flag_key("no_hire", "Employer Y.")
    store.notes.restore_flag(one, key, actor="bob")
    assert store.notes.dismissed_flags([one]) == {}
    assert [(event.kind, event.body["what"]) for event in store.ledger.events(kinds=["override"])] == [
        ("override", "set aside"),
        ("override", "brought back"),
    ]
    with pytest.raises(NotFound):
        store.notes.restore_flag(one, key, actor="bob")


def test_saved_searches_are_ones_own(store: Store) -> None:
    job = store.jobs.add(JOB)
    store.searches.save(job, "Seniors", "skill=java>=60", actor="ann")
    kept = store.searches.save(job, "Seniors", "skill=java>=72", actor="ann")
    store.searches.save(job, "all", "", actor="ann")
    store.searches.save(job, "Seniors", "q=perl", actor="bob")
    assert [(search.name, search.query) for search in store.searches.of_job(job, actor="ann")] == [
        ("all", ""),
        ("Seniors", "skill=java>=72"),
    ]
    with pytest.raises(NotFound):
        store.searches.remove(kept, job=job, actor="bob")
    store.searches.remove(kept, job=job, actor="ann")
    assert [search.name for search in store.searches.of_job(job, actor="ann")] == ["all"]


@pytest.mark.parametrize(("name", "query"), [("", ""), ("x" * 101, ""), ("long", "q" * 4_001)])
def test_a_search_that_cannot_be_saved(store: Store, name: str, query: str) -> None:
    with pytest.raises(UsageError):
        store.searches.save(store.jobs.add(JOB), name, query, actor="ann")


def test_how_a_job_is_shown_is_on_record(store: Store) -> None:
    job = store.jobs.add(JOB)
    assert store.job_settings.get(job) == JobSettings()
    store.job_settings.change(job, JobSettings(blind=True, hide_schools=True), actor="ann")
    assert store.job_settings.get(job) == JobSettings(blind=True, hide_schools=True)
    store.job_settings.change(job, JobSettings(), actor="ann")
    assert store.job_settings.get(job) == JobSettings()
    shown = [event.body["blind"] for event in store.ledger.events(kinds=["job"]) if event.body.get("what") == "shown"]
    assert shown == [True, False]
    with pytest.raises(NotFound):
        store.job_settings.change("0" * 16, JobSettings(), actor="ann")


def test_remarks_go_with_their_application(store: Store) -> None:
    [one] = apply(store, store.jobs.add(JOB), "Java and more")
    store.notes.add(one, "Called.", actor="ann")
    store.notes.add_tag(one, "abroad", actor="ann")
    store.notes.dismiss_flag(one, "no_hire", "Employer X.", actor="ann", reason="another firm")
    store.erasures.remove_application(one)
    assert (store.notes.of_application(one), store.notes.tags([one]), store.notes.dismissed_flags([one])) == (
        [],
        {},
        {},
    )
