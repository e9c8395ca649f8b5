"""The batch processor: what becomes of every file that is offered, whatever it is called and whatever is in it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, func, select

from evenhand.documents.reading import PathLike
from evenhand.errors import NotFound, StoreError, UsageError
from evenhand.mining.pipeline import MinedResume
from evenhand.records import Failure, Job, Unread
from evenhand.screening import ingest as ingesting
from evenhand.screening.ingest import Summary, ingest
from evenhand.screening.service import ingest_files, open_service
from evenhand.search.service import Service
from evenhand.settings import Settings
from evenhand.store.applications import Arrival, ArrivalOutcome, Refusal
from evenhand.store.mined import mined_digests, mined_documents, mined_profiles, mined_sketches
from evenhand.store.store import FileCheck
from evenhand.store.tables import applications, candidates, documents
from evenhand_lab.corpora.generate import CorpusRequest, make
from tests.screening.applicants import AS_OF, ASHA, BORIS, FIVE
from tests.screening.service_fixtures import mine_here

pytestmark = pytest.mark.both_databases

JOB = Job(text="Java developer", title="Java developer")
SAMPLES = Path(ingesting.__file__).parent.parent / "samples"
EMPTY = Failure("empty_document", "The file contains no text.")


@pytest.fixture
def job(service: Service) -> str:
    return service.store.jobs.add(JOB)


def take(service: Service, job: str, *paths: Path | str) -> Summary:
    return ingest_files(service, paths, job, total=len(paths), as_of=AS_OF)


def rows(settings: Settings) -> dict[str, int]:
    """How many records master and mined tables hold."""
    engine = create_engine(settings.database_url)
    tables = (documents, candidates, applications, mined_documents, mined_profiles, mined_digests, mined_sketches)
    with engine.connect() as connection:
        found = {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one() for table in tables
        }
    engine.dispose()
    return found


def all_are(count: int) -> dict[str, int]:
    names = ("documents", "candidates", "applications")
    mined = ("mined_documents", "mined_profiles", "mined_digests", "mined_sketches")
    return dict.fromkeys((*names, *mined), count)


def test_fifty_resumes_twice_are_fifty_and_the_next_night_fifty_one(
    service: Service, job: str, settings: Settings, tmp_path: Path
) -> None:
    order = CorpusRequest(seed=5, kind="it", formats=("txt",))
    paths = []
    for number in range(51):
        paths.append(tmp_path / f"{number}.txt")
        paths[-1].write_bytes(make(order, number).files[0].data)
    assert take(service, job, *paths[:50]) == Summary(added=50)
    assert (rows(settings), service.snapshot().number) == (all_are(50), 50)
    before = service.store.changes.revision()
    assert take(service, job, *paths[:50]) == Summary(known=50)
    assert (rows(settings), service.snapshot().number) == (all_are(50), 50)
    assert service.store.changes.revision() == before
    assert take(service, job, *paths) == Summary(added=1, known=50)
    assert (rows(settings), service.snapshot().number) == (all_are(51), 51)
    assert service.store.check() == FileCheck()


def test_refused_files_are_on_record_and_their_bytes_kept(
    service: Service, job: str, settings: Settings, tmp_path: Path
) -> None:
    broken, copy, good = tmp_path / "broken.pdf", tmp_path / "copy.pdf", ASHA.write(tmp_path)
    broken.write_bytes(b"%PDF-1.7 and then nothing")
    copy.write_bytes(b"%PDF-1.7 and then nothing")
    sha256 = hashlib.sha256(broken.read_bytes()).hexdigest()
    failure = Failure("corrupt_document", "The file is damaged and cannot be opened.")
    summary = take(service, job, broken, good, copy)
    errors = [Unread(str(broken), failure), Unread(str(copy), failure)]
    assert (summary.added, summary.known, summary.errors) == (1, 0, errors)
    expected = [Refusal(job, str(broken), sha256, failure), Refusal(job, str(copy), sha256, failure)]
    assert service.store.applications.refusals(job) == expected
    assert service.store.files.read(sha256) == broken.read_bytes()
    assert (rows(settings), service.snapshot().number) == (all_are(1), 1)
    assert service.store.check().unclaimed == ()
    take(service, job, broken, good, copy)  # refused again: still one record each
    assert sorted(refusal.file for refusal in service.store.applications.refusals(job)) == [str(broken), str(copy)]


def test_a_file_that_is_readable_the_next_time_is_no_longer_refused(
    service: Service, job: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = ASHA.write(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(MinedResume, "failure", property(lambda _: EMPTY))
        assert take(service, job, path).errors == [Unread(str(path), EMPTY)]
    assert [refusal.failure for refusal in service.store.applications.refusals(job)] == [EMPTY]
    assert take(service, job, path) == Summary(added=1)
    assert service.store.applications.refusals(job) == []


def test_empty_files_of_two_people_are_two_refusals(service: Service, job: str, tmp_path: Path) -> None:
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_bytes(b"")
    summary = take(service, job, tmp_path / "one.txt", tmp_path / "two.txt")
    assert summary.errors == [Unread(str(tmp_path / name), EMPTY) for name in ("one.txt", "two.txt")]
    assert [refusal.failure for refusal in service.store.applications.refusals(job)] == [EMPTY, EMPTY]


def test_the_same_file_twice_in_a_batch_is_one_application(
    service: Service, job: str, settings: Settings, tmp_path: Path
) -> None:
    path, other = ASHA.write(tmp_path), tmp_path / "asha (1).txt"
    other.write_bytes(path.read_bytes())
    assert take(service, job, path, other, path) == Summary(added=1, known=2)
    assert rows(settings) == all_are(1)


def test_the_same_file_for_two_jobs_is_mined_once(
    service: Service, job: str, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = service.store.jobs.add(JOB)
    paths = [applicant.write(tmp_path) for applicant in FIVE]
    assert take(service, job, *paths[:4]) == Summary(added=4, duplicates=take_pairs(service))
    asked: list[PathLike] = []

    def counting(sources: Iterable[PathLike], **options: Any) -> Iterator[MinedResume]:
        for source in sources:
            asked.append(source)
            yield from mine_here([source], **options)

    monkeypatch.setattr(ingesting, "mine_with_documents", counting)
    assert take(service, second, *paths).added == 5
    assert [Path(str(path)).read_text() for path in asked] == [FIVE[4].text]
    expected = all_are(5) | {"applications": 9}
    assert (rows(settings), service.snapshot().number) == (expected, 9)
    of_first = {each.document: each.candidate for each in service.store.applications.of_job(job)}
    of_second = {each.document: each.candidate for each in service.store.applications.of_job(second)}
    assert {document: of_second[document] for document in of_first} == of_first  # the same people


def take_pairs(service: Service) -> int:
    """Near duplicates that are on record: these resumes differ in few words."""
    hashes = [sha256 for sha256, _ in service.store.duplicates.sketches()]
    return sum(len(service.store.duplicates.of_document(sha256)) for sha256 in hashes) // 2


def test_form_data_go_with_the_file_of_that_name(service: Service, job: str, tmp_path: Path) -> None:
    paths = [ASHA.write(tmp_path), BORIS.write(tmp_path)]
    forms = {"asha.txt": {"name": "A. Rao", "phone": "1"}}
    summary = ingest_files(service, paths, job, total=2, source="form", forms=forms, as_of=AS_OF)
    assert summary.added == 2
    found = {each.file: each for each in service.store.applications.of_job(job)}
    assert service.store.applications.form(found[str(paths[0])].candidate) == {"name": "A. Rao", "phone": "1"}
    assert service.store.applications.form(found[str(paths[1])].candidate) == {}
    assert {each.source for each in found.values()} == {"form"}
    snapshot = service.snapshot()
    address = snapshot.find(found[str(paths[0])].id)
    assert address is not None
    entry = snapshot.entry(address)
    assert (entry.card.form, entry.source) == ({"name": "A. Rao", "phone": "1"}, "form")


def test_a_closed_and_an_unknown_job_are_said_before_any_work(service: Service, job: str, tmp_path: Path) -> None:
    service.store.jobs.close(job)
    with pytest.raises(UsageError, match=f"The job {job} is closed and takes no more applications."):
        take(service, job, ASHA.write(tmp_path))
    with pytest.raises(NotFound, match="There is no job 'nowhere'"):
        take(service, "nowhere", ASHA.write(tmp_path))
    assert list(service.store.files.kept()) == []


def test_a_file_that_vanishes_while_it_waits(service: Service, job: str, tmp_path: Path) -> None:
    paths = [ASHA.write(tmp_path), BORIS.write(tmp_path)]

    def offered() -> Iterator[Path]:
        yield from paths
        paths[0].unlink()  # after its bytes were kept, before it is mined: the copy is read
        yield paths[0]

    summary = ingest_files(service, offered(), job, total=3, as_of=AS_OF)
    gone = Failure("unreadable_file", "The file cannot be opened: No such file or directory.")
    assert (summary.added, summary.errors) == (2, [Unread(str(paths[0]), gone)])
    assert service.store.applications.refusals(job) == [Refusal(job, str(paths[0]), None, gone)]
    assert service.snapshot().number == 2


HOSTILE = (
    b"a\nb.txt",
    b"<script>alert(1)<script>.txt",
    b"'; DROP TABLE applications; --.txt",
    b"bad-\xff\xfe.txt",
    "r\u0435sum\u0435 \u202etxt.exe.txt".encode(),
    b"-rf.txt",
    b"%s{0}$HOME.txt",
    b"x" * 250 + b".txt",
)


def test_hostile_names(service: Service, job: str, tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path)
    names = []
    for number, name in enumerate(HOSTILE):
        path = os.fsdecode(folder + b"/" + name)
        Path(path).write_text(FIVE[0].text.replace("Asha", f"Asha{number}"))
        names.append(path)
    (tmp_path / "inside").mkdir()
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "loop.txt").symlink_to(tmp_path / "loop.txt")
    odd = [str(tmp_path / name) for name in ("inside", "pipe.txt", "loop.txt", "nul\0.txt")]
    summary = ingest_files(service, [*names, *odd], job, total=12, as_of=AS_OF)
    assert (summary.added, len(summary.errors)) == (8, 4)
    assert {error.failure.code for error in summary.errors} == {"unreadable_file"}
    shown = {os.fsencode(name).decode("utf-8", "replace") for name in names}
    assert {each.file for each in service.store.applications.of_job(job)} == shown
    assert sorted(refusal.file for refusal in service.store.applications.refusals(job)) == sorted(
        name.replace("\0", "\ufffd") for name in odd
    )
    assert service.snapshot().number == 8


def test_a_batch_that_cannot_be_saved_is_taken_in_by_the_next_run(
    service: Service, job: str, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two files to a transaction; the second one fails, as it does when the disk is full."""
    paths = [applicant.write(tmp_path) for applicant in FIVE]
    monkeypatch.setattr(ingesting, "BATCH", 2)
    real = service.store.applications.add
    calls = []

    def failing(arrivals: Sequence[Arrival], **others: Any) -> list[ArrivalOutcome]:
        calls.append(len(arrivals))
        if len(calls) == 2:
            raise StoreError("The disk is full.")
        return real(arrivals, **others)

    with monkeypatch.context() as patch:
        patch.setattr(service.store.applications, "add", failing)
        with pytest.raises(StoreError, match=r"The disk is full\."):
            ingest(paths, job, store=service.store, settings=settings, as_of=AS_OF)
    assert (calls, service.store.applications.count()) == ([2, 2], 2)
    assert len(service.store.check().unclaimed) == 3  # kept already, and claimed by the next run
    assert take(service, job, *paths).added == 3
    assert (rows(settings), service.store.check().unclaimed) == (all_are(5), ())


@pytest.mark.slow
def test_with_readers_and_miners_in_processes_of_their_own(tmp_path: Path) -> None:
    settings = Settings(data=str(tmp_path / "data"))
    names = ("data-engineer.pdf", "password.pdf")
    with open_service(settings) as service:
        job = service.store.jobs.add(JOB)
        summary = take(service, job, *(SAMPLES / name for name in names))
        codes = [(Path(error.file).name, error.failure.code) for error in summary.errors]
        assert (summary.added, codes) == (1, [("password.pdf", "encrypted_document")])
        [application] = service.store.applications.of_job(job)
        assert application.file == str(SAMPLES / "data-engineer.pdf")
        assert service.snapshot().number == 1
