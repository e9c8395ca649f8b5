"""Skills as they are written to the skill that is meant; "C", "Go" or "Excel" only where the words around say so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from evenhand.mining.lexicon.phrases import HYPHENS, key_of, words
from evenhand.mining.lexicon.places import short_names
from evenhand.mining.lexicon.skills import SkillLexicon, SkillMatch, is_version, skills, unglued
from evenhand.text.folding import word_set
from evenhand.text.tokens import tokenise

_BREAKS = frozenset(",;|/:•·()[]&+*▪●◦‣■□○–-—\\.\"'") | {"and", "or"}
_NOTE = re.compile(r"(?:(?<!\s)\s++)?\(([^()]*+)\)\s*+")
_EDGES = " .,;:•*-–|\"'"
_SURE = 3
_CLINICAL = frozenset((
    *("adverse event reporting", "clinical research", "electronic data capture", "informed consent", "irb submissions"),
    *("patient recruitment", "phlebotomy", "query management", "redcap", "regulatory documents", "study start-up"),
    "vital signs",
))  # fmt: skip
_GRADED = word_set("vitamin grade class series hepatitis type plan title section")


def find(line: Sequence[str], *, in_skill_list: bool = False, lexicon: SkillLexicon | None = None) -> list[SkillMatch]:
    """The skills among the words of a line, ambiguous ones where the context speaks for them."""
    matches = (lexicon or skills()).find([word.lower() for word in line])
    for _ in range(2):  # what was found sure speaks for its neighbours: "proficient in excel and word"
        matches = [
            match._replace(ambiguous=False)
            if match.ambiguous and plausible(match, line, matches, in_skill_list=in_skill_list)
            else match
            for match in matches
        ]
    return [match for match in matches if not match.ambiguous]


def plausible(
    match: SkillMatch, line: Sequence[str], matches: Iterable[SkillMatch] = (), *, in_skill_list: bool
) -> bool:
    """Whether an ambiguous match is the skill: `line` are the words as written, `matches` all of that line."""
    if not match.ambiguous:
        return True
    surface = "".join(line[match.first : match.last])
    if len(surface) <= 2 and not surface[0].isupper():
        return False  # "c", "go", "r" in lower case are never sure enough
    company = _company(match, line, matches)
    if _is_foe(match, line) and company < 2:
        return False
    # An item of a list stands at the edge or a break on both sides.
    opens = match.first == 0 or line[match.first - 1].lower() in _BREAKS
    closes = match.last == len(line) or line[match.last].lower() in _BREAKS
    # "programming", "proficient in", "using": up to three words before, one behind.
    near = [*line[max(0, match.first - 3) : match.first], *line[match.last : match.last + 1]]
    cue = 3 if any(word.lower() in words("skill cue") for word in near) else 0
    return _spelling(surface, line) + company + (opens and closes) + cue + in_skill_list >= _SURE


def _spelling(surface: str, line: Sequence[str]) -> int:
    """How much the capitals tell: an acronym in a line that is not all capitals is hardly anything else."""
    is_shouted = len(line) > 1 and not any(char.islower() for word in line if len(word) > 3 for char in word)
    if not is_shouted and surface.isupper() and 2 <= len(surface) <= 5:
        return 3
    return 1 if surface[0].isupper() else 0


def _company(match: SkillMatch, line: Sequence[str], matches: Iterable[SkillMatch]) -> int:
    """Skills beside it in an enumeration: one that is sure counts for two."""
    best = 0
    for other in matches:
        between = line[other.last : match.first] if other.first < match.first else line[match.last : other.first]
        if other != match and len(between) <= 2 and all(word.lower() in _BREAKS for word in between):
            best = max(best, 1 if other.ambiguous else 2)
    return best


def _is_foe(match: SkillMatch, line: Sequence[str]) -> bool:
    """ "excel in", "access to", "word of mouth", "R & D", "C-level", "Boston, MA", "Vitamin C"."""
    following = line[match.last].lower() if match.last < len(line) else ""
    before = line[match.first - 1] if match.first else ""
    surface = line[match.first]
    if following in words("skill foe") or (before.lower() == "to" and not surface[0].isupper()):
        return True
    if len(surface) == 1:
        behind = line[match.last + 1].lower() if match.last + 1 < len(line) else ""
        is_initial = following == "." and behind[:1].isalpha() and line[match.last + 1][0].isupper()
        is_level = following in HYPHENS and behind in {"level", "suite", "section", "arm", "class", "corp"}
        is_grade = before.lower() in _GRADED
        is_name = before.isalpha() and before.istitle() and following[:1].isalpha() and line[match.last].istitle()
        return is_initial or is_level or is_grade or is_name or (following == "&" and behind == "d")
    return before == "," and surface in short_names() and match.first >= 2 and line[match.first - 2].istitle()


def settle(names: Iterable[str]) -> dict[str, str]:
    """What homonyms of one resume mean instead, seen among all its skills: beside informed consent or trials,
    "GCP" is good clinical practice and not a cloud."""
    known = set(names)
    is_clinical = len(known & _CLINICAL) >= 2 and not known & {"aws", "azure", "bigquery", "kubernetes", "docker"}
    return {"google cloud": "good clinical practice"} if is_clinical and "google cloud" in known else {}


def canonical(surface: str, lexicon: SkillLexicon | None = None) -> str:
    """The canonical name of a skill, whether or not the lexicon holds it: the same skill always has the same."""
    return _canonical(surface, lexicon or skills())


@lru_cache(maxsize=20_000)
def _canonical(surface: str, lexicon: SkillLexicon) -> str:
    plain = " ".join(surface.split()).rstrip(_EDGES).lstrip(_EDGES.replace(".", ""))  # ".NET" keeps its dot
    name = _known(plain, lexicon)
    if name is None and "(" in plain:
        outside = _NOTE.sub(" ", plain).strip()
        inside = " ".join(_NOTE.findall(plain))
        name = _known(outside, lexicon) or _known(inside, lexicon)
        plain = outside or plain
    return name or _without_edges(plain, lexicon) or _repaired(plain, lexicon) or _fallback(plain)


def _known(plain: str, lexicon: SkillLexicon) -> str | None:
    if not plain:
        return None
    if name := lexicon.get(plain):
        return name
    line = [word.lower() for word in tokenise(plain).words]
    matches = lexicon.find(line)
    if len(matches) == 1 and matches[0].first == 0 and matches[0].last == len(line):
        return matches[0].name
    return lexicon.squashed(plain) or _singular(plain, lexicon)


def _singular(plain: str, lexicon: SkillLexicon) -> str | None:
    lower = plain.lower()
    forms = [f"{lower}s", lower.removesuffix("s")] + ([f"{lower[:-3]}y"] if lower.endswith("ies") else [])
    return next((name for form in forms if form and (name := lexicon.get(form))), None)


def _without_edges(plain: str, lexicon: SkillLexicon) -> str | None:
    """ "Knowledge of Oracle database", "strong SQL skills": what is left must be known."""
    rest = plain.lower().split()
    while len(rest) > 1 and rest[0].strip(",") in words("skill prefix"):
        rest.pop(0)
    if name := _known(" ".join(rest), lexicon):
        return name
    while len(rest) > 1 and rest[-1] in words("skill suffix"):
        rest.pop()
        if name := _known(" ".join(rest), lexicon):
            return name
    return None


def _repaired(plain: str, lexicon: SkillLexicon) -> str | None:
    """One typing error in the name of a product; ordinary words are left alone, one letter makes another of them."""
    key = key_of(plain)
    if len(key) < 8 or " " in key or not key.isalpha():
        return None
    near = [form for form in lexicon.products(key[0]) if abs(len(form) - len(key)) <= 1]
    best = process.extractOne(key, near, scorer=OSA.distance, score_cutoff=1)
    return lexicon.get(best[0]) if best else None


def _fallback(plain: str) -> str:
    rest = plain.lower().split()
    while len(rest) > 1 and is_version(rest[-1]):
        rest.pop()
    if len(rest) > 1 and rest[0] in words("vendor"):
        rest.pop(0)
    if len(rest) == 1 and len(name := unglued(rest[0]) or "") > 3:
        return name
    return " ".join(rest)
