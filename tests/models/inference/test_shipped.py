"""The models of level and of fit that ship: small, as their manifest says, and better than the commonest label."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from evenhand.models.inference.loading import Classifier, load_classifier
from evenhand.models.inputs import input_of_text
from evenhand.models.registry import SHIPPED, load_artefact
from evenhand_lab.corpora.kinds.crc_applications import level_text
from evenhand_lab.training.competence import MinedApplicant, mined_applicants

MODELS = ("level", "fit")
LIMIT_BYTES = 1_000_000
NEVER_SEEN = 77  # a seed that nothing learned from
JOB = level_text("CRC2")


@cache
def judge(name: str) -> Classifier:
    return load_classifier(load_artefact(SHIPPED / name))


@pytest.fixture(scope="module")
def applicants() -> list[MinedApplicant]:
    return mined_applicants(40, NEVER_SEEN)


@pytest.mark.parametrize("name", MODELS)
def test_they_are_small_calibrated_and_say_what_they_learned_from(name: str) -> None:
    assert sum(path.stat().st_size for path in (SHIPPED / name).iterdir()) <= LIMIT_BYTES
    manifest = load_artefact(SHIPPED / name).manifest
    assert (manifest.kind, manifest.task) == ("network", name)
    assert manifest.encoder is not None
    assert manifest.temperature != 1.0
    assert "generated applicants" in manifest.data
    assert manifest.metrics["test"]["accuracy"] > manifest.metrics["majority"] + 0.05


def test_levels_of_resumes_that_nobody_has_seen(applicants: list[MinedApplicant]) -> None:
    found = judge("level")
    rows = found.predict([input_of_text(each.text, each.profile) for each in applicants])
    labels = found.manifest.labels
    distances = [
        abs(int(row.argmax()) - labels.index(each.true_level)) for row, each in zip(rows, applicants, strict=True)
    ]
    assert np.mean([distance == 0 for distance in distances]) >= 0.55
    assert np.mean([distance <= 1 for distance in distances]) >= 0.8


@pytest.mark.parametrize("name", MODELS)
def test_nobody_is_judged_by_who_else_is(name: str, applicants: list[MinedApplicant]) -> None:
    job = JOB if name == "fit" else None
    resumes = [input_of_text(each.text, each.profile) for each in applicants[:6]]
    together = judge(name).predict(resumes, job_text=job)
    alone = np.concatenate([judge(name).predict([resume], job_text=job) for resume in resumes])
    np.testing.assert_allclose(together, alone, atol=1e-5, rtol=0)


def test_fit_depends_on_the_job(applicants: list[MinedApplicant]) -> None:
    resumes = [input_of_text(each.text, each.profile) for each in applicants[:10]]
    first, last = (judge("fit").predict(resumes, job_text=level_text(level)) for level in ("CRC1", "CRC4"))
    assert abs(first - last).max() > 0.1
