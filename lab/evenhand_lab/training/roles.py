"""Vectors of words for the meaning of roles: contrastive training on titles and what stands under them, no labels."""

from __future__ import annotations

import hashlib
import io
import math
import random
import re
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from evenhand.extras import require
from evenhand.models.encoder.loading import encoder_for
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.search.analysis import spans, term_id, terms, title_terms
from evenhand.search.features import DIMENSION
from evenhand.search.rankers.background import load_background
from evenhand.search.rankers.roles import STEPS, TITLE, read_roles, stored, unit
from evenhand.settings import Settings
from evenhand_lab.benchmarks.kit import Measurement
from evenhand_lab.corpora.sets.records import csv_rows, json_lines, open_text

Terms = tuple[str, ...]
Pair = tuple[Terms, Terms]

# Pairs that belong together. The ads that are graded, and the set they come from, are not among them.

PER_EPOCH = {
    "position": 7_000,
    "career": 4_000,
    "headline": 5_800,
    "it": 2_500,
    "onet": 14_000,
    "onet titles": 6_000,
    "esco": 9_000,
    "esco titles": 4_000,
    "ads": 4_500,
}
"""At most so many pairs of each source, so that none drowns the others."""
_PASSAGE = 110  # words
_MIN_PASSAGE = 30
_MIN_BODY = 150  # characters of what was done in a position
_MAX_TITLE = 70
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? +\d{4}|\d{1,2}/\d{4}|\d{4}"
_DATES = re.compile(rf"(?:{_MONTH}) *(?:to|-|–) *(?:{_MONTH}|current|present)", re.IGNORECASE)
_HEADING = re.compile(
    r"(education( and training)?|skills|interests|additional information|certifications|accomplishments|languages|"
    r"(professional )?affiliations|references|personal information|publications)\s*",
    re.IGNORECASE,
)
_MASKED = re.compile(r"Company Name|City ?, State")
_ENGLISH = frozenset(("the", "and", "of", "to", "with", "for"))


def positions_of(text: str) -> list[tuple[str, str]]:
    """Title and text of each position of a resume whose positions begin with a line that has their dates."""
    lines = text.split("\n")
    starts = [at for at, line in enumerate(lines) if _DATES.search(line)]
    found = []
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=False):
        body: list[str] = []
        for line in lines[start + 1 : end]:
            if _HEADING.fullmatch(line):
                break
            body.append(line)
        title = " ".join(_MASKED.sub(" ", _DATES.sub(" ", lines[start])).replace(",", " ").split())
        if not title and start:
            title = _MASKED.sub(" ", lines[start - 1]).strip(" ,-")
        description = _MASKED.sub(" ", " ".join(body))
        if 2 < len(title) < _MAX_TITLE and len(description) > _MIN_BODY:
            found.append((title, description))
    return found


def passages(text: str, size: int = _PASSAGE) -> list[str]:
    words = text.split()
    parts = [words[at : at + size] for at in range(0, len(words), size)]
    return [" ".join(part) for part in parts if len(part) >= _MIN_PASSAGE]


def pairs(data: Path, chance: random.Random) -> Iterator[tuple[str, str, str]]:
    """Source and two texts that belong together."""
    yield from _resume_pairs(data, chance)
    yield from _taxonomy_pairs(data, chance)
    for title, text in _ads(data):
        found = passages(text, 150)
        yield from (("ads", title, passage) for passage in chance.sample(found, min(4, len(found))))


