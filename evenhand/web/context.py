"""What every request works with: one service, recorder, importer and auditor, kept from start to stop of the server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from starlette.requests import HTTPConnection

from evenhand.settings import Settings
from evenhand.store import Store
from evenhand.workflows.auditing.background import Auditor
from evenhand.workflows.importing import Importer
from evenhand.workflows.recording import Recorder
from evenhand.workflows.service import Service


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
