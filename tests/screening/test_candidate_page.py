"""What is shown of a candidate: the text to the character, careers and months counted by hand, what others did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest

import evenhand
from evenhand.applicants.corrections import correct
from evenhand.documents.parse import parse
from evenhand.errors import Forbidden, NotFound, UsageError
from evenhand.ledger.recording import Recorder
from evenhand.ledger.replay import replay
from evenhand.masking.masker import Masker
from evenhand.masking.stored import find_all
from evenhand.mining.corrections import CorrectionInput
from evenhand.mining.experience import MonthInterval, gaps
from evenhand.mining.pipeline import mine
from evenhand.records import (
    Demand,
    Document,
    Education,
    Evidence,
    Fact,
    Job,
    Line,
    Part,
    Period,
    Position,
    Profile,
    Project,
    Score,
    Skill,
    Source,
    content_hash,
)
from evenhand.screening.candidate_career import Tick, TimelineEntry, demand_rows, make_skills, make_timeline, uses_words
from evenhand.screening.candidate_comparison import chosen, compare_candidates, diff_resumes
from evenhand.screening.candidate_list import Viewer
from evenhand.screening.candidate_page import CandidatePage, build_page, set_flag_aside
from evenhand.screening.candidate_rank import view_score
from evenhand.screening.candidate_text import Block, ResumeText, TextLine, lay_out, place_id, place_words, placed_facts
from evenhand.screening.exports import masked_text, original
from evenhand.screening.redaction import redact
from evenhand.search.criteria import Criteria
from evenhand.search.matching import StatedFacts, form_rows
from evenhand.search.screener import Screener
from evenhand.search.service import Service
from evenhand.search.visibility import CONTACT_ONLY, OPEN, Visibility, blind
from tests.screening.applicants import ASHA, BORIS, CLARA, FIVE, Taken, take_in

SAMPLES = Path(evenhand.__file__).parent / "samples"
READABLE = sorted(path.name for path in SAMPLES.iterdir() if path.name not in ("password.pdf", "warehouse-scan.pdf"))
SOURCE = Source("a.txt", "0" * 64, "txt", 1, "parsed", (), None)
AS_OF = "2026-01"


def place(start: int, end: int) -> Evidence:
    return Evidence(start, end, 1, "rule", 0.98)


def fact(value: str, start: int = 0, end: int = 4) -> Fact:
    return Fact(value, value, place(start, end))


def position(title: str, start: str | None, end: str | None, months: int | None, *skills: str) -> Position:
    period = Period(start, end, months, None)
    return Position(fact("Fennick"), fact(title), None, period, skills, place(0, 4))


def document(text: str, *lines: Line) -> Document:
    return Document("a.txt", "0" * 64, "txt", 1, "parsed", text, (), lines, (), (), None)


def line(start: int, end: int, **more: object) -> Line:
    plain = Line(start, end, 1, None, None, None, False, False, None, None, None)
    return replace(plain, **more)  # type: ignore[arg-type]


def lines_of(block: Block) -> Iterator[TextLine]:
    if block.kind == "table":
        yield from chain.from_iterable(chain.from_iterable(block.rows))
    elif block.kind == "list":
        yield from chain.from_iterable(item.lines for item in block.items)
    else:
        yield from block.lines


def all_lines(shown: ResumeText) -> list[TextLine]:
    return [line for sheet in shown.sheets for block in sheet.blocks for line in lines_of(block)]


def shown_text(shown: ResumeText) -> str:
    return "".join("".join(each.text for each in line.segments) + line.gap for line in all_lines(shown))


@pytest.mark.parametrize("name", READABLE)
def test_the_text_is_that_of_the_document_and_every_fact_has_its_place_in_it(name: str) -> None:
    read = parse((SAMPLES / name).read_bytes())
    profile = mine(read, as_of=AS_OF)
    shown = lay_out(read, profile, most_lines=None)
    assert shown_text(shown) == read.text
    begun = [id for line in all_lines(shown) for each in line.segments for id in each.begins]
    assert len(begun) == len(set(begun))
    assert set(begun) == {place_id(each) for found in placed_facts(profile) for each in found.places}
    for found in placed_facts(profile):
        for each in found.places:
            words = [
                piece.text for line in all_lines(shown) for piece in line.segments if place_id(each) in piece.places
            ]
            assert "".join(words) == "".join(
                read.text[max(each.start, one.start) : min(each.end, one.end)]
                for one in read.lines
                if one.start < each.end and one.end > each.start
            )


def test_structure_is_kept() -> None:
    read = parse((SAMPLES / "project-manager.docx").read_bytes())
    shown = lay_out(read, mine(read, as_of=AS_OF))
    kinds = [block.kind for sheet in shown.sheets for block in sheet.blocks]
    assert kinds.count("table") == 2
    assert kinds.count("list") == 3
    assert kinds[-1] == "furniture"
    [sheet] = shown.sheets
    assert all_lines(shown)[0].look == "largest bold"
    tables = [block for block in sheet.blocks if block.kind == "table"]
    assert [len(row) for row in tables[0].rows] == [2, 2, 2]


def test_overlapping_places_share_segments() -> None:
    """ "Java developer" is a title, "Java" and "Java developer at" are other places, one begins in the middle."""
    text = "Java developer at Fennick"
    profile = Profile(
        SOURCE,
        AS_OF,
        positions=(
            replace(
                position("x", None, None, None),
                title=fact("Java developer", 0, 14),
                employer=fact("Fennick", 18, 25),
                evidence=place(0, 25),
            ),
        ),
        skills=(Skill("java", ("Java",), None, None, None, (place(0, 4),)),),
        languages=(fact("oper at", 10, 17),),
    )
    [only] = all_lines(lay_out(document(text, line(0, 25)), profile))
    assert [(piece.text, piece.places, piece.begins, piece.says) for piece in only.segments] == [
        ("Java", ("p0-25", "p0-14", "p0-4"), ("p0-25", "p0-14", "p0-4"), "Title: Java developer; Skill: java"),
        (" devel", ("p0-25", "p0-14"), (), "Title: Java developer"),
        ("oper", ("p0-25", "p0-14", "p10-17"), ("p10-17",), "Title: Java developer; Language: oper at"),
        (" at", ("p0-25", "p10-17"), (), "Language: oper at"),
        (" ", ("p0-25",), (), ""),
        ("Fennick", ("p0-25", "p18-25"), ("p18-25",), "Employer: Fennick"),
    ]


def test_a_long_resume_is_cut_and_says_so() -> None:
    text = "\n".join(f"line {number:04}" for number in range(2_000))
    lines = [line(10 * number, 10 * number + 9) for number in range(2_000)]
    shown = lay_out(document(text, *lines), None)
    assert (shown.lines_left_out, shown.reached) == (1_100, 8_999)
    assert shown_text(shown) == text[:8_999]
    assert (shown.shows(8_990), shown.shows(9_000)) == (True, False)
    assert shown_text(lay_out(document(text, *lines), None, most_lines=None)) == text


def test_wrapped_lines_flow_and_cells_that_come_out_of_order_stay_text() -> None:
    """The first line reaches the edge of its column at 300; the second ends early, so a new one begins after it."""
    words = ("A sentence that fills its line to the edge", "and goes on here.", "Next")
    starts = (0, 43, 61)
    boxes = ((10.0, 0.0, 300.0, 10.0), (10.0, 12.0, 120.0, 22.0), (10.0, 24.0, 40.0, 34.0))
    lines = [
        line(start, start + len(each), box=box, size=10.0)
        for start, each, box in zip(starts, words, boxes, strict=True)
    ]
    shown = lay_out(document("\n".join(words), *lines), None)
    assert [each.wraps for each in all_lines(shown)] == [True, False, False]

    cells = document("b\ta", line(0, 1, table=(0, 0, 1)), line(2, 3, table=(0, 0, 0)))
    shown = lay_out(cells, None)
    assert [block.kind for block in shown.sheets[0].blocks] == ["text"]
    assert shown_text(shown) == "b\ta"


def test_where_a_fact_was_found_in_words() -> None:
    assert place_words(place(3, 9)) == "page 1, found by a pattern, 98 % sure"
    assert place_id(place(3, 9)) == "p3-9"


def test_a_career_over_years_counted_by_hand() -> None:
    """January 2012 to January 2026 are 169 months. From January 2020 are 96 before, from June 2022 125."""
    study = Education(fact("Anna University"), fact("M.Sc."), "master", None, fact("2012"), None, place(0, 9))
    profile = Profile(
        SOURCE,
        AS_OF,
        positions=(
            position("Developer", "2020-01", "2021-12", 24),
            position("Lead", "2022-06", "present", 44),
            position("Intern", None, None, None),
        ),
        projects=(Project(fact("Shop"), None, None, Period("2021", "2021", 12, None), (), 0, place(0, 4)),),
        education=(study,),
    )
    line = make_timeline(profile)
    assert [(each.kind, each.name, each.dates, each.months, each.x, each.width) for each in line.dated] == [
        ("job", "Lead, Fennick", "2022-06 to present", 44, 73.96, 26.04),
        ("gap", "", "2022-01 to 2022-05", 5, 71.01, 2.96),
        ("project", "Shop", "2021", 12, 63.91, 7.1),
        ("job", "Developer, Fennick", "2020-01 to 2021-12", 24, 56.8, 14.2),
        ("study", "M.Sc., Anna University", "2012", None, 0.0, 7.1),
    ]
    assert [(each.kind, each.name, each.dates) for each in line.undated] == [
        ("job", "Intern, Fennick", "no dates stated")
    ]
    # Fifteen years do not fit one by one: every fifth, 2015 after 36 months, 2020 after 96, 2025 after 156.
    assert line.ticks == (Tick(2015, 21.3), Tick(2020, 56.8), Tick(2025, 92.31))


def test_no_dates_no_axis() -> None:
    line = make_timeline(Profile(SOURCE, AS_OF, positions=(position("Clerk", None, "2019", None),)))
    assert (line.dated, line.ticks) == ((), ())
    assert [each.dates for each in line.undated] == ["2019"]
    assert make_timeline(Profile(SOURCE, AS_OF)).undated == ()


def test_gaps_of_three_months_and_more_count() -> None:
    covered = [MonthInterval(0, 11), MonthInterval(14, 20), MonthInterval(5, 8), MonthInterval(24, 30)]
    assert gaps(covered) == [MonthInterval(21, 23)]


JOB = Job(
    "text",
    demands=(
        Demand(("sql",), False),
        Demand(("java", "kotlin"), True, 36),
        Demand(("go",), True, 12),
        Demand(("perl",), True),
        Demand(("rust",), True, 60),
    ),
)


def test_demands_beside_what_is_there() -> None:
    profile = Profile(
        SOURCE,
        AS_OF,
        positions=(
            position("Developer", "2020-01", "2021-12", 24, "java", "perl"),
            position("Clerk", None, None, None, "java"),
        ),
        projects=(Project(fact("Shop"), None, None, Period(None, None, None, None), ("java",), 0, place(0, 4)),),
        skills=(
            Skill("java", ("Java",), 24, 24, "2021-12", (place(7, 11),)),
            Skill("go", (), None, None, None, (place(20, 22),)),
            Skill("perl", (), 24, 24, "2021-12", (place(30, 34),)),
        ),
    )
    rows = demand_rows(profile, JOB)
    assert [(row.name, row.must, row.state, row.months, row.required_months) for row in rows] == [
        ("java", True, "short", 24, 36),
        ("go", True, "not dated", None, 12),
        ("perl", True, "met", 24, None),
        ("rust", True, "missing", None, 60),
        ("sql", False, "not mentioned", None, None),
    ]
    # A full bar is the 60 months that are asked for of rust.
    assert [(row.share, row.mark) for row in rows] == [
        (40.0, 60.0),
        (0.0, 20.0),
        (40.0, None),
        (0.0, 100.0),
        (0.0, None),
    ]
    assert [(use.name, use.dates, use.months) for use in rows[0].uses] == [
        ("Developer, Fennick", "2020-01 to 2021-12", 24),
        ("Clerk, Fennick", "no dates stated", None),
        ("Shop", "no dates stated", None),
    ]
    assert uses_words(rows[0].uses) == "2 jobs, 1 project"

    skills = make_skills(profile, JOB)
    assert [(row.name, row.months, row.share, row.asked) for row in skills.dated] == [
        ("java", 24, 100.0, "must"),
        ("perl", 24, 100.0, "must"),
    ]
    assert [(row.name, row.months) for row in skills.undated] == [("go", None)]


def test_parts_of_a_score_along_a_bar() -> None:
    best = view_score(Score((Part("Match with job ad", 30.0), Part("Requirements", 12.5, "2 of 4"))), "best")
    assert [(part.name, part.x, part.width, part.colour) for part in best.parts] == [
        ("Requirements", 0.0, 12.5, 0),
        ("Match with job ad", 12.5, 30.0, 1),
    ]
    assert (best.value, best.full, best.share) == (42.5, 100.0, 42.5)

    terms = tuple(Part(f"term {number:02}", float(number)) for number in range(12))
    many = view_score(Score(terms), "bm25", best=132.0)
    assert [part.name for part in many.parts] == [f"term {number:02}" for number in range(11, 4, -1)]
    assert (len(many.rest), many.rest_value, many.share) == (5, 10.0, 50.0)

    below_zero = view_score(Score((Part("a", -2.0), Part("b", -1.0))), "kl", best=-1.0)
    assert below_zero.drawn == ()
    assert below_zero.share == 0.0


def test_form_data_of_any_shape_become_rows() -> None:
    form = {"notice_period": None, "may_travel": True, "jobs": [{"employer": "Initech"}], "tools": ["a", 2]}
    assert form_rows(form) == (
        ("notice period", ""),
        ("may travel", "yes"),
        ("jobs › 1 › employer", "Initech"),
        ("tools", "a, 2"),
    )
    assert len(form_rows({str(number): number for number in range(1_000)})) == 201


def recorder(service: Service) -> Recorder:
    return Recorder(service.store, service.settings)


def viewer(visibility: Visibility = OPEN, *, only: str | None = None) -> Viewer:
    """Ann; `only` is the one job she may see."""
    return Viewer("ann", visibility, lambda job: only is None or job == only)


def page_of(service: Service, taken: Taken, name: str, who: Viewer | None = None, **criteria: object) -> CandidatePage:
    application = service.store.applications.get(taken.ids[name])
    wanted = Criteria(job=taken.job, ranker="bm25", **criteria)  # type: ignore[arg-type]
    return build_page(service, recorder(service), who or viewer(), application, criteria=wanted)


def test_one_candidate_from_end_to_end(service: Service) -> None:
    taken = take_in(service, *FIVE)
    ids = taken.ids
    service.store.decisions.decide([ids["Boris"]], "shortlist", actor="ann", reason="knows payroll")
    outcome = service.store.decisions.decide([ids["Boris"]], "offer", actor="ann", reason="too early")
    service.store.decisions.undo(outcome.batch, actor="ben", reason="by mistake")
    note = service.store.notes.add(ids["Boris"], "called him", actor="ann")
    service.store.notes.add_tag(ids["Boris"], "payroll", actor="ann")
    page = page_of(service, taken, "Boris")

    with service.screener(taken.job, ranker="bm25") as screener:
        order = screener.ids(Criteria(job=taken.job, ranker="bm25"))
    at = order.index(ids["Boris"])
    assert (page.standing.rank, page.standing.total) == (at + 1, 5)
    assert page.standing.before == (order[at - 1] if at else None)
    assert page.standing.after == (order[at + 1] if at < 4 else None)
    assert page.own is page.standing
    assert page.score is not None
    assert page.score.value == pytest.approx(page.own.listed.result.score.value)  # type: ignore[union-attr]

    assert page.read is not None
    assert [(row.name, row.state, row.months) for row in page.read.demands] == [
        ("java", "short", 30),
        ("python", "not mentioned", None),
    ]
    assert page.remarks.tags == (("payroll", content_hash("payroll")),)
    assert [(each.id, each.text, who) for each, who in page.remarks.notes] == [(note, "called him", "ann")]
    decided = [(each.who, each.what, each.why, each.undone) for each in page.history if "→" in each.what]
    assert decided == [
        ("ann", "Shortlisted for Interview → Offered", "too early", True),
        ("ann", "New → Shortlisted for Interview", "knows payroll", False),
    ]
    told = [(each.who, each.what, each.why) for each in page.history if "→" not in each.what]
    assert ("ben", "Decision undone: Shortlisted for Interview again, was Offered", "by mistake") in told
    assert ("ann", "Note added", "called him") in told
    assert ("ann", "Tagged", "payroll") in told
    assert [each.time for each in page.history] == sorted((each.time for each in page.history), reverse=True)


def test_who_is_not_in_the_list_she_came_from_still_has_a_rank(service: Service) -> None:
    taken = take_in(service, *FIVE)
    page = page_of(service, taken, "Clara", facets={"skill": ("java",)})
    assert (page.standing.rank, page.standing.total) == (None, 3)
    assert page.own.total == 5
    assert page.own.rank in range(1, 6)


def test_who_stands_behind_all_that_were_ordered_has_a_score_and_no_rank(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a pool of which only the first two are ordered; `depth` reaches further down."""
    taken = take_in(service, *FIVE)
    whole = {name: page_of(service, taken, name) for name in taken.ids}
    init = Screener.__init__
    monkeypatch.setattr(Screener, "__init__", lambda self, *given, **named: init(self, *given, **{**named, "depth": 2}))
    ranks = {}
    for name, page in whole.items():
        short = page_of(service, taken, name)
        ranks[name] = short.own.rank
        assert (short.own.ordered, short.own.total) == (2, 5)
        assert short.score is not None
        assert page.score is not None
        assert short.score.value == pytest.approx(page.score.value)
    assert sorted(rank for rank in ranks.values() if rank) == [1, 2]
    behind = next(name for name, rank in ranks.items() if not rank)
    before = service.store.ledger.count(kinds=["ranking"])
    application = service.store.applications.get(taken.ids[behind])
    criteria = Criteria(job=taken.job, ranker="bm25")
    assert page_of(service, taken, behind).own.sequence is None
    assert service.store.ledger.count(kinds=["ranking"]) == before
    deep = build_page(service, recorder(service), viewer(), application, criteria=criteria, depth=5)
    assert deep.own.rank == whole[behind].own.rank


