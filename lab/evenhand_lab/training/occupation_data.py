"""Resumes with their occupations as models get them: mined like any other, without what gives the label away."""

from __future__ import annotations

import html
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from evenhand.audit.models.resumes import spread
from evenhand.documents.reading import read_many
from evenhand.errors import UsageError
from evenhand.mining.lexicon.loading import load_lexicon
from evenhand.mining.lexicon.places import city_rows, countries, regions, short_names
from evenhand.mining.pipeline import MinedResume, mine_with_documents
from evenhand.models.inputs import ResumeInput, SectionText, resume_input
from evenhand.models.linear.model import Source, TermReading, list_words, written_words
from evenhand.models.manifest import Outcome
from evenhand.progress import Progress, with_progress
from evenhand.records.document import Document
from evenhand.search.duplicates.index import find_duplicates
from evenhand_lab.corpora import lexicon as made_up
from evenhand_lab.corpora.sets.occupations import FLOREX_LABELS, LEAKING, read_livecareer
from evenhand_lab.corpora.sets.records import LabelledRecord, json_lines
from evenhand_lab.training.linear import MIN_DOCUMENTS, Allowed, LinearRecipe

LIVECAREER, FLOREX = "livecareer-pdf", "florex-resume-corpus"
AS_OF = "2026-01"  # the month that "present" means, the same for whoever repeats it
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_BLANKS = re.compile(r"[ \t]+")


@dataclass(frozen=True, slots=True)
class OccupationExample:
    """`group` is the same for near-duplicates, which must not stand on both sides of a split."""

    id: str
    resume: ResumeInput
    labels: tuple[str, ...]
    group: str


def read_livecareer_examples(data: Path, *, n: int | None, progress: Progress) -> list[OccupationExample]:
    """One label each, the name of the folder. The first line names it in two of three, so it goes before mining."""
    rows = spread(list(read_livecareer(labelled_folder(data, LIVECAREER))), n)
    return grouped(
        [
            OccupationExample(row.id, resume_input(mined.document, mined.profile), row.labels, row.id)
            for row, mined in zip(rows, mine_without_first_line(rows, progress), strict=True)
            if not mined.is_failed
        ]
    )


def mine_without_first_line(rows: Sequence[LabelledRecord], progress: Progress) -> Iterator[MinedResume]:
    files = [row.file for row in rows if row.file is not None]
    readings = with_progress(read_many(files), progress, "reading resumes", len(files))
    documents = [without_first_line(document) for document in readings]
    stream = mine_with_documents(documents, as_of=AS_OF)
    yield from with_progress(stream, progress, "mining resumes", len(documents))


def without_first_line(document: Document) -> Document:
    """As if the file had begun with its second line that is not blank."""
    first = next((line for line in document.lines if document.line_text(line).strip()), None)
    if first is None:
        return document
    rest = document.text[first.end :]
    cut = len(document.text) - len(rest.lstrip())
    lines = tuple(
        replace(line, start=line.start - cut, end=line.end - cut) for line in document.lines if line.start >= cut
    )
    return replace(document, text=document.text[cut:], lines=lines)


def read_florex_examples(data: Path, *, n: int | None, progress: Progress) -> list[OccupationExample]:
    """Any number of ten labels each. These resumes have lost their lines: nothing can be mined, all is one section."""
    examples = []
    for row in spread(list(json_lines(labelled_folder(data, FLOREX) / "resumes.jsonl")), n):
        labels = tuple(label for label in FLOREX_LABELS if label in row["labels"])
        resume = one_section(without_beginning(row["text"]))
        if resume.sections:
            examples.append(OccupationExample(str(row["id"]), resume, labels, str(row["id"])))
    return grouped(examples)


def without_beginning(text: str) -> str:
    """Without the marks of the search that found it and its first 200 characters, where the searched title stands."""
    return _BLANKS.sub(" ", html.unescape(_TAG.sub("", text))[LEAKING:]).strip()


def one_section(text: str) -> ResumeInput:
    return ResumeInput((SectionText("Others", text),) if text else ())


@lru_cache(maxsize=1)
def people() -> frozenset[str]:
    """First and last names."""
    groups = [group for group in made_up.table("names.toml").values() if isinstance(group, dict)]
    return _words(name for group in groups for names in group.values() for name in names)


