"""A made-up resume and the words that are hidden in it, no word in both; and files of text with markup."""

from __future__ import annotations

import io
import re
import struct
import tomllib
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from random import Random
from typing import Any, NamedTuple, TypeVar

Option = TypeVar("Option")


def _load(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


WORDS = _load("words")
KEYWORDS = WORDS["keywords"].split()
PROMPT = WORDS["prompt"]


class VisibleParagraph(NamedTuple):
    """A visible paragraph; `role` is name, heading, text or bullet."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class HidingResume:
    """Visible parts, the special words, and before which part they stand."""

    parts: tuple[VisibleParagraph, ...]
    words: tuple[str, ...]
    place: int
    variant: int  # builders take turns with it: colours, sizes, sides of the page

    @property
    def secret(self) -> str:
        return " ".join(self.words)

    @property
    def inline(self) -> bool:
        """Whether the words stand within a visible paragraph, not in one of their own."""
        return self.variant % 2 == 1

    def pick(self, *options: Option) -> Option:
        return options[self.variant % len(options)]


Build = Callable[[HidingResume], bytes]

COVER_POINTS = 180  # height of what is laid over or behind the words: more than the most of them need
BLANKS = 1 + COVER_POINTS // 12
"""Empty paragraphs after words that something covers, so that it reaches no others."""

Kinds = dict[str, tuple[str, Build]]
"""Ways to hide words: the reasons that may be given for each, parted by blanks, and what builds the file."""


def read_table(format: str, *builders: Callable[..., Build]) -> tuple[Kinds, dict[str, Build]]:
    """Kinds and controls of a format: each entry of its TOML file names one of the builders and what that is given."""
    by_name = {builder.__name__: builder for builder in builders}

    def build(entry: Mapping[str, Any]) -> Build:
        (name,) = entry.keys() & by_name.keys()
        options = {option: value for option, value in entry.items() if option not in (name, "reasons", "note")}
        return by_name[name](*entry[name], **options)

    table = _load(format)
    kinds = {kind: (entry["reasons"], build(entry)) for kind, entry in table["kinds"].items()}
    return kinds, {control: build(entry) for control, entry in table["controls"].items()}


def make_resume(seed: str, variant: int) -> HidingResume:
    """The resume of this seed; the variant decides how many words are hidden, and where."""
    random = Random(f"{seed}:{variant}")
    name, town = random.choice(WORDS["names"]), random.choice(WORDS["towns"])
    parts = [
        ("name", name),
        ("text", f"{town}, telephone 555 0{random.randrange(100, 200)}"),
        ("heading", "Experience"),
    ]
    year = 2024
    for firm in random.sample(WORDS["firms"], 3):
        parts.append(("text", f"{random.choice(WORDS['titles'])}, {firm}, {year - 3} to {year}"))
        parts += [("bullet", duty) for duty in random.sample(WORDS["duties"], 3)]
        year -= 3
    parts += [
        ("heading", "Skills"),
        ("text", ", ".join(random.sample(WORDS["skills"], 5))),
        ("heading", "Education"),
        ("text", f"{town} Trade School, certificate in storage and transport, {year}"),
    ]
    counts = (12, 5, 30, 8, 60)
    places = (2, 5, len(parts) - 1, len(parts) // 2, 1)
    words = PROMPT.split() if variant % 5 == 3 else random.sample(KEYWORDS, counts[variant % 5])
    visible = tuple(VisibleParagraph(role, text) for role, text in parts)
    return HidingResume(visible, tuple(words), places[variant % 5], variant)


@dataclass(frozen=True, slots=True)
class Markup:
    """A format of which a file is text with markup. Templates say what stands around the words, at {} in them.

    A template with {first} and {rest} has the words in two places.
    """

    visible: Callable[[VisibleParagraph, str], str]  # a part, and what follows in the same paragraph
    paragraph: Callable[[str], str]
    file: Callable[[str], bytes]  # around a body

    def marked(self, *templates: str) -> Build:
        """The words in markup that stands before a visible paragraph; templates take turns."""
        return lambda resume: self.write(resume, resume.pick(*templates))

    def runs(self, *templates: str) -> Build:
        """The words as a run of a visible paragraph, or in a paragraph of their own."""

        def build(resume: HidingResume) -> bytes:
            template = resume.pick(*templates)
            template = template.replace("{}", " {}") if resume.inline else self.paragraph(template)
            return self.write(resume, template, inline=resume.inline)

        return build

    def write(self, resume: HidingResume, template: str, *, inline: bool = False) -> bytes:
        for mark, words in (("{}", resume.words), ("{first}", resume.words[:1]), ("{rest}", resume.words[1:])):
            template = template.replace(mark, " ".join(words))
        body = []
        for place, part in enumerate(resume.parts):
            here = template if place == resume.place else ""
            body.append(self.visible(part, here) if inline else here + self.visible(part, ""))
        return self.file("".join(body))


def words_of(texts: Sequence[str]) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", " ".join(texts).casefold()))


# Archives for office files, and a picture to put into them.


def pack(members: Mapping[str, str | bytes]) -> bytes:
    """A ZIP file that is the same every time; the first member is stored as it is, as ODF wants it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for place, (name, content) in enumerate(members.items()):
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED if place else zipfile.ZIP_STORED
            archive.writestr(entry, content)
    return out.getvalue()


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


PNG = b"".join((
    b"\x89PNG\r\n\x1a\n",
    _chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)),
    _chunk(b"IDAT", zlib.compress((b"\x00" + bytes((240, 240, 240)) * 8) * 8)),
    _chunk(b"IEND", b""),
))  # fmt: skip
"""An opaque picture of one colour."""
