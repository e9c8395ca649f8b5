"""What Evenhand said when its tree was rearranged, it still says: records, rankings, the API, and an old data folder.

Only public doors are used, so that modules may move: the command, `import evenhand` and `evenhand.records`. README.md
beside this file says how goldens are written anew on purpose.
"""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import json
import math
import os
import socket
import sqlite3
import subprocess
import sys
import tarfile
import time
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import evenhand
from evenhand import records

HERE = Path(__file__).parent
COMMAND = Path(sys.executable).parent / "evenhand"
SAMPLES = Path(evenhand.__file__).parent / "samples"
JOB = Path(evenhand.__file__).parent / "sample_jobs" / "accountant.txt"
AS_OF = "2026-10"
PASSWORD = "violet kettle march otter"  # of everyone in the old data, who are all invented
IS_WRITING = os.environ.get("EVENHAND_GOLDEN") == "write"
PROSE = frozenset({"description", "summary", "title", "version"})  # of the API: words that may be improved
START_SECONDS = 60.0


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A folder whose `data` was made by version 0.1.0: decisions, corrections, erasures, audits, checkpoints."""
    with tarfile.open(HERE / "old_data.tar.xz") as archive:
        archive.extractall(tmp_path / "data", filter="data")
    return tmp_path


def test_what_commands_print(tmp_path: Path) -> None:
    engineer, accountant = str(SAMPLES / "data-engineer.pdf"), str(SAMPLES / "accountant.rtf")
    files = (engineer, str(SAMPLES / "password.pdf"), str(SAMPLES / "support-hidden-keywords.pdf"))
    common = ("--json", "--as-of", AS_OF)
    told = {
        "read": run(tmp_path, "read", "--json", *files, codes=(1,)),
        "mine": run(tmp_path, "mine", engineer, *common),
        "rank": run(tmp_path, "rank", str(JOB), accountant, *files[1:], "--ranker", "bm25", *common, codes=(1,)),
        "predict": run(tmp_path, "predict", "occupation", accountant, *common),
        "explain": run(tmp_path, "explain", "occupation", accountant, "--no-faithfulness", *common),
    }
    for name, text in told.items():
        values = lines(text)
        for value in values:
            value.pop("seconds", None)  # how long an explanation took
        check(f"{name}.json", [without_folder(value) for value in values])


def test_records_have_the_same_canonical_form_and_hash() -> None:
    """One of every type: as it is made today, as it was made then, and by a hash that does not ask Evenhand."""
    found = {name: as_json(each) for name, each in one_of_each().items()}
    check("records.json", {name: without_folder(value) for name, value in sorted(found.items())})
    for value in json.loads((HERE / "records.json").read_text()).values():
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert records.canonical_json(value) == text
        assert records.content_hash(value) == hashlib.sha256(text.encode()).hexdigest()


def test_records_come_back_from_what_was_stored() -> None:
    stored = json.loads((HERE / "records.json").read_text())
    document = records.Document.from_json(stored["Document"])
    assert json.loads(json.dumps(document.to_json())) == stored["Document"]  # boxes are tuples before
    assert records.Profile.from_json(stored["Profile"], document.text).to_json() == stored["Profile"]
    assert records.Job.from_json(stored["Job"]).to_json() == stored["Job"]


def test_an_old_data_folder_opens_and_all_its_rankings_replay(old: Path) -> None:
    verified = json.loads(run(old, "ledger", "verify", "--json"))
    assert verified["sound"]
    assert verified["findings"] == []
    replayed = lines(run(old, "ledger", "replay", "--all", "--json"))
    assert [each for each in replayed if not each["identical"]] == []
    events = lines(run(old, "ledger", "show", "--json", "--limit", "100000"))
    check_chain(events)
    found = {
        "verified": verified,
        "replayed": [[each["sequence"], each["listed"], each["erased"]] for each in replayed],
        "last": events[-1]["hash"],
        "kinds": dict(sorted(Counter(event["kind"] for event in events).items())),
        "tables": tables(old / "data" / "evenhand.db"),
    }
    check("old_data.json", found)


def test_what_a_server_says_of_old_data(old: Path) -> None:
    """Lists, candidates and audits as they were. The API may grow; what a client could rely on is still there."""
    with serving(old) as ask:
        described = without_prose(ask("/api/v1/openapi.json"))
        jobs = sorted(job["id"] for job in ask("/api/v1/jobs")["items"])
        pages = [ask(f"/api/v1/jobs/{job}/screen?q=team&size=100") for job in jobs]
        audits = sorted(audit["id"] for audit in ask("/api/v1/audits")["audits"])
        found = {
            "jobs": [ask(f"/api/v1/jobs/{job}") for job in jobs],
            "lists": [[[one["application"], one["score"]] for one in page["results"]] for page in pages],
            "facets": [page["facets"] for page in pages],
            "candidate": ask(f"/api/v1/applications/{pages[0]['results'][0]['application']}")["facts"],
            "audits": [records.content_hash(ask(f"/api/v1/audits/{id}")["report"]) for id in audits],
            "erasures": ask("/api/v1/erasures"),
        }
    check("served.json", found)
    path = HERE / "openapi.json.gz"
    if IS_WRITING:
        path.write_bytes(gzip.compress(records.canonical_json(described).encode(), mtime=0))
    assert list(lost(json.loads(gzip.decompress(path.read_bytes())), described, "")) == []


def run(folder: Path, *arguments: str, codes: tuple[int, ...] = (0,)) -> str:
    """What the command prints, with a data folder and settings of its own."""
    done = subprocess.run(
        [str(COMMAND), *arguments], cwd=folder, env=surroundings(folder), capture_output=True, check=False
    )
    assert done.returncode in codes, done.stderr.decode()
    return done.stdout.decode()


def surroundings(folder: Path) -> dict[str, str]:
    others = {name: value for name, value in os.environ.items() if not name.startswith("EVENHAND_")}
    return {**others, "HOME": str(folder), "EVENHAND_DATA": str(folder / "data"), "LOGNAME": "golden"}


@contextmanager
def serving(folder: Path) -> Iterator[Callable[[str], Any]]:
    """A server, and how its administrator asks it for JSON."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(COMMAND), "serve", "--host", "127.0.0.1", "--port", str(port)]
    quiet = subprocess.DEVNULL
    server = subprocess.Popen(command, cwd=folder, env=surroundings(folder), stdout=quiet, stderr=quiet)
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    browser.addheaders = [("Sec-Fetch-Site", "same-origin")]
    root = f"http://127.0.0.1:{port}"

    def ask(path: str) -> Any:
        with browser.open(root + path) as answer:
            return json.load(answer)

    try:
        wait_for(port, server)
        form = urllib.parse.urlencode({"login": "ada@example.com", "password": PASSWORD})
        browser.open(f"{root}/sign-in", form.encode()).close()
        yield ask
    finally:
        server.terminate()
        server.wait()


def wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("The server does not answer.")


def tables(path: Path) -> dict[str, str]:
    """What SQLite knows of them after all migrations."""
    connection = sqlite3.connect(path)
    found = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql > '' ORDER BY type, name")
    told = {name: " ".join(sql.split()) for name, sql in found}
    connection.close()
    return told


def check(name: str, value: Any) -> None:
    """Against the golden of this name, or, if asked for, into it."""
    path = HERE / name
    if IS_WRITING:
        path.write_text(json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n")
    assert list(differences(json.loads(path.read_text()), json.loads(json.dumps(value)), name)) == []


def differences(golden: Any, found: Any, where: str) -> Iterator[str]:
    """Numbers with a point may differ in their last digits: processors add up in different orders."""
    if isinstance(golden, dict) and isinstance(found, dict) and golden.keys() == found.keys():
        for name, value in golden.items():
            yield from differences(value, found[name], f"{where}/{name}")
    elif isinstance(golden, list) and isinstance(found, list) and len(golden) == len(found):
        for at, value in enumerate(golden):
            yield from differences(value, found[at], f"{where}/{at}")
    elif isinstance(golden, float) and isinstance(found, (float, int)):
        if not math.isclose(golden, found, rel_tol=1e-6, abs_tol=1e-9):
            yield f"{where}: {golden} became {found}"
    elif golden != found:
        yield f"{where}: {str(golden)[:300]} became {str(found)[:300]}"


def lost(golden: Any, found: Any, where: str) -> Iterator[str]:
    """What was there and is not there any more; what is new is no matter."""
    if isinstance(golden, dict) and isinstance(found, dict):
        for name, value in golden.items():
            if name in found:
                yield from lost(value, found[name], f"{where}/{name}")
            else:
                yield f"{where}/{name} is gone"
    elif isinstance(golden, list) and isinstance(found, list):
        for value in golden:
            if all(any(lost(value, other, "")) for other in found):
                yield f"{where}: {records.canonical_json(value)[:300]} is gone"
    elif golden != found:
        yield f"{where}: {golden} became {found}"


def without_prose(value: Any) -> Any:
    """Descriptions may be written better; a property that is called `title` is an object, and stays."""
    if isinstance(value, list):
        return [without_prose(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {name: without_prose(each) for name, each in value.items() if not (name in PROSE and isinstance(each, str))}


def without_folder(value: Any) -> Any:
    """File names without the folder of the samples, which is another on each machine."""
    text = json.dumps(value, ensure_ascii=False)
    return json.loads(text.replace(f"{SAMPLES}/", "").replace(f"{HERE}/", ""))


def one_of_each() -> dict[str, Any]:
    """By the name of its type, the first record of every type that `evenhand.records` offers."""
    samples = ("accountant.rtf", "password.pdf", "project-manager.docx", "support-hidden-keywords.pdf")
    files = [SAMPLES / name for name in samples] + [HERE / "projects.txt"]
    found: dict[str, Any] = {}
    for document in evenhand.read_many(files):
        gather(document, found)
    for profile in evenhand.mine_many(files, as_of=AS_OF):
        gather(profile, found)
    gather(evenhand.rank(JOB, [files[0], files[1], files[3]], as_of=AS_OF), found)
    labels = (records.LabelProbability("CHEF", 0.75), records.LabelProbability("NURSE", 0.25))
    stamp = records.ModelStamp("occupation", "0.1.0", None)
    gather(records.Prediction("resume.pdf", "occupation", "CHEF", labels, stamp, abstained=False), found)
    offered = {name for name in records.__all__ if isinstance(getattr(records, name), type)}
    assert offered <= found.keys()
    return {name: found[name] for name in offered}


def gather(value: Any, found: dict[str, Any]) -> None:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        found.setdefault(type(value).__name__, value)
        for field in dataclasses.fields(value):
            gather(getattr(value, field.name), found)
    elif isinstance(value, (tuple, list)):
        for each in value:
            gather(each, found)


def as_json(record: Any) -> Any:
    return record.to_json() if hasattr(record, "to_json") else dataclasses.asdict(record)


def check_chain(events: list[dict[str, Any]]) -> None:
    """Each event's hash covers the canonical JSON of all its other fields, and the next event names it."""
    previous = "0" * 64
    for event in events:
        rest = {name: value for name, value in event.items() if name != "hash"}
        assert event["previous"] == previous
        assert records.content_hash(rest) == event["hash"]
        previous = event["hash"]


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]
