"""The first section people read: a summary, bullets or an objective, made of facts of the career."""

from __future__ import annotations

import re

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import CareerSkill, Certificate, iso, number_of, year_of
from evenhand_lab.corpora.lexicon import chance
from evenhand_lab.corpora.manuscript import Block, ManuscriptLine, ManuscriptSection, TextRun, Words
from evenhand_lab.corpora.writing.dates import MONTHS
from evenhand_lab.corpora.writing.education import degree_run
from evenhand_lab.corpora.writing.grammar import agree, article, capitalize, conjugate, to_base
from evenhand_lab.corpora.writing.pen import Pen, phrases, strip_runs, tokens
from evenhand_lab.corpora.writing.sentences import Composer, SentenceScene, paragraph

HEAD_TOKENS = 32
"""Name and contact data. Whether published profile lengths include them is not said; here they do."""
_SLOT = re.compile(r"\{(\w+)\}")


def write_profile(pen: Pen, heading: str, total_months: int) -> ManuscriptSection:
    if pen.style.summary == "objective":
        words = _fill(pen, pen.rng.choice(phrases()["summary"]["objectives"]), total_months)
        blocks: list[Block] = [ManuscriptLine(words or (TextRun("To find a position that suits my experience."),))]
        return ManuscriptSection("profile", heading, tuple(blocks))
    sentences = _sentences(pen, total_months)
    if pen.style.summary == "bullets" and len(sentences) > 2:
        blocks = [ManuscriptLine(words, bullet=True, role="item") for words in sentences]
    else:
        blocks = [ManuscriptLine(paragraph([_without_stop(words) for words in sentences]))]
    return ManuscriptSection("profile", heading, tuple(blocks))


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
        duty for job in jobs for duty in (*job.duties, *(d for project in job.projects for d in project.duties))
    )
    return Composer(pen, SentenceScene(None, True, (), duties, "past")).sentences(min(budget, 120), least=0)


def _without_stop(words: Words) -> Words:
    last = words[-1]
    return (
        (*words[:-1], TextRun(last.text.rstrip("."), last.label, last.value, of=last.of))
        if last.label is None
        else words
    )


def _fill(pen: Pen, pattern: str, total_months: int) -> Words:
    """The pattern with its slots filled; nothing where a slot has no fact, or its fact was told."""
    told = [f"told {name}" for name in ("egree}", "employer}", "cities}") if name in pattern]
    if any(name in pen.used for name in told):
        return ()
    text = pen.expand(pattern)
    runs: list[TextRun] = []
    end = 0
    for match in _SLOT.finditer(text):
        words = _slot(pen, match[1], total_months)
        if words is None:
            return ()
        runs += [TextRun(text[end : match.start()]), *words]
        end = match.end()
    last = text[end:]
    runs.append(TextRun(last.lstrip(".") if runs and runs[-1].text.endswith(".") else last))
    pen.used.update(told)
    return _polish(runs)


def _polish(runs: list[TextRun]) -> Words:
    """Articles agree with what follows them, and the sentence begins with a capital."""
    found: list[TextRun] = []
    for place, run in enumerate(runs):
        text = run.text
        following = runs[place + 1].text if place + 1 < len(runs) else ""
        if run.label is None and following:
            text = re.sub(r"\b(a|an) $", f"{article(following)} ", text)
        found.append(TextRun(text, run.label, run.value, of=run.of))
    words = list(strip_runs(found))
    merged = [TextRun(agree(run.text), run.label, run.value, of=run.of) if run.label is None else run for run in words]
    first = merged[0]
    merged[0] = TextRun(capitalize(first.text), first.label, first.value, of=first.of)
    return tuple(merged)


def _slot(pen: Pen, name: str, total_months: int) -> Words | None:
    career, rng = pen.career, pen.rng
    match name:
        case "years":
            years = total_months // 12
            return (TextRun(f"{years} years" if years != 1 else "1 year", "duration", str(12 * years), of="career"),)
        case "Title" | "title":
            title = career.occupation if name == "Title" else _lower(career.occupation)
            return (TextRun(title, "title", career.occupation),)
        case "in_field":
            return _in_field(pen)
        case "Adjective" | "adjective":
            word = rng.choice(phrases()["summary"]["adjectives"])
            return (TextRun(capitalize(word) if name == "Adjective" else word),)
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
            return pen.listing([TextRun(city, "location", city) for city in cities]) if len(cities) > 1 else None
        case "city":
            return (TextRun(career.person.city, "location", career.person.city),)
    raise ValueError(f"no slot {name!r}")


def _lower(title: str) -> str:
    return " ".join(word if word.isupper() or not word[1:].islower() else word.lower() for word in title.split(" "))


def _in_field(pen: Pen) -> Words:
    uses = _top_uses(pen)
    if not uses or chance(pen.rng, 0.4):
        return ()
    runs = [pen.skill(use, None, in_text=True) for use in pen.rng.sample(uses, min(len(uses), pen.rng.randint(1, 3)))]
    return (TextRun(pen.rng.choice((" in ", " with ", ", mainly in ", ", especially in "))), *pen.listing(runs))