def test_flags_are_set_aside_with_a_reason_and_brought_back(service: Service) -> None:
    taken = take_in(service, ASHA)
    service.store.watchlist.add("no_hire", "Initech Limited")
    application = service.store.applications.get(taken.ids["Asha"])
    [flag] = page_of(service, taken, "Asha").findings.flags
    assert (flag.code, flag.set_aside) == ("no_hire", None)
    with pytest.raises(NotFound):
        set_flag_aside(service, viewer(), application, "0" * 64, "nothing")
    with pytest.raises(UsageError):
        set_flag_aside(service, viewer(), application, flag.key, "  ")
    set_flag_aside(service, viewer(), application, flag.key, "another Initech")
    [same] = page_of(service, taken, "Asha").findings.flags
    assert (same.key, same.set_aside) == (flag.key, "another Initech")
    service.store.notes.restore_flag(application.id, flag.key, actor="ann")
    assert page_of(service, taken, "Asha").findings.flags == (flag,)


def test_applications_for_jobs_one_may_not_see_do_not_exist(service: Service) -> None:
    """The same file for two jobs: who sees both is told the other's title and status, who does not, nothing at all.

    Whoever has a resume could otherwise upload it to learn whether its owner applied elsewhere.
    """
    here = take_in(service, ASHA)
    there = take_in(service, ASHA, job=Job("Secret text", title="Secret Project Lead"))
    service.store.decisions.decide([there.ids["Asha"]], "reject", actor="ann", reason="no")
    everything = page_of(service, here, "Asha")
    [related] = everything.findings.kin.seen
    assert (related.application, related.status) == (there.ids["Asha"], "rejected")
    assert any("Secret Project Lead" in flag.message for flag in everything.findings.flags)

    little = page_of(service, here, "Asha", viewer(only=here.job))
    assert (little.findings.kin.seen, little.findings.flags) == ((), ())
    [hidden] = everything.findings.flags
    with pytest.raises(NotFound):  # nor does a guessed key confirm it
        set_flag_aside(
            service, viewer(only=here.job), service.store.applications.get(here.ids["Asha"]), hidden.key, "x"
        )


