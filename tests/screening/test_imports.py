"""Uploads become applications, bad ones are named, and what was cut off goes on."""

from __future__ import annotations

import time

import pytest

from evenhand.errors import NotFound, UsageError
from evenhand.records import Failure
from evenhand.screening.imports import Importer, keep_upload, refuse_upload, run_import
from evenhand.search.service import Service
from evenhand.store.imports import ADDED, KNOWN, REFUSED, WAITING
from tests.screening.applicants import JAVA_JOB

RESUME = b"Ada Example\nada@example.com\n\nExperience\nJava developer, Firm Ltd, 2019 - 2024\nWrote Java and SQL.\n"
OTHER = RESUME.replace(b"Ada", b"Eve").replace(b"Java", b"Perl")


def test_each_file_is_told_what_became_of_it(service: Service) -> None:
    job = service.store.jobs.add(JAVA_JOB)
    id = service.store.imports.begin(job, actor="ann", source="portal")
    names = ["ada.txt", "again.txt", "../../etc/passwd", "empty.txt"]
    for name, data in zip(names, [RESUME, RESUME, OTHER, b""], strict=True):
        keep_upload(service, id, name, data)
    refuse_upload(service, id, "huge.pdf", 99, Failure("too_large", "Too large."))
    assert service.store.imports.get(id).count(WAITING) == 4
    service.store.imports.seal(id)
    done = run_import(service, id)
    assert [(file.number, file.file, file.state, file.code) for file in done.files] == [
        (1, "ada.txt", ADDED, None),
        (2, "again.txt", KNOWN, None),
        (3, "../../etc/passwd", ADDED, None),
        (4, "empty.txt", REFUSED, "empty_document"),
        (5, "huge.pdf", REFUSED, "too_large"),
    ]
    assert done.finished is not None
    applications = list(service.store.applications.of_job(job))
    assert sorted((each.file, each.source) for each in applications) == [
        ("../../etc/passwd", "portal"),
        ("ada.txt", "portal"),
    ]
    [event] = service.store.ledger.events(kinds=["import"])
    assert event.body["files"] == {ADDED: 2, KNOWN: 1, REFUSED: 2}


def test_an_import_that_was_cut_off_is_continued_at_the_next_start(service: Service) -> None:
    job = service.store.jobs.add(JAVA_JOB)
    id = service.store.imports.begin(job, actor="ann")
    keep_upload(service, id, "ada.txt", RESUME)
    service.store.imports.seal(id)
    importer = Importer(service)  # as if the server had been killed before it came to it
    importer.start()
    try:
        _wait_until_finished(service, id)
    finally:
        importer.stop()
    assert [file.state for file in service.store.imports.get(id).files] == [ADDED]
    assert service.store.imports.unfinished() == []


def test_running_it_again_changes_nothing(service: Service) -> None:
    job = service.store.jobs.add(JAVA_JOB)
    id = service.store.imports.begin(job, actor="ann")
    keep_upload(service, id, "ada.txt", RESUME)
    run_import(service, id)
    assert run_import(service, id).count(ADDED) == 1
    assert service.store.applications.count(job) == 1
    assert service.store.imports.get(id).finished is None  # more files may come
    service.store.imports.seal(id)
    assert run_import(service, id).finished is not None


def test_what_an_import_refuses(service: Service) -> None:
    job = service.store.jobs.add(JAVA_JOB)
    id = service.store.imports.begin(job, actor="ann")
    service.store.imports.seal(id)
    with pytest.raises(UsageError, match="takes no more files"):
        keep_upload(service, id, "late.txt", RESUME)
    service.store.jobs.close(job)
    with pytest.raises(UsageError, match="closed"):
        service.store.imports.begin(job, actor="ann")
    with pytest.raises(NotFound):
        service.store.imports.begin("0" * 16, actor="ann")
    with pytest.raises(NotFound):
        service.store.imports.get("0" * 16)


def _wait_until_finished(service: Service, id: str) -> None:
    deadline = time.monotonic() + 30
    while service.store.imports.get(id).finished is None:
        assert time.monotonic() < deadline, "the importer did not come to it"
        time.sleep(0.02)
