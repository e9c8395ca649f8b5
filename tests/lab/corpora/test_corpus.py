"""Corpora on disk: the same bytes whatever happened on the way, and checks that notice what was changed."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from evenhand.errors import UsageError
from evenhand.records import canonical_json
from evenhand_lab.corpora import generate as corpus
from evenhand_lab.corpora.checks import check_corpus, size_of
from evenhand_lab.corpora.folder import PER_RESUME, resume_path
from evenhand_lab.corpora.generate import GenerationTask, Lines, generate
from evenhand_lab.corpora.jobs import sample_job
from evenhand_lab.corpora.relevance import grade
from evenhand_lab.corpora.truth import truth_from_dict

N = 30
BASIC: dict[str, Any] = {"n": 5, "kind": "mixed"}
WISHES: dict[str, Any] = {
    "n": N,
    "seed": 3,
    "kind": "mixed",
    "formats": ("docx", "pdf", "txt"),
    "planted": {"duplicates": 2, "no-hire": 2, "non-accredited": 1, "hidden": 1},
}


def content_of(folder: Path) -> dict[str, bytes]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("corpus") / "whole"
    generate(out, **WISHES)
    return out


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_layout(whole: Path) -> None:
    for name in PER_RESUME:
        assert [line["number"] for line in lines(whole / name)] == list(range(N))
    paths = [file["path"] for line in lines(whole / "files.jsonl") for file in line["files"]]
    assert sorted(paths) == sorted(
        str(path.relative_to(whole)) for path in (whole / "resumes").rglob("*") if path.is_file()
    )
    assert len(paths) == N
    about = json.loads((whole / "corpus.json").read_text(encoding="utf-8"))
    assert about["complete"] is True
    assert about["settings"]["planted"] == WISHES["planted"]


def test_resume_path() -> None:
    assert resume_path(123, "pdf") == "resumes/00/000123.pdf"
    assert resume_path(1_234_567, "txt") == "resumes/1234/1234567.txt"


def test_grades_follow_from_truth_and_jobs(whole: Path) -> None:
    jobs = [sample_job("mixed", seed=3, number=number) for number in range(10)]
    assert [json.loads(canonical_json(job.to_json())) for job in jobs] == lines(whole / "jobs.jsonl")
    for truth, relevance in zip(lines(whole / "truth.jsonl"), lines(whole / "relevance.jsonl"), strict=True):
        del truth["text"]
        assert relevance["grades"] == [grade(job, truth_from_dict(truth)) for job in jobs]


def test_groups_are_kept_apart(whole: Path) -> None:
    for truth, groups in zip(lines(whole / "truth.jsonl"), lines(whole / "groups.jsonl"), strict=True):
        assert set(groups) & set(truth) == {"number"}


def test_planted_names_are_on_the_lists(whole: Path) -> None:
    planted = lines(whole / "planted.jsonl")
    kinds = sorted(case["kind"] for case in planted)
    assert kinds == ["duplicates"] * 2 + ["hidden"] + ["no-hire"] * 2 + ["non-accredited"]
    for kind, name in (("no-hire", "no_hire"), ("non-accredited", "non_accredited")):
        listed = (whole / "lists" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        assert {case["listed"] for case in planted if case["kind"] == kind} <= set(listed)
        assert not {case["written"] for case in planted if case["kind"] == kind} & set(listed)


def test_workers_change_nothing(whole: Path, tmp_path: Path) -> None:
    generate(tmp_path / "out", **WISHES, workers=2)
    assert content_of(tmp_path / "out") == content_of(whole)


def test_interrupted_run_is_finished(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    monkeypatch.setattr(corpus, "BATCH", 4)
    make_batch = corpus.make_batch
    with monkeypatch.context() as context:
        context.setattr(corpus, "make_batch", lambda task: stop() if task.numbers.start >= 8 else make_batch(task))
        with pytest.raises(KeyboardInterrupt):
            generate(out, **WISHES)
    assert json.loads((out / "corpus.json").read_text(encoding="utf-8"))["complete"] is False
    with (out / "truth.jsonl").open("a") as stream:
        stream.write('{"number": 8, "half')
    (out / "resumes/00/000006.extra").touch()
    started = []

    def noted(task: GenerationTask) -> Lines:
        started.append(task.numbers.start)
        return make_batch(task)

    with monkeypatch.context() as context:
        context.setattr(corpus, "make_batch", noted)
        generate(out, **WISHES)
    assert started == [8, 12, 16, 20, 24, 28]
    (out / "resumes/00/000006.extra").unlink()
    assert content_of(out) == content_of(whole)


def stop() -> Any:
    raise KeyboardInterrupt


def test_damaged_file_is_made_again(whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    generate(out, **WISHES)
    path = out / lines(out / "files.jsonl")[5]["files"][0]["path"]
    path.write_bytes(b"damaged")
    generate(out, **WISHES)
    assert content_of(out) == content_of(whole)


def test_resume_depends_on_its_number_alone(tmp_path: Path) -> None:
    few: dict[str, Any] = {"seed": 3, "kind": "mixed", "formats": ("txt",)}
    generate(tmp_path / "few", n=3, **few)
    generate(tmp_path / "more", n=6, **few)
    assert lines(tmp_path / "few" / "truth.jsonl") == list(islice(lines(tmp_path / "more" / "truth.jsonl"), 3))
    generate(tmp_path / "few", n=6, **few)  # a corpus may grow
    assert content_of(tmp_path / "few") == content_of(tmp_path / "more")


def test_every_format(tmp_path: Path) -> None:
    generate(tmp_path / "out", n=2, kind="mixed", formats=("pdf", "rtf", "html"), every_format=True)
    files = [[file["format"] for file in line["files"]] for line in lines(tmp_path / "out" / "files.jsonl")]
    assert files == [["pdf", "rtf", "html"]] * 2


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        ({"jobs": -1}, "cannot be negative"),
        ({"n": 0}, "at least one resume"),
        ({"kind": "actors"}, "There is no kind 'actors'; there are it, crc, mixed."),
        ({"formats": ("pdf", "tex")}, "There is no format 'tex'"),
        ({"formats": ()}, "at least one format"),
        ({"formats": ("txt",), "planted": {"scans": 1}}, "add pdf"),
        ({"formats": ("txt",), "planted": {"hidden": 1}}, "cannot hide words"),
        ({"planted": {"duplicates": 9}}, "18 resumes are needed for the planted cases, and there are 5."),
        ({"planted": {"ghosts": 1}}, "There is no planted case 'ghosts'"),
    ],
)
def test_impossible_wishes(wishes: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=message):
        generate(tmp_path / "out", **BASIC | wishes)
    assert not (tmp_path / "out").exists()


def test_doc_needs_libreoffice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UsageError, match="written by LibreOffice"):
        generate(tmp_path / "out", n=1, kind="mixed", formats=("doc",))


def test_another_corpus_is_not_overwritten(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="made with seed 3, not 4"):
        generate(whole, **WISHES | {"seed": 4})
    (tmp_path / "letter.txt").write_text("Dear Sir or Madam")
    with pytest.raises(UsageError, match="holds no corpus"):
        generate(tmp_path, **WISHES)


def test_check_finds_nothing_wrong(whole: Path) -> None:
    assert size_of(whole) == N
    assert list(check_corpus(whole)) == [(number, []) for number in range(N)]


def test_check_finds_what_was_changed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    generate(out, n=3, kind="mixed", formats=("txt",))
    (out / resume_path(1, "txt")).write_text("another person")
    truth = (out / "truth.jsonl").read_text(encoding="utf-8")
    (out / "truth.jsonl").write_text(truth.replace('"number":2', '"number":7'), encoding="utf-8")
    assert list(check_corpus(out)) == [
        (0, []),
        (1, ["resumes/00/000001.txt was changed"]),
        (2, ["is numbered 7"]),
        (-1, ["truth.jsonl was changed"]),
    ]


def test_unfinished_corpus_is_not_checked(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no corpus"):
        size_of(tmp_path)
