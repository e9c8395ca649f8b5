"""A file may hang, exhaust or crash its reader; it gets its code and the next file is read at once."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from evenhand.documents.sandbox.pool import SandboxPool
from evenhand.errors import EvenhandError

OpenPool = Callable[..., SandboxPool]


def code_of(pool: SandboxPool, order: str) -> str | None:
    error = pool.read(order.encode()).error
    return error.code if error else None


def state_of(pid: int) -> str | None:
    """The kernel's letter for a process ("S", "R", "Z", ...), None when there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return None


def wait_until_gone(pid: int) -> bool:
    """Zombies count as gone: an orphan is reaped by whoever adopts it, in its own time."""
    deadline = time.monotonic() + 5
    while state_of(pid) not in (None, "Z") and time.monotonic() < deadline:
        time.sleep(0.02)
    return state_of(pid) in (None, "Z")


@pytest.mark.parametrize(
    ("order", "code"),
    [
        ("sleep", "parse_timeout"),
        ("sleep_in_c", "parse_timeout"),
        ("allocate", "parse_memory"),
        ("allocate_and_abort", "parse_memory"),
        ("abort_saying memory allocation of 99 bytes failed", "parse_memory"),
        ("abort_saying assertion failed", "parse_crash"),
        ("segfault", "parse_crash"),
        ("fork_and_crash", "parse_crash"),
        ("leave", "parse_crash"),
        ("raise_key_error", "corrupt_document"),
        ("raise_panic", "corrupt_document"),
        ("recurse", "corrupt_document"),
        ("refuse", "encrypted_document"),
    ],
)
def test_every_misbehaviour_has_its_code_and_the_next_file_is_read(pool: SandboxPool, order: str, code: str) -> None:
    assert code_of(pool, order) == code
    assert pool.read(b"say next").text == "next"


def test_wall_limit_is_kept(pool: SandboxPool) -> None:
    reading = pool.examine(b"sleep")
    assert 2.0 <= reading.seconds < 20  # it would sleep for ten minutes


def test_processor_time_ends_before_the_wall_limit(open_pool: OpenPool) -> None:
    reading = open_pool(cpu_seconds=1, wall_seconds=30).examine(b"busy")
    assert reading.document.error is not None
    assert reading.document.error.code == "parse_timeout"
    assert reading.seconds < 15


def test_exception_no_reader_foresaw_is_named_for_those_who_measure(pool: SandboxPool) -> None:
    assert pool.examine(b"raise_key_error").cause == "KeyError"
    assert pool.examine(b"raise_panic").cause == "Panic"
    assert pool.examine(b"say fine").cause is None


def test_last_words_of_a_crash_are_kept(pool: SandboxPool) -> None:
    assert "in segfault" in pool.examine(b"segfault").last_words


def test_document_carries_our_name_and_hash(pool: SandboxPool) -> None:
    document = pool.read(b"say abc", file="cv.pdf")
    assert document.file == "cv.pdf"
    assert document.sha256 == "6542d0ef6e33de6f663d6c6e896ecb386c640036a84e86248de5b37c0c3841ec"


def test_prints_do_not_reach_the_protocol(pool: SandboxPool) -> None:
    assert pool.read(b"chatter").text == "still here"
    assert pool.read(b"say next").text == "next"


@pytest.mark.parametrize(
    "forgery",
    [
        "old_number",
        "not_an_object",
        "missing_key",
        "unknown_status",
        "unknown_code",
        "error_without_status",
        "offset_outside",
        "offset_backwards",
        "offset_is_text",
        "box_is_infinite",
        "box_is_text",
        "line_is_short",
        "line_is_long",
        "text_is_number",
        "half_a_character",
        "too_deep",
        "{",
    ],
)
def test_dishonest_reply_is_a_crash(pool: SandboxPool, forgery: str) -> None:
    assert code_of(pool, f"forge {forgery}") == "parse_crash"
    assert pool.read(b"say next").text == "next"


def test_forgeries_fail_for_their_content_alone(pool: SandboxPool) -> None:
    assert pool.read(b"forge honest").text == "forged"


def test_reply_that_is_no_frame_or_two_is_a_crash(open_pool: OpenPool) -> None:
    pool = open_pool(files_per_process=10)
    assert code_of(pool, "forge_garbage") == "parse_crash"
    assert code_of(pool, "forge_twice") in ("parse_crash", None)  # the second may come after we looked
    assert pool.read(b"say next").text == "next"


def test_a_file_that_takes_its_process_over_cannot_rewrite_the_next_one(pool: SandboxPool) -> None:
    assert pool.read(b"take_over").text == "taken over"
    assert pool.read(b"say the truth").text == "the truth"


