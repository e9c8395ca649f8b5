"""Readers of labelled sets on small files of the same shape as the sets'."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evenhand_lab.corpora.sets.entities import ResumeMemory, read_36_labels, read_dataturks, read_dotin, read_entities
from evenhand_lab.corpora.sets.groups_biographies import BiographyGroups, read_biography_groups
from evenhand_lab.corpora.sets.job_ads import (
    read_danish_skills,
    read_monster,
    read_occupation_posts,
    read_relevance_posts,
    read_seniority_posts,
    read_skill_classes,
    read_skillspan,
    read_soft_skills,
)
from evenhand_lab.corpora.sets.occupations import (
    names_class,
    read_biographies,
    read_florex,
    read_livecareer,
    strip_florex,
)
from evenhand_lab.corpora.sets.records import (
    JobAdRecord,
    Judgment,
    LabelledRecord,
    RecordSpan,
    SectionLine,
    SpanRepairs,
)
from evenhand_lab.corpora.sets.resumes import (
    GoldEducation,
    GoldPosition,
    GoldProject,
    read_gold,
    read_judged,
    read_section_lines,
    read_vacancies,
    read_vacancy_rankings,
)


def write_gz(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    zipped = path if path.suffix == ".gz" else path.with_name(path.name + ".gz")
    with gzip.open(zipped, "wt", encoding="utf-8", newline="") as file:
        file.write(text)


def write_lines(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    write_gz(path, "".join(json.dumps(row) + "\n" for row in rows))


def write_csv(path: Path, rows: Sequence[dict[str, str]]) -> None:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    write_gz(path, text.getvalue())


def test_livecareer_drops_the_title_and_what_has_no_file(tmp_path: Path) -> None:
    (tmp_path / "pdf" / "CHEF").mkdir(parents=True)
    (tmp_path / "pdf" / "CHEF" / "1.pdf").write_bytes(b"%PDF")
    write_lines(
        tmp_path / "text.jsonl.gz",
        [
            {"id": "1", "category": "CHEF", "pages": 1, "text": "SOUS CHEF\nSummary\nCooks well.\n"},
            {"id": "2", "category": "CHEF", "pages": 1, "text": "CHEF\nSummary\nKept back.\n"},
        ],
    )
    file = tmp_path / "pdf" / "CHEF" / "1.pdf"
    assert list(read_livecareer(tmp_path)) == [
        LabelledRecord("1", "Summary\nCooks well.", ("CHEF",), "livecareer", file)
    ]
    assert names_class("SOUS CHEF", "CHEF")
    assert names_class("Senior Information Technology Lead", "INFORMATION-TECHNOLOGY")
    assert not names_class("KITCHEN HELP", "CHEF")


def test_florex_loses_marks_everywhere_and_label_words_at_the_beginning(tmp_path: Path) -> None:
    text = 'Sr. <span class="hl">Java</span> <span class="hl">Developers</span> in Macon &amp; Rome ' + "x" * 200
    row = {"id": "7", "labels": ["Java_Developer", "Web_Developer"], "text": text + " knows Java &lt; 9"}
    write_lines(tmp_path / "resumes.jsonl.gz", [row])
    expected = "Sr. in Macon & Rome " + "x" * 200 + " knows Java < 9"
    assert list(read_florex(tmp_path)) == [LabelledRecord("7", expected, ("Java_Developer", "Web_Developer"), "florex")]


def test_florex_strips_a_word_across_the_border() -> None:
    assert strip_florex("a" * 194 + " " + "Administrator of ships") == "a" * 194 + " of ships"


def test_biographies_and_their_groups_share_ids_and_nothing_else(tmp_path: Path) -> None:
    rows = [
        {"text": "Works nights.", "profession": "nurse", "gender": "F", "source": "x", "label_kind": "gold"},
        {
            "text": "Cuts well.",
            "profession": "surgeon",
            "gender": "male",
            "source": "x",
            "label_kind": "model_prediction",
        },
        {"text": "Who knows.", "profession": "poet", "gender": "", "source": "x", "label_kind": "gold"},
    ]
    write_csv(tmp_path / "combined.csv.gz", rows)
    found = list(read_biographies(tmp_path))
    assert found[0] == LabelledRecord("bio-00000", "Works nights.", ("nurse",), "gold")
    assert found[1].source == "model_prediction"
    assert list(read_biography_groups(tmp_path)) == [
        BiographyGroups("bio-00000", "female"),
        BiographyGroups("bio-00001", "male"),
        BiographyGroups("bio-00002", None),
    ]


def test_dataturks_ends_are_inclusive(tmp_path: Path) -> None:
    text = "Ann Lee\nNurse at Dunmere"
    points = [{"start": 8, "end": 12, "text": "Nurse"}]
    annotation = [
        {"label": ["Designation"], "points": points},
        {"label": [], "points": points},
        {"label": ["Companies worked at"], "points": [{"start": 15, "end": 22, "text": "Dunmere"}]},
    ]
    write_lines(tmp_path / "testdata.json.gz", [{"content": text, "annotation": annotation}])
    write_lines(tmp_path / "traindata.json.gz", [{"content": "Nothing here", "annotation": None}])
    first, second = read_dataturks(tmp_path)
    assert first.spans == (RecordSpan(8, 13, "Designation"), RecordSpan(17, 24, "Companies worked at"))
    assert first.mending == SpanRepairs(kept=2, moved=1)
    assert (second.id, second.spans) == ("traindata-0", ())


def test_entity_sets_without_repeats(tmp_path: Path) -> None:
    body = " ".join(f"word{number}" for number in range(60))
    other = " ".join(f"other{number}" for number in range(60))
    write_lines(tmp_path / "dataturks-resume-ner/testdata.json", [{"content": f"Ann Lee {body}", "annotation": []}])
    write_lines(tmp_path / "dataturks-resume-ner/traindata.json", [])
    dotin = tmp_path / "dotin-resume-ner"
    renamed = {"id": "1", "text": f"Bo Ray {body}", "labels": [[0, 6, "Name"]]}
    write_lines(dotin / "juanfpinzon_set_aside_test_v2_50cvs.json", [renamed])
    write_lines(dotin / "juanfpinzon_545_cvs_train_v2.json", [{"id": "2", "text": other, "labels": [[0, 6, "Skill"]]}])
    write_lines(dotin / "test_anonymised.jsonl", [])
    write_lines(dotin / "train_anonymised.jsonl", [{"id": "3", "text": other, "spans": [[0, 6, "Skill"]]}])
    row = {"id": 9, "text": "Nurse in Macon", "spans": [[0, 6, "designation"]]}
    write_lines(tmp_path / "resume-corpus-36ent/resumes_spans.jsonl", [row, {"id": 10, "text": "None", "spans": []}])

    assert [record.id for record in read_dotin(dotin)] == ["train_anonymised-0"]
    assert [record.spans for record in read_36_labels(tmp_path / "resume-corpus-36ent")] == [
        (RecordSpan(0, 5, "designation"),)
    ]
    found = [(record.source, record.id) for record in read_entities(tmp_path)]
    assert found == [
        ("dataturks", "testdata-0"),
        ("dotin-lines", "juanfpinzon_545_cvs_train_v2-0"),
        ("36-labels", "9"),
    ]


def test_seen_texts_are_known_under_another_name_and_others_are_not() -> None:
    seen = ResumeMemory()
    body = " ".join(f"word{number}" for number in range(80))
    assert seen.add(f"Ann Lee ann@example.com {body}")
    assert not seen.add(f"Bo Ray {body}")
    assert seen.add("Quite another resume of few words")
    assert not seen.add("quite another  resume of few words")


def test_skillspan_layers_become_spans(tmp_path: Path) -> None:
    row = {
        "idx": 1,
        "tokens": ["Write", "SQL", "daily", "."],
        "tags_skill": ["B", "I", "O", "O"],
        "tags_knowledge": ["O", "B", "O", "O"],
        "source": "tech",
    }
    write_lines(tmp_path / "dev.json.gz", [row])
    (found,) = read_skillspan(tmp_path, "dev")
    assert found.text == "Write SQL daily ."
    assert found.spans == (RecordSpan(0, 9, "skill"), RecordSpan(6, 9, "knowledge"))


def test_conll_sentences(tmp_path: Path) -> None:
    write_gz(tmp_path / "sayfullina_test.conll.gz", "good\tB-Skill\nlistener\tI-Skill\n.\tO\n\ncalm\tI-Skill\n")
    first, second = read_soft_skills(tmp_path, "test")
    assert (first.text, first.spans) == ("good listener .", (RecordSpan(0, 13, "skill"),))
    assert (second.text, second.spans) == ("calm", (RecordSpan(0, 4, "skill"),))
    write_gz(tmp_path / "kompetencer_danish_train.conll.gz", "du\tO\tO\n\t\t\nlyst\tB\tO\ntil\tO\tB\n")
    danish = list(read_danish_skills(tmp_path, "train"))
    assert [record.text for record in danish] == ["du", "lyst til"]
    assert danish[1].spans == (RecordSpan(0, 4, "skill"), RecordSpan(5, 8, "knowledge"))


def test_skill_classes(tmp_path: Path) -> None:
    write_gz(tmp_path / "en_test.tsv.gz", "risk management\tK04\r\n\nplan\tS4\n")
    found = list(read_skill_classes(tmp_path / "en_test.tsv.gz"))
    assert [(record.text, record.labels) for record in found] == [
        ("risk management", ("K04",)),
        ("plan", ("S4",)),
    ]


def test_section_lines_and_inferred_documents(tmp_path: Path) -> None:
    lines = [
        ("Ann Lee", "meta", "others"),
        ("Experience", "header", "experience"),
        ("Nurse", "content", "experience"),
        ("Born 1990", "meta", "others"),  # one line alone is no new resume
        ("Hobbies", "header", "otherse"),
        ("Bo Ray", "meta", "others"),
        ("bo@example.com", "meta", "others"),
        ("Education", "header", "education"),
    ]
    rows = [{"clean_text": text, "main_label": kind, "sub_label": section} for text, kind, section in lines]
    write_csv(tmp_path / "clean_cv_data.csv.gz", rows)
    found = list(read_section_lines(tmp_path))
    assert [line.text for line in found] == [text for text, _, _ in lines]
    assert [line.document for line in found] == [0, 0, 0, 0, 0, 1, 1, 1]
    assert found[4] == SectionLine(0, "Hobbies", "header", "others")


def test_gold(tmp_path: Path) -> None:
    annotation = {
        "id": "r1", "scanned": False, "language": "en", "as_of": "2020-03", "name": "Ann Lee",
        "emails": ["a@example.com"], "phones": [], "city": None,
        "sections": [{"heading": "Work", "type": "experience"}],
        "positions": [{"employer": "Dunmere", "title": None, "start": "2018-01", "end": "present"}],
        "projects": [{"name": "P", "client": None, "start": None, "end": None, "duration_months": 3}],
        "education": [{"university": "U", "degree": "BS", "level": "bachelor", "field": None, "year": "2017"}],
        "certifications": [], "skills": ["SQL"], "skill_months": {"SQL": 27}, "total_months": 27,
    }  # fmt: skip
    (tmp_path / "annotations").mkdir()
    (tmp_path / "annotations" / "r1.json").write_text(json.dumps(annotation))
    manifest = [{"id": "r1", "file": "r1.pdf", "origin": "x", "split": "dev"}]
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    (resume,) = read_gold(tmp_path)
    assert (resume.id, resume.file, resume.part) == ("r1", tmp_path / "files" / "r1.pdf", "dev")
    assert resume.positions == (GoldPosition("Dunmere", None, "2018-01", "present"),)
    assert resume.projects == (GoldProject("P", None, None, None, 3),)
    assert resume.education == (GoldEducation("U", "BS", "bachelor", None, "2017"),)
    assert resume.skill_months == (("SQL", 27),)


def test_judged(tmp_path: Path) -> None:
    folder = tmp_path / "judged"
    folder.mkdir()
    job = {
        "job": "j0", "title": "Accountant", "essentials": ["5 years"], "desirable": [],
        "required_years": [{"what": "accounting", "years": 5}],
        "judgments": {"11": {"grade": 3, "reason": "ten years"}}, "files": {"11": "livecareer-pdf/pdf/A/11.pdf"},
    }  # fmt: skip
    (folder / "job0.json").write_text(json.dumps(job))
    (folder / "job0.txt").write_text("We seek an accountant.")
    (found,) = read_judged(folder)
    assert (found.id, found.text) == ("job0", "We seek an accountant.")
    assert found.required_years == (("accounting", 5.0),)
    assert found.judgments == (Judgment("11", 3, "ten years", tmp_path / "livecareer-pdf/pdf/A/11.pdf"),)


def test_vacancies_and_rankings(tmp_path: Path) -> None:
    write_csv(
        tmp_path / "5_vacancies.csv.gz",
        [{"id": "8", "job_description": "Code.", "job_title": "Developer", "uid": "e3"}],
    )
    (tmp_path / "annotations-for-the-first-30-vacancies.txt").write_text(
        "Ground truth\nANNOTATOR_1_RANKINGS=[[2,1,3], #1\n   [1,1,3]] #2\n\nANNOTATOR_2_RANKINGS= [[3,1,2]] #1\n"
    )
    assert list(read_vacancies(tmp_path)) == [JobAdRecord("e3", "Developer", "Code.")]
    found = list(read_vacancy_rankings(tmp_path))
    assert [(one.resume, one.annotator, one.ranks, one.is_ranking) for one in found] == [
        (1, 1, (2, 1, 3), True),
        (2, 1, (1, 1, 3), False),
        (1, 2, (3, 1, 2), True),
    ]
    assert found[1].file == tmp_path / "CV" / "2.docx"


def test_job_ads(tmp_path: Path) -> None:
    write_csv(
        tmp_path / "jobs_sample.csv",
        [
            {
                "job_title": "Clerk ",
                "organization": "Retail",
                "location": "Macon, GA",
                "job_description": "File.",
            },
            {"job_title": "", "organization": "", "location": "y" * 200, "job_description": "Y"},
        ],
    )
    assert list(read_monster(tmp_path)) == [
        JobAdRecord("monster-0000", "Clerk", "File.", "Macon, GA"),
        JobAdRecord("monster-0001", None, "Y", None),
    ]
    write_csv(tmp_path / "job_postings_kaggle.csv", [{"occupation": "Chef", "post": "Cook."}])
    assert [ad.labels for ad in read_occupation_posts(tmp_path)] == [("Chef",)]
    row = {"title": "Analyst", "description": "Count.", "location": "", "seniority_level": "Associate"}
    write_csv(tmp_path / "jobs_seniority.csv", [row])
    assert list(read_seniority_posts(tmp_path)) == [
        JobAdRecord("linkedin-0000", "Analyst", "Count.", None, ("Associate",))
    ]
    rows = [
        {"job_description_id": str(n), "job_description": "J", "label": label}
        for n, label in enumerate(["True", "False"])
    ]
    write_csv(tmp_path / "job_descriptions.csv", rows)
    assert [ad.labels for ad in read_relevance_posts(tmp_path)] == [("relevant",), ("not relevant",)]
