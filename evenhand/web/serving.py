"""The server: opens what the settings name, serves it until it is told to stop, and signs off the ledger."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict

import uvicorn
from fastapi import FastAPI

from evenhand.settings import Settings
from evenhand.web.app import make_app
from evenhand.web.context import Context
from evenhand.workflows.auditing.background import Auditor
from evenhand.workflows.importing import Importer
from evenhand.workflows.opening import open_service
from evenhand.workflows.recording import Recorder

GRACE_SECONDS = 5
KEEP_ALIVE_SECONDS = (
    65  # somebody reads a list before the next click; a new connection each time would cost her
)
HANDED_DOWN = "SERVED_SETTINGS"  # those in force, flags included, for the processes that serve


@contextmanager
def open_context(settings: Settings) -> Iterator[Context]:
    with open_service(settings) as service:
        yield Context(service, Recorder(service.store, settings), Importer(service), Auditor(service))


def serve(settings: Settings, *, host: str, port: int, processes: int = 1) -> None:
    """Until Ctrl-C or SIGTERM. Several processes share the store and the index; the pages do not notice."""
    with open_context(settings) as context:
        context.service.follow()  # once, before any page waits for it
    os.environ[HANDED_DOWN] = json.dumps(asdict(settings))
    uvicorn.run(
        "evenhand.web.serving:make_served_app",
        factory=True,
        workers=processes,
        host=host,
        port=port,
        log_level="warning",
        access_log=False,  # addresses hold ids; who looked at what is in the ledger
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def make_served_app() -> FastAPI:
    """In each process that serves: what it opens is closed when it stops."""
    opened = ExitStack()
    settings = Settings(**json.loads(os.environ[HANDED_DOWN]))
    return make_app(opened.enter_context(open_context(settings)), closing=opened.close)
