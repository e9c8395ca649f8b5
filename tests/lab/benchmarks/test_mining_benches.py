"""Benches of the miner: scores worked out by hand, and small runs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from evenhand.errors import UsageError
from evenhand.records.document import Failure, Table, Warning
from evenhand.records.profile import Education, Evidence, Fact, Period, Position, Profile, Section, Skill, Source
from evenhand_lab.benchmarks import coverage, gold, mine
from evenhand_lab.benchmarks.fact_scores import Count
from evenhand_lab.corpora.sets.resumes import GoldEducation, GoldPosition, GoldResume
from tests.mining.pages import page

PLACE = Evidence(0, 1, 1, "crf", 1.0)
WANTED = GoldResume(
    id="x", file=Path("x.pdf"), part="dev", as_of="2024-01",
    name="Nora Whitfield", emails=("nora@example.com",), phones=("+44 20 7946 0958",), city=None,
    sections=(("Work Experience", "experience"), ("Education", "education")),
    positions=(
        GoldPosition("Fennick Tools Ltd.", "Software Engineer", "2014-01", "2015-12"),
        GoldPosition("Fennick Tools Ltd.", "Trainee", "2013-01", "2013-12"),
        GoldPosition("Brackley Foods", "Clerk", None, None),
    ),
    projects=(),
    education=(GoldEducation("University of Leeds", "Bachelor of Science", "bachelor", "Physics", "2012"),),
    certifications=(),
    skills=("Java", "SQL", "Oracle", "HTML"),
    skill_months=(("Java", 24), ("Oracle", 10), ("SQL", 12)),
    total_months=36,
)  # fmt: skip


def fact(value: str) -> Fact:
    return Fact(value, value, PLACE)


def job(employer: str, title: str, start: str, end: str) -> Position:
    period = Period(start, end, None, None)
    return Position(fact(employer), fact(title), None, period, (), PLACE)


def skill(name: str, months: int | None) -> Skill:
    return Skill(name.lower(), (name,), months, months, None, (PLACE,))


def study(university: str, degree: str) -> Education:
    return Education(fact(university), fact(degree), None, None, None, None, PLACE)


def source(error: Failure | None = None, warnings: tuple[Warning, ...] = ()) -> Source:
    return Source(None, "", "pdf", 1, "error" if error else "parsed", warnings, error)


FOUND = Profile(
    source(),
    "2024-01",
    name=fact("NORA WHITFIELD"),
    phones=(fact("020 7946 0958"), fact("12345")),
    sections=(Section("experience", "WORK EXPERIENCE", 0, 5), Section("other", None, 5, 9)),
    positions=(
        job("Fennick Tools Ltd", "Software Engineer", "2014-01", "2015-12"),
        job("Halden Shipping", "Trainee", "2013-02", "2013-12"),
    ),
    education=(study("University of Leeds, Leeds, UK", "Bachelor of Science"),),
    skills=(skill("Java", 26), skill("SQL", 14), skill("Teamwork", None)),
    total_months=33,
)


def test_scores_of_one_resume() -> None:
    assert gold.score(WANTED, FOUND) == {
        "name": Count(1, 1, 1),
        "email": Count(0, 1, 0),
        "phone": Count(0, 1, 2),  # digits of one must end with those of the other: 0 stands for +44
        "heading": Count(1, 2, 1),
        "employer": Count(1, 2, 2),  # an employer counts once
        "title": Count(2, 3, 2),
        "university": Count(0, 1, 1),  # its address is not part of it
        "degree": Count(1, 1, 1),
        "skill": Count(2, 4, 3),
        "position dates": Count(1, 2, 2),
        "total months": Count(1, 1, 1),  # 33 is within a tenth of 36
        "skill months": Count(1, 3, 3),  # 26 for 24 is close, 14 for 12 is not, Oracle was not found
    }


def test_phones_are_compared_by_their_digits() -> None:
    assert gold.same_digits("+44 20 7946 0958", "44 (20) 79460958")
    assert gold.same_digits("+1 404 555 0125", "(404) 555-0125")
    assert not gold.same_digits("+44 20 7946 0958", "0958")


def test_figures_beside_the_goals() -> None:
    scores = [gold.score(WANTED, FOUND), gold.score(WANTED, Profile(source(), "2024-01"))]
    result = gold.summary([WANTED, WANTED], scores)
    assert (result.resumes, result.it_resumes) == (2, 2)
    assert [row.figure for row in result.figures()] == [*gold.GOALS, "skill, IT resumes"]
    rows = dict(result.rows())
    assert rows["skill: precision, recall, F1"] == "0.667, 0.250, 0.364 [0.000, 0.571] (at least 0.70)"
    assert rows["skill months: share"] == "0.167 [0.000, 0.333] (at least 0.65)"
    assert rows["email: precision, recall, F1"] == "none, 0.000, 0.000 [0.000, 0.000] (at least 0.98)"
    assert result.table().row_count == len(gold.GOALS) + 1
    figure = json.loads(json.dumps(result.to_json()))["figures"]["name"]
    assert figure == {
        "right": 1, "expected": 2, "found": 1, "precision": 1.0, "recall": 0.5, "f1": 2 / 3, "goal": 0.93,
        "interval": [0.0, 1.0],
    }  # fmt: skip


def test_gold_shows_no_value_of_a_resume() -> None:
    result = gold.summary([WANTED], [gold.score(WANTED, FOUND)])
    shown = json.dumps(result.to_json()) + str(result.rows())
    assert not any(word in shown for word in ("Nora", "Fennick", "Halden", "Teamwork"))


@pytest.mark.parametrize("bench", [gold, coverage])
def test_benches_on_real_resumes_need_a_folder(bench: type, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs --data"):
        bench.run()  # type: ignore[attr-defined]
    with pytest.raises(UsageError):
        bench.run(tmp_path)  # type: ignore[attr-defined]


def test_coverage_counts() -> None:
    bare = Profile(source(warnings=(Warning("low_text", "Little."),)), "2024-01")
    unread = Profile(source(Failure("encrypted_document", "It is.")), "2024-01")
    lost = Profile(source(), "2024-01", warnings=(Warning("mining_failed", "It stopped."),))
    result = coverage.summary(["A", "A", "B", "B"], [FOUND, bare, unread, lost])
    assert (result.files, result.failed, result.unread) == (4, 1, {"encrypted_document": 1})
    assert result.warnings == {"low_text": 1, "mining_failed": 1}
    assert (result.mined, result.found["a dated job"], result.found["a degree"]) == (3, 1, 1)
    assert dict(result.rows())["with a degree"] == "33.3%, 1 of 3 [6.1%, 79.2%]"  # Wilson
    assert result.found["at least 5 skills"] == 0
    assert result.by_folder == {"A": (2, 0.0), "B": (1, 0.0)}
    assert "Nora" not in json.dumps(result.to_json()) + str(result.rows())


def test_coverage_of_files(tmp_path: Path) -> None:
    lines = ["Nora Whitfield", "Experience", "Software Engineer, Fennick Tools Ltd", "2014 - 2015", "Java and SQL"]
    (tmp_path / "one.txt").write_text("\n".join(lines))
    (tmp_path / "two.txt").write_text("")
    result = coverage.run(tmp_path)
    assert (result.files, result.failed, result.unread) == (2, 0, {"empty_document": 1})
    assert result.found["a dated job"] == 1
    assert result.by_folder == {}
    assert result.table().row_count == len(result.rows())


def test_joined_documents_are_one_with_all_pages() -> None:
    document = page("Nora Whitfield", "", ("Java", {"table": (0, 0, 1)}))
    document = replace(document, tables=(Table(1, 1, 2, True),))
    twice = mine.joined([document, document])
    assert twice.text == document.text + "\n\n" + document.text
    assert [twice.text[line.start : line.end] for line in twice.lines] == ["Nora Whitfield", "Java"] * 2
    assert [(line.page, line.table) for line in twice.lines] == [(1, None), (1, (0, 0, 1)), (2, None), (2, (1, 0, 1))]
    assert (twice.pages, len(twice.tables)) == (2, 2)
    assert mine.enough_for([twice, document], pages=4) == [twice, document, twice]


@pytest.mark.long
def test_mine_measures_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mine, "WARM_UP", 3)
    monkeypatch.setattr(mine, "LONG_PAGES", 20)
    result = mine.run(n=3)
    assert result.resumes == 3
    assert result.per_second > 0
    assert 0 < result.median_milliseconds <= result.p95_milliseconds
    assert result.ratio_to_reading > 1
    assert list(result.by_length) == list(mine.TIMES)
    assert result.long_seconds > 0
    assert result.table().row_count == len(result.rows())
    assert json.loads(json.dumps(result.to_json()))["parts"] == 3
