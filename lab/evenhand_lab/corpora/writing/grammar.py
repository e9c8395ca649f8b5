"""English where the writer needs it: tenses of verb phrases, articles, lists, capitals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import Career
from evenhand_lab.corpora.manuscript import ManuscriptSection, TextRun, map_words
from evenhand_lab.corpora.writing.dates import forms_of, peculiar_forms

VOWELS = "aeiou"
_COORDINATED = re.compile(r"^((?:[a-z-]+, )*[a-z-]+,? and )([a-z-]+)\b")
_ARTICLE = re.compile(r"\b([Aa])n? (\w[\w-]*)(?!\w)")
_INNER = re.compile(r"(,? and |, then |, | to )([a-z-]+)\b")


@dataclass(frozen=True, slots=True)
class Verbs:
    irregular: dict[str, str]  # base -> past form
    doubling: frozenset[str]
    groups: tuple[tuple[str, ...], ...]
    known: frozenset[str]
    nouns: frozenset[str]
    prepositions: frozenset[str]
    noun_pairs: frozenset[str]
    verb_pairs: frozenset[str]
    bases: dict[str, str]  # past form -> base


@cache
def load_verbs() -> Verbs:
    data = lexicon.table("writing/verbs.toml")
    irregular = {base: forms[0] for base, forms in data["irregular"].items()}
    doubling = frozenset(data["doubling"]["verbs"])
    groups = tuple(tuple(words) for words in data["groups"].values())
    known = frozenset(data["known"]["verbs"]) | {w.split()[0] for group in groups for w in group} | set(irregular)
    nouns = frozenset(data["nouns"]["verbs"])
    words = frozenset(data["prepositions"]["words"])
    pairs = frozenset(data["pairs"]["nouns"]), frozenset(data["pairs"]["verbs"])
    verbs = Verbs(irregular, doubling, groups, known, nouns, words, *pairs, {})
    return replace(verbs, bases={_inflect(verb, "past", verbs): verb for verb in sorted(known)})


def inflect(verb: str, form: str) -> str:
    """`form` is base, past or gerund."""
    return _inflect(verb, form, load_verbs())


def _inflect(verb: str, form: str, verbs: Verbs) -> str:
    head, dash, rest = verb.rpartition("-")
    if dash and head in {"re", "co", "cross", "pre"}:
        return f"{head}-{_inflect(rest, form, verbs)}"
    match form:
        case "base":
            return verb
        case "past":
            return verbs.irregular.get(verb) or _past(verb, verbs)
        case "gerund":
            return _gerund(verb, verbs)
    raise ValueError(f"no verb form {form!r}")


def _past(verb: str, verbs: Verbs) -> str:
    if verb in verbs.doubling:
        return verb + verb[-1] + "ed"
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2:-1] not in tuple(VOWELS):
        return verb[:-1] + "ied"
    return verb + "ed"


def _gerund(verb: str, verbs: Verbs) -> str:
    if verb in verbs.doubling:
        return verb + verb[-1] + "ing"
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and verb != "be":
        return verb[:-1] + "ing"
    return verb + "ing"


def to_base(phrase: str) -> str:
    """A duty in base form, whatever form it came in: "Managed and trained staff." -> "manage and train staff"."""
    phrase = phrase.strip().rstrip(".")
    first, space, rest = phrase.partition(" ")
    bases = load_verbs().bases
    word = first.lower().rstrip(",")
    if word not in bases or bases[word] == word:
        return phrase[:1].lower() + phrase[1:] if word in load_verbs().known else phrase
    comma = "," if first.endswith(",") else ""
    tail = re.sub(r"(, |and )([a-z-]+)\b", lambda m: m[1] + bases.get(m[2], m[2]), rest)
    return f"{bases[word]}{comma}{space}{tail}"


@lru_cache(maxsize=4096)
def conjugate(phrase: str, form: str) -> str:
    """Puts the verbs of a base-form phrase into a form; verbs joined by "and" follow the first."""
    first, space, rest = phrase.partition(" ")
    known = load_verbs().known
    if first.endswith("ly") and first not in known:
        return f"{first} {conjugate(rest, form)}"
    if form == "base":
        return phrase
    lead = inflect(first.rstrip(","), form)
    if not first.endswith(","):
        return lead + _conjugate_joined(space + rest, form, known)
    match = _COORDINATED.match(rest)  # after "collect, ": "process and ship samples" has two more verbs
    if match is None:
        return f"{lead},{space}{rest}"
    words = re.sub(r"[a-z-]+(?=,? )", lambda m: inflect(m[0], form) if m[0] in known else m[0], match[1])
    last = inflect(match[2], form) if match[2] in known else match[2]
    return f"{lead},{space}{words}{last}{_conjugate_joined(rest[match.end() :], form, known)}"


def _conjugate_joined(rest: str, form: str, known: frozenset[str]) -> str:
    """Verbs after "and" take the tense, except where "to" made the part before them an infinitive."""
    infinitive = False
    parts = []
    end = 0
    for match in _INNER.finditer(rest):
        word = match[2]
        parts.append(rest[end : match.start(2)])
        end = match.end(2)
        if match[1] == " to ":
            infinitive = infinitive or word in known
        elif word in known and not infinitive and _is_verb(match, rest):
            word = inflect(word, form)
        parts.append(word)
    return "".join(parts) + rest[end:]


def _is_verb(match: re.Match[str], rest: str) -> bool:
    """Right after the first verb it is one; after a comma only if it can be nothing else; elsewhere where an object
    follows: not in "set-up and support for users"."""
    verbs, word = load_verbs(), match[2]
    if match[1] == ", ":
        return word not in verbs.nouns
    following = rest[match.end(2) :].lstrip().split(" ", 1)[0].rstrip(",.")
    if not match.start():
        return True
    if f"{word} {following}" in verbs.noun_pairs:
        return False
    if word not in verbs.nouns or f"{word} {following}" in verbs.verb_pairs:
        return True
    return bool(following) and following not in verbs.prepositions and following not in {"and", "or"}


def article(noun: str) -> str:
    """ "a" or "an" by sound: an hour, an SQL query, a user, a one-off."""
    word = re.split(r"[\s-]", noun, maxsplit=1)[0]
    low = word.lower()
    if low.startswith(("hour", "honest", "honor", "heir")):
        return "an"
    if low.startswith(("uni", "use", "usu", "eu", "one", "once", "ubi", "uti")) and not low.startswith("unin"):
        return "a"
    if word.isupper() and len(word) <= 5 and not low.startswith(("nasa", "rest", "soap", "lims", "siem", "saas")):
        return "an" if word[0] in "AEFHILMNORSX" else "a"
    if word[:1].isdigit():
        return "an" if word.startswith("8") or re.match(r"(11|18)(\D|$)", word) else "a"
    return "an" if low[:1] in VOWELS else "a"


def agree(text: str) -> str:
    """Puts "a" and "an" right before the words they stand before."""
    return _ARTICLE.sub(lambda match: f"{match[1]}{article(match[2])[1:]} {match[2]}", text)


def capitalize(text: str) -> str:
    """First letter up, unless the word has its own way of being written ("iOS")."""
    if len(text) > 1 and text[0].islower() and text[1].isupper():
        return text
    return text[:1].upper() + text[1:]


def joiners(count: int, *, oxford: bool) -> list[str]:
    """What stands between the items of a list in prose."""
    if count < 2:
        return []
    return [", "] * (count - 2) + [", and " if oxford and count > 2 else " and "]


# Skills that plain words name: found and marked, so that no mention in a resume goes without its label.

_WORD = re.compile(r"[A-Za-z0-9](?:[\w+#./&'-]*[\w+#])?")
MAX_SPANS = 4
"""Words in a form at most; longer ones are never found in running text."""


@dataclass(frozen=True, slots=True)
class Names:
    """What to look for in plain words."""

    forms: Mapping[str, str]  # form -> skill
    firsts: frozenset[str]  # the first words of the forms, in small letters: most words are ruled out by these


def career_names(career: Career) -> Names:
    """What this person knows, besides what cannot be mistaken: phrases in small letters, words as capitalised."""
    forms = dict(peculiar_forms())
    for use in career.skill_uses():
        name, known = use.skill, forms_of(use.skill)
        for form in (name, *known.short, *known.long):
            if " " in form:
                forms[form.lower()] = name
            elif form[:1].isupper() and len(form) > 1:
                forms[form] = name
    firsts = (match[0].lower() if (match := _WORD.match(form)) else form for form in forms)
    return Names(forms, frozenset(firsts))


def mark_mentions(words: Iterable[TextRun], names: Names, of: str | None) -> list[TextRun]:
    """The same words, with runs of their own for the skills in them; the longest form wins."""
    marked: list[TextRun] = []
    for run in words:
        marked += _split(run, names, of) if run.label is None and len(run.text) > 2 else [run]
    return marked


def _split(run: TextRun, names: Names, of: str | None) -> list[TextRun]:
    spans = [match.span() for match in _WORD.finditer(run.text)]
    forms = names.forms
    pieces: list[TextRun] = []
    done = place = 0
    while place < len(spans):
        start, end = spans[place]
        if run.text[start:end].lower() not in names.firsts:
            place += 1
            continue
        for count in range(min(MAX_SPANS, len(spans) - place), 0, -1):
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


def mark_section(section: ManuscriptSection, names: Names) -> ManuscriptSection:
    """For sections that tell of no job: the mentions in them belong to nothing dated."""
    return map_words(section, lambda words: tuple(mark_mentions(words, names, None)))
