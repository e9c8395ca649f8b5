"""The screening service from the command line: a job, its applicants, a search, decisions, and taking them back."""

from __future__ import annotations

import html
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from evenhand.cli.main import app
from evenhand.errors import UsageError
from evenhand.ledger import recording
from evenhand.search import index_sync

JOB = """Java Developer

What you bring
- At least 3 years of Java
- SQL required

A plus: Kubernetes
"""

RESUMES = {
    "ada.txt": """Ada Brent
ada@example.com

Experience
Java Developer, Fennick Tools, Berlin
January 2018 - December 2022
Built order services in Java and SQL.

Education
Master of Science in Computer Science, Stonegate University, 2017
""",
    "bo.txt": """Bo Carden
bo@example.com

Experience
Java Developer, Marrow Stores, Paris
January 2021 - December 2021
Maintained Java and SQL code, ran it on Kubernetes.

Education
Bachelor of Science in Physics, Stonegate University, 2020
""",
    "cy.txt": """Cy Dunmore
cy@example.com

Experience
Accountant, Pallister Logistics, Leeds
March 2015 - March 2020
Closed the books each month, kept the general ledger and prepared tax returns for four companies of the group.
Helped the auditors every spring and trained two apprentices in payroll.
""",
}


def ran(runner: CliRunner, *arguments: str, code: int = 0) -> str:
    result = runner.invoke(app, list(arguments))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code
    return result.stdout


def runner_in(folder: Path) -> CliRunner:
    return CliRunner(env={"COLUMNS": "100", "TERM": "dumb", "EVENHAND_DATA": str(folder / "data")})


