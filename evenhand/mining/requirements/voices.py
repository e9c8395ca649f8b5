"""Words by which a clause of a job ad is known to speak of duties, demands, the employer, benefits, formalities."""

from __future__ import annotations

import re
from functools import cache

from evenhand.mining.requirements.wording import cue, typed, words

DUTY = 1.2
MUST = 1.5
WISH = 3.0
_HEAD = r"^\W*(?:(?:you|they|he|she|he/she|incumbent) )?(?:(?:will|to|shall|also|may) )?(?:\w+ly )?"


@cache
def voices() -> list[tuple[str, float, re.Pattern[str]]]:
    """Type of passage, weight, and what a clause of that type has in it."""
    verbs = "|".join(_forms(verb) for verb in words("duty_verbs"))
    return [
        ("duties", DUTY, re.compile(rf"{_HEAD}(?:{verbs})\b", re.IGNORECASE)),
        ("requirements", MUST, cue("must")),
        ("wishes", WISH, cue("wish")),
        *typed("voices"),
    ]


def _forms(verb: str) -> str:
    """The verb as duties have it: "manage", "manages", "managing"."""
    stem = verb[:-1] if verb.endswith("e") else verb
    doubled = rf"|{stem}{stem[-1]}ing" if stem[-1] in "nptgm" else ""
    third = f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2] not in "aeiou" else f"{verb}e?s"
    return rf"{verb}|{third}|{stem}ing{doubled}"
