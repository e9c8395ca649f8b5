"""Job ads with skill spans: SkillSpan, soft skills of Sayfullina, and Kompetencer in Danish and English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from evenhand.corpora.sets.files import json_lines, open_text
from evenhand.corpora.sets.records import Labelled, Mending, Span, Spanned

PARTS = ("train", "dev", "test")


def read_skillspan(folder: Path, part: str) -> Iterator[Spanned]:
    """Sentences with two layers, skill and knowledge, which may lie over each other."""
    for number, row in enumerate(json_lines(folder / f"{part}.json")):
        layers = {"skill": row["tags_skill"], "knowledge": row["tags_knowledge"]}
        yield from_tokens(f"{part}-{number}", row["source"], row["tokens"], layers)


def read_soft_skills(folder: Path, part: str) -> Iterator[Spanned]:
    sentences = conll_sentences(folder / f"sayfullina_{part}.conll")
    for number, (tokens, (tags,)) in enumerate(sentences):
        yield from_tokens(f"{part}-{number}", "sayfullina", tokens, {"skill": tags})


def read_danish_skills(folder: Path, part: str) -> Iterator[Spanned]:
    """`part` is train or test."""
    sentences = conll_sentences(folder / f"kompetencer_danish_{part}.conll")
    for number, (tokens, (skill, knowledge)) in enumerate(sentences):
        yield from_tokens(f"{part}-{number}", "kompetencer", tokens, {"skill": skill, "knowledge": knowledge})


def read_skill_classes(file: Path) -> Iterator[Labelled]:
    """Phrases with their ESCO group: a TSV file of Kompetencer."""
    with open_text(file) as lines:
        for number, line in enumerate(lines):
            phrase, _, code = line.rstrip("\r\n").rpartition("\t")
            if phrase:
                yield Labelled(f"{file.name.split('.')[0]}-{number}", phrase, (code,), "kompetencer")


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


def from_tokens(id: str, source: str, tokens: Sequence[str], layers: dict[str, Sequence[str]]) -> Spanned:
    """One blank between tokens; a tag that continues nothing begins a span, as annotators meant it."""
    starts = []
    place = 0
    for token in tokens:
        starts.append(place)
        place += len(token) + 1
    spans: list[Span] = []
    for label, tags in layers.items():
        spans += _spans(tokens, starts, tags, label)
    spans.sort(key=lambda span: (span.start, span.end, span.label))
    return Spanned(id, source, " ".join(tokens), tuple(spans), Mending(kept=len(spans)))


def _spans(tokens: Sequence[str], starts: Sequence[int], tags: Sequence[str], label: str) -> list[Span]:
    found: list[Span] = []
    is_open = False
    for token, start, tag in zip(tokens, starts, tags, strict=True):
        if tag == "O":
            is_open = False
            continue
        if tag.startswith("I") and is_open:
            found[-1] = Span(found[-1].start, start + len(token), label)
        else:
            found.append(Span(start, start + len(token), label))
        is_open = True
    return found
