"""The models of occupation that ship: small, without anybody's name in them, and right about plain cases."""

from __future__ import annotations

import re

import pytest

from evenhand.models.inference.loading import Classifier, load_classifier
from evenhand.models.inputs import ResumeInput, SectionText
from evenhand.models.linear.storing import VOCABULARY
from evenhand.models.registry import SHIPPED, load_artefact
from evenhand_lab.training.occupation_data import people

MODELS = ("occupation", "it-roles")
LIMIT_BYTES = 600_000
COMMON = {"banks", "sales", "booker", "case", "cook", "grant", "mark", "page", "price"}
"""Names that everybody also writes in lower case."""


def judge(name: str) -> Classifier:
    return load_classifier(load_artefact(SHIPPED / name))


def resume(text: str, *titles: str) -> ResumeInput:
    return ResumeInput((SectionText("Work Experience", text),), titles)


@pytest.mark.parametrize("name", MODELS)
def test_they_are_small_and_need_no_encoder(name: str) -> None:
    assert sum(path.stat().st_size for path in (SHIPPED / name).iterdir()) <= LIMIT_BYTES
    manifest = load_artefact(SHIPPED / name).manifest
    assert (manifest.kind, manifest.task, manifest.encoder) == ("joined", "occupation", None)
    assert manifest.metrics["agreement of small with whole coefficients"] >= 0.99


@pytest.mark.parametrize("name", MODELS)
def test_no_term_could_be_somebody(name: str) -> None:
    lines = load_artefact(SHIPPED / name).texts[VOCABULARY].splitlines()
    words = {word for line in lines for word in line.split("\t")[1].split()}
    assert all(re.fullmatch(r"[^\W\d_]\w*(?:&\w+)*[+#]*", word) for word in words)
    assert words & people() <= COMMON


@pytest.mark.parametrize(
    ("title", "text", "label"),
    [
        ("Senior Accountant", "Reconciled the general ledger and prepared tax returns.", "ACCOUNTANT"),
        ("Sous Chef", "Planned menus and ran the kitchen of a restaurant.", "CHEF"),
        ("HR Generalist", "Recruiting, benefits and payroll in human resources.", "HR"),
        ("Math Teacher", "Taught students in the classroom and wrote lesson plans.", "TEACHER"),
    ],
)
def test_plain_cases_of_occupation(title: str, text: str, label: str) -> None:
    found = judge("occupation")
    (row,) = found.predict([resume(text, title)])
    assert row.sum() == pytest.approx(1.0)
    assert found.manifest.labels[int(row.argmax())] == label


def test_roles_of_a_career_in_information_technology() -> None:
    found = judge("it-roles")
    text = (
        "Java Developer Acme - Springfield, IL May 2014 to Present Wrote services with Spring. "
        "Systems Administrator Acme - Springfield, IL May 2010 to April 2014 Ran servers and backups."
    )
    (row,) = found.predict([resume(text)])
    said = {label for label, sure in zip(found.manifest.labels, row, strict=True) if sure >= 0.5}
    assert {"Java_Developer", "Systems_Administrator"} <= said
    assert "Security_Analyst" not in said
