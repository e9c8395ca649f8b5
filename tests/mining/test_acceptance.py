"""Whole resumes of invented people, mined end to end: what is asked of the miner, and failures it must not repeat."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest

from evenhand.documents.reading import read
from evenhand.mining.miner import Miner, load_miner
from evenhand.records import Document
from evenhand.records.profile import Fact, Profile, Skill
from evenhand_lab.benchmarks.fact_scores import count_spans
from evenhand_lab.corpora.generate import CorpusRequest, make
from tests.mining.pages import Row, page

AS_OF = "2024-01"
BIG = {"bold": True, "size": 16.0}
HEADING = {"bold": True, "size": 12.0}
BOLD = {"bold": True}
HEAD: tuple[Row, ...] = (("Nora Whitfield", BIG), "nora.whitfield@example.com | +44 20 7946 0958", "")


@cache
def miner() -> Miner:
    return load_miner()


def mine(*rows: Row) -> Profile:
    return miner().mine(page(*rows), AS_OF)


def mine_jobs(*rows: Row) -> Profile:
    """A resume whose experience section has these lines."""
    return mine(*HEAD, ("Experience", HEADING), *rows)


def mine_studies(*rows: Row) -> Profile:
    return mine(*HEAD, ("Education", HEADING), *rows)


def value(fact: Fact | None) -> str | None:
    return fact.value if fact else None


def skills(profile: Profile) -> dict[str, Skill]:
    return {skill.name: skill for skill in profile.skills}


def months(profile: Profile, name: str) -> tuple[int | None, int | None]:
    """Counted once, and by the recruiter's sum."""
    skill = skills(profile)[name]
    return skill.months, skill.months_sum


def employers(profile: Profile) -> list[str | None]:
    return [value(job.employer) for job in profile.positions]


def test_months_of_all_forms_of_a_skill_add_up() -> None:
    profile = mine_jobs(
        ("Office Manager, Fennick Tools Ltd", BOLD),
        "January 2010 - December 2010",
        "• Prepared the monthly accounts in Microsoft Office XP.",
        "",
        ("Office Assistant, Brackley Foods Ltd", BOLD),
        "January 2008 - June 2008",
        "• Wrote letters and kept lists in Office XP.",
        "",
        ("Clerk, Tamsin Motors Ltd", BOLD),
        "March 2006 - May 2006",
        "• Filed invoices with MS Office XP.",
    )
    skill = skills(profile)["office xp"]
    assert set(skill.surfaces) == {"Microsoft Office XP", "Office XP", "MS Office XP"}
    assert (skill.months, skill.months_sum, skill.last_used) == (21, 21, "2010-12")


def test_a_short_and_a_long_name_are_one_skill() -> None:
    profile = mine_jobs(
        ("Software Engineer, Fennick Tools Ltd", BOLD),
        "January 2014 - June 2014",
        "• Built the web shop with JSP and Oracle.",
        "",
        ("Java Developer, Brackley Foods Ltd", BOLD),
        "March 2011 - October 2011",
        "• Maintained pages written in Java Server Pages.",
    )
    assert months(profile, "jsp") == (14, 14)
    assert not {"java server pages", "server pages"} & set(skills(profile))


PROJECTS: tuple[Row, ...] = (("Software Engineer, Fennick Tools Ltd", BOLD), "January 2013 - December 2016", "")


def project(name: str, client: str, duration: str, technologies: str) -> tuple[Row, ...]:
    return (
        (f"Project: {name}", BOLD),
        f"Client: {client}",
        f"Duration: {duration}",
        "Role: Developer",
        f"Environment: {technologies}",
        "• Wrote the services behind the order pages.",
        "",
    )


def test_projects_of_six_and_eight_months_are_fourteen() -> None:
    profile = mine_jobs(
        *PROJECTS,
        *project("Order Portal", "Northwind Bank", "Jan 2014 - Jun 2014", "Java, Oracle"),
        *project("Fleet Monitor", "Halden Shipping", "Jan 2015 - Aug 2015", "Java, MySQL"),
    )
    assert [entry.period.months for entry in profile.projects] == [6, 8]
    assert months(profile, "java") == (14, 14)
    assert months(profile, "oracle") == (6, 6)


def test_overlapping_projects_count_once() -> None:
    profile = mine_jobs(
        *PROJECTS,
        *project("Order Portal", "Northwind Bank", "Jan 2014 - Jun 2014", "Java, Oracle"),
        *project("Fleet Monitor", "Halden Shipping", "Apr 2014 - Sep 2014", "Java, MySQL"),
    )
    assert months(profile, "java") == (9, 12)