def test_candidates_side_by_side_counted_by_hand(service: Service) -> None:
    """Asha has 40 months of Java, Boris 30 where 36 are asked for, Clara none but 60 of Python."""
    taken = take_in(service, *FIVE)
    job = service.store.jobs.get(taken.job)
    ids = [taken.ids[name] for name in ("Clara", "Boris", "Asha")]
    sides = compare_candidates(service, recorder(service), viewer(), job, ids, criteria=Criteria(job=job.id))
    names = [column.name for column in sides.columns]
    ranks = [column.standing.rank or 0 for column in sides.columns]
    assert ranks == sorted(ranks)
    assert sides.total == 5
    java = {column.name: column.demands[0] for column in sides.columns}
    assert {name: (row.state, row.months, row.share, row.mark) for name, row in java.items()} == {
        # A full bar is the longest of them all, Clara's 60 months of Python.
        "Asha Rao": ("met", 40, 66.67, 60.0),
        "Boris Novak": ("short", 30, 50.0, 60.0),
        "Clara Weber": ("missing", None, 0.0, 60.0),
    }
    total = next(row for row in sides.experience if row.name == "Experience")
    assert dict(zip(names, [cell.value for cell in total.cells], strict=True)) == {
        "Asha Rao": 40,
        "Boris Novak": 30,
        "Clara Weber": 60,
    }
    assert [cell.is_most for cell in total.cells] == [name == "Clara Weber" for name in names]
    assert total.differs
    assert {column.name: column.only for column in sides.columns} == {
        "Asha Rao": (),
        "Boris Novak": (),
        "Clara Weber": ("python",),
    }
    assert "java" not in sides.common
    assert {column.name: column.facts.degree for column in sides.columns} == {
        "Asha Rao": "master",
        "Boris Novak": "bachelor",
        "Clara Weber": "master",
    }
    scores = {column.name: column.score.value for column in sides.columns}
    for step in sides.steps:
        assert step.value == pytest.approx(scores[step.above] - scores[step.below])
        parts = sum(each.value for each in step.largest.differences) + step.largest.others_value
        assert parts == pytest.approx(step.value)
    for at, column in enumerate(sides.columns):
        assert sum(row.cells[at].value or 0 for row in sides.parts) == pytest.approx(column.score.value)