def _top_uses(pen: Pen) -> list[CareerSkill]:
    found: dict[str, CareerSkill] = {}
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
        duty for job in pen.career.jobs[:3] for duty in (*job.duties, *(d for p in job.projects for d in p.duties))
    ]
    plain = [to_base(pen.expand(duty)) for duty in duties if "{" not in duty and len(duty) < 75]
    plain = [duty for duty in plain if duty not in pen.used]
    chosen = pen.rng.sample(plain, min(len(plain), pen.rng.randint(2, 3)))
    if len(chosen) < 2:
        return None
    pen.used.update(chosen)
    return pen.listing([TextRun(conjugate(duty, "gerund")) for duty in chosen])


def _last_job(pen: Pen, name: str) -> Words | None:
    if not pen.career.jobs:
        return None
    job = pen.career.jobs[0]
    if (job.period.end is None) != (name == "current_employer"):
        return None
    if name.endswith("employer"):
        return (TextRun(job.employer, "employer", job.employer),)
    return (TextRun(_lower(job.title), "title", job.title),)


def _degree(pen: Pen, name: str) -> Words | None:
    studies = [study for study in pen.career.studies if study.level in {"bachelor", "master", "doctorate", "associate"}]
    if not studies:
        return None
    study = studies[0]
    run = degree_run(pen, study, f"study {pen.career.studies.index(study)}")
    words: Words = (
        (run, TextRun(" in "), TextRun(study.field, "field", study.field, of=run.of)) if study.field else (run,)
    )
    return (TextRun("a "), *words) if name == "a_degree" else words


def _school(pen: Pen) -> Words:
    studies = [study for study in pen.career.studies if study.level in {"bachelor", "master", "doctorate", "associate"}]
    if not studies or chance(pen.rng, 0.6):
        return ()
    of = f"study {pen.career.studies.index(studies[0])}"
    return (TextRun(" from "), TextRun(studies[0].school, "university", studies[0].school, of=of))


# What comes after work and studies: certificates, languages, activities, personal details, references.


def certificate_line(pen: Pen, certificate: Certificate) -> ManuscriptLine:
    words: list[TextRun] = [TextRun(certificate.name, "certification", certificate.name)]
    if certificate.issuer and chance(pen.rng, 0.6):
        words += [TextRun(", "), TextRun(certificate.issuer)]
    if certificate.year and chance(pen.rng, 0.75):
        year = str(certificate.year)
        before, after = pen.rng.choice(((" (", ")"), (", ", ""), (" - ", "")))
        words += [TextRun(before), TextRun(year, "year", year), TextRun(after)]
    return ManuscriptLine(tuple(run for run in words if run.text), bullet=pen.style.body != "prose", role="item")


def write_certificates(pen: Pen, heading: str) -> ManuscriptSection:
    return ManuscriptSection(
        "certifications", heading, tuple(certificate_line(pen, item) for item in pen.career.certificates)
    )


def write_activities(pen: Pen, heading: str) -> ManuscriptSection:
    """The activities of the career; more of the same sort where the section is to be long."""
    lines: list[Block] = []
    for activity in pen.career.activities:
        words: list[TextRun] = [TextRun(capitalize(activity.text))]
        if activity.organisation and activity.organisation not in activity.text:
            words += [TextRun(", "), TextRun(activity.organisation)]
        aside = pen.period(activity.period, "activity", dates=pen.style.other_dates) if activity.period else ()
        lines.append(ManuscriptLine(tuple(words), bullet=pen.style.body != "prose", aside=aside, role="item"))
    length = sum(tokens(line.words) for line in lines if isinstance(line, ManuscriptLine))
    tries = 0
    while (length < pen.style.lengths["activities"] or not lines) and tries < 60 and len(lines) < 18:
        tries += 1
        text = _invented(pen)
        if text in pen.used:
            continue
        pen.used.add(text)
        words = [TextRun(text)]
        length += tokens(words)
        lines.append(ManuscriptLine(tuple(words), bullet=pen.style.body != "prose", role="item"))
    return ManuscriptSection("activities", heading, tuple(lines))


def _invented(pen: Pen) -> str:
    table = lexicon.table("writing/activities.toml")
    names = ["volunteering", "memberships", "honours"]
    if pen.career.kind == "crc":
        names.append("publications")
    pattern = pen.rng.choice(table[pen.rng.choice(names)])
    text = pen.expand(pattern.replace("{name}", pen.rng.choice(table["names"])))
    return text.replace("{year}", str(pen.rng.randint(*_grown_years(pen)))).replace("{city}", pen.career.person.city)


def _grown_years(pen: Pen) -> tuple[int, int]:
    """Years in which the person was grown up: from the first job or the end of the first study to now."""
    career = pen.career
    starts = [job.period.start for job in career.jobs] + [study.period.last(career.as_of) for study in career.studies]
    return year_of(min(starts, default=career.as_of)), year_of(career.as_of)


