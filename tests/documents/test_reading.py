"""One file or a batch: bad input is an answer, never the end."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import evenhand
from evenhand.documents.reading import files_in_folder, open_pool, read, read_bytes, read_many
from evenhand.errors import SymbolicLink, UsageError
from evenhand.settings import Settings

TEXT = b"Ada Example\nEngineer\n"


def test_read_takes_bytes_and_paths_alike(tmp_path: Path) -> None:
    path = tmp_path / "cv.txt"
    path.write_bytes(TEXT)
    from_bytes = read(TEXT, name="cv.txt")
    from_path = read(path, name="cv.txt")
    assert from_bytes == from_path
    assert from_bytes.text == "Ada Example\nEngineer"
    assert from_bytes.file == "cv.txt"
    assert from_bytes.sha256 == hashlib.sha256(TEXT).hexdigest()
    assert read(str(path)).file == str(path)
    assert read(TEXT).file is None


def test_package_offers_read() -> None:
    assert evenhand.read is read
    assert evenhand.read_many is read_many


@pytest.mark.parametrize("name", ["missing.pdf", "", ".", "a\0b"])
def test_read_raises_for_a_path_that_is_no_file(tmp_path: Path, name: str) -> None:
    path = os.path.join(tmp_path, name)  # noqa: PTH118 - a Path would tidy the name
    with pytest.raises(UsageError) as refused:
        read(path)
    assert str(refused.value).startswith(f"{path}: ")


@pytest.mark.parametrize(("source", "kind"), [(5, "int"), ({}, "dict"), (["a.pdf"], "list"), (None, "NoneType")])
def test_read_and_mine_refuse_what_is_no_resume(source: Any, kind: str) -> None:
    for take in (evenhand.read, evenhand.mine):
        with pytest.raises(TypeError, match=f"A resume is given as a path or as its bytes, not as {kind}"):
            take(source)


def test_read_does_not_wait_for_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="not a file"):
        read(tmp_path / "pipe")


def test_file_over_the_limit_is_named_and_hashed_but_not_read(tmp_path: Path) -> None:
    path = tmp_path / "big.txt"
    path.write_bytes(b"x" * 1001)
    settings = Settings(file_bytes=1000)
    for source in (path, path.read_bytes()):
        document = read(source, settings=settings)
        assert document.error is not None
        assert document.error.code == "too_large"
        assert document.error.message == "The file is larger than the limit of 0.001 MB."
        assert document.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_file_at_the_limit_is_read() -> None:
    assert read(b"x" * 1000, settings=Settings(file_bytes=1000)).text == "x" * 1000


def test_batch_keeps_the_order_and_goes_on_after_bad_input(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.txt" for number in range(30)]
    for number, path in enumerate(paths):
        path.write_text(f"Candidate {number}")
    paths[3].unlink()
    paths[7].write_bytes(b"%PDF-1.7 and nothing else")
    paths[11].write_bytes(b"")
    documents = list(read_many(paths, workers=2))
    assert [document.file for document in documents] == [str(path) for path in paths]
    assert {n: d.error.code for n, d in enumerate(documents) if d.error} == {
        3: "unreadable_file",
        7: "corrupt_document",
        11: "empty_document",
    }
    good = [n for n, document in enumerate(documents) if not document.error]
    assert [documents[n].text for n in good] == [f"Candidate {n}" for n in good]


def test_batch_takes_few_paths_ahead(tmp_path: Path) -> None:
    path = tmp_path / "cv.txt"
    path.write_bytes(TEXT)
    taken = 0

    def endless() -> Iterator[Path]:
        nonlocal taken
        while True:
            taken += 1
            yield path

    documents = read_many(endless(), workers=2)
    for _ in range(20):
        assert next(documents).text == "Ada Example\nEngineer"
    documents.close()
    assert taken <= 20 + 2 * 4


def test_batch_can_share_a_pool_that_stays_open(tmp_path: Path) -> None:
    path = tmp_path / "cv.txt"
    path.write_bytes(TEXT)
    with open_pool(Settings(), workers=1) as pool:
        assert len(list(read_many([path, path], pool=pool))) == 2
        assert pool.read(TEXT).text == "Ada Example\nEngineer"


def test_name_that_is_no_text_can_still_be_printed(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/caf\xe9.txt"
    with open(path, "wb") as file:  # noqa: PTH123 - a name of raw bytes
        file.write(TEXT)
    (document,) = read_many([os.fsdecode(path)])
    assert document.file == f"{tmp_path}/caf\ufffd.txt"
    assert document.status == "parsed"


def test_negative_number_of_workers_is_refused() -> None:
    with pytest.raises(UsageError):
        list(read_many([], workers=-1))


def test_read_works_in_a_forked_process() -> None:
    assert read(TEXT).text
    if not (child := os.fork()):
        os._exit(0 if read(TEXT).text == "Ada Example\nEngineer" else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert read(TEXT).text == "Ada Example\nEngineer"


INTERRUPTED = """
import itertools, sys
from evenhand.documents.reading import read_many
for count, document in enumerate(read_many(itertools.repeat(sys.argv[1]), workers=2)):
    if count == 5:
        print("reading", flush=True)
"""


def test_interrupt_ends_a_batch_at_once(tmp_path: Path) -> None:
    path = tmp_path / "cv.txt"
    path.write_bytes(TEXT)
    program = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert program.stdout is not None
    try:
        assert program.stdout.readline() == "reading\n"
        program.send_signal(2)
        _, errors = program.communicate(timeout=30)
    finally:
        program.kill()  # it would read for ever
    assert errors.strip().endswith("KeyboardInterrupt")
    assert errors.count("Traceback") == 1


def test_links_below_a_folder_are_told_and_not_followed(tmp_path: Path) -> None:
    """Also one that takes the place of a folder after it was listed. A link that somebody names is theirs to name."""
    folder, secret = tmp_path / "inbox", tmp_path / "keys"
    (folder / "deep").mkdir(parents=True)
    secret.mkdir()
    (secret / "signing.key").write_text("a secret key")
    (folder / "deep" / "signing.key").write_text("a resume")
    (folder / "key.txt").symlink_to(secret / "signing.key")
    (folder / "keys").symlink_to(secret)
    (folder / "gone.txt").symlink_to(tmp_path / "nowhere")
    files = files_in_folder(str(folder))
    named = {str(file): file for file in files}
    assert sorted(named) == [str(folder / name) for name in ("deep/signing.key", "gone.txt", "key.txt", "keys")]
    read = {document.file: document for document in read_many(files, workers=1)}
    assert read.pop(str(folder / "deep/signing.key")).text == "a resume"
    assert {document.error.code for document in read.values() if document.error} == {"symbolic_link"}
    assert all(document.text == "" and not document.sha256 for document in read.values())
    by_pattern = list(read_many(str(folder / "*"), workers=1))
    assert {document.error.code for document in by_pattern if document.error} == {"symbolic_link", "unreadable_file"}
    assert all(document.text == "" for document in by_pattern)
    (folder / "deep").rename(tmp_path / "away")
    (folder / "deep").symlink_to(secret)
    with pytest.raises(SymbolicLink):
        read_bytes(named[str(folder / "deep/signing.key")], Settings())
    assert read_bytes(folder / "key.txt", Settings()) == b"a secret key"
