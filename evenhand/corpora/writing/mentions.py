"""Skills that plain words name: found and marked, so that no mention in a resume goes without its label."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from evenhand.corpora.career import Career
from evenhand.corpora.manuscript import Block, Run, Section, Table, Words
from evenhand.corpora.writing.forms import forms_of, peculiar_forms

_WORD = re.compile(r"[A-Za-z0-9](?:[\w+#./&'-]*[\w+#])?")
LONGEST = 4
"""Words in a form at most; longer ones are never found in running text."""


@dataclass(frozen=True, slots=True)
class Names:
    """What to look for in plain words."""

    forms: Mapping[str, str]  # form -> skill
    firsts: frozenset[
        str
    ]  # the first words of the forms, in small letters: most words are ruled out by these


def career_names(career: Career) -> Names:
    forms = _career_forms(career)
    return Names(forms, frozenset(_first(form) for form in forms))


def _first(form: str) -> str:
    match = _WORD.match(form)
    return match[0].lower() if match else form


def _career_forms(career: Career) -> dict[str, str]:
    """Form -> skill for what this person knows: phrases in small letters, single words as they are capitalised."""
    found = dict(peculiar_forms())
    for name in dict.fromkeys(_skills(career)):
        known = forms_of(name)
        for form in (name, *known.short, *known.long):
            if " " in form:
                found[form.lower()] = name
            elif form[:1].isupper() and len(form) > 1:
                found[form] = name
    return found


def _skills(career: Career) -> Iterable[str]:
    for job in career.jobs:
        for uses in (job.uses, *(project.uses for project in job.projects)):
            yield from (use.skill for use in uses)
    yield from (use.skill for use in career.extra_skills)


def mark_mentions(words: Iterable[Run], names: Names, of: str | None) -> list[Run]:
    """The same words, with runs of their own for the skills in them; the longest form wins."""
    found: list[Run] = []
    for run in words:
        if run.label is None and len(run.text) > 2:
            found.extend(_split(run, names, of))
        else:
            found.append(run)
    return found


def _split(run: Run, names: Names, of: str | None) -> list[Run]:
    spans = [match.span() for match in _WORD.finditer(run.text)]
    forms = names.forms
    pieces: list[Run] = []
    done = place = 0
    while place < len(spans):
        start, end = spans[place]
        if run.text[start:end].lower() not in names.firsts:
            place += 1
            continue
        for count in range(min(LONGEST, len(spans) - place), 0, -1):
            start, end = spans[place][0], spans[place + count - 1][1]
            form = run.text[start:end]
            name = forms.get(form) or (forms.get(form.lower()) if count > 1 else None)
            if name:
                pieces.append(replace(run, text=run.text[done:start]))
                pieces.append(replace(run, text=form, label="skill", value=name, of=of))
                done = end
                place += count - 1
                break
        place += 1
    if not pieces:
        return [run]
    pieces.append(replace(run, text=run.text[done:]))
    return [piece for piece in pieces if piece.text]


def mark_section(section: Section, names: Names) -> Section:
    """For sections that tell of no job: the mentions in them belong to nothing dated."""
    blocks: list[Block] = []
    for block in section.blocks:
        if isinstance(block, Table):
            rows = tuple(tuple(_words(cell, names) for cell in row) for row in block.rows)
            blocks.append(replace(block, rows=rows))
        else:
            blocks.append(replace(block, words=_words(block.words, names)))
    return replace(section, blocks=tuple(blocks))


def _words(words: Words, names: Names) -> Words:
    return tuple(mark_mentions(words, names, None))