@pytest.fixture(scope="module")
def first_night(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with a job, three resumes and what was made of them, and the job's id; each test gets a copy."""
    folder = tmp_path_factory.mktemp("night")
    (folder / "inbox").mkdir()
    for name, text in RESUMES.items():
        (folder / "inbox" / name).write_text(text)
    (folder / "job.txt").write_text(JOB)
    runner = runner_in(folder)
    id = ran(runner, "job", "add", str(folder / "job.txt")).splitlines()[-1]
    told = ran(runner, "ingest", str(folder / "inbox"), "--job", id, "--source", "portal")
    assert told == "3 new applications, 0 already imported.\n"
    return folder, id


@pytest.fixture
def runner(first_night: tuple[Path, str], tmp_path: Path) -> CliRunner:
    shutil.copytree(first_night[0], tmp_path, dirs_exist_ok=True)
    return runner_in(tmp_path)


@pytest.fixture
def job(first_night: tuple[Path, str]) -> str:
    return first_night[1]


def page(runner: CliRunner, job: str, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ran(runner, "search", "--job", job, *arguments, "--json"))
    return found


def names(found: dict[str, Any]) -> list[str]:
    return [result["candidate"] for result in found["results"]]


def counts(found: dict[str, Any], facet: str) -> dict[str, int]:
    [values] = [each["values"] for each in found["facets"] if each["name"] == facet]
    return {value["value"]: value["count"] for value in values if value["count"]}


def test_a_job_is_understood_kept_listed_and_put_right(runner: CliRunner, job: str) -> None:
    [listed] = [json.loads(line) for line in ran(runner, "job", "list", "--json").splitlines()]
    assert (listed["id"], listed["title"], listed["applications"]) == (job, "Java Developer", 3)
    asked = json.loads(ran(runner, "job", "show", job, "--json"))
    assert [(skill["name"], skill["must"], skill["months"]) for skill in asked["skills"]] == [
        ("java", True, 36),
        ("sql", True, None),
        ("kubernetes", False, None),
    ]
    ran(runner, "job", "change", job, "--must", "kubernetes:6", "--drop", "sql")
    changed = json.loads(ran(runner, "job", "show", job, "--json"))
    assert [(skill["name"], skill["must"], skill["months"]) for skill in changed["skills"]] == [
        ("java", True, 36),
        ("kubernetes", True, 6),
    ]
    assert page(runner, job)["results"][-1]["missing"] == ["java", "kubernetes"]


def test_the_same_files_again_change_nothing(runner: CliRunner, job: str, tmp_path: Path) -> None:
    assert ran(runner, "ingest", str(tmp_path / "inbox"), "--job", job) == "0 new applications, 3 already imported.\n"
    assert page(runner, job)["total"] == 3


def test_a_link_in_the_folder_is_named_and_nothing_of_its_target_is_kept(
    runner: CliRunner, job: str, tmp_path: Path
) -> None:
    key = tmp_path / "signing.key"
    key.write_text("a secret key")
    (tmp_path / "inbox" / "cv.txt").symlink_to(key)
    told = ran(runner, "ingest", str(tmp_path / "inbox"), "--job", job, code=1)
    assert told.startswith("0 new applications, 3 already imported.\n")
    assert told.endswith("name the file that it leads to. (symbolic_link)\n")
    assert page(runner, job)["total"] == 3


def test_a_bad_file_is_named_and_the_others_are_in(runner: CliRunner, job: str, tmp_path: Path) -> None:
    (tmp_path / "inbox" / "empty.pdf").write_bytes(b"")
    told = ran(runner, "ingest", str(tmp_path / "inbox"), "--job", job, code=1)
    assert told.splitlines()[1:] == [
        "1 file could not be taken in; what there was of them is kept:",
        f"  {tmp_path}/inbox/empty.pdf: The file contains no text. (empty_document)",
    ]
    assert page(runner, job)["total"] == 3


def test_words_lift_and_conditions_filter(runner: CliRunner, job: str) -> None:
    everyone = page(runner, job)
    assert everyone["total"] == 3
    assert names(everyone)[-1] == "Cy Dunmore"
    lifted = page(runner, job, "accountant")
    assert lifted["total"] == 3
    assert names(page(runner, job, "title:accountant")) == ["Cy Dunmore"]
    assert names(page(runner, job, "--skill", "java>=36")) == ["Ada Brent"]
    assert names(page(runner, job, "java AND NOT kubernetes")) == ["Ada Brent"]


def test_names_are_found_and_words_without_a_hit_are_said(runner: CliRunner, job: str) -> None:
    found = page(runner, job, "Dunmore blockchain")
    assert [(each["candidate"], each["found_by"], each["rank"]) for each in found["people"]] == [
        ("Cy Dunmore", "name", 3)
    ]
    assert found["unmatched"] == ["blockchain"]
    assert names(found) == names(page(runner, job))
    text = ran(runner, "search", "--job", job, "Dunmore blockchain")
    assert "Found by name: Cy Dunmore, rank 3 of 3" in text
    assert "No resume of this job mentions “blockchain”." in text


def test_facets_count_what_other_facets_leave(runner: CliRunner, job: str) -> None:
    found = page(runner, job, "--facet", "degree=master")
    assert names(found) == ["Ada Brent"]
    assert counts(found, "degree") == {"master": 1, "bachelor": 1, "not stated": 1}
    assert counts(found, "source") == {"portal": 1}
    strict = page(runner, job, "--facet", "degree=master", "--strict-counts")
    assert counts(strict, "degree") == {"master": 1}
    both = page(runner, job, "--facet", "degree=master", "--facet", "degree=bachelor")
    assert sorted(names(both)) == ["Ada Brent", "Bo Carden"]


def test_every_part_is_in_the_score_and_every_match_has_its_place(runner: CliRunner, job: str) -> None:
    first = page(runner, job)["results"][0]
    assert sum(part["value"] for part in first["parts"]) == pytest.approx(first["score"], abs=1e-9)
    text = next(text for text in RESUMES.values() if first["candidate"] in text)
    for match in first["matched"]:
        place = match["evidence"][0]
        assert text[place["start"] : place["end"]].lower() == match["skill"]
    for snippet in first["snippets"]:
        assert snippet["highlights"]
        assert snippet["text"] in text


def test_the_rest_is_rejected_after_a_look_and_taken_back(runner: CliRunner, job: str) -> None:
    best = page(runner, job)["results"][0]["application"]
    ran(runner, "decide", "shortlist", best, "--reason", "five years of Java")
    rest = ("decide", "reject-rest", "--job", job, "--reason", "no Java", "--by", "mo")
    events = len(ran(runner, "ledger", "show").splitlines())
    looked = runner.invoke(app, [*rest, "--facet", "degree=master"])
    assert looked.stderr.splitlines()[0].endswith(" of 3 applications: Highest degree: Master's degree.")
    told = runner.invoke(app, list(rest)).stderr  # without --yes nothing happens
    assert told.splitlines() == [
        "Reject 2 of 3 applications: no filter.",
        "Left as they are: 1 shortlisted for interview.",
        "2 of 2 were never opened. Auditors see this number.",
        "Nothing is done without --yes.",
    ]
    assert len(ran(runner, "ledger", "show").splitlines()) == events
    assert counts(page(runner, job), "status") == {"new": 2, "shortlisted": 1}
    told = ran(runner, *rest, "--yes")
    assert counts(page(runner, job), "status") == {"rejected": 2, "shortlisted": 1}
    batch = told.split()[-1]
    asked = runner.invoke(app, ["decide", "undo", batch])
    assert isinstance(asked.exception, UsageError)
    assert str(asked.exception).startswith("The rejection of Bo Carden and Cy Dunmore was made by mo on ")
    assert str(asked.exception).endswith("Do you want to undo it? --yes does it.")
    assert counts(page(runner, job), "status") == {"rejected": 2, "shortlisted": 1}
    undone = ran(runner, "decide", "undo", batch, "--by", "mo")  # one's own, just made
    assert undone.startswith("Undone: rejection of ")
    assert counts(page(runner, job), "status") == {"new": 2, "shortlisted": 1}
    redone = ran(runner, "decide", "redo", undone.split()[-1], "--yes")
    assert redone.startswith("Redone: rejection of ")
    ran(runner, "decide", "undo", redone.split()[-1])
    assert counts(page(runner, job), "status") == {"new": 2, "shortlisted": 1}
    assert "five years of Java" in ran(runner, "decide", "history", best)


def test_a_watched_employer_is_flagged_and_stays_in_the_list(runner: CliRunner, job: str) -> None:
    assert ran(runner, "watch", "add", "no_hire", "Marrow Stores Ltd") == "1 new on no_hire, 0 there before.\n"
    found = page(runner, job)
    assert found["total"] == 3
    flags = {result["candidate"]: [flag["code"] for flag in result["flags"]] for result in found["results"]}
    assert flags == {"Ada Brent": [], "Bo Carden": ["no_hire"], "Cy Dunmore": []}
    assert ran(runner, "watch", "list") == "no_hire\tMarrow Stores Ltd\n"


def test_kept_resumes_are_mined_again(runner: CliRunner, job: str) -> None:
    before = page(runner, job)
    assert ran(runner, "remine") == "0 resumes mined.\n"
    assert ran(runner, "remine", "--all") == "3 resumes mined.\n"
    assert page(runner, job)["facets"] == before["facets"]


def test_whether_all_agree_can_be_asked(runner: CliRunner, job: str, tmp_path: Path) -> None:
    assert ran(runner, "check") == "3 applications: database, files and index agree.\n"
    [kept, *_] = sorted(path for path in (tmp_path / "data" / "files").rglob("*") if path.is_file())
    kept.write_bytes(b"altered")
    assert kept.name in ran(runner, "check", code=1)
    shutil.rmtree(tmp_path / "data" / "index")
    ran(runner, "check", "--rebuild-index", code=1)
    assert page(runner, job)["total"] == 3


def test_a_damaged_database_gets_a_sentence_and_a_code(runner: CliRunner, job: str, tmp_path: Path) -> None:
    [database] = (tmp_path / "data").glob("evenhand.db")
    data = bytearray(database.read_bytes())
    data[4096 * 2 : 4096 * 12] = b"\x5a" * 4096 * 10
    database.write_bytes(data)
    for options in ((), ("--repair",)):
        found = runner.invoke(app, ["check", *options])
        assert (found.exit_code, found.stdout.startswith("database_damaged: ")) == (1, True)
        assert "Restore the database from a backup" in found.stderr


def test_other_names_of_a_skill_find_it_too(runner: CliRunner, job: str) -> None:
    assert names(page(runner, job, "k8s>=6")) == ["Bo Carden"]


def test_skills_are_suggested_by_how_many_have_them(runner: CliRunner, job: str) -> None:
    found = [json.loads(line) for line in ran(runner, "job", "suggest", job, "--json").splitlines()]
    assert {"java", "sql", "kubernetes"}.isdisjoint(each["skill"] for each in found)
    assert [each["applicants"] for each in found] == sorted((each["applicants"] for each in found), reverse=True)


def test_form_data_come_with_their_file(runner: CliRunner, job: str, tmp_path: Path) -> None:
    (tmp_path / "di.txt").write_text(RESUMES["cy.txt"].replace("Cy Dunmore", "Di Ellison"))
    (tmp_path / "forms.csv").write_text("file,employer,note\ndi.txt,Hewlett Packard India Pvt. Ltd.,\nno.txt,X,\n")
    ran(runner, "watch", "add", "no_hire", "HP India Pvt. Ltd.")
    forms = ["--forms", str(tmp_path / "forms.csv")]
    told = runner.invoke(app, ["ingest", str(tmp_path / "di.txt"), "--job", job, *forms])
    assert "1 row of the form data for files that were not given." in told.stderr
    flagged = [result for result in page(runner, job)["results"] if result["candidate"] == "Di Ellison"]
    assert "no_hire" in [flag["code"] for flag in flagged[0]["flags"]]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("degree=Master", ["Ada Brent"]),
        ("status=New", ["Ada Brent", "Bo Carden", "Cy Dunmore"]),
        ("status=Shortlisted for Interview", []),
        ("skill=K8s", ["Bo Carden"]),
        ("degree=Not stated", ["Cy Dunmore"]),
    ],
)
def test_facet_values_are_known_however_they_are_written(
    runner: CliRunner, job: str, typed: str, found: list[str]
) -> None:
    assert sorted(names(page(runner, job, "--facet", typed))) == found


