"""`evenhand user`: the first admin on a real terminal, links, roles, and who has which job."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from evenhand.accounts import sign_in
from evenhand.cli.main import app
from evenhand.errors import EvenhandError
from evenhand.records import Job
from evenhand.store.store import Store

GOOD = "four green wagons ride"
LINK = re.compile(r"http://127\.0\.0\.1:8000/enter/([\w-]{43})\n")


@pytest.fixture
def runner(tmp_path: Path) -> CliRunner:
    return CliRunner(env={"COLUMNS": "100", "TERM": "dumb", "EVENHAND_DATA": str(tmp_path)})


def kept(folder: Path) -> Store:
    return Store.open(f"sqlite:///{folder / 'evenhand.db'}", files=folder / "files")


def ran(runner: CliRunner, *arguments: str) -> str:
    result = runner.invoke(app, ["user", *arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0
    return result.stdout


def listed(runner: CliRunner) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ran(runner, "list", "--json").splitlines()]


def on_terminal(folder: Path, *arguments: str, typed: tuple[str, ...]) -> tuple[int, str]:
    """Runs the program on a terminal of its own; types one answer at each question. Exit code and what it showed."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ |= {"EVENHAND_DATA": str(folder), "TERM": "dumb"}
        os.execv(sys.executable, [sys.executable, "-m", "evenhand", "user", *arguments])
    shown, answers, asked = b"", list(typed), 0
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            read = os.read(terminal, 4096)
        except OSError:  # the other side is closed
            break
        if not read:
            break
        shown += read
        if shown.count(b"Password: ") + shown.count(b"again: ") > asked and answers:
            asked += 1
            os.write(terminal, answers.pop(0).encode() + b"\n")
    _, status = os.waitpid(child, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), shown.decode().replace("\r\n", "\n")


def test_the_first_admin_types_a_password_twice(tmp_path: Path) -> None:
    arguments = ("add", "ada@example.com", "--role", "admin", "--name", "Ada")
    code, shown = on_terminal(tmp_path, *arguments, typed=(GOOD, GOOD))
    assert (code, shown) == (0, "Password: \nThe same again: \nada@example.com can sign in at http://127.0.0.1:8000\n")
    with kept(tmp_path) as store:
        assert sign_in.sign_in(store, "ada@example.com", GOOD, address="").user.role == "admin"
    code, shown = on_terminal(tmp_path, "password", "ada@example.com", typed=(GOOD, "another"))
    assert (code, shown.splitlines()[-1]) == (2, "Error: The two passwords differ; nothing was changed.")
    code, shown = on_terminal(tmp_path, "password", "ada@example.com", typed=("changeme1234",) * 2)
    assert code == 2
    assert "among the first that strangers try" in shown
    code, shown = on_terminal(tmp_path, *arguments, typed=())
    assert (code, shown) == (2, "Error: There is a user 'ada@example.com' already.\n")


def test_an_invitation_is_a_link_that_works_once(runner: CliRunner, tmp_path: Path) -> None:
    found = LINK.fullmatch(ran(runner, "invite", "bo@example.com", "--role", "auditor", "--hours", "24"))
    assert found is not None
    with kept(tmp_path) as store:
        assert sign_in.start_anew(store, found[1], sign_in.INVITATION, GOOD).user.role == "auditor"
    [bo] = listed(runner)
    assert {name: bo[name] for name in bo if name not in ("id", "created")} == {
        "login": "bo@example.com",
        "name": "bo@example.com",
        "role": "auditor",
        "disabled": False,
        "has_password": True,
    }


def test_an_admin_without_a_terminal_gets_a_link(runner: CliRunner, tmp_path: Path) -> None:
    found = LINK.fullmatch(ran(runner, "add", "ada", "--role", "admin", "--link"))
    assert found is not None
    with kept(tmp_path) as store:
        assert sign_in.start_anew(store, found[1], sign_in.INVITATION, GOOD).user.login == "ada"


def test_the_address_is_a_setting(runner: CliRunner) -> None:
    told = ran(runner, "invite", "bo", "--set", "address=https://hiring.example.com")
    assert told.startswith("https://hiring.example.com/enter/")


