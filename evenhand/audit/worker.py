"""The process that works on one audit, beside the server and with less of the processor, so that no page waits for it.

Started as `python -m evenhand.audit.worker ID` with the settings as JSON on its input.
"""

from __future__ import annotations

import json
import os
import sys

from evenhand.audit.run import AuditProgress, AuditRequest, run_audit
from evenhand.errors import EvenhandError
from evenhand.search.service import Service, open_data_folder
from evenhand.settings import Settings

POLITE = 15  # of 19: everything else comes first
NOT_OURS = 4


def work_on(service: Service, id: str) -> None:
    """An audit that was claimed; in the end it is done or has failed, and says why."""
    store = service.store
    try:
        request = AuditRequest.from_json(store.audits.get(id).request)
        # Somebody has stopped it or taken it over: nothing of it is kept.
        with AuditProgress(store, id, lost=lambda: os._exit(NOT_OURS)) as progress:
            report = run_audit(service, request, progress=progress.progress)
        store.audits.finish(id, report.to_json())
    except EvenhandError as error:
        store.audits.fail(id, str(error))
    except Exception as error:
        store.audits.fail(id, f"A fault in Evenhand: {type(error).__name__}: {error}")
        raise


def main() -> None:
    os.nice(POLITE)
    settings = Settings(**json.load(sys.stdin))
    with open_data_folder(settings) as service:
        work_on(service, sys.argv[1])


if __name__ == "__main__":
    main()