def write_languages(pen: Pen, heading: str) -> ManuscriptSection:
    runs: list[Words] = []
    for name, grade in pen.career.languages:
        word = TextRun(name, "language", name)
        runs.append((word, TextRun(f" ({grade})")) if grade and chance(pen.rng, 0.7) else (word,))
    words: list[TextRun] = []
    for place, item in enumerate(runs):
        words += [TextRun(", "), *item] if place else list(item)
    return ManuscriptSection("other", heading, (ManuscriptLine(tuple(words)),))


def write_personal(pen: Pen, heading: str) -> ManuscriptSection:
    """Details as they are usual in India and elsewhere: birth, nationality, languages, address."""
    rng, person = pen.rng, pen.career.person
    facts: list[tuple[str, Words]] = []
    birth = _birth(pen)
    if birth:
        facts.append((rng.choice(("Date of Birth", "DOB", "Date of birth")), (birth,)))
    facts.append(("Nationality", (TextRun(nationality(person.country)),)))
    if pen.career.languages:
        names = [TextRun(name, "language", name) for name, _ in pen.career.languages]
        facts.append((rng.choice(("Languages Known", "Languages")), pen.listing(names)))
    if chance(rng, 0.4):
        facts.append(("Marital Status", (TextRun(rng.choice(("Single", "Married", "Unmarried"))),)))
    if chance(rng, 0.5):
        facts.append((rng.choice(("Hobbies", "Interests")), (TextRun(", ".join(_interests(pen))),)))
    if person.street and chance(rng, 0.5):
        facts.append(
            (
                rng.choice(("Permanent Address", "Address")),
                (TextRun(f"{person.street}, "), TextRun(person.city, "city", person.city)),
            )
        )
    separator = rng.choice((": ", " : ", ": "))
    lines = tuple(ManuscriptLine((TextRun(label), TextRun(separator), *words)) for label, words in facts)
    return ManuscriptSection("personal", heading, lines)


def _birth(pen: Pen) -> TextRun | None:
    """A day that fits the first known study; nothing where there is none."""
    if not pen.career.studies:
        return None
    first = pen.career.studies[-1]
    age = {"highschool": 15, "master": 22, "doctorate": 24}.get(first.level, 18)
    born = first.period.start - 12 * age - pen.rng.randint(0, 10)
    day = pen.rng.randint(1, 28)
    text = pen.rng.choice(
        (
            f"{day:02d}/{number_of(born):02d}/{year_of(born)}",
            f"{day} {MONTHS[number_of(born) - 1]} {year_of(born)}",
            f"{day:02d}-{MONTHS[number_of(born) - 1][:3]}-{year_of(born)}",
        )
    )
    return TextRun(text, "date", f"{iso(born)}-{day:02d}", of="birth")


def nationality(country: str) -> str:
    return {
        "India": "Indian", "United States": "American", "United Kingdom": "British", "Canada": "Canadian",
        "Germany": "German", "Nigeria": "Nigerian", "Brazil": "Brazilian", "China": "Chinese",
        "Australia": "Australian",
    }.get(country, country)  # fmt: skip


def _interests(pen: Pen) -> list[str]:
    return pen.rng.sample(phrases()["closing"]["interests"], pen.rng.randint(2, 5))


def write_interests(pen: Pen, heading: str) -> ManuscriptSection:
    return ManuscriptSection("other", heading, (ManuscriptLine((TextRun(capitalize(", ".join(_interests(pen)))),)),))


def write_references(pen: Pen, heading: str) -> ManuscriptSection:
    return ManuscriptSection("other", heading, (ManuscriptLine((TextRun(pen.pick("closing", "references")),)),))


def write_declaration(pen: Pen, heading: str) -> ManuscriptSection:
    person = pen.career.person
    lines = [ManuscriptLine((TextRun(f"{pen.pick('closing', 'declarations').strip()}."),))]
    lines.append(ManuscriptLine((TextRun("Place: "), TextRun(person.city, "city", person.city))))
    lines.append(ManuscriptLine((TextRun("("), TextRun(person.name, "name", person.name), TextRun(")"))))
    return ManuscriptSection("other", heading, tuple(lines))


def write_other(pen: Pen, heading: str) -> ManuscriptSection:
    """Odds and ends: notice period, driving licence and the like, about as long as such sections are."""
    lines: list[Block] = []
    patterns = list(phrases()["closing"]["other"])
    pen.rng.shuffle(patterns)
    length = 0
    while patterns and len(lines) < 9 and (not lines or length < 0.8 * pen.style.lengths["other"]):
        words = (TextRun(pen.expand(patterns.pop())),)
        length += tokens(words)
        lines.append(ManuscriptLine(words, bullet=pen.style.body != "prose", role="item"))
    return ManuscriptSection("other", heading, tuple(lines))
