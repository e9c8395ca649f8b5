"""Five applicants whose groups and fates are known: import, audit of their job, the figures of Local Law 144."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from evenhand.audit.group_import import GroupImport, group_counts, import_groups, remove_groups
from evenhand.audit.outcomes.ll144 import ll144_bytes
from evenhand.audit.outcomes.run import audit_job_outcomes, job_ll144
from evenhand.errors import NotFound, UsageError
from evenhand.screening.service import ingest_files
from evenhand.search.service import Service
from evenhand.store.self_identifications import SelfIdentificationStore
from tests.screening.applicants import ASHA, FIVE, JAVA_JOB, Taken, take_in


@pytest.fixture
def database_url(tmp_path: Path) -> str:
    """The store's own tests run on both databases; nothing here depends on which."""
    return f"sqlite:///{tmp_path / 'evenhand.db'}"


@pytest.fixture
def taken(service: Service) -> Taken:
    return take_in(service, *FIVE)


def imported(service: Service, folder: Path, text: str, **options: object) -> GroupImport:
    file = folder / "survey.csv"
    file.write_text(text, encoding="utf-8")
    return import_groups(service, file, actor="ann", **options)  # type: ignore[arg-type]


SURVEY = """\
E-Mail;Gender;Ethnicity
ASHA.RAO@example.org;F;Asian
boris.novak@example.org;m;white
clara.weber@example.org;female;prefer not to say
<david.cohen@example.org>;Male;White
elena.rossi@example.org;;White
nobody@example.org;F;White
"""


def test_answers_find_their_applications_by_address(service: Service, taken: Taken, tmp_path: Path) -> None:
    found = imported(service, tmp_path, SURVEY)
    assert (found.rows, found.applications, found.key, found.unmatched) == (6, 5, "email", (7,))
    assert found.saved.to_json() == {"new": 10, "changed": 0, "same": 0}
    assert [each.to_json() for each in found.counts] == [
        {"variable": "race", "groups": {"White": 3, "Asian": 1}, "unknown": 1},
        {"variable": "sex", "groups": {"female": 2, "male": 2}, "unknown": 1},
    ]
    assert imported(service, tmp_path, SURVEY).saved.same == 10
    assert group_counts(service, taken.job) == list(found.counts)


@pytest.mark.parametrize(
    ("head", "cell"), [("Application ID", "{id}"), ("candidate", "{candidate}"), ("File name", "C:\\inbox\\ASHA.txt")]
)
def test_other_ways_to_say_who(service: Service, taken: Taken, tmp_path: Path, head: str, cell: str) -> None:
    asha = service.store.applications.get(taken.ids["Asha"])
    who = cell.format(id=asha.id, candidate=asha.candidate)
    found = imported(service, tmp_path, f"{head},sex\n{who},F\n", job=taken.job)
    assert (found.applications, found.unmatched) == (1, ())
    assert SelfIdentificationStore(service.store.context).read()[asha.id].groups == {"sex": "female"}


