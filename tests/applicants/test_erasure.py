"""Who is erased is nowhere any more: not in a row, a file, the index, the log or the space of what was deleted."""

from __future__ import annotations

import logging
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote_plus

import pytest
from sqlalchemy import create_engine, select, text, update

from evenhand.applicants.certificate import certificate_letter
from evenhand.applicants.corrections import correct
from evenhand.applicants.erasure import certificate_of, erase, is_genuine, plan_erasure, read_erasures, whole_person
from evenhand.errors import NotFound, UsageError
from evenhand.ledger.recording import Recorder
from evenhand.ledger.replay import replay_all
from evenhand.ledger.verify import verify_ledger
from evenhand.mining.corrections import CorrectionInput
from evenhand.records import Failure
from evenhand.records.event import EventDraft
from evenhand.screening.candidate_list import Viewer, screen
from evenhand.screening.service import open_service, reprocess
from evenhand.search.criteria import Criteria
from evenhand.search.index_sync import disagreements
from evenhand.search.service import Service
from evenhand.search.visibility import OPEN
from evenhand.settings import Settings
from evenhand.store.applications import ArrivalOutcome, Refusal
from evenhand.store.decisions import decisions
from evenhand.store.mined import MINED
from evenhand.store.person_mentions import ERASED
from evenhand.store.tables import MASTER, pack
from tests.screening.applicants import AS_OF, ASHA, BORIS, CLARA, FIVE, Applicant, Taken, take_in
from tests.screening.applicants import MASTER as DEGREE

pytestmark = pytest.mark.both_databases

WORD = "Zebrafinchova"
NOTED = "Quokkanote"
ZORA = Applicant(f"Zora {WORD}", "Prague", DEGREE, "Java", "Jan 2016", "Dec 2021", "zebrafinch feeders")


def erase_one(service: Service, taken: Taken, name: str) -> dict[str, object]:
    done = erase(service, [taken.ids[name]], actor="ann", reason="Asked for it by letter")
    return certificate_of(done)


def files_with(folder: Path, *words: bytes) -> list[str]:
    """Every file below the folder whose raw bytes hold one of the words."""
    return sorted(
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and any(word in path.read_bytes() for word in words)
    )


def rows_with(settings: Settings, *words: str) -> list[str]:
    engine = create_engine(settings.database_url)
    found = []
    with engine.connect() as connection:
        for table in (*MASTER.sorted_tables, *MINED.sorted_tables):
            for row in connection.execute(select(table)):
                values = [_readable(value) for value in row]
                if any(word in value for word in words for value in values):
                    found.append(table.name)
    engine.dispose()
    return sorted(set(found))


def _readable(value: object) -> str:
    import zlib

    if isinstance(value, bytes | memoryview):
        try:
            return zlib.decompress(bytes(value)).decode()
        except (zlib.error, UnicodeDecodeError):
            return bytes(value).decode("utf-8", "replace")
    return str(value)


def leave_traces(service: Service, taken: Taken) -> None:
    """Everywhere somebody could have written of Zora."""
    store, zora = service.store, taken.ids["Zora"]
    store.notes.add(zora, f"{NOTED}: called her", actor="ann")
    store.notes.add_tag(zora, f"{NOTED} tag", actor="ann")
    store.labels.add(zora, user="ann", label="relevant")
    store.notes.dismiss_flag(zora, "no_hire", f"{NOTED} flag", actor="ann", reason=f"{NOTED} reason")
    store.decisions.decide([zora], "reject", actor="ann", reason=f"{NOTED} why")
    import_ = store.imports.begin(taken.job, actor="ann")
    document = store.applications.get(zora).document
    store.imports.add_file(import_, f"{WORD}.txt", sha256=document, size_bytes=10, external_id=f"{WORD}-1")
    store.imports.settle_file(import_, 1, outcome=ArrivalOutcome(zora, "", new=True))
    store.searches.save(taken.job, "her", f"text={quote_plus(ZORA.name)}", actor="ann")
    store.searches.save(taken.job, "java", "text=java", actor="ann")
    criteria = Criteria(job=taken.job, text=ZORA.name).to_json()
    told = {"terms": ZORA.name.split()}
    store.ledger.append([EventDraft("ranking", "ann", taken.job, sealed={"criteria": criteria, "told": told})])
    store.ledger.append([EventDraft("ranking", "ann", taken.job, sealed={"criteria": {"text": "java"}})])
    application = store.applications.get(zora)
    correct(service, application, CorrectionInput("position.employer", f"{WORD} Works", entry=0), actor="ann")


