"""`evenhand demo`: what it says before it serves. The pool itself is tested where it is built."""

from __future__ import annotations

import re
from pathlib import Path

from evenhand.screening.service import open_service
from evenhand.settings import Settings
from evenhand_lab.commands.demo import greeting
from evenhand_lab.demo.pool import STAFF, Demo, hire

LINK = re.compile(r"http://127\.0\.0\.1:8123/enter/(\S+)")


def make_demo(folder: Path) -> Demo:
    settings = Settings(data=str(folder), address="http://127.0.0.1:8123")
    with open_service(settings) as service:
        staff = hire(service)
    return Demo(settings, ["one", "two"], 1_234, staff, 0.0)


def test_each_link_lets_somebody_else_in_once(tmp_path: Path) -> None:
    demo = make_demo(tmp_path)
    lines = greeting(demo)
    assert lines[0] == "1,234 applications for 2 jobs are ready at http://127.0.0.1:8123"
    tokens = [match[1] for line in lines if (match := LINK.search(line))]
    with open_service(demo.settings) as service:
        entered = [service.store.links.use(token, "sign_in").login for token in tokens]
        assert entered == ["admin", "robin", "auditor"]
        assert all(service.store.links.get(token) is None for token in tokens)


def test_links_of_an_earlier_start_are_void(tmp_path: Path) -> None:
    demo = make_demo(tmp_path)
    first = LINK.search("\n".join(greeting(demo)))
    greeting(demo)
    assert first is not None
    with open_service(demo.settings) as service:
        assert service.store.links.get(first[1]) is None


def test_nobody_in_the_demo_has_a_password(tmp_path: Path) -> None:
    demo = make_demo(tmp_path)
    with open_service(demo.settings) as service:
        assert [user.has_password for user in service.store.accounts.all()] == [False] * len(STAFF)