def test_a_process_that_was_taken_over_ends_after_its_share_of_files(open_pool: OpenPool) -> None:
    pool = open_pool(files_per_process=3)
    assert pool.read(b"take_over").text == "taken over"
    assert [pool.read(b"say the truth").text for _ in range(3)] == ["rewritten", "rewritten", "the truth"]


def test_file_is_not_blamed_for_a_child_that_an_earlier_file_harmed(open_pool: OpenPool) -> None:
    pool = open_pool(files_per_process=10)
    assert pool.read(b"sow").text == "sown"
    assert pool.read(b"say innocent").text == "innocent"


def test_large_files_pass(pool: SandboxPool) -> None:
    text = "x" * 5_000_000
    assert pool.read(b"say " + text.encode()).text == text


def test_children_and_grandchildren_die_with_the_pool(open_pool: OpenPool) -> None:
    pool = open_pool(programs=True, files_per_process=10)
    grandchild = int(pool.read(b"fork_and_sleep").text)
    (child,) = pool.pids()
    assert state_of(grandchild) in ("S", "R")
    pool.close()
    assert state_of(child) is None
    assert wait_until_gone(grandchild)
    with pytest.raises(EvenhandError, match="closed"):
        pool.read(b"say x")


def test_grandchild_dies_with_a_killed_child(open_pool: OpenPool) -> None:
    pool = open_pool(programs=True, files_per_process=10)
    grandchild = int(pool.read(b"fork_and_sleep").text)
    assert code_of(pool, "segfault") == "parse_crash"
    assert wait_until_gone(grandchild)


def test_no_zombies_after_many_losses(pool: SandboxPool) -> None:
    for _ in range(5):
        assert code_of(pool, "leave") == "parse_crash"
    pool.close()
    children = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    mine = [pid for pid in children if _parent_of(pid) == os.getpid()]
    assert [pid for pid in mine if state_of(pid) == "Z"] == []


def _parent_of(pid: int) -> int | None:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    except FileNotFoundError:
        return None


def test_child_that_grew_is_replaced(open_pool: OpenPool) -> None:
    pool = open_pool(files_per_process=10)
    first = pool.read(b"leak 1000").text
    assert pool.read(b"leak 150000000").text == first
    assert pool.read(b"leak 1000").text != first


def test_child_is_replaced_after_its_share_of_files(open_pool: OpenPool) -> None:
    pool = open_pool(files_per_process=2)
    pids = [pool.read(b"leak 1").text for _ in range(6)]
    assert pids[0] == pids[1]
    assert pids[2] == pids[3]
    assert pids[4] == pids[5]
    assert len(set(pids)) == 3


def test_many_threads_share_a_pool(open_pool: OpenPool) -> None:
    pool = open_pool(workers=3)
    orders = [f"say {n}" if n % 7 else "segfault" for n in range(60)]
    with ThreadPoolExecutor(8) as threads:
        texts = list(threads.map(lambda order: pool.read(order.encode()).text, orders))
    assert texts == [str(n) if n % 7 else "" for n in range(60)]
    assert len(pool.pids()) <= 4  # three at work and a spare


def test_children_outlive_the_thread_that_asked_first(open_pool: OpenPool) -> None:
    pool = open_pool(files_per_process=10)
    texts: list[str] = []
    for _ in range(2):
        thread = threading.Thread(target=lambda: texts.append(pool.read(b"leak 1").text))
        thread.start()
        thread.join()
        time.sleep(0.1)
    assert texts[0] == texts[1]


def test_idle_child_that_was_killed_is_not_blamed_on_the_next_file(open_pool: OpenPool) -> None:
    pool = open_pool(files_per_process=10)
    pid = int(pool.read(b"leak 1").text)
    os.kill(pid, 9)
    assert wait_until_gone(pid)
    assert pool.read(b"say fine").text == "fine"


def test_idle_child_stays(open_pool: OpenPool) -> None:
    pool = open_pool(wall_seconds=0.2, files_per_process=10)
    first = pool.read(b"leak 1").text
    time.sleep(2.5)  # longer than the child's own alarm
    assert pool.read(b"leak 1").text == first


def test_worker_that_was_killed_is_replaced(pool: SandboxPool) -> None:
    assert pool.read(b"say first").text == "first"
    (worker,) = pool.pids()
    os.kill(worker, 9)
    assert wait_until_gone(worker)
    assert pool.read(b"say second").text == "second"


def test_timeouts_and_crashes_leave_the_worker_alone(pool: SandboxPool) -> None:
    assert pool.read(b"say first").text == "first"
    before = pool.pids()
    assert [code_of(pool, order) for order in ("sleep_in_c", "segfault")] == ["parse_timeout", "parse_crash"]
    assert pool.pids() == before


def test_parser_that_cannot_be_loaded_says_why() -> None:
    with SandboxPool(1, parser="evenhand.no_such_module") as pool, pytest.raises(EvenhandError, match="no_such_module"):
        pool.read(b"x")