def test_nothing_is_left_of_who_is_erased(service: Service, settings: Settings, tmp_path: Path) -> None:
    taken = take_in(service, ZORA, BORIS)
    leave_traces(service, taken)
    document = service.store.applications.get(taken.ids["Zora"]).document
    packed = pack(ZORA.text)
    assert len(rows_with(settings, WORD, NOTED)) >= 10
    for folder in ("files", "index"):
        assert files_with(settings.data_path / folder, WORD.encode()) != []
    certificate = erase_one(service, taken, "Zora")
    assert rows_with(settings, WORD, NOTED, "zebrafinch") == []
    # Words, and the packed text: a deleted row holds that and not the words.
    lost = (WORD.encode(), NOTED.encode(), b"zebrafinch", packed[10:60], packed[-40:], document.encode())
    assert files_with(tmp_path, *lost) == []
    assert certificate["applications"] == 1
    assert service.store.files.size_bytes(document) is None
    with pytest.raises(NotFound):
        service.store.applications.get(taken.ids["Zora"])


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
@pytest.mark.postgres
def test_nothing_is_left_in_the_files_of_a_server(service: Service, settings: Settings) -> None:
    """But for its log of changes, which it reuses by itself. Other tests use the same server, so words are new."""
    word = f"Quokka{secrets.token_hex(6)}"
    taken = take_in(service, replace(ZORA, name=f"Zora {word}", words=f"{word} feeders"), BORIS)
    zora = taken.ids["Zora"]
    packed = pack(service.store.documents.text(service.store.applications.get(zora).document))
    service.store.notes.add(zora, f"{word} called", actor="ann")
    service.store.decisions.decide([zora], "reject", actor="ann", reason=f"{word} why")
    base = _checkpointed(settings)
    assert files_with(base, word.encode()) != []
    assert files_with(base, packed[10:60]) != []
    erase_one(service, taken, "Zora")
    _checkpointed(settings)
    assert files_with(base, word.encode(), packed[10:60], packed[-40:]) == []


def _checkpointed(settings: Settings) -> Path:
    """Where the server keeps its tables, all of it on the disk."""
    engine = create_engine(settings.database_url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text("CHECKPOINT"))
        folder = connection.execute(text("SHOW data_directory")).scalar_one()
    engine.dispose()
    return Path(str(folder)) / "base"


def test_the_certificate_counts_what_went(service: Service) -> None:
    taken = take_in(service, ZORA, BORIS)
    leave_traces(service, taken)
    certificate = erase_one(service, taken, "Zora")
    assert certificate["rows"] == {
        "masks": 1,
        "applications": 1,
        "candidates": 1,
        "corrected facts": 1,
        "corrections": 1,
        "decision reasons": 2,
        "documents": 1,
        "earlier facts": 1,
        "flags": 1,
        "import files": 1,
        "labels": 1,
        "notes": 1,
        "resemblances": 1,  # to Boris
        "seals": 1,
        "sealed values": 11,  # file, note, tag, flag (2), decision, and five values of the correction
        "searches": 2,
        "tags": 1,
        "texts and facts": 1,
    }
    assert certificate["database"] == "rewritten"
    assert certificate["index"] == {"entries_written_anew": 1}
    assert certificate["jobs"] == [taken.job]
    assert is_genuine(certificate)
    assert is_genuine(certificate, key=str(certificate["key"]))
    assert not is_genuine(certificate, key="00" * 32)
    assert not is_genuine({**certificate, "reason": "another"})
    assert WORD not in str(certificate)
    assert taken.ids["Zora"] not in str(certificate)


def test_the_source_of_an_application_is_erased(service: Service, settings: Settings) -> None:
    """Referred by somebody: nothing that a recruiter types about an import may stay in the chain for ever."""
    taken = take_in(service, ZORA, BORIS, source=f"Referral: {NOTED}, her sister")
    assert rows_with(settings, NOTED) != []
    erase(service, list(taken.ids.values()), actor="ann", reason="Asked")
    assert rows_with(settings, NOTED) == []
    assert verify_ledger(service.store, settings).findings == ()


