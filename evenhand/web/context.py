"""What every request works with: one service, one recorder, one importer, kept from start to stop of the server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from starlette.requests import HTTPConnection

from evenhand.settings import Settings
from evenhand.store import Store
from evenhand.workflows.importing import Importer
from evenhand.workflows.recording import Recorder
from evenhand.workflows.service import Service


@dataclass(frozen=True, slots=True)
class Context:
    service: Service
    recorder: Recorder
    importer: Importer

    @property
    def store(self) -> Store:
        return self.service.store

    @property
    def settings(self) -> Settings:
        return self.service.settings


def context_of(connection: HTTPConnection) -> Context:
    return cast(Context, connection.app.state.context)
