"""Every table and column that the documentation does not except, the chain and the file: tampered with, and found.

`evenhand bench ledger` does the same with more data and more often.
"""

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
from evenhand.store.self_identifications import SelfIdentificationStore
from evenhand.store.store import Store
from evenhand_lab.benchmarks.tampering import TamperedDatabase, write_remaining_tables
from tests.ledger.chains import write

TIMES = 2  # each way


def test_every_tampering_is_found_with_ones_own_checkpoints_and_key(tmp_path: Path) -> None:
    settings, random = Settings(data=str(tmp_path)), Random(7)
    path, earlier = tmp_path / "evenhand.db", tmp_path / "earlier.db"
    with Store.open(settings.database_url, files=tmp_path / "files") as store:
        write(store)
        job = store.jobs.all()[0].id
        write_remaining_tables(store, job)
        first, second, *_ = [application.id for application in store.applications.of_job(job)]
        answers = [SelfIdentification(first, {"sex": "female"}), SelfIdentification(second, {"sex": None})]
        SelfIdentificationStore(store.context).save(answers, actor="ann", job=job)
        with closing(sqlite3.connect(path)) as now, closing(sqlite3.connect(earlier)) as copy:
            now.backup(copy)
        store.notes.add_tag(next(store.applications.of_job(store.jobs.all()[0].id)).id, "later", actor="ann")
        checkpoint = make_checkpoint(store, settings)
        assert checkpoint
        own = tmp_path / "own.jsonl"
        shutil.copy(settings.checkpoint_path, own)
        missed, tried = [], []
        with closing(TamperedDatabase(path, random, [earlier])) as tampered:
            for name, tamper in (way for _ in range(TIMES) for way in tampered.ways()):
                if tamper():
                    tried.append(name)
                    if verify_ledger(store, settings, checkpoints=own, key=checkpoint.key).sound:
                        missed.append(name)
                tampered.restore()
            assert verify_ledger(store, settings, checkpoints=own, key=checkpoint.key).findings == ()
            untried = {name for name, _ in tampered.ways()} - set(tried)
        assert not missed, ", ".join(sorted(set(missed)))
        assert len(tried) > 270
        assert untried <= {"insert audit_schedules"}  # a job has one
