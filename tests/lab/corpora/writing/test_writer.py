"""Manuscripts of one career under many seeds: determinate, varied, true."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from random import Random

from evenhand_lab.corpora.career import Career
from evenhand_lab.corpora.checks import check
from evenhand_lab.corpora.manuscript import Manuscript, ManuscriptLine, ManuscriptSection, TextRun, to_plain
from evenhand_lab.corpora.truth import build_truth
from evenhand_lab.corpora.writing.grammar import career_names, mark_mentions
from evenhand_lab.corpora.writing.writer import misspell, slip, write
from tests.lab.corpora.careers import hand_made

SEEDS = range(150)
LABELS = {
    "name", "email", "phone", "link", "city", "heading", "employer", "title", "university", "degree", "field", "year",
    "performance", "project", "client", "duration", "date", "skill", "certification", "language", "location",
}  # fmt: skip


def all_manuscripts(career: Career) -> list[Manuscript]:
    return [write(career, seed=seed) for seed in SEEDS]


def test_the_same_seed_gives_the_same_words() -> None:
    career = hand_made()
    assert write(career, seed=3) == write(career, seed=3)
    assert write(career, seed=3) != write(career, seed=4)
    assert write(replace(career, number=8), seed=3).sections != write(career, seed=3).sections


def test_every_manuscript_has_a_truth_without_contradictions() -> None:
    career = hand_made()
    for manuscript in all_manuscripts(career):
        plain = to_plain(manuscript)
        truth = build_truth(career, manuscript, plain)
        assert check(truth, plain.text) == []
        assert {mark.label for mark in truth.marks} <= LABELS
        assert not re.search(r"[{}<>\[\]]|\x00|\x01|  \.|\.\.", plain.text), plain.text


def test_choices_vary_and_are_recorded() -> None:
    manuscripts = all_manuscripts(hand_made())
    assert len({m.style["dates"] for m in manuscripts}) >= 10
    assert len({m.style["order"] for m in manuscripts}) >= 25
    assert {m.style["skills"] for m in manuscripts} == {"list", "grouped", "table", "bullets", "prose"}
    assert {m.style["employers"] for m in manuscripts} == {"entries", "table", "functional"}
    headings = {(s.type, (s.heading or "").lower()) for m in manuscripts for s in m.sections if s.heading}
    per_type = Counter(type for type, _ in headings)
    assert all(per_type[type] >= 6 for type in ("experience", "education", "skills", "profile", "projects"))


def test_ended_jobs_are_told_in_the_past() -> None:
    texts = [to_plain(m).text for m in all_manuscripts(hand_made()) if m.style["typos"] == "0.0000"]
    past = sum("Maintained billing reports" in text or "aintaining billing reports" in text for text in texts)
    present = sum("Maintain billing reports" in text for text in texts)
    assert past > 5 * present


def test_mentions_in_plain_words_are_found() -> None:
    names = career_names(hand_made())
    runs = mark_mentions((TextRun("Ported Core Java code and REDCap forms, not the java island"),), names, "job 1")
    assert [(run.text, run.value, run.of) for run in runs if run.label] == [
        ("Core Java", "Java", "job 1"),
        ("REDCap", "REDCap", "job 1"),
    ]
    assert "".join(run.text for run in runs) == "Ported Core Java code and REDCap forms, not the java island"


def test_typos_leave_names_alone_and_keep_values() -> None:
    words = (
        TextRun("Asha Mohanlal", "name", "Asha Mohanlal"),
        TextRun("Kubernetes", "skill", "Kubernetes"),
        TextRun(" maintained"),
    )
    manuscript = Manuscript(1, (ManuscriptSection("personal", None, (ManuscriptLine(words),)),))
    (section,) = misspell(manuscript, Random(1), 1.0).sections
    (line,) = section.blocks
    assert isinstance(line, ManuscriptLine)
    name, skill, text = line.words
    assert name == words[0]
    assert (skill.text != "Kubernetes", skill.value) == (True, "Kubernetes")
    assert text.text != " maintained"
    assert misspell(manuscript, Random(1), 0.0) == manuscript


def test_a_slip_changes_one_place() -> None:
    slips = {slip(Random(seed), "testing") for seed in range(40)}
    assert "testing" not in slips - {"testing"}
    assert all(word[0] == "t" and abs(len(word) - 7) <= 1 for word in slips)