def test_each_facet_keeps_to_one_line(runner: CliRunner, job: str, tmp_path: Path) -> None:
    skills = ("python", "perl", "rust", "scala", "haskell", "fortran", "cobol", "erlang", "kotlin", "prolog")
    (tmp_path / "di.txt").write_text(f"Di Ellison\n\nSkills\n{', '.join(skills)}\n")
    ran(runner, "ingest", str(tmp_path / "di.txt"), "--job", job)
    lines = runner.invoke(app, ["search", "--job", job], env={"COLUMNS": "60"}).stdout.splitlines()
    start = lines.index(next(line for line in lines if line.startswith("Source")))
    heads = [line[:15].strip() for line in lines[start:]]
    assert heads == ["Source", "Degree", "Years in all", "Years relevant", "City", "Status", "Skill"]
    assert max(map(len, lines)) <= 60


def test_equals_differ_in_no_part(runner: CliRunner, job: str) -> None:
    assert "No part differs." in ran(runner, "search", "--job", job, "--why", "1", "1")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("search", "--job", "nothere"), "There is no job 'nothere'"),
        (("search", "--job", "JOB", "(java"), "parenthesis"),
        (("search", "--job", "JOB", "--facet", "colour=red"), "There is no facet 'colour'"),
        (("search", "--job", "JOB", "--facet", "degree"), "A facet is chosen like degree=master"),
        (
            ("search", "--job", "JOB", "--facet", "degree=masters"),
            "The facet degree has no value 'masters' (did you mean master?); there are other,",
        ),
        (("search", "--job", "JOB", "--facet", "total_years=4"), "there are 0-1, 1-3, 3-5, 5-10, 10+, not stated."),
        (("search", "--job", "JOB", "--why", "1", "2", "--json"), "Give --why or --json, not both"),
        (("search", "--job", "JOB", "--ranker", "bets"), "did you mean best?"),
        (("search", "--job", "JOB", "--ranker", "semantic"), "rank a folder"),
        (("watch", "add", "friends", "X"), "There is no watch list 'friends'"),
        (("watch", "list", "friends"), "There is no watch list 'friends'"),
        (
            ("ingest", "x.txt", "--job", "JOB", "--forms", "missing.csv"),
            "The form data missing.csv cannot be read: No such file or directory.",
        ),
        (("decide", "reject-rest", "--job", "JOB", "--reason", " ", "--yes"), "needs a reason"),
        (("decide", "reject", "any", "--reason", " "), "A rejection needs a reason."),
        (("decide", "undo", "nobatch"), "There is no batch of decisions 'nobatch'"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    runner: CliRunner, job: str, arguments: tuple[str, ...], sentence: str
) -> None:
    result = runner.invoke(app, [job if word == "JOB" else word for word in arguments])
    assert result.exit_code != 0
    assert sentence in str(result.exception) + result.output


