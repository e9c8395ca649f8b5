"""What a card says by group: measured figures, the day and the resumes, and where there were too few."""

from __future__ import annotations

from evenhand.models.manifest import write_card
from tests.models.manifests import make_manifest

FOUND = {
    "date": "2026-03-01",
    "data": "80 invented resumes",
    "resumes": 80,
    "variables": [
        {
            "variable": "career_gap",
            "groups": [
                {
                    "group": "no",
                    "resumes": 76,
                    "accuracy": 0.5,
                    "gap": -0.05,
                    "gap_low": -0.1,
                    "gap_high": 0.012,
                    "p": 0.2,
                },
                {
                    "group": "yes",
                    "resumes": 4,
                    "accuracy": None,
                    "gap": None,
                    "gap_low": None,
                    "gap_high": None,
                    "p": None,
                },
            ],
            "leakage": [{"from": "last layer", "reader": "linear", "balanced": 0.61, "floor": 0.5}],
        }
    ],
}


def test_figures_by_group() -> None:
    card = write_card(make_manifest(metrics={"ece": 0.03, "groups": FOUND}))
    assert "## By group\n\nAudited on 2026-03-01 on 80 invented resumes." in card
    assert "### career gap" in card
    assert "| no | 76 | 50.0% | -5.0 (-10.0 to +1.2) | 0.200 |" in card
    assert "| yes | 4 | - | too few | - |" in card
    assert "last layer 61% against 50%" in card
    assert "Measured on: groups" not in card


def test_a_card_without_an_audit_has_no_such_section() -> None:
    assert "By group" not in write_card(make_manifest())
