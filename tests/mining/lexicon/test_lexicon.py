"""Look-ups in the lexicons: longest phrase, whole words, versions and vendors, headings, a user's own entries."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenhand.errors import UsageError
from evenhand.mining.lexicon.loading import load_lexicon, section_type
from evenhand.mining.lexicon.phrases import (
    FOLDER,
    Phrases,
    certifications,
    companies,
    fields,
    key_of,
    lines,
    titles,
    universities,
    words,
)
from evenhand.mining.lexicon.skills import KINDS, SkillEntry, SkillLexicon, skills
from evenhand.mining.lexicon.user_entries import add_entry, load_entries
from evenhand.text.tokens import tokenise


def found(known: SkillLexicon, text: str) -> list[tuple[str, str]]:
    words = tokenise(text).words
    return [(" ".join(words[m.first : m.last]), m.name) for m in known.find([word.lower() for word in words])]


def phrases_of(*phrases: str) -> Phrases:
    return Phrases({key_of(phrase): phrase for phrase in phrases})


def test_the_longest_phrase_wins_and_nothing_overlaps() -> None:
    phrases = phrases_of("data", "data entry", "entry clerk", "data entry clerk")
    assert phrases.find(["a", "data", "entry", "clerk", "and", "data", "entry"]) == [
        (1, 4, "data entry clerk"),
        (5, 7, "data entry"),
    ]


def test_hyphens_make_no_difference_and_spans_count_them() -> None:
    phrases = phrases_of("e-commerce", "problem solving")
    assert phrases.find(["e", "-", "commerce", "problem", "-", "solving", "e", "commerce"]) == [
        (0, 3, "e-commerce"),
        (3, 6, "problem solving"),
        (6, 8, "e-commerce"),
    ]


def test_phrases_are_never_found_inside_words() -> None:
    assert found(skills(), "cargoes scalable excellent") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Oracle 11g", [("Oracle 11g", "oracle")]),
        ("HTML5, CSS3", [("HTML5", "html"), ("CSS3", "css")]),
        ("Microsoft SQL Server 2008 R2", [("Microsoft SQL Server 2008 R2", "sql server")]),
        ("Apache Kafka", [("Apache Kafka", "kafka")]),
        ("Java 8 and Java 5 years", [("Java 8", "java"), ("Java", "java")]),
        ("Python 2015 - 2018", [("Python", "python")]),
        ("Adobe Photoshop CS5", [("Adobe Photoshop CS5", "photoshop")]),
        ("MS-Office XP", [("MS - Office XP", "office xp")]),
        ("Node.js/React JS", [("Node.js", "node.js"), ("React JS", "react")]),
        ("PL/SQL", [("PL / SQL", "pl/sql")]),
        ("Windows 7/XP", [("Windows 7", "windows")]),
    ],
)
def test_versions_and_vendors_belong_to_the_match(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(skills(), text) == expected


def test_short_and_common_names_are_marked() -> None:
    for name in (
        "C",
        "R",
        "Go",
        "Excel",
        "Access",
        "Word",
        "Spring",
        "Swift",
        "Rust",
        "Ant",
        "Chef",
        "Lean",
        "ML",
        "QA",
    ):
        matches = skills().find([name.lower()])
        assert all(match.ambiguous for match in matches), name
    assert not skills().find(["c++"])[0].ambiguous
    assert not skills().find(["ms", "excel"])[0].ambiguous


def test_the_skill_file_is_sorted_unique_and_large() -> None:
    names = [line.split("\t")[0] for line in lines("skills.tsv")]
    assert names == sorted(set(names))
    assert len(names) >= 5500
    assert {entry.kind for entry in skills().entries.values()} == set(KINDS)
    assert all(name == name.lower() for name in names)


def test_no_form_is_claimed_by_two_skills() -> None:
    owners: dict[str, str] = {}
    for entry in skills().entries.values():
        for form in (entry.name, *entry.aliases):
            key = key_of(form.removeprefix("?"))
            assert owners.setdefault(key, entry.name) == entry.name, key


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("WORK EXPERIENCE:", "experience"),
        ("E D U C A T I O N", "education"),
        ("3. Technical Skills", "skills"),
        ("Education & Training", "education"),
        ("Honors/Awards", "other"),
        ("My Key Skills", "skills"),
        ("Career Contour", "experience"),
        ("• Personal Details", "personal"),
        ("Professional Summary", "profile"),
        ("Academic Projects", "projects"),
        ("Licenses and Certifications", "certifications"),
        ("References", "other"),
        ("Highlights", "skills"),
        ("Volunteering", "activities"),
        ("Managed a team of ten", None),
        ("", None),
    ],
)
def test_section_types(heading: str, kind: str | None) -> None:
    assert section_type(heading) == kind


def test_other_lists_know_aliases() -> None:
    assert companies().get("TCS") == "tata consultancy services"
    assert universities().get("UCLA") == "university of california, los angeles"
    assert universities().get("Uppsala University") == "uppsala university"
    assert fields().get("E&TC") == "electronics and telecommunication"
    assert "it" in fields().ambiguous
    assert certifications().get("CCNA Certified") == "ccna"
    assert titles().get("Senior Software Engineer") is not None
    assert "the" in words("stop")
    with pytest.raises(KeyError, match="no words of kind"):
        words("nonsense")


def test_every_data_file_has_its_source_named() -> None:
    sources = (FOLDER / "SOURCES.md").read_text(encoding="utf-8")
    for path in FOLDER.iterdir():
        assert path.name == "SOURCES.md" or f"`{path.name}`" in sources, path.name


def test_a_user_adds_entries(tmp_path: Path) -> None:
    path = tmp_path / "own" / "lexicon.tsv"
    add_entry(path, "skill", "Kafka Streams", ["kstreams"])
    add_entry(path, "skill", "kafka streams", ["KStreams API"])
    add_entry(path, "company", "Acme Robotics", ["Acme"])
    add_entry(path, "degree:master", "Master of Robots", ["M.Rob"])
    add_entry(path, "section:projects", "Things I built")
    assert path.read_text(encoding="utf-8").splitlines() == [
        "skill\tKafka Streams\tkstreams|KStreams API",
        "company\tAcme Robotics\tAcme",
        "degree:master\tMaster of Robots\tM.Rob",
        "section:projects\tThings I built\t",
    ]
    own = load_lexicon(path)
    assert own.skills.get("KStreams") == own.skills.get("kstreams api") == "kafka"  # kafka streams is kafka already
    assert own.companies.get("ACME") == "acme robotics"
    assert own.degrees.forms["master of robots"].level == "master"
    assert own.section_type("THINGS I BUILT") == "projects"
    assert section_type("THINGS I BUILT") is None
    assert load_lexicon().skills is skills()


def test_a_form_the_user_names_is_the_users(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.tsv"
    path.write_text("# mine\n\nskill\tgithub\tgit hub\n", encoding="utf-8")
    known = load_lexicon(path).skills
    assert known.get("git hub") == known.get("git") == "git"  # github is a form of git, and takes the new one along
    path.write_text("skill\tforge\tgithub\n", encoding="utf-8")
    assert load_lexicon(path).skills.get("GitHub") == "forge"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("spell\tmagic", "There is no lexicon of 'spell'"),
        ("skill\t  ", "must not be empty"),
        ("skill", "not kind, name and other forms"),
        ("degree\tMaster of Robots", "A degree needs what it is"),
        ("skill:x\tJava", "takes no 'x'"),
    ],
)
def test_a_wrong_entry_is_named_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "lexicon.tsv"
    path.write_text(f"skill\tgood\n{line}\n", encoding="utf-8")
    with pytest.raises(UsageError, match=message) as caught:
        load_entries(path)
    assert "Line 2" in str(caught.value)


def test_a_file_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        load_entries(tmp_path / "nothing.tsv")


def test_a_name_is_stronger_than_an_alias_of_another() -> None:
    known = SkillLexicon([SkillEntry("a", "technology", aliases=("b",)), SkillEntry("b", "technology")])
    assert known.get("b") == "b"