# Reading takes away the blank before the line end and the last line end.
LONG_AD = "Java Developer\n\nRequirements:\n- Java\n" + "We sell tools. " * 4_200 + "\n- Python is a must\n"
CUT = f"Only the first 60,000 of the ad's {len(LONG_AD) - 2:,} characters were read for requirements."


def test_an_ad_that_is_too_long_to_be_read_whole_is_told(tmp_path: Path) -> None:
    """In the card, in JSON, in the report, and with the job that is kept."""
    (tmp_path / "job.txt").write_text(LONG_AD)
    (tmp_path / "ada.txt").write_text(RESUMES["ada.txt"])
    runner = runner_in(tmp_path)
    assert CUT in " ".join(ran(runner, "rank", str(tmp_path / "job.txt"), "--job-only").replace("│", "").split())
    report = tmp_path / "report.html"
    ranking = ran(runner, "rank", str(tmp_path / "job.txt"), str(tmp_path / "ada.txt"), "--json", "--html", str(report))
    [warning] = json.loads(ranking)["job"]["warnings"]
    assert (warning["code"], warning["message"]) == ("truncated", CUT)
    assert CUT in html.unescape(report.read_text())
    id = ran(runner, "job", "add", str(tmp_path / "job.txt")).splitlines()[-1]
    assert json.loads(ran(runner, "job", "show", id, "--json"))["warnings"] == [warning]


