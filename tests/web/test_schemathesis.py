"""Requests made up from the API's own description, right and wrong ones: no fault, and every answer as described.

Run longer with FUZZ_EXAMPLES=200.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, cast

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.web.route_table import API
from tests.web.world import ROLES, World, open_world

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "3"))  # of each operation, right and wrong, for each role
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with open_world(tmp_path_factory.mktemp("world")) as opened:
        yield opened


@pytest.fixture(scope="module")
def described(world: World) -> BaseSchema:
    return schemathesis.openapi.from_asgi("/api/v1/openapi.json", world.app)


@pytest.mark.slow
@pytest.mark.parametrize("role", ROLES)
def test_every_operation(world: World, described: BaseSchema, role: str) -> None:
    headers = {}
    if role != "anonymous":
        _, token = world.store.tokens.make(world.people[role].id, "fuzz", 5)
        headers = {"Authorization": f"Bearer {token}"}
    operations = [cast(Any, found).ok() for found in described.get_all_operations()]
    assert len(operations) == len(API) - 1  # all but the description itself
    for operation in operations:
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            attack(world, operation, mode, headers)


def attack(world: World, operation: Any, mode: GenerationMode, headers: dict[str, str]) -> None:
    """Three in four requests are about things that exist."""
    known = {
        "job": world.own.job,
        "application": world.own.application,
        "other": world.own.other,
        "note": world.own.note,
        "search": world.own.search,
        "correction": world.own.correction,
        "id": world.own.import_,
        "sequence": world.events,
    }

    @seed(1)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(case=operation.as_strategy(generation_mode=mode), is_known=st.sampled_from([True, True, True, False]))
    def send(case: Any, is_known: bool) -> None:
        if is_known and not operation.path.endswith("/erasure"):  # of which only one request would see anything
            case.path_parameters = {
                name: known.get(name, value) for name, value in (case.path_parameters or {}).items()
            }
        case.validate_response(case.call(headers=headers), checks=CHECKS)

    send()
