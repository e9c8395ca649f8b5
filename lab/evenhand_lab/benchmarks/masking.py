"""`evenhand bench masking`: what of a person is left in masked resumes, what is masked wrongly, how long it takes.

Generated resumes, whose truth is known, or with `--data` annotated real ones; of those only counts are kept. The real
ones fall into two halves by their hash: rules are made while reading what is left in one, the other is counted only.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import ClassVar

from evenhand.audit.statistics import wilson_rate
from evenhand.documents.parse import parse
from evenhand.documents.reading import read_many
from evenhand.errors import UsageError
from evenhand.masking.masker import Masker
from evenhand.masking.masks import KINDS, Mask
from evenhand.masking.page import MONTHS, Span
from evenhand.mining.in_process import mine_document, miner_for
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records import Profile
from evenhand.settings import Settings
from evenhand.text.folding import word_set, words
from evenhand_lab.benchmarks.kit import Figures, Measurement, quantile, timed
from evenhand_lab.corpora.career import Person
from evenhand_lab.corpora.generate import CorpusRequest, make
from evenhand_lab.corpora.kinds.kinds import KINDS as CORPORA
from evenhand_lab.corpora.sets.entities import read_dataturks, read_plain_spans
from evenhand_lab.corpora.sets.records import SpanRecord
from evenhand_lab.corpora.sets.resumes import GoldResume, read_gold

# Resumes of which it is known what is personal: generated ones, and real ones that people annotated.


AS_OF = "2026-01"
FORMATS = ("pdf", "docx", "odt", "rtf", "html", "txt")
GOLD, DATATURKS, DOTIN, CORPUS36 = "gold", "dataturks-resume-ner", "dotin-resume-ner", "resume-corpus-36ent"
SPANNED = {  # files, and under what name a row has its spans
    DATATURKS: ((), ""),
    DOTIN: (("juanfpinzon_set_aside_test_v2_50cvs.json", "juanfpinzon_545_cvs_train_v2.json"), "labels"),
    CORPUS36: (("resumes_spans.jsonl",), "spans"),
}
NATIVE, FLOREX = "native-resume-files", "florex-resume-corpus"
FRESH_FILES, FRESH_TEXTS = "fresh files", "fresh texts"
LINES, LINES_READ, LINES_COUNTED = "resume-section-lines", "lines, read half", "lines, counted half"
EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,24}){1,4}")
NO_OWNER = word_set(
    "admin bag converted current cv dba dev developer doc docs dotcom finance fscm full heaware hexaware index"
    " internship js musquare peoplesoft react reactjs resume resumes sgresume technologies yahoo"
)
"""Words of file names that name nobody."""
MAX_SHORT = 6  # letters; longer ones go wherever they stand: PeopleSoft, in capitals or not
NO_HEAD_NAME = word_set(
    "address application at company consultant contact cover curriculum date declaration details dob email faithfully"
    " father hobbies house indeed indian interests ltd male female marital mob mobile nationality no number objective"
    " page permanent personal phone post present pvt qualification references resident signature sincere sincerely"
    " skype status summary temporary to www yours"
)
"""Words of lines at the top that are no name."""
BEFORE_NAME = re.compile(
    r"(?i)\A\W*(?:(?:curriculum[- ]*vita\w*|r[eé]sum[eé]|cv|bio-?data|(?:full )?name|of)\b[\W_]*)+"
    r"|\b(?:mr|mrs|ms|miss|dr)\b\.?"
)
PHONE = re.compile(
    r"(?i)\b(?:mob\w*|phone|cell|contact no\w*)\b[^\w\n]{0,6}(?:no[.:, ]{0,3})?(\+?\d[\d -]{8,13}\d)(?![\d-])"
)
HALVES = ("development half", "held-out half")
KNOWN_BY = 400  # letters at the beginning: the same resume stands in several sets
LABELS = {
    "Email Address": "e-mail", "College Name": "school", "Companies worked at": "employer", "Designation": "title",
    "Tech Tools": "skill", "Years of Experience": "date", "Graduation Year": "date", "Name": "name",
    "company_name": "employer", "designation": "title", "technical_skills": "skill", "work_year": "date",
    "birth_date": "birth",
}  # fmt: skip
WORK = ("employer", "title", "skill", "date")


@dataclass(frozen=True, slots=True)
class MaskingCase:
    """`values` are what was annotated, by kind: of `GOALS` what must go, of `WORK` what must stay, places may go."""

    text: str
    profile: Profile
    file: str | None = None
    name: str | None = None
    values: Mapping[str, Sequence[str]] = field(default_factory=dict)
    part: str = ""


def generated(number_of_each: int, seed: int) -> Iterator[MaskingCase]:
    """So many of every kind, in all formats: as read and mined, and below it a paragraph that nobody mined."""
    miner = miner_for(Settings())
    for kind in CORPORA:
        for number in range(number_of_each):
            made = make(CorpusRequest(seed, kind, FORMATS), number)
            document = parse(made.files[0].data)
            person, truth = made.career.person, made.truth
            yield MaskingCase(
                text=document.text + praise(person, made.career.number),
                profile=mine_document(miner, document, as_of=AS_OF),
                file=f"resume-{made.career.number}.{made.files[0].format}",  # which tells nothing
                name=person.name,
                values={
                    "e-mail": (person.email,),
                    "phone": (person.phone,),
                    "street": (person.street,) if person.street else (),
                    "link": person.links,
                    "school": [study["school"] for study in truth.education if study.get("school")],
                    "place": list(filter(None, (person.city, person.region, person.country))),
                    "employer": [job.employer for job in truth.positions],
                    "title": [job.title for job in truth.positions],
                    "skill": [form for skill in truth.skills for form in skill.surfaces],
                },
                part="generated",
            )


def praise(person: Person, number: int) -> str:
    """What somebody else may write of the person: in the third person, and with the name in other forms."""
    first, last = person.name.split()[0], person.name.split()[-1]
    he, him, his, mr = (("he", "him", "his", "Mr."), ("she", "her", "her", "Ms."))[number % 2]
    return (
        f"\n\nREFERENCES\n{mr} {last} worked for us, and {he} did {his} work well. {first}'s reports were read by all;"
        f" we would take {him} again.\nSee {first[0]}. {last}: On the use of tables. Write to {person.email.upper()}"
        f" or call {person.phone}.\n{last.upper()}, {first.upper()} - page 2\n"
    )


def real(data: Path, progress: Progress) -> Iterator[MaskingCase]:
    """Annotated resumes of the sets that are there, each once."""
    golds = list(read_gold(data / GOLD)) if (data / GOLD / "manifest.json").is_file() else []
    spanned = [record for name in SPANNED if (data / name).is_dir() for record in _records(data / name)]
    if not golds and not spanned:
        raise UsageError(f"There are no annotated resumes in {GOLD}/, {'/, '.join(SPANNED)}/ under the folder given.")
    miner = miner_for(Settings())
    documents = with_progress(read_many([gold.file for gold in golds]), progress, "reading and mining", len(golds))
    for gold, document in zip(golds, documents, strict=True):
        if document.text:
            yield _gold(gold, document.text, mine_document(miner, document, as_of=gold.as_of))
    unique = {_beginning(record.text): record for record in reversed(spanned)}
    for record in with_progress(unique.values(), progress, "mining", len(unique)):
        document = parse(restored(record.text).encode())
        yield _spanned(record, document.text, mine_document(miner, document, as_of=AS_OF))


def fresh(data: Path, known: Iterable[MaskingCase], progress: Progress) -> Iterator[MaskingCase]:
    """Files named after their owners, each person once, and texts of strangers with an e-mail address.

    Nobody annotated them: the file's name, which masking is not told here, says whose resume it is, and a plain pattern
    finds addresses. Whoever has the beginning or an address of a resume in `known` is left out.
    """
    seen = {key for case in known for key in _keys(case.text)}
    folders = [data / NATIVE / name for name in ("docs-excelr", "multiformat")]
    files = {owner_of(path): path for folder in folders for path in sorted(folder.glob("*"), reverse=True)}
    texts = _florex(data / FLOREX) if (data / FLOREX).is_dir() else ()
    miner = miner_for(Settings())
    documents = with_progress(read_many(list(files.values())), progress, "reading and mining files", len(files))
    named = [(" ".join(name), document) for (_, name), document in zip(files, documents, strict=True)]
    named += [("", parse(text.encode())) for text in texts]
    for name, document in with_progress(named, progress, "mining", len(named)):
        keys = set(_keys(document.text))
        if document.text.strip() and not keys & seen:
            seen |= keys
            values = {"e-mail": list(dict.fromkeys(EMAIL.findall(document.text)))}
            part = FRESH_FILES if name else FRESH_TEXTS
            yield MaskingCase(
                document.text, mine_document(miner, document, as_of=AS_OF), None, name or None, values, part
            )


def lines(data: Path, known: Iterable[MaskingCase], progress: Progress) -> Iterator[MaskingCase]:
    """Resumes whose lines stand in one table, in order: each begins with lines of contact data and an e-mail address.

    Nobody annotated what is personal: the name is the first line where that is written like one, the rest is found by
    plain patterns. One half, by its hash, was read while rules were made; the other is counted only.
    """
    seen = {key for case in known for key in _keys(case.text)}
    miner = miner_for(Settings())
    texts = list(_line_texts(data / LINES)) if (data / LINES).is_dir() else []
    for text in with_progress(texts, progress, "mining", len(texts)):
        keys = set(_keys(text))
        if not keys & seen:
            seen |= keys
            document = parse(text.encode())
            values = {"e-mail": list(dict.fromkeys(EMAIL.findall(text))), "phone": PHONE.findall(text)}
            part = LINES_READ if _half(text) == HALVES[0] else LINES_COUNTED
            profile = mine_document(miner, document, as_of=AS_OF)
            yield MaskingCase(document.text, profile, None, name_on_top(text), values, part)


def _line_texts(folder: Path) -> Iterator[str]:
    """A resume begins where lines of contact data have an address that the one before does not have."""
    resume: list[str] = []
    with gzip.open(folder / "clean_cv_data.csv.gz", "rt", encoding="utf-8", newline="") as rows:
        for label, group in groupby(csv.DictReader(rows), key=lambda row: row["main_label"]):
            block = [row["clean_text"] for row in group]
            addresses = EMAIL.findall("\n".join(block[:MAX_HEAD_LINES])) if label == "meta" else []
            before = "\n".join(resume).casefold()
            if addresses and not any(address.casefold() in before for address in addresses):
                if resume:
                    yield "\n".join(resume)
                resume = []
            resume += block
    yield "\n".join(resume)


def name_on_top(text: str) -> str | None:
    """The first line with a word, without a label before it, where all of it may be a name."""
    heads = (BEFORE_NAME.sub("", line).strip(" .,:–*|\t-") for line in text.split("\n")[:MAX_HEAD_LINES])
    name = next(filter(None, heads), "")
    is_name = re.fullmatch(r"(?:[^\W\d_]+[.'’ ]{0,3}){1,5}", name) and not {w.key for w in words(name)} & NO_HEAD_NAME
    return name if is_name else None


def owner_of(path: Path) -> tuple[str, tuple[str, ...]]:
    """Who published the file, and the words of its name that may be a person's; where none may, the publisher's."""
    publisher, _, name = path.stem.partition("__")
    name = re.sub("|".join(sorted(word for word in NO_OWNER if len(word) > MAX_SHORT)), " ", name, flags=re.IGNORECASE)
    split = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)
    parts = tuple(word.casefold() for word in split if word.casefold() not in NO_OWNER)
    return publisher, parts or tuple(re.findall(r"[a-z]+", publisher.casefold()))


def _florex(folder: Path) -> Iterator[str]:
    with gzip.open(folder / "resumes.jsonl.gz", "rt", encoding="utf-8") as rows:
        for row in rows:
            if "@" in row and EMAIL.search(text := re.sub(r"<[^<>]{1,80}>", "", json.loads(row)["text"])):
                yield text


def _keys(text: str) -> Iterator[str]:
    """By which the same person is known in two sets."""
    yield _beginning(text)
    yield from map(str.casefold, EMAIL.findall(text))


def _records(folder: Path) -> Iterator[SpanRecord]:
    return read_dataturks(folder) if folder.name == DATATURKS else read_plain_spans(folder, *SPANNED[folder.name])


def restored(text: str) -> str:
    """Some rows of the dotin set hold bytes as `\\xe2` and two blanks for a line end: as the file had it."""
    if "\n" in text:
        return text
    plain = re.sub(
        r"(?:\\x[0-9a-f]{2})+", lambda run: bytes.fromhex(run[0].replace("\\x", "")).decode(errors="ignore"), text
    )
    return re.sub(r" {2,}", "\n", plain.strip('"'))


def _beginning(text: str) -> str:
    return re.sub(r"[\W_]+", "", text[: 2 * KNOWN_BY]).casefold()[:KNOWN_BY]


def _half(text: str) -> str:
    return HALVES[hashlib.sha256(_beginning(text).encode()).digest()[0] % 2]


def _gold(gold: GoldResume, text: str, profile: Profile) -> MaskingCase:
    values = {
        "e-mail": gold.emails,
        "phone": gold.phones,
        "school": [entry.university for entry in gold.education if entry.university],
        "place": (gold.city,) if gold.city else (),
        "employer": [job.employer for job in gold.positions if job.employer],
        "title": [job.title for job in gold.positions if job.title],
        "skill": gold.skills,
    }
    return MaskingCase(text, profile, gold.file.name, gold.name, values, _half(text))


def _spanned(record: SpanRecord, text: str, profile: Profile) -> MaskingCase:
    """DataTurks marks skills as whole blocks, and all mark places with those of employers: neither is used."""
    values: dict[str, list[str]] = {}
    for span in record.spans:
        if span.label == "Name" and (
            span.start > NAME_REACH or set(",0123456789") & set(record.text[span.start : span.end])
        ):
            continue
        if span.label == "Name" and NO_NAME.search(record.text[span.start : span.end]):
            continue
        value = (
            restored(record.text[span.start : span.end]).strip().removeprefix("Indeed: ").removeprefix("Date of Birth ")
        )
        is_address = "@" in value or "/" in value
        if (kind := LABELS.get(span.label)) and len(value) > MIN_NAME_LENGTH - 1 and (kind != "e-mail" or is_address):
            values.setdefault(kind, []).append(value)
    name = next((_whole_lines(name, text) for name in values.pop("name", ())), None)
    return MaskingCase(text, profile, None, name, values, _half(text))


def _whole_lines(name: str, text: str) -> str:
    """Of a name over two lines, the second only where nothing follows in it: "Road" makes it an address."""
    first, _, second = name.partition("\n")
    return name if not second or re.search(rf"{re.escape(name)}[ \t]*(?:\n|\Z)", text) else first


MAX_HEAD_LINES = 8
RESUMES = 300
LONG = 200_000  # characters
VERY_LONG = 2_000_000
MAX_MILLISECONDS, MAX_LONG_SECONDS, MAX_VERY_LONG_SECONDS = 20.0, 0.2, 2.0
MAX_OVER = 0.01  # share of the mentions of work that are masked
GOALS = {
    "name": 0.003, "e-mail": 0.0, "phone": 0.0, "street": 0.0, "link": 0.0, "user name": 0.0, "school": 0.05,
    "demographic": 0.02,
}  # fmt: skip
DEMOGRAPHIC = re.compile(
    r"\b(?P<pronoun>[Hh]e|[Ss]he|[Hh]im|[Hh]er|[Hh]is|[Hh]ers|[Hh]imself|[Hh]erself)\b"
    r"|(?i:\b(?:marital|civil)[ ]status|\bgender|\bsex|\bnationality|\breligion|\bdate of birth|\bd\.?o\.?b)"
    r"[ .\t]{0,6}[:–-][-–: \t]{0,6}(?P<value>(?!x*X)\w[^\s,;|]*)"
    r"|\b(?:Mr|Mrs|Ms)\b\.?(?= [A-Z](?!ord|xcel|ffice|ower|ccess|utlook|roject|isio))"
    r"|\b(?:[Uu]n)?[Mm]arried\b|\b[Bb]orn (?:in|on) (?:the )?(?P<born>\w+)"
    r"|(?i:(?:^|(?<=[\n:]))[ ]{0,3}(?P<alone>(?:fe)?male|(?:un)?married|hindu|muslim|islam|christian|sikh|indian)"
    r"[ ]{0,3}(?:\n|\Z))"
)
"""Found without the rules of masking: pronouns, salutations, marriage, birth, and what stands behind a label."""
USER_NAME = re.compile(r"(?:github|gitlab|bitbucket)\.\w+/([\w-]{4,})|linkedin\.com/in/([\w-]{4,})", re.IGNORECASE)
NO_USER_NAME = word_set("email resume design embedded feedback contact")  # as resume@example.com
MIN_NAME_LENGTH = 3  # letters of a part of a name
NAME_REACH = 1_000  # characters from the beginning; a name behind them is a referee's
NO_NAME = re.compile(
    r"(?i)\b(?:university|college|institute|management|resume|curriculum|vitae|objective|experience)\b"
)
SIGNED = re.compile(r"(?i)\bplace\b[^\n]{0,40}\bdate\W*\Z")
"""Before the date of a signature, which some annotators took for one of birth."""
SCHOOL = r"universit\w*|college|school|institut\w*|academy|polytechnic|\w*vidyalaya|iit|nit|bits"
NO_SCHOOL = re.compile(
    r"(?i)\b(?:board|certification|council|society|project management|alliance|faculty|department)\b"
)
NO_TELLING = word_set(
    "a and arts at campus college commerce de engineering for high higher in institute institution management of school"
    " science secondary senior state studies technology the university graduate law"
)
"""Words that tell of no school by themselves."""
_SCHOOL_NAME = re.compile(
    rf"(?i:.*\b(?:{SCHOOL})\b(?:[ ](?:of|for)[ ].*)?)|[^\W\d_a-z]{{3,6}}(?=\W*\Z)"  # or MIT
)
EXPERIENCE = re.compile(
    r"^\W*(?:[\w/&-]+ ){0,2}(?:(?P<work>experiences?|employment|work|career|projects|publications|references)"
    r"|education\w*|academ\w+|qualifications?)\b[^\n]{0,24}$",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class MaskingLeak(Figures):
    """Resumes that have something of the kind, those in which any of it can be read, and the same for mentions.

    Of work the other way round: what is masked of it.
    """

    derived: ClassVar = ("share",)
    having: int = 0
    left: int = 0
    mentions: int = 0
    left_mentions: int = 0

    @property
    def share(self) -> float | None:
        return self.left / self.having if self.having else None

    def with_case(self, mentions: int, left: int) -> MaskingLeak:
        return MaskingLeak(
            self.having + (mentions > 0), self.left + (left > 0), self.mentions + mentions, self.left_mentions + left
        )


@dataclass(frozen=True, slots=True)
class Masking(Measurement):
    title: ClassVar[str] = "what is left of a person in masked resumes, and what is masked wrongly"
    source: str
    resumes: int
    words: int
    masks: dict[str, int]  # by kind
    leaks: dict[str, dict[str, MaskingLeak]]  # by part, then by kind
    work: dict[str, dict[str, MaskingLeak]]
    median_milliseconds: float
    p95_milliseconds: float
    long_seconds: float
    very_long_seconds: float

    def rows(self) -> list[tuple[str, str]]:
        times = f"{self.median_milliseconds:.1f} ms, {self.p95_milliseconds:.1f} ms"
        rows = [
            (f"{self.source} resumes, words", f"{self.resumes:,}, {self.words:,}"),
            ("masks", ", ".join(f"{count:,} {kind}" for kind, count in self.masks.items())),
        ]
        for part, leaks in self.leaks.items():
            start = f"{part}: " if part else ""
            rows += [
                (f"{start}resumes in which the {kind} is left", _left(leak, GOALS[kind]))
                for kind, leak in leaks.items()
            ]
            rows += [
                (f"{start}mentions of the {kind} that are masked", _over(leak))
                for kind, leak in self.work[part].items()
            ]
        return [
            *rows,
            ("masking one, median and 95th percentile", f"{times} (at most {MAX_MILLISECONDS:g})"),
            (f"a text of {LONG:,} characters", f"{self.long_seconds:.3f} s (at most {MAX_LONG_SECONDS:g})"),
            (f"one of {VERY_LONG:,}", f"{self.very_long_seconds:.3f} s (at most {MAX_VERY_LONG_SECONDS:g})"),
        ]


def _left(leak: MaskingLeak, goal: float) -> str:
    if not leak.having:
        return "none has any"
    return f"{_rate(leak.left, leak.having)} (at most {goal:.1%}); mentions {_rate(leak.left_mentions, leak.mentions)}"


def _over(leak: MaskingLeak) -> str:
    return f"{_rate(leak.left_mentions, leak.mentions)} (at most {MAX_OVER:.0%})" if leak.mentions else "none has any"


def _rate(part: int, whole: int) -> str:
    """With its interval of 95% after Wilson."""
    rate = wilson_rate(part, whole)
    return f"{part} of {whole:,}, {rate.value:.1%} [{rate.low:.1%}, {rate.high:.1%}]"


def run(data: Path | None = None, *, n: int = RESUMES, seed: int = 1, progress: Progress = no_progress) -> Masking:
    """Mask `n` generated resumes of all kinds, and the annotated ones under `data`; everything but what work is."""
    annotated = [] if data is None else list(real(data, progress))
    if data is not None:
        annotated += fresh(data, annotated, progress)
        annotated += lines(data, annotated, progress)
    number_of_each = max(1, n // len(CORPORA))
    made = generated(number_of_each, seed)
    cases = with_progress(made, progress, "making, reading and mining", number_of_each * len(CORPORA))
    return measure([*annotated, *cases], "annotated real and generated" if annotated else "generated")


def measure(cases: Sequence[MaskingCase], source: str) -> Masking:
    seconds: list[float] = []
    masks: dict[str, int] = dict.fromkeys(KINDS, 0)
    parts = sorted({case.part for case in cases})
    leaks = {part: dict.fromkeys(GOALS, MaskingLeak()) for part in parts}
    work = {part: dict.fromkeys(WORK, MaskingLeak()) for part in parts}
    for case in cases:
        masked, spent = timed(lambda case=case: Masker(case.text, case.profile, file=case.file).masked)  # type: ignore[misc]
        seconds.append(spent)
        for mask in masked.masks:
            masks[mask.kind] += 1
        for kind in GOALS:
            mentions = personal_mentions(case, kind)
            leaks[case.part][kind] = leaks[case.part][kind].with_case(len(mentions), len(left(mentions, masked.masks)))
        for kind in WORK:
            mentions = places_of(case.text, case.values.get(kind, ()))
            work[case.part][kind] = work[case.part][kind].with_case(
                len(mentions), len(wrongly_masked(case, mentions, masked.masks))
            )
    first = cases[0]
    long, very_long = ((first.text * (length // max(len(first.text), 1) + 1))[:length] for length in (LONG, VERY_LONG))
    return Masking(
        source=source,
        resumes=len(cases),
        words=sum(len(case.text.split()) for case in cases),
        masks=masks,
        leaks=leaks,
        work=work,
        median_milliseconds=1000 * median(seconds),
        p95_milliseconds=1000 * quantile(sorted(seconds), 0.95),
        long_seconds=min(timed(lambda: Masker(long, first.profile).masked)[1] for _ in range(3)),
        very_long_seconds=min(timed(lambda: Masker(very_long, first.profile).masked)[1] for _ in range(3)),
    )


# What counts: a mention is a stretch of the text as it was; it is left unless masks cover all letters that tell it.


def places_of(text: str, values: Iterable[str]) -> list[Span]:
    """Where these stand as words of their own, in whatever case."""
    patterns = (r"\s+".join(map(re.escape, value.split())) for value in dict.fromkeys(values) if value.strip())
    return [
        match.span()
        for pattern in patterns
        for match in re.finditer(rf"(?<![^\W_]){pattern}(?![^\W_])", text, re.IGNORECASE)
    ]


def personal_mentions(case: MaskingCase, kind: str) -> list[Span]:
    text, values = case.text, case.values.get(kind, ())
    if kind == "name":
        return _name_mentions(case)
    if kind == "demographic":
        groups = (match.span(match.lastgroup or 0) for match in DEMOGRAPHIC.finditer(text))
        dates = places_of(text, filter(re.compile(r"[\d/. -]+").fullmatch, case.values.get("birth", ())))
        return [*groups, *(span for span in dates if not SIGNED.search(text[max(0, span[0] - 60) : span[0]]))]
    if kind == "phone":
        endings = [re.sub(r"\D", "", phone)[-7:] for phone in values]
        patterns = [r"\D{0,3}".join(digits) for digits in endings if len(digits) == 7]
        return [match.span() for pattern in patterns for match in re.finditer(pattern, text)]
    if kind == "user name":
        emails = [value.split()[-1].partition("@")[0] for value in case.values.get("e-mail", ()) if "@" in value]
        handles = [next(filter(None, match.groups())) for match in USER_NAME.finditer(text)]
        return places_of(text, [name for name in (*emails[:1], *handles) if len(name) > 4 and name not in NO_USER_NAME])
    if kind == "school":
        return _school_mentions(text, values)
    return places_of(text, (part for value in values for part in (_addresses(value) if "@" in value else (value,))))


def _addresses(value: str) -> list[str]:
    """The addresses in what was annotated as one; what has blanks is a single one, without the label before it."""
    return re.findall(r"\S*\w@\w\S*", value) or [re.sub(r"^[^@:]*:\s*", "", value)]


def _name_mentions(case: MaskingCase) -> list[Span]:
    """Its parts of three letters or more in capitals, outside of skills and titles; and joined ones in any case."""
    parts = [word.key for word in words(case.name or "")]
    long = {part for part in parts if len(part) >= MIN_NAME_LENGTH}
    pairs = ((parts[0], parts[-1]), (parts[-1], parts[0])) if len(parts) > 1 else ()
    joined = {one + other for one, other in pairs} | {one[0] + other for one, other in pairs if len(other) > 4}
    work = places_of(case.text, [*case.values.get("skill", ()), *case.values.get("title", ())])
    return [
        (word.start, word.end)
        for word in words(case.text)
        if (word.key in long and case.text[word.start].isupper()) or word.key in joined
        if not any(start <= word.start < end for start, end in work)
        if not (word.key in MONTHS and re.match(r"[., ]{0,2}\d", case.text[word.end : word.end + 3]))
    ]


def _school_mentions(text: str, values: Iterable[str]) -> list[Span]:
    """From the first to the last word that tells which school, outside of work; what follows its name is a place."""
    names = [name for value in values for name in re.split(r"[,(|\n\t]| [-–] ", value) if not NO_SCHOOL.search(value)]
    schools = [match[0].strip() for name in names if (match := _SCHOOL_NAME.match(name))]
    mentions = []
    for start, end in places_of(text, (name for name in schools if len(name) > 2)):
        headings = list(EXPERIENCE.finditer(text, 0, start))
        telling = [word for word in words(text[start:end]) if word.key not in NO_TELLING and len(word.key) > 1]
        if telling and not (headings and headings[-1]["work"]):
            mentions.append((start + telling[0].start, start + telling[-1].end))
    return mentions


def left(mentions: Iterable[Span], masks: Iterable[Mask]) -> list[Span]:
    """Those of which any letter is outside of all masks."""
    spans = [(mask.start, mask.end) for mask in masks]
    return [
        mention for mention in mentions if not any(start <= mention[0] and mention[1] <= end for start, end in spans)
    ]


def wrongly_masked(case: MaskingCase, mentions: Iterable[Span], masks: Iterable[Mask]) -> list[Span]:
    """Mentions of work a mask touches; neutral words for jobs say the same, schools were asked for, a name is one."""
    values = [case.name or "", *(value for kind in (*GOALS, "place") for value in case.values.get(kind, ()))]
    personal = {word.key for value in values for word in words(value)}
    spans = [
        (mask.start, mask.end)
        for mask in masks
        if mask.kind not in ("gender", "school")
        and not {word.key for word in words(case.text[mask.start : mask.end])} <= personal
    ]
    return [mention for mention in mentions if any(start < mention[1] and mention[0] < end for start, end in spans)]
