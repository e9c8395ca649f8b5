"""Makes the pictures of README and docs from the demo, as a browser shows it. Run as: python tools/make_screenshots.py

The demo's pool is built if it is not there. Chromium is the system's own, or the one that Playwright installed.
"""

from __future__ import annotations

import io
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from evenhand.settings import Settings, load_settings
from evenhand_lab.demo.pool import Demo, build_demo, make_sign_in_links

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDE, NARROW = {"width": 1400, "height": 900}, {"width": 390, "height": 844}
COLOURS = 256  # enough for pages, and a third of the bytes
TITLE = "Senior Accountant"


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    port = free_port()
    settings = replace(load_settings().settings, address=f"http://127.0.0.1:{port}")
    demo = build_demo(settings)
    links = make_sign_in_links(demo)
    with served(demo.settings, port), sync_playwright() as playwright:
        found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        take_all(browser, demo, links)
        browser.close()


def take_all(browser: Browser, demo: Demo, links: dict[str, str]) -> None:
    page = sign_in(browser, links["admin"])
    page.get_by_role("link", name=TITLE).click()
    page.wait_for_load_state("networkidle")
    job = page.url
    take(page, "screening")
    state = page.context.storage_state()
    first = page.locator('a[href^="/applications/"]').first.get_attribute("href") or ""
    ids = page.eval_on_selector_all(
        'a[href^="/applications/"]', "all => [...new Set(all.map(a => a.pathname.split('/')[2]))]"
    )
    address = demo.settings.address
    page.goto(address + first)
    page.locator("a[href^='#']").filter(has_text="general ledger").first.click()
    page.wait_for_timeout(800)
    take(page, "candidate")
    page.goto(address + first)
    page.locator("#predictions").scroll_into_view_if_needed()
    page.get_by_role("link", name="Why?").first.click()
    page.locator(".reason h4").first.wait_for()
    page.locator("#predictions").evaluate("panel => panel.scrollIntoView()")
    page.wait_for_timeout(800)
    take(page, "why")
    page.goto(f"{job}/compare?" + "&".join(f"a={id}" for id in ids[:3]))
    take(page, "compare")
    page.goto(f"{address}/ledger")
    take(page, "ledger")
    page.goto(f"{address}/applications/{ids[0]}/receipt")
    take(page, "receipt")
    for name, size, scheme in (("screening-dark", WIDE, "dark"), ("screening-phone", NARROW, "light")):
        context = browser.new_context(viewport=size, color_scheme=scheme, storage_state=state)  # type: ignore[arg-type]
        other = context.new_page()
        other.goto(job)
        other.wait_for_load_state("networkidle")
        take(other, name)
        context.close()


def sign_in(browser: Browser, link: str) -> Page:
    page = browser.new_context(viewport=WIDE, color_scheme="light").new_page()  # type: ignore[arg-type]
    page.goto(link)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_load_state("networkidle")
    return page


def take(page: Page, name: str) -> None:
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(PICTURES / f"{name}.png", optimize=True)


@contextmanager
def served(settings: Settings, port: int) -> Iterator[None]:
    command = [sys.executable, "-m", "evenhand", "serve", "--port", str(port), "--set", f"data={settings.data}"]
    process = subprocess.Popen(command)
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/sign-in", timeout=5).close()
                break
            except OSError:
                time.sleep(0.2)
        yield
    finally:
        process.terminate()
        process.wait(timeout=30)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


if __name__ == "__main__":
    main()