def test_whom_one_may_compare(service: Service) -> None:
    taken, other = take_in(service, ASHA, BORIS), take_in(service, CLARA)
    asha, boris = taken.ids["Asha"], taken.ids["Boris"]
    for ids in ([asha], [asha, asha], [asha, boris, "a", "b", "c"]):
        with pytest.raises(UsageError, match="Choose 2 to 4 candidates"):
            chosen(service.store, taken.job, ids)
    for stranger in (other.ids["Clara"], "nobody"):
        with pytest.raises(NotFound):
            chosen(service.store, taken.job, [asha, stranger])
    assert [each.id for each in chosen(service.store, taken.job, [boris, asha])] == [boris, asha]


@pytest.mark.parametrize("name", ["designer-side-bar.pdf", "project-manager.docx", "ksiegowa.txt"])
@pytest.mark.parametrize("visibility", [CONTACT_ONLY, blind(schools=True)])
def test_a_masked_resume_is_as_consistent_as_the_whole_one(name: str, visibility: Visibility) -> None:
    read = parse((SAMPLES / name).read_bytes())
    profile = mine(read, as_of=AS_OF)
    hidden = [part.text for part in read.hidden]
    seen = redact(visibility, read, profile, find_all(read.text, profile, hidden=hidden), StatedFacts())
    assert seen.document.text == Masker(read.text, profile, kinds=visibility.kinds).masked.text != read.text
    shown = lay_out(seen.document, seen.profile, most_lines=None)
    assert shown_text(shown) == seen.document.text
    begun = {id for line in all_lines(shown) for each in line.segments for id in each.begins}
    assert begun == {place_id(each) for found in placed_facts(seen.profile) for each in found.places}
    assert seen.profile.emails == seen.profile.phones == ()
    if visibility.is_blind:
        assert seen.profile.name is None
        assert all(each.university.value == "[school]" for each in seen.profile.education if each.university)
    else:
        assert seen.profile.name is not None
        assert profile.name is not None
        assert seen.profile.name.value == profile.name.value
    for old, new in zip(profile.positions, seen.profile.positions, strict=True):
        assert new.period.months == old.period.months
        assert new.skills == old.skills


