"""`evenhand bench fuzz`: files damaged by the thousand, none of which may end in anything without a name."""

from __future__ import annotations

import io
import re
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from evenhand.documents.reading import in_order, open_pool, reading_limits
from evenhand.documents.sandbox.pool import ReadResult
from evenhand.records.conversion import to_json
from evenhand.settings import Settings
from evenhand_lab.benchmarks.inputs import files_under, samples
from evenhand_lab.benchmarks.kit import Measurement, quantile, share
from evenhand_lab.benchmarks.reading.hostile import outcome, surprise

# Damage done to files on purpose, blind or knowing ZIP, XML, PDF and RTF. Same seed, same damage.


Mutation = Callable[[bytes, Random], bytes]

TAG = re.compile(rb"<[^<>]*>")
OBJECT = re.compile(rb"\d+ \d+ obj\b.*?endobj", re.DOTALL)
STREAM = re.compile(rb"(?<=stream\n).+?(?=\n?endstream)|(?<=stream\r\n).+?(?=\r?\n?endstream)", re.DOTALL)
ATTRIBUTE = rb'="[^"<>]*"'
TEXT = rb"(?<=>)[^<>]+"

EXTREMES = (b"0", b"-1", b"1", b"65535", b"65536", b"2147483647", b"-2147483648", b"4294967296", b"1e308")
ODD_TEXT = (b"&#0;", b"&#x110000;", b"&#xD800;", b"\xef\xbf\xbe", b"\xe2\x80\xae", b"\xff\xfe", b"&nbsp;", b"]]>")
ENTITIES = (
    b'<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>',
    b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    b'<!DOCTYPE r SYSTEM "http://127.0.0.1/x.dtd">',
)


