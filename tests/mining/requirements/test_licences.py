"""Licences and certificates an ad asks for: a kind of demand of their own."""

from __future__ import annotations

import pytest

from tests.mining.requirements.ads import understood


def licences(text: str) -> list[tuple[str, bool]]:
    demands = understood(f"Clerk\n\nRequirements:\n{text}\n").demands
    return [("|".join(demand.skills), demand.must) for demand in demands if demand.kind == "licence"]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Current RN license", [("registered nurse", True)]),
        ("RN or LPN required", [("registered nurse|licensed practical nurse", True)]),
        ("BLS required, ACLS preferred", [("basic life support", True), ("advanced cardiac life support", False)]),
        ("Member of the Ohio bar in good standing", [("bar admission", True)]),
        ("Admitted to practice law in New York", [("bar admission", True)]),
        ("Valid driver’s license", [("driver's license", True)]),
        ("EIT or PE license", [("engineer in training|professional engineer license", True)]),
        ("Series 7, 63 and 65 licenses", [("series 7", True), ("series 63", True), ("series 65", True)]),
        ("Certified Medical Assistant (CMA)", [("certified medical assistant", True)]),
        ("Must be able to obtain a security clearance", [("security clearance", True)]),
        ("CPA a plus", [("certified public accountant", False)]),
        ("Valid Crane Rigger License required", [("crane rigger license", True)]),
        ("PE teacher with patience", []),
        ("We pay for certifications", []),
        ("Knowledge of software licensing agreements", []),
        ("Birth certificate", []),
    ],
)
def test_licences_are_demands_of_their_own(text: str, asked: list[tuple[str, bool]]) -> None:
    assert licences(text) == asked


def test_a_licence_in_the_title_is_a_must() -> None:
    [demand] = [demand for demand in understood("RN Case Manager\n\nGreat pay.").demands if demand.kind == "licence"]
    assert (demand.skills, demand.must) == (("registered nurse",), True)
    assert demand.to_json()["kind"] == "licence"


def test_a_licence_that_others_hold_is_no_demand() -> None:
    job = understood("Office Manager\n\nResponsibilities:\nSupervises RNs and LPNs on all floors\n")
    assert not [demand for demand in job.demands if demand.kind == "licence"]
