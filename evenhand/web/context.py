"""What every request works with: one service, recorder, importer and auditor, kept from start to stop of the server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from starlette.requests import HTTPConnection

from evenhand.audit.background import Auditor
from evenhand.ledger.recording import Recorder
from evenhand.screening.imports import Importer
from evenhand.search.service import Service
from evenhand.settings import Settings
from evenhand.store.store import Store


@dataclass(frozen=True, slots=True)
class Context:
    service: Service
    recorder: Recorder
    importer: Importer
    auditor: Auditor

    @property
    def store(self) -> Store:
        return self.service.store

    @property
    def settings(self) -> Settings:
        return self.service.settings


def context_of(connection: HTTPConnection) -> Context:
    return cast(Context, connection.app.state.context)