def test_links_sign_in_or_give_a_new_password(runner: CliRunner, tmp_path: Path) -> None:
    ran(runner, "invite", "bo")
    for arguments, kind in (((), "sign_in"), (("--password", "--hours", "24"), "password")):
        found = LINK.fullmatch(ran(runner, "link", "bo", *arguments))
        assert found is not None
        with kept(tmp_path) as store:
            assert store.links.use(found[1], kind).login == "bo"


def test_users_are_listed_changed_and_disabled(runner: CliRunner, tmp_path: Path) -> None:
    ran(runner, "add", "ada", "--role", "admin", "--link", "--name", "Ada Brent")
    ran(runner, "invite", "bo")
    for arguments, said in (
        (("bo", "auditor"), "bo would be auditor instead of recruiter; --yes does it."),
        (("bo", "recruiter", "--yes"), "bo is recruiter already."),
        (("bo", "auditor", "--yes"), "bo is auditor now and was recruiter before."),
    ):
        assert listed(runner)[1]["role"] == "recruiter"
        assert runner.invoke(app, ["user", "role", *arguments]).stderr == said + "\n"
    ran(runner, "rename", "bo", "Bo Carden")
    ran(runner, "disable", "bo", "--by", "ada")
    assert [(user["name"], user["role"], user["disabled"]) for user in listed(runner)] == [
        ("Ada Brent", "admin", False),
        ("Bo Carden", "auditor", True),
    ]
    table = [line.split() for line in ran(runner, "list").splitlines()]
    assert table[0] == ["Login", "Name", "Role", "Since"]
    assert table[2][:4] + table[2][5:] == ["ada", "Ada", "Brent", "admin", "no", "password"]
    assert table[3][-1] == "disabled"
    ran(runner, "enable", "bo")
    assert not listed(runner)[1]["disabled"]
    with kept(tmp_path) as store:
        changes = [(event.body["change"], event.actor) for event in store.ledger.events(kinds=["account"])]
        assert changes[-2] == ("disabled", store.ledger.seal_of("actor", "ada"))


def test_jobs_are_given_and_taken(runner: CliRunner, tmp_path: Path) -> None:
    with kept(tmp_path) as store:
        job = store.jobs.add(Job("Java.", "Developer"))
    ran(runner, "invite", "bo")
    ran(runner, "give", job, "bo")
    with kept(tmp_path) as store:
        assert [user.login for user in store.jobs.members(job)] == ["bo"]
    assert runner.invoke(app, ["user", "give", job, "bo"]).stderr == "bo had the job already.\n"
    ran(runner, "take", job, "bo")
    with kept(tmp_path) as store:
        assert store.jobs.members(job) == []


def test_without_users_the_next_step_is_told(runner: CliRunner) -> None:
    result = runner.invoke(app, ["user", "list"])
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "There are no users yet. Make the first: evenhand user add LOGIN --role admin\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("add", "x", "--role", "admin"), "A password is typed on a terminal; without one, use --link"),
        (("add", "x", "--role", "boss"), "There is no role 'boss'; the roles are recruiter, auditor, admin."),
        (("add", "a b", "--role", "admin"), "A login is a name or an e-mail address without spaces."),
        (("add", "ada", "--role", "admin"), "There is a user 'ada' already."),
        (("invite", "ada"), "There is a user 'ada' already."),
        (("invite", "x", "--hours", "1000"), "A link lasts up to 720 hours."),
        (("password", "ada"), "A password is typed on a terminal"),
        (("link", "x"), "There is no user 'x'; `evenhand user list` shows those there are."),
        (("disable", "ada"), "The last admin cannot be disabled; make another admin first."),
        (("role", "ada", "auditor"), "The last admin cannot be given another role"),
        (("give", "x", "ada"), "There is no job 'x'"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(runner: CliRunner, arguments: tuple[str, ...], sentence: str) -> None:
    ran(runner, "add", "ada", "--role", "admin", "--link")
    result = runner.invoke(app, ["user", *arguments])
    assert isinstance(result.exception, EvenhandError)
    assert str(result.exception).startswith(sentence)
    assert len(listed(runner)) == 1


def test_no_password_can_be_given_as_an_argument(runner: CliRunner) -> None:
    help = runner.invoke(app, ["user", "add", "--help"]).stdout
    assert "--password" not in help
    result = runner.invoke(app, ["user", "add", "x", "--role", "admin", "--password", GOOD])
    assert result.exit_code == 2