def test_the_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """A folder that has gone between the check and the writing, or a disk that is full, has no better sentence."""
    (tmp_path / "ada.txt").write_text(RESUMES["ada.txt"])
    target = f"{tmp_path}/{'x' * 300}.csv"
    done = subprocess.run(
        [sys.executable, "-m", "evenhand", "rank", JOB, str(tmp_path / "ada.txt"), "--csv", target],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, f"Error: {target}: File name too long.")


FORM = "file,Degree,City,Years of experience\nbare.txt,M.Sc.,leeds,5.5\nbo.txt,PhD,Rome,30\n"
BARE = "Bea Fennel\nbea@example.com\n\nSkills\nJava, SQL\n"


def with_forms(folder: Path) -> tuple[CliRunner, str]:
    """Bea's resume says nothing; Bo's says bachelor, Paris and a year, whatever the form claims."""
    (folder / "job.txt").write_text(JOB)
    (folder / "bare.txt").write_text(BARE)
    (folder / "bo.txt").write_text(RESUMES["bo.txt"].replace("@example.com", "@example.com\nParis, France"))
    (folder / "forms.csv").write_text(FORM)
    runner = runner_in(folder)
    id = ran(runner, "job", "add", str(folder / "job.txt")).splitlines()[-1]
    files = [str(folder / name) for name in ("bare.txt", "bo.txt")]
    ran(runner, "ingest", *files, "--job", id, "--forms", str(folder / "forms.csv"), "--as-of", "2026-01")
    return runner, id


def found(runner: CliRunner, id: str, *options: str) -> list[str]:
    screen = json.loads(ran(runner, "search", "--job", id, "--json", *options))
    return [result["candidate"] for result in screen["results"]]


def test_what_a_form_states_counts_where_the_resume_is_silent(tmp_path: Path) -> None:
    runner, id = with_forms(tmp_path)
    screen = json.loads(ran(runner, "search", "--job", id, "--json"))
    names = ("degree", "city", "total_months", "stated")
    assert {result["candidate"]: tuple(result[name] for name in names) for result in screen["results"]} == {
        "Bea Fennel": ("master", "Leeds", 66, ["degree", "city", "total_months"]),
        "Bo Carden": ("bachelor", "Paris", 12, []),
    }
    counts = {facet["name"]: facet["values"] for facet in screen["facets"]}
    assert [(value["value"], value["count"], value["stated"]) for value in counts["degree"]] == [
        ("bachelor", 1, 0),
        ("master", 1, 1),
    ]
    assert found(runner, id, "--facet", "city=Leeds") == ["Bea Fennel"]
    assert found(runner, id, "--facet", "total_years=5-10", "--facet", "degree=master") == ["Bea Fennel"]
    assert found(runner, id, "--facet", "degree=doctorate") == []
    ran(runner, "export", "--job", id, "--csv", str(tmp_path / "list.csv"))
    assert '"degree; city; total months"' in (tmp_path / "list.csv").read_text()


def test_lists_shown_before_forms_counted_are_made_again_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr(recording, "INDEX_VERSION", 1)
        before.setattr(index_sync, "stated_facts", lambda form: None)
        runner, id = with_forms(tmp_path)
        assert found(runner, id, "--facet", "degree=not stated") == ["Bea Fennel"]
    shutil.rmtree(tmp_path / "data" / "index")
    assert found(runner, id, "--facet", "degree=not stated") == []
    assert found(runner, id, "--facet", "degree=master") == ["Bea Fennel"]
    again = runner.invoke(app, ["ledger", "replay", "--all"])
    assert (again.exit_code, again.stderr) == (0, "3 rankings made again, 0 of them with differences.\n")