def test_what_people_wrote_is_masked_too(service: Service) -> None:
    taken = take_in(service, ASHA)
    id = taken.ids["Asha"]
    service.store.notes.add(id, "Asha Rao answers at asha.rao@example.org", actor="ann")
    service.store.notes.add_tag(id, "friend of Asha Rao", actor="ann")
    service.store.decisions.decide([id], "reject", actor="ann", reason="Asha Rao withdrew")
    page = page_of(service, taken, "Asha", viewer(blind()))
    assert page.name == f"Candidate {id[:6].upper()}"
    assert "Rao" not in repr(page)
    assert "asha" not in repr(page).lower()
    [(note, _)] = page.remarks.notes
    assert note.text.startswith("[name] answers at [")
    assert page.is_masked
    assert page.form == ()


def test_what_a_person_put_right_is_masked_as_well(service: Service) -> None:
    """The new name, city and university stand nowhere in the text, so no masker can find them there."""
    taken = take_in(service, ASHA)
    application = service.store.applications.get(taken.ids["Asha"])
    for wanted in (
        CorrectionInput("name", "Usha Iyer"),
        CorrectionInput("city", "Madurai"),
        CorrectionInput("education.university", "Madurai Kamaraj University", entry=0),
    ):
        correct(service, application, wanted, actor="ann", reason="misread")
    whole = page_of(service, taken, "Asha")
    assert whole.name == "Usha Iyer"
    assert "Corrected: City" in [each.what for each in whole.history]
    assert whole.read is not None
    assert whole.read.profile.city is not None
    assert whole.read.profile.city.value == "Madurai"
    masked = page_of(service, taken, "Asha", viewer(blind(schools=True)))
    for secret in ("Usha", "Iyer", "Madurai", "Kamaraj"):
        assert secret not in repr(masked)
    assert masked.read is not None
    [study] = masked.read.profile.education
    assert study.university is not None
    assert study.university.value == "[school]"


