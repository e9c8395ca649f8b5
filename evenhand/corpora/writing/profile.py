"""The first section people read: a summary, bullets or an objective, made of facts of the career."""

from __future__ import annotations

import re

from evenhand.corpora.career import Use
from evenhand.corpora.manuscript import Block, Line, Run, Section, Words
from evenhand.corpora.rng import chance
from evenhand.corpora.writing.education import degree_run
from evenhand.corpora.writing.grammar import agree, article, capitalize, conjugate, to_base
from evenhand.corpora.writing.pen import Pen, phrases, strip_runs, tokens
from evenhand.corpora.writing.sentences import Composer, Scene, paragraph

HEAD_TOKENS = 32
"""Name and contact data. Whether published profile lengths include them is not said; here they do."""
_SLOT = re.compile(r"\{(\w+)\}")


def write_profile(pen: Pen, heading: str, total_months: int) -> Section:
    if pen.style.summary == "objective":
        words = _fill(pen, pen.rng.choice(phrases()["summary"]["objectives"]), total_months)
        blocks: list[Block] = [Line(words or (Run("To find a position that suits my experience."),))]
        return Section("profile", heading, tuple(blocks))
    sentences = _sentences(pen, total_months)
    if pen.style.summary == "bullets" and len(sentences) > 2:
        blocks = [Line(words, bullet=True, role="item") for words in sentences]
    else:
        blocks = [Line(paragraph([_without_stop(words) for words in sentences]))]
    return Section("profile", heading, tuple(blocks))


def _sentences(pen: Pen, total_months: int) -> list[Words]:
    patterns = phrases()["summary"]
    openers = patterns["openers"] if total_months >= 12 else patterns["novices"]
    bodies = [*patterns["bodies"], *patterns["duty_bodies"]]
    found: list[Words] = []
    length = 0
    tries = 0
    while (not found or length < _wanted(pen)) and tries < 40:
        tries += 1
        pattern = pen.rng.choice(openers if not found else bodies)
        if pattern in pen.used:
            continue
        words = _fill(pen, pattern, total_months)
        if not words:
            continue
        pen.used.add(pattern)
        found.append(words)
        length += tokens(words)
    return [*found, *_deeds(pen, _wanted(pen) - length)]


def _wanted(pen: Pen) -> float:
    return max(20.0, pen.style.lengths["profile"] - HEAD_TOKENS)


def _deeds(pen: Pen, budget: float) -> list[Words]:
    """Very long summaries go on with what was done, wherever it was done."""
    if budget < 30:
        return []
    jobs = pen.career.jobs
    duties = tuple(
        duty
        for job in jobs
        for duty in (*job.duties, *(d for project in job.projects for d in project.duties))
    )
    return Composer(pen, Scene(None, True, (), duties, "past")).sentences(min(budget, 120), least=0)


def _without_stop(words: Words) -> Words:
    last = words[-1]
    return (
        (*words[:-1], Run(last.text.rstrip("."), last.label, last.value, of=last.of))
        if last.label is None
        else words
    )


def _fill(pen: Pen, pattern: str, total_months: int) -> Words:
    """The pattern with its slots filled; nothing where a slot has no fact, or its fact was told."""
    told = [f"told {name}" for name in ("egree}", "employer}", "cities}") if name in pattern]
    if any(name in pen.used for name in told):
        return ()
    text = pen.expand(pattern)
    runs: list[Run] = []
    end = 0
    for match in _SLOT.finditer(text):
        words = _slot(pen, match[1], total_months)
        if words is None:
            return ()
        runs += [Run(text[end : match.start()]), *words]
        end = match.end()
    last = text[end:]
    runs.append(Run(last.lstrip(".") if runs and runs[-1].text.endswith(".") else last))
    pen.used.update(told)
    return _polish(runs)


def _polish(runs: list[Run]) -> Words:
    """Articles agree with what follows them, and the sentence begins with a capital."""
    found: list[Run] = []
    for place, run in enumerate(runs):
        text = run.text
        following = runs[place + 1].text if place + 1 < len(runs) else ""
        if run.label is None and following:
            text = re.sub(r"\b(a|an) $", f"{article(following)} ", text)
        found.append(Run(text, run.label, run.value, of=run.of))
    words = list(strip_runs(found))
    merged = [
        Run(agree(run.text), run.label, run.value, of=run.of) if run.label is None else run for run in words
    ]
    first = merged[0]
    merged[0] = Run(capitalize(first.text), first.label, first.value, of=first.of)
    return tuple(merged)