def test_an_altered_source_is_found(service: Service, settings: Settings) -> None:
    take_in(service, ZORA, source="Referral")
    engine = create_engine(settings.database_url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE applications SET source = 'Agency'"))
    engine.dispose()
    assert verify_ledger(service.store, settings).findings != ()


@pytest.mark.parametrize(
    "typed", [WORD, f"+{WORD.upper()}", f"name:{WORD.lower()}", f"{WORD}'s java", ZORA.name], ids=str
)
def test_searches_for_a_part_of_the_name_are_forgotten(service: Service, settings: Settings, typed: str) -> None:
    taken = take_in(service, ZORA, BORIS)
    service.store.searches.save(taken.job, "one", f"text={quote_plus(typed)}", actor="ann")
    service.store.searches.save(taken.job, f"like {WORD}", "text=java", actor="ann")
    sealed = {"criteria": Criteria(job=taken.job, text=typed).to_json()}
    service.store.ledger.append([EventDraft("ranking", "ann", taken.job, sealed=sealed)])
    certificate = erase_one(service, taken, "Zora")
    assert rows_with(settings, WORD, WORD.lower(), WORD.upper()) == []
    assert service.store.searches.of_job(taken.job, actor="ann") == []
    assert certificate["remaining"] == {}
    assert verify_ledger(service.store, settings).findings == ()


def test_a_name_that_is_an_ordinary_word_takes_no_search_with_it(service: Service) -> None:
    ruby = replace(ZORA, name="Ruby Baker")
    taken = take_in(service, ruby, BORIS)
    sealed = {"criteria": Criteria(job=taken.job, text="ruby rails").to_json()}
    service.store.ledger.append([EventDraft("ranking", "ann", taken.job, sealed=sealed)])
    service.store.searches.save(taken.job, "pastry", "text=baker", actor="ann")
    certificate = erase_one(service, taken, "Ruby")
    assert certificate["remaining"] == {"searches": 2}
    assert [search.name for search in service.store.searches.of_job(taken.job, actor="ann")] == ["pastry"]


def test_what_was_written_about_others_is_named_before_and_counted_after(service: Service, settings: Settings) -> None:
    taken = take_in(service, ZORA, BORIS)
    boris = taken.ids["Boris"]
    service.store.notes.add(boris, f"Weaker than {WORD}", actor="ann")
    service.store.notes.add(boris, "Good at Java", actor="ann")
    service.store.notes.add_tag(boris, f"knows {ZORA.name}", actor="ann")
    service.store.decisions.decide([boris], "reject", actor="ann", reason=f"{WORD} is better")
    plan = plan_erasure(service, [taken.ids["Zora"]])
    assert sorted((mention.kind, mention.application) for mention in plan.mentions) == [
        ("notes", boris),
        ("reasons", boris),
        ("tags", boris),
    ]
    certificate = erase_one(service, taken, "Zora")
    assert certificate["remaining"] == {"notes": 1, "reasons": 2, "tags": 1}  # rejecting screens first
    words = str(certificate_letter(certificate))
    assert "Notes about other applicants that name this person: 1." in words
    assert WORD not in words
    assert verify_ledger(service.store, settings).findings == ()


def test_decisions_imports_and_counts_stay_without_the_person(service: Service) -> None:
    taken = take_in(service, ZORA, BORIS)
    leave_traces(service, taken)
    [import_] = service.store.imports.of_job(taken.job)
    erase_one(service, taken, "Zora")
    made = service.store.decisions.of_application(taken.ids["Zora"])
    assert [(each.action, each.reason, each.actor) for each in made] == [("screen", "", "ann"), ("reject", "", "ann")]
    [file] = service.store.imports.get(import_.id).files
    assert (file.file, file.sha256, file.state) == (ERASED, None, "added")
    assert [search.name for search in service.store.searches.of_job(taken.job, actor="ann")] == ["java"]


def test_the_chain_verifies_and_the_others_are_as_they_were(service: Service, settings: Settings) -> None:
    taken = take_in(service, ZORA, *FIVE)
    leave_traces(service, taken)
    with service.screener(taken.job, ranker="best") as screener:
        before = {each.entry.application: each.result.score for each in screener.screen(Criteria(job=taken.job)).listed}
    certificate = erase_one(service, taken, "Zora")
    found = verify_ledger(service.store, settings)
    assert found.findings == ()
    assert found.signed_until == service.store.ledger.head()[0]
    assert list(disagreements(service.store, service.snapshot())) == []
    with service.screener(taken.job, ranker="best") as screener:
        after = screener.screen(Criteria(job=taken.job)).listed
    assert {each.entry.application: each.result.score for each in after} == {
        id: score for id, score in before.items() if id != taken.ids["Zora"]
    }
    assert service.store.ledger.seal_of("application", taken.ids["Zora"]) is None
    assert service.store.ledger.of_application(taken.ids["Zora"]) == []
    events = service.store.ledger.events(kinds=["erasure"])
    assert [event.body["action"] for event in events] == ["erase", "certified"]
    assert [event.body["certificate"] for event in events] == [certificate["id"]] * 2


def test_a_file_that_came_for_two_jobs_stays_for_the_other(service: Service, settings: Settings) -> None:
    first, second = take_in(service, ZORA), take_in(service, ZORA)
    service.store.notes.add(first.ids["Zora"], NOTED, actor="ann")
    document = service.store.applications.get(first.ids["Zora"]).document
    [held] = plan_erasure(service, [first.ids["Zora"]]).held
    assert (held.keeps_document, held.keeps_candidate) == (True, True)
    certificate = erase_one(service, first, "Zora")
    assert certificate["rows"] == {"applications": 1, "masks": 1, "notes": 1, "sealed values": 2, "seals": 1}
    assert service.store.files.read(document) == ZORA.text.encode()
    kept = service.store.documents.profile(document)
    assert kept is not None
    assert kept.name is not None
    assert kept.name.value == ZORA.name
    with service.screener(second.job, ranker="best") as screener:
        assert screener.ids(Criteria(job=second.job)) == [second.ids["Zora"]]
    assert rows_with(settings, NOTED) == []
    erase_one(service, second, "Zora")
    assert rows_with(settings, WORD) == []
    assert service.store.files.size_bytes(document) is None


def test_a_whole_person(service: Service, settings: Settings) -> None:
    first, second = take_in(service, ZORA), take_in(service, ZORA, BORIS)
    application = service.store.applications.get(first.ids["Zora"])
    everything = whole_person(service, application)
    assert sorted(everything) == sorted([first.ids["Zora"], second.ids["Zora"]])
    done = erase(service, everything, actor="ann", reason="Asked")
    assert certificate_of(done)["applications"] == 2
    assert rows_with(settings, WORD) == []


def test_backups_that_hold_the_person_are_named(service: Service) -> None:
    old = service.store.backups.add(
        "tape 1", actor="ann", made=datetime.now(UTC) - timedelta(days=1), expires=datetime.now(UTC)
    )
    taken = take_in(service, ZORA, BORIS)
    gone = service.store.backups.add("disk 1", actor="ann")
    service.store.backups.end(gone)
    soon = datetime.now(UTC) + timedelta(days=30)
    service.store.backups.add("tape 2", actor="ann", expires=soon)
    plan = plan_erasure(service, [taken.ids["Zora"]])
    assert [backup.place for backup in plan.backups] == ["tape 2"]  # tape 1 is older than the application
    certificate = erase_one(service, taken, "Zora")
    named = certificate["backups"]
    assert isinstance(named, list)
    assert [backup["place"] for backup in named] == ["tape 2"]
    assert [backup["expires"] for backup in named] == [soon.isoformat(timespec="seconds")]
    assert {backup.id for backup in service.store.backups.all()} >= {old}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)  # a copied file stands for a backup
