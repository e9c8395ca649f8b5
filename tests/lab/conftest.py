"""Long tests of the lab run when the lab has changed since they last passed.

Trainings, whole corpora and measurements under load take minutes and test the lab, not the product. `make lab` runs
them all and records for which files they passed; while those files stay the same, `make test` leaves the long ones out.
"""

from __future__ import annotations

import os

import pytest

from tests.lab.inputs import HERE, have_passed


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if os.environ.get("LAB") == "all" or not have_passed():
        return
    long = {item for item in items if HERE in item.path.parents and item.get_closest_marker("long")}
    config.hook.pytest_deselected(items=list(long))
    items[:] = [item for item in items if item not in long]
