"""The process that works on one audit, beside the server and with less of the processor, so that no page waits for it.

Started as `python -m evenhand.workflows.auditing.worker ID` with the settings as JSON on its input.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from contextlib import AbstractContextManager, nullcontext

from evenhand.errors import EvenhandError
from evenhand.settings import Settings
from evenhand.store import Store
from evenhand.workflows.auditing.requests import AuditRequest
from evenhand.workflows.auditing.running import run_audit
from evenhand.workflows.service import Service, open_service

POLITE = 15  # of 19: everything else comes first
EVERY_SECONDS = 2.0
NOT_OURS = 4


class Telling:
    """A bar whose numbers are written down every two seconds, also while it stands still."""

    def __init__(self, store: Store, id: str) -> None:
        self._store = store
        self._id = id
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._tell, name="evenhand-audit-telling", daemon=True)
        self.done, self.total, self.doing = 0, 0, "Preparing"

    def advance(self) -> None:
        self.done += 1

    def watch(self, label: str, total: int) -> AbstractContextManager[Telling]:
        self.done, self.total, self.doing = 0, total, label
        return nullcontext(self)

    def __enter__(self) -> Telling:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _tell(self) -> None:
        while not self._ended.wait(EVERY_SECONDS):
            if not self._store.tell_audit(self._id, done=self.done, total=self.total, doing=self.doing):
                os._exit(NOT_OURS)  # somebody has stopped it or taken it over; nothing of it is kept


def work_on(service: Service, id: str) -> None:
    """An audit that was claimed; in the end it is done or has failed, and says why."""
    store = service.store
    try:
        request = AuditRequest.from_json(store.audit(id).request)
        with Telling(store, id) as telling:
            report = run_audit(service, request, watch=telling.watch)
        store.finish_audit(id, report.to_json())
    except EvenhandError as error:
        store.fail_audit(id, str(error))
    except Exception as error:
        store.fail_audit(id, f"A fault in Evenhand: {type(error).__name__}: {error}")
        raise


def main() -> None:
    os.nice(POLITE)
    settings = Settings(**json.load(sys.stdin))
    with open_service(settings) as service:
        work_on(service, sys.argv[1])


if __name__ == "__main__":
    main()
