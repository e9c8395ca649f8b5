"""Every table and column that the documentation does not except: edited, deleted, inserted, rolled back, and found."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

from evenhand.ledger.checkpoints import make_checkpoint
from evenhand.ledger.verify import verify_ledger
from evenhand.records.groups import SelfIdentification
from evenhand.settings import Settings
from evenhand.store.corrections import CorrectionDraft
from evenhand.store.jobs import JobSettings
from evenhand.store.mined import CorrectedReading
from evenhand.store.self_identifications import SelfIdentificationStore
from evenhand.store.store import Store
from tests.ledger.chains import write
from tests.ledger.tampering import TamperedDatabase, rolled_back
from tests.store.resumes import mine

TIMES = 2  # each way


def fill(store: Store) -> None:
    """A row in every table that events tell of."""
    write(store)
    job = store.jobs.all()[0].id
    first, second, *_ = [application.id for application in store.applications.of_job(job)]
    ada = store.accounts.add("ada", "Ada", "recruiter", actor="ann")
    ben = store.accounts.add("ben", "Ben", "admin", actor="ann")
    store.jobs.grant_access(job, ada.id, actor=ben.id)
    store.job_settings.change(job, JobSettings(blind=True), actor=ada.id)
    store.tokens.make(ada.id, "script", 30)
    store.notes.add(first, "Call her.", actor="ann")
    store.notes.remove(store.notes.add(first, "Call him.", actor="ann"), application=first, actor="ann")
    store.notes.add_tag(first, "java", actor="ann")
    store.notes.dismiss_flag(first, "no_hire", "On the list.", actor="ann", reason="Another company.")
    store.retention.set_rule("rejected", 90, actor="ann")
    store.retention.hold(second, "A court decides.", actor="ann")
    reading = store.corrections.reading(first)
    mined = mine(reading.text.encode(), digest=b"new")
    assert mined.profile
    result = CorrectedReading(mined.profile, b"new", "1")
    draft = CorrectionDraft("name", {"value": "Ida"}, "Ada", "Ida", "misread")
    store.corrections.add([(reading, draft, result)], actor="ann")
    answers = [SelfIdentification(first, {"sex": "female"}), SelfIdentification(second, {"sex": None})]
    SelfIdentificationStore(store.context).save(answers, actor="ann", job=job)
    store.audits.schedule("weekly", job=job, request={}, actor="ann")
    batch = store.imports.begin(job, actor="ann")
    store.imports.seal(batch)
    store.imports.finish(batch)


def test_every_tampering_is_found_with_ones_own_checkpoints_and_key(tmp_path: Path) -> None:
    settings, random = Settings(data=str(tmp_path)), Random(7)
    path, earlier = tmp_path / "evenhand.db", tmp_path / "earlier.db"
    with Store.open(settings.database_url, files=tmp_path / "files") as store:
        fill(store)
        with closing(sqlite3.connect(path)) as now, closing(sqlite3.connect(earlier)) as copy:
            now.backup(copy)
        store.notes.add_tag(next(store.applications.of_job(store.jobs.all()[0].id)).id, "later", actor="ann")
        checkpoint = make_checkpoint(store, settings)
        assert checkpoint
        own = tmp_path / "own.jsonl"
        shutil.copy(settings.checkpoint_path, own)
        missed, tried = [], 0
        with closing(TamperedDatabase(path, random)) as tampered:
            for name, tamper in (way for _ in range(TIMES) for way in tampered.ways()):
                if tamper():
                    tried += 1
                    if verify_ledger(store, settings, checkpoints=own, key=checkpoint.key).sound:
                        missed.append(name)
                tampered.restore()
            assert verify_ledger(store, settings, checkpoints=own, key=checkpoint.key).findings == ()
        rolled_back(path, earlier)
        assert not verify_ledger(store, settings, checkpoints=own, key=checkpoint.key).sound
    assert not missed, ", ".join(sorted(set(missed)))
    assert tried > 250
