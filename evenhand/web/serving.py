"""The server: opens what the settings name, serves it until it is told to stop, and signs off the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from evenhand.settings import Settings
from evenhand.web.app import make_app
from evenhand.web.context import Context
from evenhand.workflows.importing import Importer
from evenhand.workflows.recording import Recorder
from evenhand.workflows.service import open_service

GRACE_SECONDS = 5


@contextmanager
def open_context(settings: Settings) -> Iterator[Context]:
    with open_service(settings) as service:
        yield Context(service, Recorder(service.store, settings), Importer(service))


def serve(settings: Settings, *, host: str, port: int) -> None:
    """Until Ctrl-C or SIGTERM."""
    with open_context(settings) as context:
        context.service.follow()
        uvicorn.run(
            make_app(context),
            host=host,
            port=port,
            log_level="warning",
            access_log=False,  # addresses hold ids; who looked at what is in the ledger
            server_header=False,
            timeout_graceful_shutdown=GRACE_SECONDS,
            h11_max_incomplete_event_size=64_000,
        )