def _resume_pairs(data: Path, chance: random.Random) -> Iterator[tuple[str, str, str]]:
    for row in json_lines(data / "livecareer-pdf" / "text.jsonl"):
        held = positions_of(row["text"])
        yield from (("position", *position) for position in held)
        for (title, text), (next_title, next_text) in pairwise(held):
            yield "career", f"{title} {text}", f"{next_title} {next_text}"
        headline, _, rest = row["text"].partition("\n")
        if 2 < len(headline) < _MAX_TITLE:
            found = passages(rest)
            yield from (("headline", headline, passage) for passage in chance.sample(found, min(3, len(found))))
    for number, row in enumerate(json_lines(data / "florex-resume-corpus" / "resumes.jsonl")):
        words = re.sub(r"<[^>]+>", "", row["text"]).split() if number % 3 == 0 else []
        for size in range(min(12, len(words) // 2), 0, -1):  # the headline stands twice at the beginning
            if words[:size] == words[size : 2 * size]:
                found = passages(" ".join(words[3 * size + 5 :]))
                yield from (("it", " ".join(words[:size]), part) for part in chance.sample(found, min(1, len(found))))
                break


def _taxonomy_pairs(data: Path, chance: random.Random) -> Iterator[tuple[str, str, str]]:
    lists: dict[str, dict[str, list[str]]] = {}
    for name, column in (
        ("Alternate Titles", "Alternate Title"),
        ("Sample of Reported Titles", "Reported Job Title"),
        ("Task Statements", "Task"),
        ("Technology Skills", "Example"),
    ):
        lists[name] = defaultdict(list)
        for row in _tabbed(data / "onet" / f"{name}.txt"):
            lists[name][row["O*NET-SOC Code"]].append(row[column])
    for row in _tabbed(data / "onet" / "Occupation Data.txt"):
        alternate, sample, tasks, tools = (found[row["O*NET-SOC Code"]] for found in lists.values())
        titles = [*alternate, *3 * sample, *3 * [row["Title"]]]
        for title in chance.sample(titles, min(len(titles), 24)):
            some = chance.sample(tasks, min(len(tasks), chance.randint(2, 6)))
            text = " ".join(some) if some and chance.random() < 0.8 else row["Description"]
            if tools and chance.random() < 0.3:
                text += " " + ", ".join(chance.sample(tools, min(5, len(tools))))
            yield "onet", title, text
            yield "onet titles", title, f"{chance.choice(titles)} {chance.choice(titles)}"
    for row in csv_rows(data / "esco" / "tabiya-esco-v1.1.1" / "occupations.csv"):
        names = [*filter(None, row["ALTLABELS"].split("\n")), row["PREFERREDLABEL"]]
        for name in chance.sample(names, min(6, len(names))):
            yield "esco", name, row["DESCRIPTION"]
            yield "esco titles", name, " ".join(chance.sample(names, min(2, len(names))))


def _tabbed(path: Path) -> Iterator[dict[str, str]]:
    with open_text(path) as file:
        names = file.readline().rstrip("\r\n").split("\t")
        for line in file:
            yield dict(zip(names, line.rstrip("\r\n").split("\t"), strict=False))


def _ads(data: Path) -> Iterator[tuple[str, str]]:
    for row in csv_rows(data / "linkedin-seniority" / "jobs_seniority.csv"):
        if len(_ENGLISH & set(row["description"].lower().split())) >= len(_ENGLISH) - 1:
            yield row["title"], row["description"]
    others = (("hiring-fairness-jobposts/job_postings_kaggle.csv", "post"),)
    for file, column in (*others, ("panoslin-jd-relevance/job_descriptions.csv", "job_description")):
        for row in csv_rows(data / file):
            title, _, text = row[column].partition("\n")
            if len(title) < _MAX_TITLE:
                yield title, text


# Training.

EPOCHS = 4
BATCH = 512
RATE = 0.02
TEMPERATURE = 0.07
MIN_TEXTS = 5  # that have a word: what fewer have may be somebody's
_SURFACES = 4_000  # pairs of each source from which a term's usual form is taken


@dataclass(frozen=True, slots=True)
class RoleTraining(Measurement):
    title: ClassVar[str] = "training of role vectors"
    pairs: dict[str, int]
    words: int
    losses: list[float]  # of the epochs
    version: str
    size: int  # bytes

    def rows(self) -> list[tuple[str, str]]:
        return [
            *((f"pairs: {name}", f"{number:,}") for name, number in self.pairs.items()),
            ("words", f"{self.words:,}"),
            ("loss of each epoch", ", ".join(f"{loss:.3f}" for loss in self.losses)),
            ("version, bytes", f"{self.version}, {self.size:,}"),
        ]

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("pairs", "words", "losses", "version", "size")}


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words, how telling each is, and how it is mostly written."""

    words: list[str]
    rarity: NDArray[np.float32]
    written: list[str]
    numbers: dict[str, int] = field(init=False)  # 0 is no word

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", {word: at for at, word in enumerate(self.words, start=1)})

    @classmethod
    def count(
        cls, texts: Mapping[str, Sequence[tuple[str, str]]], analysed: Mapping[str, Sequence[Pair]]
    ) -> Vocabulary:
        """Of the words that ads and resumes at large have and that name nobody, and of those of the two taxonomies."""
        distinct = {side for of_source in analysed.values() for pair in of_source for side in pair}
        frequency = Counter(word for side in distinct for word in set(side))
        taxonomy = Counter(
            word
            for source, of_source in analysed.items()
            if source.startswith(("onet", "esco"))
            for pair in of_source
            for side in pair
            for word in set(side)
        )
        known = load_background().knows
        words = sorted(
            word
            for word, number in frequency.items()
            if number >= MIN_TEXTS and 1 < len(word) < 25 and any(map(str.isalpha, word))
            if known(word) or taxonomy[word] >= MIN_TEXTS
        )
        surfaces: dict[str, Counter[str]] = defaultdict(Counter)
        chance = random.Random(1)
        for of_source in texts.values():
            for text in (" ".join(pair) for pair in chance.sample(of_source, min(len(of_source), _SURFACES))):
                for span in spans(text):
                    surfaces[span.term][text[span.start : span.end].lower()] += 1
        written = [surfaces[word].most_common(1)[0][0] if surfaces[word] else word for word in words]
        rarity = np.array([math.log(len(distinct) / frequency[word]) for word in words], np.float32)
        return cls(words, rarity, written)


def train(
    data: Path, out: Path, *, seed: int = 0, epochs: int = EPOCHS, progress: Progress = no_progress
) -> RoleTraining:
    """Writes `out`; the same data, seed and versions of the libraries give the same numbers up to rounding."""
    require("train")
    texts: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for source, first, second in pairs(data, random.Random(seed)):
        texts[source].append((first, second))
    analysed = {source: _analyse(source, of_source) for source, of_source in texts.items()}
    vocabulary = Vocabulary.count(texts, analysed)
    table, losses = _fit(vocabulary, analysed, seed=seed, epochs=epochs, progress=progress)
    blob = _pack(vocabulary, table, data)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(blob)
    counts = {source: len(of_source) for source, of_source in analysed.items()}
    return RoleTraining(counts, len(vocabulary.words), losses, read_roles(blob).version, len(blob))


def _analyse(source: str, texts: Sequence[tuple[str, str]]) -> list[Pair]:
    of_first = terms if source == "career" else title_terms
    analysed = ((tuple(of_first(first)), tuple(terms(second))) for first, second in texts)
    return [pair for pair in analysed if pair[0] and len(pair[1]) > 1]


def _fit(
    vocabulary: Vocabulary, analysed: Mapping[str, Sequence[Pair]], *, seed: int, epochs: int, progress: Progress
) -> tuple[NDArray[np.float32], list[float]]:
    """The sentence encoder's vectors of single words, then each title against the texts of other titles."""
    import torch  # noqa: PLC0415 - only training needs it

    torch.manual_seed(seed)
    encoder = encoder_for(Settings())
    if encoder is None:
        raise RuntimeError("training begins with the packaged sentence encoder, and none is installed")
    first = encoder.encode(vocabulary.written)
    first = first - first.mean(axis=0)
    _, _, axes = np.linalg.svd(first, full_matrices=False)
    first = first @ axes[:DIMENSION].T
    first *= vocabulary.rarity[:, None] / 5 / np.linalg.norm(first, axis=1, keepdims=True)
    table = torch.nn.Parameter(torch.tensor(np.vstack([np.zeros((1, DIMENSION)), first]), dtype=torch.float32))
    optimizer = torch.optim.Adam([table], lr=RATE)
    chance = random.Random(seed)

    def bags(sides: Sequence[Terms]) -> torch.Tensor:
        ids: list[int] = []
        weights: list[float] = []
        starts: list[int] = []
        for side in sides:
            starts.append(len(ids))
            counts = Counter(number for number in map(vocabulary.numbers.get, side) if number) or Counter({0: 1})
            ids += counts.keys()
            weights += [1 + math.log(count) for count in counts.values()]
        summed = torch.nn.functional.embedding_bag(
            torch.tensor(ids), table, torch.tensor(starts), mode="sum", per_sample_weights=torch.tensor(weights)
        )
        return torch.nn.functional.normalize(summed, dim=1, eps=1e-6)

    sizes = {source: min(number, len(analysed[source])) for source, number in PER_EPOCH.items()}
    steps, step, losses = epochs * (sum(sizes.values()) // BATCH) + 50, 0, []
    for _ in with_progress(range(epochs), progress, "epochs", epochs):
        batches: list[list[Pair]] = []  # of one source each: to tell a resume from an ad teaches nothing
        for source, size in sizes.items():
            drawn = chance.sample(analysed[source], size)
            batches += [drawn[at : at + BATCH] for at in range(0, len(drawn) - BATCH // 2, BATCH)]
        chance.shuffle(batches)
        total = 0.0
        for batch in batches:
            step += 1
            optimizer.param_groups[0]["lr"] = RATE * max(1 - step / steps, 0.01)
            likeness = bags([one for one, _ in batch]) @ bags([two for _, two in batch]).T / TEMPERATURE
            titles = np.array([hash_of(one) for one, _ in batch])
            same = (titles[:, None] == titles[None, :]) & ~np.eye(len(batch), dtype=bool)  # are no counter-examples
            likeness = likeness.masked_fill(torch.tensor(same), -1e9)
            right = torch.arange(len(batch))
            loss = torch.nn.functional.cross_entropy(likeness, right)
            loss = (loss + torch.nn.functional.cross_entropy(likeness.T, right)) / 2
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
            optimizer.step()
            total += loss.item()
        losses.append(round(total / len(batches), 4))
    return table.detach().numpy()[1:], losses


def hash_of(side: Terms) -> int:
    return int.from_bytes(hashlib.blake2b(" ".join(side).encode(), digest_size=7).digest(), "little")


# The artefact: words in eight bits, and how the positions and resumes of the collection lie among them.


def _pack(vocabulary: Vocabulary, table: NDArray[np.float32], data: Path) -> bytes:
    scales = (np.abs(table).max(axis=1) / STEPS).astype(np.float32)
    words = np.rint(table / np.maximum(scales, 1e-9)[:, None]).astype(np.int8)
    numbers = np.array([term_id(word) for word in vocabulary.words], np.uint32)
    order = np.argsort(numbers, kind="stable")
    arrays: dict[str, NDArray[Any]] = {"numbers": numbers[order], "words": words[order], "scales": scales[order]}
    arrays["version"] = np.array(hashlib.sha256(words[order].tobytes() + scales[order].tobytes()).hexdigest()[:12])
    none = {
        f"{name}_{kind}": np.zeros(shape, np.float32)
        for name in ("position", "resume")
        for kind, shape in (("mean", DIMENSION), ("covariance", (DIMENSION, DIMENSION)))
    }
    roles = read_roles(_npz(arrays | none))
    positions, resumes = [], []
    for row in json_lines(data / "livecareer-pdf" / "text.jsonl"):
        resumes.append(stored(roles.encode_terms(terms(row["text"]))))
        for title, text in positions_of(row["text"]):
            position = roles.encode_terms(terms(f"{title}\n{text}"))
            positions.append(stored(unit(position + TITLE * roles.encode_terms(title_terms(title)))))
    for name, found in (("position", positions), ("resume", resumes)):
        values = np.array(found, np.float64) / STEPS
        arrays[f"{name}_mean"] = values.mean(axis=0).astype(np.float32)
        arrays[f"{name}_covariance"] = np.cov(values.T).astype(np.float32)
    return _npz(arrays)


def _npz(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """With the same bytes each time: without the time of writing."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            data = io.BytesIO()
            np.save(data, array, allow_pickle=False)
            archive.writestr(
                zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), data.getvalue(), zipfile.ZIP_DEFLATED
            )
    return out.getvalue()