def mutate(data: bytes, other: bytes, random: Random) -> bytes:
    """One to three damages fit for what `data` is; `other` is a file to take pieces from."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        if random.random() < 0.1:  # the head of one file, the tail of another
            data = data[: random.randrange(len(data) + 1)] + other[random.randrange(len(other) + 1) :]
        else:
            data = random.choice(mutations_for(data))(data, random)
    return data


def mutations_for(data: bytes) -> tuple[Mutation, ...]:
    """Blind damage for every file, and as much again that knows the format."""
    head = data[:1024].lstrip()
    if data.startswith(b"PK\x03\x04"):
        return BLIND + 2 * OF_ZIP
    if b"%PDF-" in head:
        return BLIND + 2 * OF_PDF
    if head.startswith(b"{\\rt"):
        return BLIND + 3 * OF_RTF
    if head.startswith(b"<") or b"<?xml" in head or b"<html" in head.lower():
        return BLIND + OF_XML
    return BLIND


def replacing(pattern: bytes, change: Callable[[Random, list[bytes]], bytes]) -> Mutation:
    """Damage to one place where `pattern` is found, by a random choice; `change` is given all that was found."""
    compiled = re.compile(pattern)

    def mutation(data: bytes, random: Random) -> bytes:
        matches = compiled.findall(data)
        return replace_one(data, compiled, random, lambda _: change(random, matches))

    return mutation


def of_extremes(random: Random, matches: list[bytes]) -> bytes:
    return random.choice(EXTREMES)


def exchanged(random: Random, matches: list[bytes]) -> bytes:
    """Another of those that were found: page trees become circles, tags close what was not open."""
    return random.choice(matches)


def flip_bits(data: bytes, random: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 4, 16, 64)) if data else 0):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def overwrite(data: bytes, random: Random) -> bytes:
    start, end = span(data, random, 64)
    filler = random.choice((b"\0", b"\xff", b"A", b"<", random.randbytes(1)))
    return data[:start] + filler * (end - start) + data[end:]


def truncate(data: bytes, random: Random) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def cut(data: bytes, random: Random) -> bytes:
    start, end = span(data, random, 4096)
    return data[:start] + data[end:]


def repeat(data: bytes, random: Random) -> bytes:
    start, end = span(data, random, 4096)
    return data[:end] + data[start:end] * random.choice((1, 2, 10, 100)) + data[end:]


def insert_number(data: bytes, random: Random) -> bytes:
    """A length or count that no honest file has, where a binary format may keep one."""
    value = random.choice((0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF))
    size = random.choice((1, 2, 4))
    number = (value % (1 << 8 * size)).to_bytes(size, "little" if random.random() < 0.5 else "big")
    place = random.randrange(len(data) + 1)
    return data[:place] + number + data[place + size :]


def swap_sectors(data: bytes, random: Random) -> bytes:
    """Old Office files are chains of 512-byte sectors."""
    count = len(data) // 512
    if count < 3:
        return flip_bits(data, random)
    first, second = sorted(random.sample(range(count), 2))
    sectors = [data[at : at + 512] for at in range(0, len(data), 512)]
    sectors[first], sectors[second] = sectors[second], sectors[first]
    return b"".join(sectors)


change_number = replacing(rb"(?<![\w.])-?\d+(?:\.\d+)?", of_extremes)


Members = dict[str, bytes]


def damaged(members: Members, random: Random) -> None:
    parts = [name for name in members if name.endswith((".xml", ".rels"))] or list(members)
    name = random.choice(parts)
    members[name] = random.choice(BLIND + 3 * OF_XML)(members[name], random)


def dropped(members: Members, random: Random) -> None:
    members.pop(random.choice(list(members)))


def swapped(members: Members, random: Random) -> None:
    first, second = random.choice(list(members)), random.choice(list(members))
    members[first], members[second] = members[second], members[first]


def renamed(members: Members, random: Random) -> None:
    names = ("../../escape.xml", "/etc/passwd", "word/\x01.xml", "a" * 5000, "word/document2.xml", "CON")
    members[random.choice(names)] = members.pop(random.choice(list(members)))


def swollen(members: Members, random: Random) -> None:
    name = random.choice(list(members))
    members[name] += random.choice((b"\0", b" ", b"<a>")) * random.choice((100_000, 3_000_000))


def repacked(change: Callable[[Members, Random], None]) -> Mutation:
    """Unpack, change the members, pack again with right checksums; blind damage when it is no ZIP."""

    def mutation(data: bytes, random: Random) -> bytes:
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                members = {name: archive.read(name) for name in archive.namelist()}
            change(members, random)
            packed = io.BytesIO()
            with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, content in members.items():
                    archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
        except (zipfile.BadZipFile, zlib.error, OSError, ValueError, IndexError, NotImplementedError, RuntimeError):
            return flip_bits(data, random)
        except EOFError:
            return truncate(data, random)
        return packed.getvalue()

    return mutation


def drop_elements(data: bytes, random: Random) -> bytes:
    start, end = tags_span(data, random)
    return data[:start] + data[end:]


def repeat_elements(data: bytes, random: Random) -> bytes:
    start, end = tags_span(data, random)
    return data[:end] + data[start:end] * random.choice((1, 3, 50, 500)) + data[end:]


def nest_elements(data: bytes, random: Random) -> bytes:
    """One opening tag, very often; sometimes with as many closing ones."""
    tags = [found for found in TAG.finditer(data) if re.match(rb"<[A-Za-z][^/]*>$", found.group())]
    if not tags:
        return repeat(data, random)
    tag = random.choice(tags)
    name = re.split(rb"[\s>]", tag.group()[1:])[0]
    depth = random.choice((5, 50, 500, 5000))
    closing = b"</" + name + b">" if random.random() < 0.7 else b""
    return data[: tag.start()] + tag.group() * depth + closing * depth + data[tag.start() :]


def declare_entities(data: bytes, random: Random) -> bytes:
    declaration = re.match(rb"\s*(?:<\?xml[^>]*>)?", data)
    place = declaration.end() if declaration else 0
    used = random.choice((b"&a;", b"&b;", b"&x;"))
    tail = replace_one(data[place:], re.compile(TEXT), random, lambda _: used)
    return data[:place] + random.choice(ENTITIES) + tail


def grow_attribute(data: bytes, random: Random) -> bytes:
    size = random.choice((1_000, 100_000, 1_000_000))
    return replace_one(data, re.compile(ATTRIBUTE), random, lambda _: b'="' + b"9" * size + b'"')


def exchange_objects(data: bytes, random: Random) -> bytes:
    objects = list(OBJECT.finditer(data))
    if len(objects) < 2:
        return cut(data, random)
    first, second = random.choice(objects), random.choice(objects)
    return data[: first.start()] + second.group() + data[first.end() :]


exchange_names = replacing(rb"/[A-Za-z][A-Za-z0-9]+", exchanged)


def damage_stream(data: bytes, random: Random) -> bytes:
    """Unpack one stream, damage what it says, pack it again."""

    def change(packed: bytes) -> bytes:
        try:
            content = zlib.decompress(packed)
        except zlib.error:
            return flip_bits(packed, random)
        return zlib.compress(random.choice((*BLIND, change_number, change_number, exchange_names))(content, random))

    return replace_one(data, STREAM, random, change)


def insert_control(data: bytes, random: Random) -> bytes:
    controls = (b"{" * 5000, b"}" * 50, b"{\\*\\x ", b"\\bin99999999 ", b"\\u-99999 ", b"\\'zz", b"\\uc1000 ")
    place = random.randrange(len(data) + 1)
    return data[:place] + random.choice(controls) + data[place:]


def span(data: bytes, random: Random, longest: int) -> tuple[int, int]:
    start = random.randrange(len(data) + 1)
    return start, min(len(data), start + random.randint(1, longest))


def tags_span(data: bytes, random: Random) -> tuple[int, int]:
    """From the start of one tag to the end of a later one."""
    tags = list(TAG.finditer(data))
    if not tags:
        return span(data, random, 4096)
    first = random.randrange(len(tags))
    last = min(len(tags) - 1, first + random.choice((1, 3, 10, 50)))
    return tags[first].start(), tags[last].end()


def replace_one(data: bytes, pattern: re.Pattern[bytes], random: Random, change: Callable[[bytes], bytes]) -> bytes:
    """Change one place where `pattern` is found; flip bits when it is nowhere."""
    places = [found.span() for found in pattern.finditer(data)]
    if not places:
        return flip_bits(data, random)
    start, end = random.choice(places)
    return data[:start] + change(data[start:end]) + data[end:]


BLIND: tuple[Mutation, ...] = (
    *(flip_bits, flip_bits, overwrite, truncate, cut, repeat, insert_number, swap_sectors, change_number),
)
OF_XML: tuple[Mutation, ...] = (
    replacing(TAG.pattern, lambda random, _: b""),
    replacing(TAG.pattern, exchanged),
    *(drop_elements, repeat_elements, nest_elements, declare_entities, grow_attribute),
    replacing(ATTRIBUTE, lambda random, _: b'="' + random.choice((*EXTREMES, b"", b"#")) + b'"'),
    replacing(TEXT, lambda random, _: random.choice(ODD_TEXT)),
)
damage_member = repacked(damaged)
OF_ZIP: tuple[Mutation, ...] = (*(4 * (damage_member,)), *map(repacked, (dropped, swapped, renamed, swollen)))
OF_PDF: tuple[Mutation, ...] = (
    *(exchange_objects, exchange_names, replacing(rb"(?<=/Length )\d+", of_extremes), change_number),
    *(replacing(rb"\b\d+ 0 R\b", exchanged), damage_stream, damage_stream),
)
OF_RTF: tuple[Mutation, ...] = (
    *(replacing(rb"\\[a-z]+-?\d*", exchanged), replacing(rb"(?<=[a-z])-?\d+", of_extremes), insert_control),
)


CASES = 20_000
SEED_BYTES = 1_000_000  # larger files would only make the run longer
FINDINGS = "unclassified, late or over the memory limit"
KEPT_PER_FINDING = 10
LATE_SECONDS = 2.0  # past the wall limit: a pool that needs longer to give up is at fault itself


@dataclass(slots=True)
class Fuzz(Measurement):
    """What damaged files did. `findings` must stay empty; its lists name the case numbers."""

    title: ClassVar[str] = "files damaged on purpose, each read in isolation"
    cases: int
    seed: int
    seed_files: int
    limit_bytes: int
    outcomes: dict[str, int] = field(default_factory=dict)  # by status, or code of the error
    findings: dict[str, list[int]] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    peak_bytes: int = 0
    kept_in: str | None = None

    def to_json(self) -> dict[str, Any]:
        figures = to_json(self)
        seconds = sorted(figures.pop("seconds"))
        return figures | {"p99_seconds": quantile(seconds, 0.99), "max_seconds": seconds[-1]}

    def rows(self) -> list[tuple[str, str]]:
        return [
            ("damaged files, of originals", f"{self.cases}, {self.seed_files} (seed {self.seed})"),
            *((outcome, str(count)) for outcome, count in Counter(self.outcomes).most_common()),
            (
                "unclassified, late or over the memory limit",
                share(len(set().union(*self.findings.values())), self.cases),
            ),
            *(
                (f"  {what}", f"{len(cases)}: {', '.join(map(str, cases[:8]))}{', ...' if len(cases) > 8 else ''}")
                for what, cases in self.findings.items()
            ),
            ("seconds, 99th percentile", f"{quantile(sorted(self.seconds), 0.99):.2f}"),
            ("seconds, slowest", f"{max(self.seconds):.2f}"),
            ("memory of the largest child", f"{self.peak_bytes / 1e6:.0f} MB"),
        ]


def run(data: Path | None = None, *, n: int = CASES, seed: int = 1, out: Path | None = None) -> Fuzz:
    """Damage the files under `data`, or the samples, `n` times; keep what exposes a fault in `out`."""
    originals = load(files_under(data) if data else samples())
    settings = Settings()
    # Recognising the text of a picture takes seconds, and its engine sees pixels and not the file.
    limits = replace(reading_limits(settings), ocr_pages=0)
    result = Fuzz(cases=n, seed=seed, seed_files=len(originals), limit_bytes=settings.memory_bytes)
    with open_pool(settings) as pool:
        readings = in_order(
            lambda number: pool.examine(case(originals, seed, number), limits=limits), range(n), threads=pool.workers
        )
        for number, reading in enumerate(readings):
            for finding in note(result, number, reading, latest=settings.wall_seconds + LATE_SECONDS):
                keep(result, finding, number, case(originals, seed, number), out)
    return result


def load(paths: Sequence[Path]) -> list[bytes]:
    return [path.read_bytes() for path in paths if 0 < path.stat().st_size <= SEED_BYTES]


def case(originals: Sequence[bytes], seed: int, number: int) -> bytes:
    """The damaged file of this number: any one can be made again without the others."""
    random = Random(f"{seed}:{number}")
    return mutate(random.choice(originals), random.choice(originals), random)


def note(result: Fuzz, number: int, reading: ReadResult, *, latest: float) -> list[str]:
    """Count one reading; what it exposes."""
    name = outcome(reading)
    result.outcomes[name] = result.outcomes.get(name, 0) + 1
    result.seconds.append(reading.seconds)
    result.peak_bytes = max(result.peak_bytes, reading.peak_bytes)
    findings = [cause] if (cause := surprise(reading)) else []
    findings += ["late"] * (reading.seconds > latest) + ["memory"] * (reading.peak_bytes > result.limit_bytes)
    for finding in findings:
        result.findings.setdefault(finding, []).append(number)
    return findings


def keep(result: Fuzz, finding: str, number: int, data: bytes, out: Path | None) -> None:
    if len(result.findings[finding]) > KEPT_PER_FINDING:
        return
    folder = out or Path(tempfile.gettempdir(), "evenhand-fuzz")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{finding}-{result.seed}-{number}").write_bytes(data)
    result.kept_in = str(folder)
