"""Pools of masking processes are shared only between data folders with the same limits."""

from __future__ import annotations

from evenhand.masking.stored import masking_pool
from evenhand.settings import Settings


def test_a_setting_of_one_file_per_process_is_kept_beside_a_pool_with_more() -> None:
    assert masking_pool(Settings(files_per_process=10)).options.requests == 10
    assert masking_pool(Settings(files_per_process=1)).options.requests == 1
