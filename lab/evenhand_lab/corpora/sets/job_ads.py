"""Real job ads: by title and place, by occupation, by level of seniority, by relevance to one person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from evenhand_lab.corpora.sets.records import (
    JobAdRecord,
    LabelledRecord,
    RecordSpan,
    SpanRecord,
    SpanRepairs,
    csv_rows,
    json_lines,
    open_text,
)

MAX_PLACE_LENGTH = 80  # characters; in some rows the place holds the whole ad


def read_monster(folder: Path) -> Iterator[JobAdRecord]:
    for number, row in enumerate(csv_rows(folder / "jobs_sample.csv")):
        place = row["location"].strip()
        location = place if 0 < len(place) <= MAX_PLACE_LENGTH else None
        yield JobAdRecord(f"monster-{number:04d}", row["job_title"].strip() or None, row["job_description"], location)


def read_occupation_posts(folder: Path) -> Iterator[JobAdRecord]:
    """77 posts in 11 of the occupations of the livecareer resumes."""
    for number, row in enumerate(csv_rows(folder / "job_postings_kaggle.csv")):
        yield JobAdRecord(f"post-{number:03d}", None, row["post"], labels=(row["occupation"],))


def read_seniority_posts(folder: Path) -> Iterator[JobAdRecord]:
    """The level is the recruiter's choice of six; about a sixth of the ads is not in English."""
    for number, row in enumerate(csv_rows(folder / "jobs_seniority.csv")):
        yield JobAdRecord(
            f"linkedin-{number:04d}",
            row["title"],
            row["description"],
            row["location"] or None,
            (row["seniority_level"],),
        )


def read_relevance_posts(folder: Path) -> Iterator[JobAdRecord]:
    """Ads that one software engineer called relevant or not."""
    for row in csv_rows(folder / "job_descriptions.csv"):
        label = "relevant" if row["label"].strip().lower() in ("true", "1") else "not relevant"
        yield JobAdRecord(row["job_description_id"], None, row["job_description"], labels=(label,))


# Job ads with skill spans: SkillSpan, soft skills of Sayfullina, and Kompetencer in Danish and English.

PARTS = ("train", "dev", "test")


def read_skillspan(folder: Path, part: str) -> Iterator[SpanRecord]:
    """Sentences with two layers, skill and knowledge, which may lie over each other."""
    for number, row in enumerate(json_lines(folder / f"{part}.json")):
        layers = {"skill": row["tags_skill"], "knowledge": row["tags_knowledge"]}
        yield from_tokens(f"{part}-{number}", row["source"], row["tokens"], layers)


def read_soft_skills(folder: Path, part: str) -> Iterator[SpanRecord]:
    sentences = conll_sentences(folder / f"sayfullina_{part}.conll")
    for number, (tokens, (tags,)) in enumerate(sentences):
        yield from_tokens(f"{part}-{number}", "sayfullina", tokens, {"skill": tags})


def read_danish_skills(folder: Path, part: str) -> Iterator[SpanRecord]:
    """`part` is train or test."""
    sentences = conll_sentences(folder / f"kompetencer_danish_{part}.conll")
    for number, (tokens, (skill, knowledge)) in enumerate(sentences):
        yield from_tokens(f"{part}-{number}", "kompetencer", tokens, {"skill": skill, "knowledge": knowledge})


def read_skill_classes(file: Path) -> Iterator[LabelledRecord]:
    """Phrases with their ESCO group: a TSV file of Kompetencer."""
    with open_text(file) as lines:
        for number, line in enumerate(lines):
            phrase, _, code = line.rstrip("\r\n").rpartition("\t")
            if phrase:
                yield LabelledRecord(f"{file.name.split('.')[0]}-{number}", phrase, (code,), "kompetencer")


def conll_sentences(path: Path) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Tokens and their tag columns; sentences are parted by lines without a token."""
    rows: list[list[str]] = []
    with open_text(path) as lines:
        for line in lines:
            cells = line.rstrip("\r\n").split("\t")
            if cells[0].strip():
                rows.append(cells)
            elif rows:
                yield _columns(rows)
                rows = []
    if rows:
        yield _columns(rows)


def _columns(rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    tokens, *tags = (list(column) for column in zip(*rows, strict=True))
    return tokens, tags


def from_tokens(id: str, source: str, tokens: Sequence[str], layers: dict[str, Sequence[str]]) -> SpanRecord:
    """One blank between tokens; a tag that continues nothing begins a span, as annotators meant it."""
    starts = []
    place = 0
    for token in tokens:
        starts.append(place)
        place += len(token) + 1
    spans: list[RecordSpan] = []
    for label, tags in layers.items():
        spans += _spans(tokens, starts, tags, label)
    spans.sort(key=lambda span: (span.start, span.end, span.label))
    return SpanRecord(id, source, " ".join(tokens), tuple(spans), SpanRepairs(kept=len(spans)))


def _spans(tokens: Sequence[str], starts: Sequence[int], tags: Sequence[str], label: str) -> list[RecordSpan]:
    found: list[RecordSpan] = []
    is_open = False
    for token, start, tag in zip(tokens, starts, tags, strict=True):
        if tag == "O":
            is_open = False
            continue
        if tag.startswith("I") and is_open:
            found[-1] = RecordSpan(found[-1].start, start + len(token), label)
        else:
            found.append(RecordSpan(start, start + len(token), label))
        is_open = True
    return found
