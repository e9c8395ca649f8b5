"""What someone did in a job: phrases of the occupation, with the numbers, objects and skills of this one job.

A duty is a verb phrase in its base form ("post {Accounts Payable} for 14 branches"); skills stand in braces under
their canonical names, every other slot is filled. The writer puts it into a tense and names the skills its own way.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from evenhand.corpora.career import Month, Use
from evenhand.corpora.skills import existed, mentions, skills, use_at
from evenhand.corpora.slots import fill

Words = Mapping[str, Sequence[str]]

_NAMED = re.compile(r"\{([a-z_]+)(?::[^{}]*)?\}")


def sample_duties(
    rng: random.Random,
    patterns: Sequence[str],
    words: Words,
    *,
    at: Month,
    count: int,
    avoid: set[str],
    again: bool = True,
) -> tuple[str, ...]:
    """So many duties of work that began in month `at`; patterns in `avoid` were used before, and used ones join it.

    A long career says some things `again`, in other words and numbers, when nothing fresh is left.
    """
    usable = [pattern for pattern in patterns if is_usable(pattern, words, at)]
    fresh = [pattern for pattern in usable if pattern not in avoid]
    chosen = rng.sample(fresh, min(count, len(fresh)))
    if again and len(chosen) < count:
        rest = [pattern for pattern in usable if pattern not in chosen]
        chosen += rng.sample(rest, min(count - len(chosen), len(rest)))
    avoid.update(chosen)
    return tuple(dict.fromkeys(fill(rng, pattern, words) for pattern in chosen))


def is_usable(pattern: str, words: Words, at: Month) -> bool:
    """Whether every slot has a word, and the skills it names were there."""
    slots, names = _needs(pattern)
    return all(words.get(slot) for slot in slots) and all(existed(name, at) for name in names)


@cache
def _needs(pattern: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The word lists and the skills that a pattern asks for."""
    slots = tuple(slot for slot in _NAMED.findall(pattern) if slot not in ("n", "d", "money"))
    return slots, tuple(name for name in mentions(pattern) if name in skills())


def skill_words(
    groups: Mapping[str, Iterable[str]], at: Month, *, known: Iterable[str]
) -> dict[str, list[str]]:
    """Slots of skills, by group: what there was of it then, and of that what the person knows where it is any."""
    pool = set(known)
    found = {}
    for group, names in groups.items():
        there = [name for name in names if existed(name, at)]
        mine = [name for name in there if name in pool]
        found[group] = ["{" + name + "}" for name in mine or there]
    return found


def words_at(slots: Mapping[str, Sequence[str]], at: Month) -> dict[str, list[str]]:
    """The slots without words that name a skill there was not yet."""
    return {slot: [word for word in words if _is_there(word, at)] for slot, words in slots.items()}


def _is_there(word: str, at: Month) -> bool:
    return "{" not in word or all(existed(name, at) for name in mentions(word) if name in skills())


def uses_of(rng: random.Random, names: Iterable[str], duties: Iterable[str], at: Month) -> tuple[Use, ...]:
    """The skills of a job or project: those chosen for it and those its duties name, each once, with versions."""
    named = [name for duty in duties for name in mentions(duty)]
    return tuple(use_at(rng, name, at) for name in dict.fromkeys([*names, *named]))