def test_projects_without_dates_have_the_time_of_their_job_once() -> None:
    profile = mine_jobs(
        ("Software Engineer, Fennick Tools Ltd", BOLD),
        "January 2014 - December 2014",
        "",
        ("Project: Order Portal", BOLD),
        "Client: Northwind Bank",
        "Environment: Java, Oracle",
        "",
        ("Project: Fleet Monitor", BOLD),
        "Client: Halden Shipping",
        "Environment: Java, MySQL",
    )
    assert months(profile, "java") == (12, 12)
    assert months(profile, "oracle") == (12, 12)


def test_the_evaluator_honours_where_a_university_ends() -> None:
    text = "Universidad Carlos III Madrid, Spain"
    name = [(0, text.index(","), "university")]
    assert count_spans(name, [(0, len(text), "university")], "university").right == 0
    assert count_spans(name, name, "university").right == 1


def test_a_client_is_not_the_employer() -> None:
    profile = mine_jobs(
        *PROJECTS,
        *project("Order Portal", "Northwind Bank", "Jan 2014 - Jun 2014", "Java, Oracle"),
        *project("Fleet Monitor", "Halden Shipping", "Jan 2015 - Aug 2015", "Java, MySQL"),
    )
    assert employers(profile) == ["Fennick Tools Ltd"]
    assert [value(entry.client) for entry in profile.projects] == ["Northwind Bank", "Halden Shipping"]


def test_a_client_named_in_the_head_of_a_job_is_not_the_employer() -> None:
    profile = mine_jobs(
        ("Senior Java Developer", BOLD),
        "Fennick Tools Ltd, Leeds (Client: Northwind Bank)",
        "January 2014 - December 2014",
        "• Built payment services in Java and Spring.",
    )
    assert employers(profile) == ["Fennick Tools Ltd"]


def test_a_project_is_not_the_employer() -> None:
    profile = mine_jobs(
        ("Software Engineer, Fennick Tools Ltd", BOLD),
        "January 2013 - December 2016",
        "",
        ("Project Name: Halden Cargo Systems", BOLD),
        "Duration: Jan 2014 - Jun 2014",
        "Technologies: Java, Oracle",
        "• Wrote the services that follow containers.",
    )
    assert employers(profile) == ["Fennick Tools Ltd"]
    assert [value(entry.name) for entry in profile.projects] == ["Halden Cargo Systems"]


@pytest.mark.parametrize(
    "rows",
    [
        ("Bachelor of Science in Physics, University of Leeds, 2012",),
        ("University of Leeds, Bachelor of Science in Physics, 2012",),
        ("University of Leeds", "Bachelor of Science in Physics", "2012"),
        ("Bachelor of Science in Physics", "University of Leeds, 2012"),
        ("2012  University of Leeds - Bachelor of Science in Physics",),
    ],
)
def test_degree_and_university_are_not_swapped(rows: tuple[str, ...]) -> None:
    (entry,) = mine_studies(*rows).education
    assert value(entry.university) == "University of Leeds"
    degree = value(entry.degree)
    assert degree is not None
    assert degree.startswith("Bachelor of Science")
    assert "Leeds" not in degree
    assert (entry.level, value(entry.year)) == ("bachelor", "2012")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Universidad Carlos III Madrid, Spain", "Universidad Carlos III Madrid"),
        ("University of Leeds, Leeds, United Kingdom", "University of Leeds"),
        ("Osmania University, Hyderabad, India", "Osmania University"),
        ("Boston University, 1 Silber Way, Boston, MA 02215", "Boston University"),
    ],
)
def test_the_address_is_not_part_of_the_university(line: str, name: str) -> None:
    (entry,) = mine_studies("Master of Science in Economics, 2012", line).education
    assert value(entry.university) == name


def test_the_time_of_a_job_is_the_one_in_its_head() -> None:
    """Several times in one block: those in sentences are not the job's."""
    profile = mine_jobs(
        ("Software Engineer, Fennick Tools Ltd", BOLD),
        "January 2014 - December 2015",
        "• Moved the Oracle database to new machines between March 2014 and May 2014.",
        "• Led the audit of 2015 and planned the budget for 2016 - 2019.",
    )
    assert [(job.period.start, job.period.end) for job in profile.positions] == [("2014-01", "2015-12")]
    assert months(profile, "oracle") == (24, 24)
    assert profile.total_months == 24


def test_a_project_within_a_job_has_its_own_time() -> None:
    profile = mine_jobs(
        ("Software Engineer, Fennick Tools Ltd", BOLD),
        "January 2014 - December 2015",
        "• Kept the Oracle databases running.",
        "",
        *project("Fleet Monitor", "Halden Shipping", "Mar 2014 - May 2014", "Python, MySQL"),
    )
    assert months(profile, "python") == (3, 3)
    assert months(profile, "oracle") == (24, 24)


