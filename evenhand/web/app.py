"""The application: which routes there are, and what every request passes on its way to them."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import asdict
from functools import cache
from urllib.parse import urlsplit

import uvicorn
from fastapi import APIRouter, FastAPI
from starlette.routing import BaseRoute
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from evenhand.audit.background import Auditor
from evenhand.documents.reading import find_confinement_gap
from evenhand.ledger.recording import Recorder
from evenhand.mining.pipeline import vocabulary_for
from evenhand.screening.imports import Importer
from evenhand.screening.service import open_service
from evenhand.settings import Settings
from evenhand.version import __version__
from evenhand.web.access import check_routes
from evenhand.web.api import api
from evenhand.web.context import Context
from evenhand.web.errors import add_handlers
from evenhand.web.idempotency import Idempotency
from evenhand.web.pages import ROUTERS
from evenhand.web.rendering import STATIC, stamp
from evenhand.web.security import LOCAL, BodyLimit, Headers, Origins, PatientProtocol

FORM_BYTES = 1_000_000
UPLOADS = "/files"  # the end of every address that takes a resume or a job as a file


def make_app(context: Context, *, closing: Callable[[], None] = lambda: None) -> FastAPI:
    """`closing` is called when the server stops. Raises AssertionError for a route that does not say who may use it."""
    app = FastAPI(
        title="Evenhand", version=__version__, openapi_url=None, docs_url=None, redoc_url=None, lifespan=_life
    )
    app.state.context = context
    app.state.closing = closing
    app.router.routes.extend(_checked_routes())
    add_handlers(app)
    address = urlsplit(context.settings.address)
    # The last one added is the first that a request meets.
    app.add_middleware(Idempotency)
    app.add_middleware(BodyLimit, limit=lambda scope: _limit(scope, context.settings))
    app.add_middleware(Origins, hosts={*LOCAL, address.hostname or "", *context.settings.hosts.split()})
    app.add_middleware(Headers, https=address.scheme == "https")
    return app


@cache
def _checked_routes() -> list[BaseRoute]:
    """The same for every application: who may use each of some hundred takes a second to work out."""
    served = APIRouter()
    for router in ROUTERS:
        served.include_router(router, include_in_schema=False)
    served.include_router(api, prefix="/api/v1")
    served.mount("/static", _Kept(directory=STATIC), name="static")
    check_routes(served.routes)
    return served.routes


@asynccontextmanager
async def _life(app: FastAPI) -> AsyncIterator[None]:
    context: Context = app.state.context
    context.importer.start()
    context.auditor.start()
    # Lexicons take a second to load, and whoever types the first skill should not wait for them.
    context.service.executor.submit(vocabulary_for, context.settings)
    yield
    context.importer.stop()
    context.auditor.stop()
    context.recorder.checkpoint()
    if provider := getattr(app.state, "single_sign_on", None):
        provider.close()
    app.state.closing()


def _limit(scope: Scope, settings: Settings) -> int:
    return settings.upload_bytes if str(scope["path"]).endswith(UPLOADS) else FORM_BYTES


class _Kept(StaticFiles):
    """Their addresses begin with a hash of their content, so browsers may keep them."""

    def get_path(self, scope: Scope) -> str:
        first, _, rest = super().get_path(scope).partition("/")
        return rest if first == stamp() else ""

    def file_response(self, *arguments: object, **named: object) -> object:  # type: ignore[override]
        response = super().file_response(*arguments, **named)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


# The server: opens what the settings name, serves it until it is told to stop, and signs off the ledger.

GRACE_SECONDS = 5
KEEP_ALIVE_SECONDS = 65  # somebody reads a list before the next click; a new connection each time would cost time
HANDED_DOWN = "SERVED_SETTINGS"  # those in force, flags included, for the processes that serve


@contextmanager
def open_context(settings: Settings) -> Iterator[Context]:
    with open_service(settings) as service:
        yield Context(service, Recorder(service.store, settings), Importer(service), Auditor(service))


def serve(settings: Settings, *, host: str, port: int, processes: int = 1) -> None:
    """Until Ctrl-C or SIGTERM. Several processes share the store and the index; the pages do not notice."""
    with open_context(settings) as context:
        context.service.follow()  # once, before any page waits for it
    proxies = [str(network) for network in settings.proxy_networks]
    os.environ[HANDED_DOWN] = json.dumps(asdict(settings))
    os.environ["PYTHONSAFEPATH"] = "1"  # the processes that serve must not import what lies in the working folder
    uvicorn.run(
        "evenhand.web.app:make_served_app",
        factory=True,
        workers=processes,
        host=host,
        port=port,
        log_level="warning",
        access_log=False,  # addresses hold ids; who looked at what is in the ledger
        server_header=False,
        http=PatientProtocol,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def make_served_app() -> FastAPI:
    """In each process that serves: what it opens is closed when it stops."""
    opened = ExitStack()
    settings = Settings(**json.loads(os.environ[HANDED_DOWN]))
    context = opened.enter_context(open_context(settings))
    app = make_app(context, closing=opened.close)
    # Starts a process, which takes a second; the pages of administrators say what it found.
    app.state.confinement_gap = context.service.executor.submit(find_confinement_gap, settings)
    return app