def test_a_database_that_is_put_back_is_cleared_again(
    settings: Settings, service: Service, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    taken = take_in(service, ZORA, BORIS)
    database = Path(settings.database_url.removeprefix("sqlite:///"))
    service.store.erasures.scrub()  # all of it in one file
    shutil.copy(database, tmp_path / "backup.db")
    kept = service.store.files.path(service.store.applications.get(taken.ids["Zora"]).document)
    shutil.copy(kept, tmp_path / "resume")
    certificate = erase_one(service, taken, "Zora")
    service.store.close()
    for path in database.parent.glob(database.name + "*"):
        path.unlink()
    shutil.copy(tmp_path / "backup.db", database)
    kept.parent.mkdir(exist_ok=True)
    shutil.copy(tmp_path / "resume", kept)
    (tmp_path / "resume").unlink()
    (tmp_path / "backup.db").unlink()
    with caplog.at_level(logging.WARNING), open_service(settings) as again:
        assert again.store.applications.count() == 1
        assert f"the erasure {certificate['id']} is applied again to 1 of 1" in caplog.text
        assert files_with(tmp_path, WORD.encode(), b"zebrafinch") == []
        [erasure] = again.store.erasures.all()
        assert certificate_of(erasure)["rows"] == certificate["rows"]
        assert [event.body["action"] for event in again.store.ledger.events(kinds=["erasure"])] == [
            "again",
            "certified",
        ]
    caplog.clear()
    with caplog.at_level(logging.WARNING), open_service(settings):
        assert caplog.text == ""


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)  # a copied file stands for a backup
def test_an_older_database_without_the_person_learns_of_the_certificate(
    settings: Settings, service: Service, tmp_path: Path
) -> None:
    database = Path(settings.database_url.removeprefix("sqlite:///"))
    service.store.erasures.scrub()
    shutil.copy(database, tmp_path / "backup.db")
    taken = take_in(service, ZORA, BORIS)
    certificate = erase_one(service, taken, "Zora")
    service.store.close()
    for path in database.parent.glob(database.name + "*"):
        path.unlink()
    shutil.copy(tmp_path / "backup.db", database)
    with open_service(settings) as again:
        [erasure] = again.store.erasures.all()
        assert certificate_of(erasure) == certificate


