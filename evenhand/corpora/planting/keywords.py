"""Skills in plain sight or out of it, to please a machine that counts words."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from evenhand.corpora import lexicon
from evenhand.corpora.files.secrets import WAYS, Secret
from evenhand.corpora.manuscript import Line, Manuscript, Run, Section
from evenhand.corpora.skills import skills

DOMAINS = {
    "it": ("it",),
    "crc": ("health", "research", "office"),
    "mixed": ("it", "office", "finance", "health", "sales", "media"),
}


def draw_skills(kind: str, count: int, rng: Random) -> list[str]:
    names = [skill.name for skill in skills().values() if skill.domain in DOMAINS[kind]]
    return rng.sample(names, min(count, len(names)))


def draw_secret(kind: str, format: str, rng: Random) -> Secret:
    """Between fifteen and sixty skills, sometimes after a sentence meant for a machine."""
    words = " ".join(draw_skills(kind, rng.randint(15, 60), rng))
    openings: list[str] = lexicon.table("planted.toml")["hidden"]["openings"]
    text = f"{rng.choice(openings)} {words}" if rng.random() < 0.5 else words
    return Secret(text, rng.choice(WAYS[format]))


def stuff(manuscript: Manuscript, kind: str, rng: Random) -> tuple[Manuscript, str]:
    """A last section of skills that the career has nothing to do with, each once or over and over."""
    if rng.random() < 0.5:
        few = draw_skills(kind, rng.randint(4, 8), rng)
        words = few * rng.randint(6, 12)
        rng.shuffle(words)
    else:
        words = draw_skills(kind, rng.randint(60, 140), rng)
    text = ", ".join(words)
    headings: list[str] = lexicon.table("planted.toml")["stuffing"]["headings"]
    section = Section("other", rng.choice(headings), (Line((Run(text),)),))
    return replace(manuscript, sections=(*manuscript.sections, section)), text