def _slot(pen: Pen, name: str, total_months: int) -> Words | None:
    career, rng = pen.career, pen.rng
    match name:
        case "years":
            years = total_months // 12
            return (
                Run(f"{years} years" if years != 1 else "1 year", "duration", str(12 * years), of="career"),
            )
        case "Title" | "title":
            title = career.occupation if name == "Title" else _lower(career.occupation)
            return (Run(title, "title", career.occupation),)
        case "in_field":
            return _in_field(pen)
        case "Adjective" | "adjective":
            word = rng.choice(phrases()["summary"]["adjectives"])
            return (Run(capitalize(word) if name == "Adjective" else word),)
        case "skills":
            return _skills(pen)
        case "duties":
            return _duties(pen)
        case "employer" | "current_employer" | "last_title":
            return _last_job(pen, name)
        case "a_degree" | "Degree" | "degree":
            return _degree(pen, name)
        case "from_school":
            return _school(pen)
        case "cities":
            cities = list(dict.fromkeys(job.city for job in career.jobs if job.city))[:3]
            return pen.listing([Run(city, "location", city) for city in cities]) if len(cities) > 1 else None
        case "city":
            return (Run(career.person.city, "location", career.person.city),)
    raise ValueError(f"no slot {name!r}")


def _lower(title: str) -> str:
    return " ".join(
        word if word.isupper() or not word[1:].islower() else word.lower() for word in title.split(" ")
    )


def _in_field(pen: Pen) -> Words:
    uses = _top_uses(pen)
    if not uses or chance(pen.rng, 0.4):
        return ()
    runs = [
        pen.skill(use, None, in_text=True)
        for use in pen.rng.sample(uses, min(len(uses), pen.rng.randint(1, 3)))
    ]
    return (Run(pen.rng.choice((" in ", " with ", ", mainly in ", ", especially in "))), *pen.listing(runs))


def _top_uses(pen: Pen) -> list[Use]:
    found: dict[str, Use] = {}
    for job in pen.career.jobs[:3]:
        for uses in (job.uses, *(project.uses for project in job.projects)):
            for use in uses:
                found.setdefault(use.skill, use)
    for use in pen.career.extra_skills:
        found.setdefault(use.skill, use)
    return list(found.values())[:14]


def _skills(pen: Pen) -> Words | None:
    uses = _top_uses(pen)
    if not uses:
        return None
    count = min(len(uses), pen.rng.randint(2, 6))
    return pen.listing([pen.skill(use, None, in_text=True) for use in pen.rng.sample(uses, count)])


def _duties(pen: Pen) -> Words | None:
    """Two or three short duties without tools, as "planning visits, training staff and keeping files"."""
    duties = [
        duty
        for job in pen.career.jobs[:3]
        for duty in (*job.duties, *(d for p in job.projects for d in p.duties))
    ]
    plain = [to_base(pen.expand(duty)) for duty in duties if "{" not in duty and len(duty) < 75]
    plain = [duty for duty in plain if duty not in pen.used]
    chosen = pen.rng.sample(plain, min(len(plain), pen.rng.randint(2, 3)))
    if len(chosen) < 2:
        return None
    pen.used.update(chosen)
    return pen.listing([Run(conjugate(duty, "gerund")) for duty in chosen])


def _last_job(pen: Pen, name: str) -> Words | None:
    if not pen.career.jobs:
        return None
    job = pen.career.jobs[0]
    if (job.period.end is None) != (name == "current_employer"):
        return None
    if name.endswith("employer"):
        return (Run(job.employer, "employer", job.employer),)
    return (Run(_lower(job.title), "title", job.title),)


def _degree(pen: Pen, name: str) -> Words | None:
    studies = [
        study
        for study in pen.career.studies
        if study.level in {"bachelor", "master", "doctorate", "associate"}
    ]
    if not studies:
        return None
    study = studies[0]
    run = degree_run(pen, study, f"study {pen.career.studies.index(study)}")
    words: Words = (
        (run, Run(" in "), Run(study.field, "field", study.field, of=run.of)) if study.field else (run,)
    )
    return (Run("a "), *words) if name == "a_degree" else words


def _school(pen: Pen) -> Words:
    studies = [
        study
        for study in pen.career.studies
        if study.level in {"bachelor", "master", "doctorate", "associate"}
    ]
    if not studies or chance(pen.rng, 0.6):
        return ()
    of = f"study {pen.career.studies.index(studies[0])}"
    return (Run(" from "), Run(studies[0].school, "university", studies[0].school, of=of))