def test_an_erasure_that_is_cut_off_is_finished_at_the_next_start(
    settings: Settings, service: Service, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from evenhand.applicants import erasure

    taken = take_in(service, ZORA, BORIS)

    def fail(*_: object) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(erasure, "_clear_index", fail)
        with pytest.raises(KeyboardInterrupt):
            erase_one(service, taken, "Zora")
    [begun] = service.store.erasures.all(unfinished=True)
    assert files_with(settings.data_path / "index", WORD.encode()) != []
    with caplog.at_level(logging.WARNING), open_service(settings) as again:
        assert again.store.erasures.all(unfinished=True) == []
        assert files_with(settings.data_path, b"zebrafinch", WORD.encode()) == []
        assert is_genuine(certificate_of(again.store.erasures.get(begun.id)))
        assert f"The erasure {begun.id} was cut off" in caplog.text


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_the_file_outside_the_database_names_nobody(service: Service, settings: Settings) -> None:
    taken = take_in(service, ZORA, BORIS)
    certificate = erase_one(service, taken, "Zora")
    with settings.erasure_path.open("ab") as file:
        file.write(b'{"id": 5\nnonsense\n')  # cut off by a loss of power
    known = read_erasures(settings.erasure_path)
    assert list(known) == [certificate["id"]]
    assert known[str(certificate["id"])].applications == (taken.ids["Zora"],)
    assert settings.erasure_path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("reason", "ground", "words"),
    [(" ", "request", "needs a reason"), ("x" * 501, "request", "at most 500"), ("why", "mood", "no ground")],
)
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_what_is_refused(service: Service, reason: str, ground: str, words: str) -> None:
    taken = take_in(service, BORIS)
    with pytest.raises(UsageError, match=words):
        erase(service, [taken.ids["Boris"]], actor="ann", reason=reason, ground=ground)
    assert service.store.applications.count() == 1


def test_who_is_on_hold_is_not_erased(service: Service) -> None:
    taken = take_in(service, BORIS, CLARA)
    service.store.retention.hold(taken.ids["Boris"], "case 7 before the labour court", actor="ann")
    with pytest.raises(UsageError, match="case 7"):
        erase(service, list(taken.ids.values()), actor="ann", reason="Asked")
    assert service.store.applications.count() == 2  # all or none
    service.store.retention.lift_hold(taken.ids["Boris"], actor="ann")
    erase(service, list(taken.ids.values()), actor="ann", reason="Asked")
    assert service.store.applications.count() == 0


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_the_same_file_may_come_again(service: Service) -> None:
    taken = take_in(service, ZORA, ASHA)
    erase_one(service, taken, "Zora")
    again = take_in(service, ZORA)
    assert again.ids["Zora"] != taken.ids["Zora"]
    with service.screener(again.job, ranker="best") as screener:
        assert len(screener.ids(Criteria(job=again.job))) == 1


