"""Profiles made by hand: facts are named by the words of the text in which they stand."""

from __future__ import annotations

from evenhand.masking.masker import Masker
from evenhand.masking.masks import KINDS
from evenhand.records.profile import Education, Evidence, Fact, Period, Position, Profile, Section, Skill, Source

SOURCE = Source(None, "", "txt", 1, "parsed", (), None)
UNDATED = Period(None, None, None, None)
ALL = frozenset(KINDS)


def place(text: str, words: str) -> Evidence:
    start = text.index(words)
    return Evidence(start, start + len(words), 1, "rule", 1.0)


def fact(text: str, words: str | None) -> Fact | None:
    return Fact(words, words, place(text, words)) if words else None


def profile(
    text: str,
    *,
    name: str | None = None,
    email: str | None = None,
    phone: str | None = None,
    link: str | None = None,
    city: str | None = None,
    country: str | None = None,
    skills: tuple[str, ...] = (),
    jobs: tuple[tuple[str | None, str | None], ...] = (),  # title, employer
    schools: tuple[str, ...] = (),
    sections: tuple[tuple[str, str], ...] = (),  # type, heading
) -> Profile:
    starts = [text.index(heading) for _, heading in sections]
    ends = [*starts[1:], len(text)][: len(starts)]
    return Profile(
        SOURCE,
        "2026-01",
        name=fact(text, name),
        emails=tuple(filter(None, [fact(text, email)])),
        phones=tuple(filter(None, [fact(text, phone)])),
        links=tuple(filter(None, [fact(text, link)])),
        city=fact(text, city),
        country=country,
        positions=tuple(
            Position(fact(text, employer), fact(text, title), None, UNDATED, (), place(text, title or employer or ""))
            for title, employer in jobs
        ),
        education=tuple(
            Education(fact(text, school), None, None, None, None, None, place(text, school)) for school in schools
        ),
        skills=tuple(Skill(skill, (skill,), None, None, None, (place(text, skill),)) for skill in skills),
        sections=tuple(
            Section(type, heading, start, end)
            for (type, heading), start, end in zip(sections, starts, ends, strict=True)
        ),
    )


def masked(text: str, found: Profile | None = None, *kinds: str, **given: object) -> str:
    """The text a reader sees when these kinds are masked; all of them where none is named."""
    masker = Masker(text, found, kinds=frozenset(kinds) or ALL, **given)  # type: ignore[arg-type]
    return masker.masked.text
