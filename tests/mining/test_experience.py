"""Months of experience, against examples worked out by hand and a brute-force count of months."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.mining.experience import (
    Experience,
    ExperienceEntry,
    MonthInterval,
    doubt_of,
    interval_of,
    months_of,
    relevant_months,
    skill_experience,
    total_months,
    union_months,
)
from evenhand.text.date_values import PartialDate

AS_OF = PartialDate(2020, 6)


def entry(id: str, first: str, last: str, *, kind: str = "project", parent: str | None = None) -> ExperienceEntry:
    end = "present" if last == "present" else PartialDate.parse(last)
    return ExperienceEntry.dated(id, kind, first=PartialDate.parse(first), last=end, as_of=AS_OF, parent=parent)  # type: ignore[arg-type]


def test_months_are_counted_inclusively() -> None:
    assert months_of(PartialDate(2014, 1), PartialDate(2014, 6), AS_OF) == 6
    assert months_of(PartialDate(2014, 1), PartialDate(2014, 1), AS_OF) == 1
    assert months_of(PartialDate(2019, 7), "present", AS_OF) == 12


def test_years_without_months_count_whole() -> None:
    assert months_of(PartialDate(2010), PartialDate(2012), AS_OF) == 36
    assert months_of(PartialDate(2014, 7), PartialDate(2014), AS_OF) == 6
    assert months_of(PartialDate(2019), PartialDate(2020), AS_OF) == 18  # the year of as_of is not over


def test_what_cannot_be_counted_is_unknown() -> None:
    assert months_of(PartialDate(2014, 6), PartialDate(2014, 1), AS_OF) is None
    assert months_of(PartialDate(2021, 1), "present", AS_OF) is None
    assert months_of(PartialDate(2014, 6), None, AS_OF) is None
    assert months_of(None, "present", AS_OF) is None


def test_an_end_in_the_future_is_cut_and_told() -> None:
    first, last = PartialDate(2020, 1), PartialDate(2021, 12)
    assert interval_of(first, last, AS_OF) == MonthInterval(2020 * 12, 2020 * 12 + 5)
    doubt = doubt_of(first, last, AS_OF)
    assert doubt is not None
    assert (doubt.code, doubt.message) == (
        "dates_in_future",
        "2020-01 to 2021-12 ends after 2020-06; it is counted up to 2020-06.",
    )
    reversed_ = doubt_of(PartialDate(2014, 6), PartialDate(2014, 1), AS_OF)
    assert reversed_ is not None
    assert reversed_.code == "dates_reversed"
    assert doubt_of(PartialDate(2014), "present", AS_OF) is None


def test_projects_add_up() -> None:
    entries = [entry("a", "2014-01", "2014-06"), entry("b", "2015-01", "2015-08")]
    assert skill_experience(entries, {"java": ["a", "b"]}) == {"java": Experience(14, 14, "2015-08")}


def test_overlapping_projects_count_once_in_the_union_and_twice_in_the_sum() -> None:
    entries = [entry("a", "2014-01", "2014-06"), entry("b", "2014-04", "2014-09")]
    assert skill_experience(entries, {"java": ["a", "b"]}) == {"java": Experience(9, 12, "2014-09")}


def test_the_time_of_a_job_is_inherited_once_by_its_projects() -> None:
    job = entry("job", "2014-01", "2014-12", kind="position")
    projects = [ExperienceEntry("p1", "project", parent="job"), ExperienceEntry("p2", "project", parent="job")]
    found = skill_experience([job, *projects], {"java": ["p1", "p2"], "sql": ["job", "p1"], "c": ["p2"]})
    assert found == dict.fromkeys(("java", "sql", "c"), Experience(12, 12, "2014-12"))


def test_a_project_with_its_own_dates_counts_those_and_not_the_job() -> None:
    job = entry("job", "2014-01", "2014-12", kind="position")
    dated = entry("p1", "2014-02", "2014-04", parent="job")
    found = skill_experience([job, dated], {"java": ["p1"], "sql": ["job", "p1"]})
    assert found == {"java": Experience(3, 3, "2014-04"), "sql": Experience(12, 12, "2014-12")}


def test_surfaces_of_one_skill_add_up_after_canonicalisation() -> None:
    canonical = {"jsp": "jsp", "java server pages": "jsp"}
    surfaces = {"jsp": ["a"], "java server pages": ["b"]}
    mentions: dict[str, list[str]] = {}
    for surface, ids in surfaces.items():
        mentions.setdefault(canonical[surface], []).extend(ids)
    entries = [entry("a", "2014-01", "2014-06"), entry("b", "2015-01", "2015-08")]
    assert skill_experience(entries, mentions) == {"jsp": Experience(14, 14, "2015-08")}


def test_lengths_without_dates_are_separate_time() -> None:
    entries = [entry("a", "2014-01", "2014-06"), ExperienceEntry("b", "project", duration_months=8)]
    assert skill_experience(entries, {"java": ["a", "b"], "c": ["b"]}) == {
        "java": Experience(14, 14, "2014-06"),
        "c": Experience(8, 8, None),
    }


def test_projects_of_a_job_last_no_longer_than_the_job() -> None:
    job = entry("job", "2014-01", "2014-12", kind="position")
    projects = [ExperienceEntry(id, "project", duration_months=8, parent="job") for id in ("p1", "p2")]
    assert skill_experience([job, *projects], {"java": ["p1", "p2"]}) == {"java": Experience(12, 16, None)}


def test_a_skill_that_nothing_dated_mentions_is_unknown() -> None:
    entries = [ExperienceEntry("a", "position"), ExperienceEntry("b", "project", parent="a")]
    assert skill_experience(entries, {"java": ["a", "b"], "c": []}) == dict.fromkeys(
        ("java", "c"), Experience(None, None, None)
    )


def test_total_and_relevant() -> None:
    jobs = [
        entry("a", "2010-01", "2012-12", kind="position"),
        entry("b", "2012-07", "2013-12", kind="position"),
        entry("p", "2001-01", "2001-12", parent="a"),
    ]
    assert total_months(jobs) == 48
    assert relevant_months(jobs, lambda job: job.id == "b") == 18
    assert relevant_months(jobs, lambda job: False) == 0
    assert relevant_months([ExperienceEntry("x", "position")], lambda job: True) is None
    assert relevant_months([], lambda job: True) is None


def test_total_falls_back_to_projects() -> None:
    assert total_months([ExperienceEntry("a", "position"), entry("p", "2014-01", "2014-06", parent="a")]) == 6
    assert total_months([ExperienceEntry("a", "position")]) is None
    assert total_months([]) is None


INTERVALS = st.lists(
    st.tuples(st.integers(24000, 24060), st.integers(0, 30)).map(lambda p: MonthInterval(p[0], p[0] + p[1]))
)


@given(INTERVALS)
def test_union_by_counting_months(intervals: list[MonthInterval]) -> None:
    months = [month for one in intervals for month in range(one.first_index, one.last_index + 1)]
    assert union_months(intervals) == len(set(months))


TIMES = st.one_of(
    st.none(), st.tuples(st.integers(24000, 24060), st.integers(0, 30)).map(lambda p: MonthInterval(p[0], p[0] + p[1]))
)


@given(st.lists(st.tuples(TIMES, st.lists(TIMES, max_size=3)), max_size=4), st.data())
@settings(max_examples=300, deadline=None)
def test_skill_months_by_counting_months(
    jobs: list[tuple[MonthInterval | None, list[MonthInterval | None]]], data: st.DataObject
) -> None:
    entries: list[ExperienceEntry] = []
    times: dict[str, MonthInterval | None] = {}  # of each entry, or what it has from its job
    for number, (time, projects) in enumerate(jobs):
        job = ExperienceEntry(f"j{number}", "position", time)
        children = [ExperienceEntry(f"{job.id}p{n}", "project", own, None, job.id) for n, own in enumerate(projects)]
        entries += [job, *children]
        times |= {job.id: time} | {child.id: child.interval or time for child in children}
    mentioned = data.draw(st.sets(st.sampled_from(sorted(times))) if times else st.just(set()))
    months = {month for id in mentioned if (t := times[id]) for month in range(t.first_index, t.last_index + 1)}
    found = skill_experience(entries, {"skill": mentioned})["skill"]
    assert found.months == (len(months) or None)
    assert found.last_used == (str(PartialDate(max(months) // 12, max(months) % 12 + 1)) if months else None)
