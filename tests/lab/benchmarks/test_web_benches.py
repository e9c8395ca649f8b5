"""Small versions of the benches of the server: load and kills, with every figure that can be known."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenhand.errors import UsageError
from evenhand_lab.benchmarks import server_crash, web
from evenhand_lab.benchmarks.web import TimedResponse, summed
from evenhand_lab.commands.bench import _find


def test_what_visitors_felt_is_summed_up() -> None:
    answers = [TimedResponse(0.1 * number, 200 if number < 5 else 0, 1_000) for number in range(1, 6)]
    load = summed(answers)
    assert (load.requests, load.errors, load.page_bytes) == (5, 1, 1_000)
    assert (round(load.p50, 6), round(load.p95, 6), load.worst) == (0.3, 0.48, 0.5)


@pytest.mark.long
def test_a_small_pool_under_load(tmp_path: Path) -> None:
    found = web.run(tmp_path, n=300, visitors=3, seconds=6.0, resumes=60, processes=1)
    assert found.ours.errors == 0
    assert found.bare.errors == 0
    assert found.ours.requests > 3
    assert found.recorded >= found.ours.requests  # those that warmed it up are on record too
    assert found.ours.page_bytes > 10_000
    assert abs(found.bare.page_bytes - found.ours.page_bytes) <= 1


@pytest.mark.slow
def test_a_server_killed_twice() -> None:
    found = server_crash.run(n=2, seed=5)
    assert found.findings == []
    assert found.kills == 2
    assert found.applications >= server_crash.FIRST
    assert found.events > found.kills


def test_the_bench_of_the_killed_server_still_answers_to_its_former_name() -> None:
    with pytest.raises(UsageError, match="The benchmark server-crash takes no --data"):
        _find("fallen", {"data": Path()})