def test_an_unusual_heading_does_not_lose_its_jobs() -> None:
    """Errors of the first models must not cascade into months."""
    profile = mine(
        *HEAD,
        ("Where I have worked", HEADING),
        ("Software Engineer, Fennick Tools Ltd", BOLD),
        "January 2014 - December 2014",
        "• Built reports in Python and SQL.",
        "",
        ("Data Analyst, Brackley Foods Ltd", BOLD),
        "January 2012 - June 2012",
        "• Wrote SQL for the monthly accounts.",
    )
    assert employers(profile) == ["Fennick Tools Ltd", "Brackley Foods Ltd"]
    assert months(profile, "sql") == (18, 18)
    assert profile.total_months == 18


def test_overlapping_jobs_count_once_in_the_total() -> None:
    profile = mine_jobs(
        ("Software Engineer, Fennick Tools Ltd", BOLD),
        "January 2014 - June 2014",
        "• Built reports in Python.",
        "",
        ("Lecturer, Brackley College", BOLD),
        "April 2014 - September 2014",
        "• Taught Python.",
    )
    assert profile.total_months == 9
    assert months(profile, "python") == (9, 12)


@pytest.mark.parametrize(
    "sentence",
    [
        "Responsible for Care of Records, Reports and Complaints.",
        "Saw that goods go out in time and go on to the Gold Coast.",
        "Met with Mr. R. Hale and C. Dunn on plans A, B and C.",
        "Grew sales in Region R and Category C by 4%.",
        "Held the C-level review with the CFO.",
    ],
)
def test_letters_within_words_and_initials_are_no_languages(sentence: str) -> None:
    profile = mine_jobs(("Warehouse Supervisor, Fennick Tools Ltd", BOLD), "January 2014 - June 2014", f"• {sentence}")
    assert not {"c", "r", "go"} & set(skills(profile))


def test_letters_in_a_list_of_languages_are_languages() -> None:
    profile = mine(*HEAD, ("Skills", HEADING), "Programming languages: C, R, Go, Python, Java")
    assert {"c", "r", "go", "python", "java"} <= set(skills(profile))


@pytest.mark.parametrize(
    "line",
    [
        "Member of the student theatre and the chess team",
        "BERGEN MEDIA ACADEMY",
        "Home economics, best mark of the form, Maine",
        "Maybe the best member of the marching band",
    ],
)
def test_degrees_are_not_found_within_words(line: str) -> None:
    profile = mine_studies("Bachelor of Science in Physics, University of Leeds, 2012", "", line)
    assert [value(entry.degree) for entry in profile.education if entry.degree] != []
    assert all((value(entry.degree) or "").startswith("Bachelor") for entry in profile.education if entry.degree)


@pytest.mark.parametrize(
    "heading", ["Curriculum Vitae", "RESUME", "Professional Summary", "Personal Profile", "Contact Details"]
)
def test_a_heading_is_not_a_name(heading: str) -> None:
    profile = mine((heading, BIG), "", ("Nora Whitfield", BOLD), "nora.whitfield@example.com", "Leeds, UK")
    assert value(profile.name) == "Nora Whitfield"


def test_a_resume_without_a_name_has_none() -> None:
    profile = mine(
        ("Professional Summary", HEADING),
        "Warehouse supervisor with ten years of work in busy depots.",
        ("Work Experience", HEADING),
        ("Warehouse Supervisor, Fennick Tools Ltd", BOLD),
        "January 2014 - June 2014",
    )
    assert profile.name is None


@pytest.mark.parametrize(
    "name", ["Ada Ruby", "Ruby Paris", "Julia Perl", "Paris Jackson", "Jordan Austin", "Scala Dart", "Chelsea London"]
)
def test_names_that_are_also_skills_or_cities(name: str) -> None:
    profile = mine(
        (name, BIG),
        f"{name.lower().replace(' ', '.')}@example.com | +44 20 7946 0958",
        "",
        ("Experience", HEADING),
        ("Software Engineer, Fennick Tools Ltd", BOLD),
        "January 2014 - June 2014",
        "• Built reports in Python and SQL.",
    )
    assert value(profile.name) == name
    assert {"python", "sql"} <= set(skills(profile))
    assert not set(name.lower().split()) & set(skills(profile))