def test_what_is_shown_and_taken_away_is_on_record(service: Service) -> None:
    taken = take_in(service, ASHA, BORIS)
    id = taken.ids["Asha"]
    before = service.store.ledger.head()[0]
    page = page_of(service, taken, "Asha")
    application = service.store.applications.get(id)
    file = original(service, recorder(service), viewer(), application)
    text = masked_text(service, recorder(service), viewer(blind()), application)
    events = service.store.ledger.events(after=before)
    assert [event.kind for event in events] == ["ranking", "view", "export", "export"]
    assert [event.body.get("what") for event in events[1:]] == ["candidate", "original file", "masked text"]
    ranking = events[0]
    assert (ranking.body["first"], ranking.body["size"], ranking.body["total"]) == (page.own.rank - 1, 1, 2)  # type: ignore[operator]
    assert (events[1].body["seen"], page.own.sequence) == (ranking.sequence, ranking.sequence)
    assert file.data == ASHA.text.encode()
    assert file.name == f"resume-{id}.txt"
    assert text.name == f"resume-{id}-masked.txt"
    assert b"Asha" not in text.data
    assert b"[name]" in text.data
    with pytest.raises(Forbidden):
        original(service, recorder(service), viewer(CONTACT_ONLY), application)
    newest = service.store.ledger.events(after=events[-1].sequence)
    assert [(event.kind, event.body["status"]) for event in newest] == [("denial", 403)]


