"""People in front of real browsers. Whatever goes wrong in one of them during a test is a fault of that test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Dialog,
    Page,
    Request,
    Response,
    StorageState,
    sync_playwright,
)

from tests.browser.served import Served

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
WAIT_MS = 20_000  # for anything that a page is to show: the machine may be busy
LEFT = "net::ERR_ABORTED"  # a page was left, a newer search overtook an older one, or an answer became a download


@contextmanager
def open_browser() -> Iterator[Browser]:
    """The system's own Chromium, else the one that Playwright has installed. There being none is a failure."""
    found = next((path for name in PROGRAMS if (path := shutil.which(name))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield browser
        browser.close()


@dataclass
class Visits:
    """Opens pages for people of the house, and notes what no page may do."""

    browser: Browser
    served: Served
    states: dict[str, StorageState]  # cookies of those who came in by a link before, by login
    faults: list[str] = field(default_factory=list)
    expected: set[int] = field(default_factory=set)  # answers that a test means to get
    asked: list[str] = field(default_factory=list)  # questions that pages put, where a test agrees to them
    agrees: bool = False
    contexts: list[BrowserContext] = field(default_factory=list)

    def page(
        self,
        who: str | None,
        path: str = "/",
        *,
        width: int = 1400,
        height: int = 900,
        dark: bool = False,
        calm: bool = True,
        bypass_csp: bool = False,
        **options: Any,
    ) -> Page:
        """A window of its own, of somebody who is signed in (or of nobody), at an address of the house."""
        context = self.browser.new_context(
            base_url=self.served.address,
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if calm else "no-preference",
            storage_state=self._state(who) if who else None,
            bypass_csp=bypass_csp,
            **options,
        )
        self.contexts.append(context)
        context.set_default_timeout(WAIT_MS)
        self._watch(context)
        page = context.new_page()
        page.goto(path)
        return page

    def close(self) -> None:
        for context in self.contexts:
            context.close()

    def _state(self, who: str) -> StorageState:
        """Signed in through a one-time link, in earnest, the first time."""
        if who not in self.states:
            context = self.browser.new_context()
            page = context.new_page()
            page.goto(self.served.link(who))
            page.get_by_role("button", name="Sign in").click()
            page.get_by_role("button", name="Sign out").wait_for()
            self.states[who] = context.storage_state()
            context.close()
        return self.states[who]

    def _watch(self, context: BrowserContext) -> None:
        context.on("console", self._said)
        context.on("weberror", lambda error: self.faults.append(f"error in a page: {error.error}"))
        context.on("requestfailed", self._failed)
        context.on("response", self._answered)
        context.on("dialog", self._asked)

    def _said(self, message: ConsoleMessage) -> None:
        expected = any(f"status of {status}" in message.text for status in self.expected)
        if message.type == "error" and not expected:
            self.faults.append(f"console: {message.text} ({message.location.get('url', '')})")

    def _failed(self, request: Request) -> None:
        if request.failure and LEFT not in request.failure:
            self.faults.append(f"request failed: {request.method} {request.url}: {request.failure}")

    def _answered(self, response: Response) -> None:
        if response.status >= 500 and response.status not in self.expected:
            self.faults.append(f"{response.status}: {response.request.method} {response.url}")

    def _asked(self, dialog: Dialog) -> None:
        self.asked.append(dialog.message)
        if self.agrees:
            dialog.accept()
            return
        self.faults.append(f"a page asked: {dialog.message}")
        dialog.dismiss()