def test_page_footers_are_not_jobs() -> None:
    footer = {"furniture": "footer"}
    profile = mine_jobs(
        ("Software Engineer, Fennick Tools Ltd", BOLD),
        "January 2014 - December 2014",
        "• Built reports in Python and SQL.",
        ("Nora Whitfield - Software Engineer - Page 1 of 2", footer),
        "• Kept the Oracle databases running.",
        "",
        ("Data Analyst, Brackley Foods Ltd", BOLD),
        "January 2012 - June 2012",
        "• Wrote SQL for the monthly accounts.",
        ("Nora Whitfield - Software Engineer - Page 2 of 2", footer),
    )
    assert employers(profile) == ["Fennick Tools Ltd", "Brackley Foods Ltd"]
    assert [value(job.title) for job in profile.positions] == ["Software Engineer", "Data Analyst"]
    assert "oracle" in profile.positions[0].skills


def test_page_footers_that_were_not_recognised_as_such_are_not_jobs() -> None:
    profile = mine_jobs(
        ("Software Engineer, Fennick Tools Ltd", BOLD),
        "January 2014 - December 2014",
        "• Built reports in Python and SQL.",
        "Nora Whitfield, page 1 of 2",
        "",
        ("Data Analyst, Brackley Foods Ltd", BOLD),
        "January 2012 - June 2012",
        "• Wrote SQL for the monthly accounts.",
        "Nora Whitfield, page 2 of 2",
    )
    assert employers(profile) == ["Fennick Tools Ltd", "Brackley Foods Ltd"]


@pytest.mark.parametrize(
    ("line", "title", "employer"),
    [
        ("Software Engineer, Fennick Tools Ltd", "Software Engineer", "Fennick Tools Ltd"),
        ("Fennick Tools Ltd, Software Engineer", "Software Engineer", "Fennick Tools Ltd"),
        ("Store Manager at Brackley Foods", "Store Manager", "Brackley Foods"),
        ("Fennick Tools Ltd | Leeds | Staff Nurse", "Staff Nurse", "Fennick Tools Ltd"),
    ],
)
def test_title_and_employer_on_one_line(line: str, title: str, employer: str) -> None:
    (job,) = mine_jobs((line, BOLD), "January 2014 - December 2014", "• Kept the records.").positions
    assert (value(job.title), value(job.employer)) == (title, employer)


def test_unknown_is_none() -> None:
    profile = mine(*HEAD, ("Experience", HEADING), ("Warehouse Supervisor", BOLD), "• Kept the records in Excel.")
    (job,) = profile.positions
    assert (job.employer, job.city) == (None, None)
    assert (job.period.start, job.period.end, job.period.months) == (None, None, None)
    assert (profile.total_months, profile.relevant_months, profile.highest_degree) == (None, None, None)
    assert (profile.city, profile.country, profile.education) == (None, None, ())
    assert months(profile, "excel") == (None, None)


def test_nothing_is_known_of_a_text_that_is_no_resume() -> None:
    profile = mine("12345", "67890")
    assert (profile.name, profile.positions, profile.education, profile.skills) == (None, (), (), ())
    assert (profile.total_months, profile.relevant_months, profile.highest_degree) == (None, None, None)


def test_gcp_in_a_clinic_is_no_cloud() -> None:
    profile = mine(
        *HEAD, ("Skills", HEADING), "Informed Consent, Clinical Trials, Patient Recruitment, GCP, Phlebotomy"
    )
    assert "good clinical practice" in skills(profile)
    assert "google cloud" not in skills(profile)


SIMILAR = 0.95  # of the skills found in two formats of one resume


@pytest.mark.slow
@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("kind", ["it", "crc", "mixed"])
def test_formats_of_one_resume_give_the_same_skills(kind: str, number: int) -> None:
    order = CorpusRequest(7, kind, ("docx", "pdf", "txt"), every_format=True)
    found = {file.format: skill_names(read(file.data)) for file in make(order, number).files}
    assert set(found) == {"docx", "pdf", "txt"}
    alike = {(one, other): jaccard(found[one], found[other]) for one, other in combinations(found, 2)}
    assert {pair: share for pair, share in alike.items() if share < SIMILAR} == {}


def skill_names(document: Document) -> set[str]:
    return set(skills(miner().mine(document, AS_OF)))


def jaccard(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 1.0


def test_a_skill_of_the_resume_is_one_wherever_it_is_named() -> None:
    """IFRS alone in a sentence may be anything; the list of skills says that it is one."""
    profile = mine_jobs(
        ("Accountant, Fennick Tools Ltd", BOLD),
        "January 2014 - December 2014",
        "• Consolidate 12 companies in four currencies under IFRS; close shortened to three days.",
        "",
        ("Skills", HEADING),
        "Accounting: IFRS, US GAAP, Consolidation, Fixed assets, VAT",
    )
    assert months(profile, "ifrs") == (12, 12)


def test_a_skill_ends_at_its_column() -> None:
    profile = mine(*HEAD, ("Skills", HEADING), "Java\t10 years", "IT Infrastructure Library\t10 months")
    assert {"java", "itil"} <= set(skills(profile))