def test_a_generated_corpus_numbers_its_resumes(service: Service, tmp_path: Path) -> None:
    job = service.store.jobs.add(JAVA_JOB)
    (tmp_path / "000007.txt").write_text(ASHA.text)
    ingest_files(service, [tmp_path / "000007.txt"], job, total=1, as_of="2026-01")
    lines = [{"number": number, "gender": "female", "career_gap": number == 7} for number in (6, 7)]
    found = imported(service, tmp_path, "".join(json.dumps(line) + "\n" for line in lines), job=job)
    assert (found.key, found.applications, found.unmatched) == ("number", 1, (2,))
    [(_, said)] = SelfIdentificationStore(service.store.context).read(job).items()
    assert said.groups == {"sex": "female", "career_gap": "yes"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name,sex\nAsha,f\n", "does not say who is who"),
        ("e-mail\nx@example.org\n", "needs 1 to 20 columns with groups"),
        ("e-mail,name\n" + "".join(f"x,n{at}\n" for at in range(61)), "'name' has 61 different values"),
    ],
)
def test_tables_that_will_not_do(service: Service, taken: Taken, tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        imported(service, tmp_path, text)
    assert group_counts(service) == []


def test_columns_can_be_named(service: Service, taken: Taken, tmp_path: Path) -> None:
    text = "e-mail,sex,remark\nasha.rao@example.org,f,kind\nasha.rao@example.org,m,kind\n"
    found = imported(service, tmp_path, text, variables=["Gender"])
    assert [each.variable for each in found.counts] == ["sex"]
    assert found.contradicting == (3,)
    with pytest.raises(UsageError, match="has no column 'race'"):
        imported(service, tmp_path, text, variables=["race"])


def test_taking_back_what_was_said(service: Service, taken: Taken, tmp_path: Path) -> None:
    imported(service, tmp_path, SURVEY)
    assert remove_groups(service, actor="ann", application=taken.ids["Asha"]) == 1
    assert remove_groups(service, actor="ann", job=taken.job) == 4
    with pytest.raises(NotFound):
        remove_groups(service, actor="ann", application="nobody")
    with pytest.raises(UsageError, match="Nobody's group is known"):
        audit_job_outcomes(service, taken.job)


@pytest.fixture
def decided(service: Service, taken: Taken, tmp_path: Path) -> Taken:
    """Boris and David are in; Asha was and is rejected; Clara's shortlisting was taken back; Elena is new."""
    store, ids = service.store, taken.ids
    imported(service, tmp_path, SURVEY)
    store.decisions.decide([ids["Boris"], ids["David"], ids["Asha"]], "shortlist", actor="ann", reason="java")
    store.decisions.decide([ids["Asha"]], "reject", actor="ann", reason="interview")
    store.decisions.undo(
        store.decisions.decide([ids["Clara"]], "shortlist", actor="ann", reason="python").batch, actor="ann"
    )
    return taken


def test_the_audit_of_a_job(service: Service, decided: Taken) -> None:
    report = audit_job_outcomes(service, decided.job)
    tables = {(each["variable"], each["measure"]): each for each in report.data["tables"]}
    sex = {rate["group"]: rate for rate in tables["sex", "selection"]["rates"]}
    assert (sex["female"]["n"], sex["female"]["selected"]) == (2, 1)  # Asha was selected, Clara was not
    assert (sex["male"]["n"], sex["male"]["selected"]) == (2, 2)
    assert sex["female"]["ratio"] == 0.5
    assert tables["sex", "selection"]["unknown"] == 1
    assert tables["race", "selection"]["reference"] == "Asian"
    assert report.data["undecided"] == 2
    assert report.data["shortlist"] == 3
    # Java counts most: David (84 months), Asha (40), Boris (30) before Clara and Elena, so the median is Boris'.
    above = {rate["group"]: rate["selected"] for rate in tables["sex", "scoring"]["rates"]}
    assert above == {"female": 1, "male": 1}
    bands = [each["band"] for each in report.data["within_bands"][0]["bands"]]
    assert bands == ["0-1 years", "1-3 years", "3-5 years", "5-10 years"]
    assert {finding.severity for finding in report.findings} == {"unknown"}
    said = json.dumps(report.to_json(), allow_nan=False)
    for applicant in FIVE:
        assert applicant.name not in said
    for id in decided.ids.values():
        assert id not in said


def test_all_jobs_together_and_other_variables(service: Service, decided: Taken) -> None:
    report = audit_job_outcomes(service, None, variables=["race"], shortlist=2)
    assert {each["variable"] for each in report.data["tables"]} == {"race"}
    median = next(each["median"] for each in report.data["tables"] if each["measure"] == "scoring")
    assert median == 0.4  # of the shares 0, 0.2 ... 0.8 of the job's applicants who score less
    with pytest.raises(UsageError, match="There is no variable 'age'; there are race, sex"):
        audit_job_outcomes(service, decided.job, variables=["age"])


def test_the_public_figures(service: Service, decided: Taken) -> None:
    summary = job_ll144(service, decided.job, distributed="2026-01-31", tool="Evenhand")
    assert summary.data_statement.startswith("Historical data of this employer: 5 applications for 1 job, received")
    written = json.loads(ll144_bytes(summary, is_csv=False))
    assert (written["distribution_date"], written["unknown"]["sex"]) == ("2026-01-31", 1)
    text = ll144_bytes(summary, is_csv=True).decode("utf-8-sig")
    rows = list(csv.reader(text.splitlines()))
    assert ["sex", "female", "2", "1", "0.5", "0.5", "selection", ""] in rows
    assert rows[0] == ["tool", "Evenhand"]
