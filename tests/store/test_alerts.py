"""Who applied before is shown with every other application and its status."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenhand.errors import NotFound
from evenhand.records import Job
from evenhand.store.duplicates import Alert, RelatedApplication
from evenhand.store.store import Store
from tests.store.resumes import apply, arrive

JAVA = Job("Java.", "Java developer")
RUST = Job("Rust.", "Rust developer")


def test_who_applied_once_raises_no_alert(store: Store) -> None:
    job = store.jobs.add(JAVA)
    one, two = apply(store, job, "Java one", "Java two")
    assert store.duplicates.alerts([one, two]) == {one: (), two: ()}


def test_an_edited_resume_after_a_rejection_for_the_same_job(store: Store) -> None:
    job = store.jobs.add(JAVA)
    [first] = apply(store, job, "Java one")
    store.decisions.decide([first], "reject", actor="ann")
    [second] = apply(store, job, "Java one, edited")
    shas = [application.document for application in store.applications.get_many([first, second])]
    store.duplicates.add([(shas[0], shas[1], 0.9)], compared=shas)
    rejected = RelatedApplication(first, job, "Java developer", "rejected", "near_duplicate", 0.9)
    words = "this job, Rejected, 90% identical text."
    assert store.duplicates.alerts([second])[second] == (
        Alert("rejected_before", f"Rejected for this job before: {words}", (rejected,)),
        Alert("other_applications", f"Applied more than once: {words}", (rejected,)),
    )
    fresh = RelatedApplication(second, job, "Java developer", "new", "near_duplicate", 0.9)
    assert store.duplicates.alerts([first])[first] == (
        Alert("other_applications", "Applied more than once: this job, New, 90% identical text.", (fresh,)),
    )


def test_offered_elsewhere_and_every_other_status(store: Store) -> None:
    java, rust, python = store.jobs.add(JAVA), store.jobs.add(RUST), store.jobs.add(Job("Python.", None))
    [same_file] = apply(store, rust, "Java one")
    store.decisions.decide([same_file], "shortlist", actor="ann")
    store.decisions.decide([same_file], "offer", actor="ann")
    candidate = store.applications.get(same_file).candidate
    [other_file] = store.applications.add([replace(arrive(store, python, "Python two"), candidate=candidate)])
    [someone_else] = apply(store, rust, "Rust three")
    [asked] = apply(store, java, "Java one")
    offered = RelatedApplication(same_file, rust, "Rust developer", "offered", "same_candidate", None)
    waiting = RelatedApplication(other_file.application, python, None, "new", "same_candidate", None)
    assert store.duplicates.alerts([asked, someone_else]) == {
        asked: (
            Alert(
                "offered_elsewhere",
                "A position has been offered already: Rust developer, Offered, the same candidate.",
                (offered,),
            ),
            Alert(
                "other_applications",
                "Applied more than once: Rust developer, Offered, the same candidate; "
                f"job {python}, New, the same candidate.",
                (offered, waiting),
            ),
        ),
        someone_else: (),
    }


def test_the_same_file_under_another_name(store: Store) -> None:
    here, there = store.jobs.add(JAVA), store.jobs.add(RUST)
    [ada] = store.applications.add([replace(arrive(store, here, "Java one"), form={"name": "Ada"})])
    [eve] = store.applications.add([replace(arrive(store, there, "Java one"), form={"name": "Eve"})])
    [alert] = store.duplicates.alerts([eve.application])[eve.application]
    assert alert.related == (RelatedApplication(ada.application, here, "Java developer", "new", "same_document", None),)
    assert alert.message == "Applied more than once: Java developer, New, the same file under another name."


def test_a_rejection_for_another_job_is_no_special_alert(store: Store) -> None:
    here, there = store.jobs.add(JAVA), store.jobs.add(RUST)
    [first] = apply(store, there, "Java one")
    store.decisions.decide([first], "reject", actor="ann")
    [second] = apply(store, here, "Java one")
    [alert] = store.duplicates.alerts([second])[second]
    assert alert.code == "other_applications"
    assert [other.status for other in alert.related] == ["rejected"]


def test_an_application_that_is_not_there(store: Store) -> None:
    with pytest.raises(NotFound, match="no application 'x'"):
        store.duplicates.alerts(["x"])