def test_the_ranks_of_candidates_can_be_made_again(service: Service) -> None:
    """Of a candidate alone and of several side by side, after others have come and decisions were made."""
    taken = take_in(service, ASHA, BORIS, CLARA)
    job = service.store.jobs.get(taken.job)
    alone = page_of(service, taken, "Boris", text="payroll", facets={"skill": ("java",)})
    sides = compare_candidates(
        service, recorder(service), viewer(), job, list(taken.ids.values()), criteria=Criteria(job=job.id)
    )
    service.store.decisions.decide([taken.ids["Boris"]], "reject", actor="ann", reason="no")
    take_in(service, *FIVE)
    shown = [alone.own.sequence, *(column.standing.sequence for column in sides.columns)]
    assert len(set(shown)) == 4
    for sequence in shown:
        assert sequence is not None
        assert replay(service, sequence).identical


def test_two_texts_word_by_word(service: Service) -> None:
    """They differ in the name, the city, the degree, the dates and the words of the job."""
    taken = take_in(service, ASHA, BORIS)
    asha, boris = (service.store.applications.get(taken.ids[name]) for name in ("Asha", "Boris"))
    told = diff_resumes(service, recorder(service), (viewer(), asha), (viewer(), boris))
    assert "".join(each.text for each in told.first.segments) == ASHA.text.strip()
    only = "".join(each.text for each in told.second.segments if each.kind == "only_b").split()
    assert only == ["Boris", "Novak", "Prague", "boris.novak@example.org", "Jun", "2022", "Bachelor"]
    assert (told.words_only_first, told.words_only_second) == (7, 7)
    masked = diff_resumes(service, recorder(service), (viewer(blind()), asha), (viewer(blind()), boris))
    assert "Boris" not in repr(masked.second.segments)
    assert masked.second.name == f"Candidate {boris.id[:6].upper()}"
    with pytest.raises(UsageError):
        diff_resumes(service, recorder(service), (viewer(), asha), (viewer(), asha))


def test_a_stretch_has_words_for_its_dates() -> None:
    made = TimelineEntry("job", None, None, "2019", "2019", None, None)
    assert made.dates == "2019"