def test_refusals_of_the_same_file_go(service: Service, settings: Settings, tmp_path: Path) -> None:
    taken = take_in(service, ZORA)
    other = service.store.jobs.add(service.store.jobs.get(taken.job).requirements)
    document = service.store.applications.get(taken.ids["Zora"]).document
    refusal = Refusal(other, f"{WORD}.txt", document, Failure("parse_timeout", "It took too long."))
    service.store.applications.add([], refusals=[refusal])
    erase_one(service, taken, "Zora")
    assert service.store.applications.refusals(other) == []
    assert rows_with(settings, WORD) == []


def test_a_reason_written_for_somebody_erased_is_found(service: Service, settings: Settings) -> None:
    """What was decided on them stays; why goes with them, and nobody can put another reason in its place."""
    taken = take_in(service, ZORA)
    service.store.decisions.decide([taken.ids["Zora"]], "reject", actor="ann", reason="No Java")
    erase_one(service, taken, "Zora")
    assert verify_ledger(service.store, settings).findings == ()
    with service.store.context.database.writing() as connection:
        connection.execute(update(decisions).values(reason="Too old"))
    [finding] = verify_ledger(service.store, settings).findings
    assert finding.code == "differing_decision"


def test_names_on_other_refused_files_and_watch_lists_are_counted(service: Service, settings: Settings) -> None:
    taken = take_in(service, ZORA)
    named = (f"{ZORA.name.replace(' ', '_')}_2.pdf", "Somebody_Else.pdf")
    failure = Failure("corrupt_document", "The file is damaged and cannot be opened.")
    refused = [Refusal(taken.job, name, str(number) * 64, failure) for number, name in enumerate(named)]
    service.store.applications.add([], refusals=refused)
    service.store.watchlist.add("no_hire", "Initech Ltd", note=f"Ask {ZORA.name}", actor="ann")
    certificate = erase_one(service, taken, "Zora")
    assert certificate["remaining"] == {"refused files": 1, "watch lists": 1}
    words = str(certificate_letter(certificate))
    assert "Other files that failed to import and have this person's name: 1." in words
    assert "Entries of watch lists that name this person: 1." in words
    assert verify_ledger(service.store, settings).findings == ()


def test_rankings_of_the_past_still_replay_for_the_others(service: Service, settings: Settings) -> None:
    """Through a correction, an erasure and mining anew."""
    taken = take_in(service, ZORA, *FIVE)
    recorder = Recorder(service.store, settings)
    viewer = Viewer("ann", OPEN, lambda job: True)
    for words in ("", "python"):
        screen(service, recorder, viewer, Criteria(job=taken.job, text=words))
    boris = service.store.applications.get(taken.ids["Boris"])
    correct(
        service, boris, CorrectionInput("position.dates", {"start": "2010", "end": "present"}, entry=0), actor="ann"
    )
    screen(service, recorder, viewer, Criteria(job=taken.job))
    erase_one(service, taken, "Zora")
    service.store.documents.drop_mined()
    reprocess(service, as_of=AS_OF)
    screen(service, recorder, viewer, Criteria(job=taken.job))
    found = list(replay_all(service))
    assert [each.differences for each in found] == [()] * 4
    assert [each.erased for each in found] == [1, 1, 1, 0]
    assert verify_ledger(service.store, settings).findings == ()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_the_source_in_events_of_an_earlier_version_is_on_the_certificate(
    service: Service, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands in the open in the chain, which cannot be changed."""
    from evenhand.store import applications

    made = applications.ingest_drafts

    def drafts_as_before(*args: object) -> Iterator[EventDraft]:
        for draft in made(*args):  # type: ignore[arg-type]
            for value in draft.sealed.values():
                del value.value["source"]
            yield replace(draft, body={**draft.body, "source": "Referral"})

    monkeypatch.setattr(applications, "ingest_drafts", drafts_as_before)
    taken = take_in(service, ZORA, BORIS, source="Referral")
    assert verify_ledger(service.store, settings).findings == ()
    certificate = erase_one(service, taken, "Zora")
    assert certificate["remaining"] == {"open sources": 1}
    assert "say in the open where the application came from: 1." in str(certificate_letter(certificate))