def labelled_folder(data: Path, name: str) -> Path:
    """`data` itself may be the folder, or hold it."""
    for folder in (data / name, data):
        if any((folder / f"{file}.jsonl{end}").exists() for file in ("text", "resumes") for end in ("", ".gz")):
            return folder
    raise UsageError(f"There are no labelled resumes in {data}: it needs a folder {name}.")


def grouped(examples: Sequence[OccupationExample]) -> list[OccupationExample]:
    """Near-duplicates in one group: pairs are joined, and pairs of pairs."""
    leader = {example.id: example.id for example in examples}

    def find(key: str) -> str:
        while leader[key] != key:
            key = leader[key]
        return key

    for pair in find_duplicates({example.id: example.resume.text for example in examples}):
        first, second = sorted((find(pair.a), find(pair.b)))
        leader[second] = first
    return [replace(example, group=find(example.id)) for example in examples]


# The models of occupation: which resumes each learns from, what it reads of them, and how.


class Reader(Protocol):
    def __call__(self, data: Path, *, n: int | None, progress: Progress) -> list[OccupationExample]: ...


@dataclass(frozen=True, slots=True)
class OccupationModel:
    """`titles` is where job titles stand: what has to be masked when they are."""

    name: str
    outcome: Outcome
    recipe: LinearRecipe
    titles: Source
    read: Reader

    @property
    def several(self) -> bool:
        return self.outcome == "several"


CARDS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("occupation_models.toml").read_text("utf-8"))
OCCUPATION = OccupationModel(
    name="occupation",
    outcome="single",
    recipe=LinearRecipe(
        terms=(
            TermReading("telling words", "body", longest=2, weight=1.0, most=300, stops=False),
            TermReading("words", "body", longest=2, weight=0.7, most=3000, stops=False),
            TermReading("current title", "current", longest=3, weight=0.5, most=1000),
            TermReading("titles", "titles", longest=3, weight=1.0, most=1000),
        ),
        cost=0.3,
    ),
    titles="titles",
    read=read_livecareer_examples,
)
IT_ROLES = OccupationModel(
    name="it-roles",
    outcome="several",
    recipe=LinearRecipe(
        terms=(
            TermReading("words", "body", longest=1, weight=0.5, most=2000, stops=False),
            TermReading("telling titles", "stated", longest=3, weight=2.0, most=400),
            TermReading("titles", "stated", longest=3, weight=1.0, most=4000),
        ),
        cost=0.3,
    ),
    titles="stated",
    read=read_florex_examples,
)
MODELS = {model.name: model for model in (OCCUPATION, IT_ROLES)}


# Which terms a model that ships may know: none that could be the name of a person, a place or an employer.

MAX_CAPITALS = 5
SHARE = 0.2  # of the resumes with a word, those that write it in lower case
NAME_SHARE = 0.5  # where the word is a name too


def allowed_terms(texts: Iterable[str]) -> Allowed:
    """Every word of a term is written in lower case by five resumes at least, and by a good share of those that
    have it, which names are not.

    Or it is a skill, or a word of the lexicons of skills, titles and fields, or short and written in capitals by
    five (HR, BPO), and no name of the lists: of people, nor, but for skills (SAP is a village), of places and
    employers.
    """
    lower: Counter[str] = Counter()
    capitals: Counter[str] = Counter()
    anyhow: Counter[str] = Counter()
    for text in texts:
        written = set(written_words(text))
        anyhow.update({word.lower() for word in written})
        lower.update(word for word in written if word.islower())
        capitals.update(word.lower() for word in written if word.isupper() and len(word) <= MAX_CAPITALS)
    common = {
        word
        for word, count in lower.items()
        if count >= MIN_DOCUMENTS and count >= anyhow[word] * (NAME_SHARE if word in people() else SHARE)
    }
    short = {word for word, count in capitals.items() if count >= MIN_DOCUMENTS}
    known = load_lexicon()
    skills = {key for key in known.skills.keys() if " " not in key}  # noqa: SIM118 - no mapping
    words = _words((*known.skills.keys(), *known.titles.table, *known.fields.table))
    places = _words((*city_rows(), *countries(), *regions(), *short_names()))
    employers = _words(known.companies.table)
    safe = frozenset(common | ((words | short) - people() - places - employers) | (skills - people()))
    return lambda term: all(word in safe for word in term.split())


def _words(phrases: Iterable[str]) -> frozenset[str]:
    return frozenset(word for phrase in phrases for word in list_words(phrase))
