"""The first section people read: a summary, bullets or an objective, made of facts of the career."""

from __future__ import annotations

import re
from dataclasses import replace

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import CareerStudy, Certificate, iso, number_of, year_of
from evenhand_lab.corpora.lexicon import chance
from evenhand_lab.corpora.manuscript import Block, ManuscriptLine, ManuscriptSection, TextRun, Words, fact, join
from evenhand_lab.corpora.writing.dates import MONTHS
from evenhand_lab.corpora.writing.education import HIGHER, degree_run
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
        for place, (*rest, last) in enumerate(sentences):
            if last.label is None:  # the paragraph sets the full stops
                sentences[place] = (*rest, replace(last, text=last.text.rstrip(".")))
        blocks = [ManuscriptLine(paragraph(sentences))]
    return ManuscriptSection("profile", heading, tuple(blocks))


def _sentences(pen: Pen, total_months: int) -> list[Words]:
    patterns = phrases()["summary"]
    openers = patterns["openers"] if total_months >= 12 else patterns["novices"]
    bodies = [*patterns["bodies"], *patterns["duty_bodies"]]
    budget = max(20.0, pen.style.lengths["profile"] - HEAD_TOKENS)
    sentences: list[Words] = []
    tries = 0
    while (not sentences or budget > 0) and tries < 40:
        tries += 1
        pattern = pen.rng.choice(bodies if sentences else openers)
        words = () if pattern in pen.used else _fill(pen, pattern, total_months)
        if words:
            pen.used.add(pattern)
            sentences.append(words)
            budget -= tokens(words)
    if budget < 30:
        return sentences
    # Very long summaries go on with what was done, wherever it was done.
    duties = tuple(duty for job in pen.career.jobs for duty in job.all_duties)
    more = Composer(pen, SentenceScene(None, True, (), duties, "past")).sentences(min(budget, 120), least=0)
    return [*sentences, *more]


def _fill(pen: Pen, pattern: str, total_months: int) -> Words:
    """The pattern with its slots filled; nothing where a slot has no fact, or its fact was told."""
    once = [f"told {name}" for name in ("egree}", "employer}", "cities}") if name in pattern]
    if not pen.used.isdisjoint(once):
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
    pen.used.update(once)
    return _polish(runs)


def _polish(runs: list[TextRun]) -> Words:
    """Articles agree with what follows them, and the sentence begins with a capital."""
    agreed: list[TextRun] = []
    for run, following in zip(runs, [*runs[1:], TextRun("")], strict=True):
        text = run.text
        if run.label is None and following.text:
            text = re.sub(r"\b(a|an) $", f"{article(following.text)} ", text)
        agreed.append(replace(run, text=text))
    words = [replace(run, text=agree(run.text)) if run.label is None else run for run in strip_runs(agreed)]
    return (replace(words[0], text=capitalize(words[0].text)), *words[1:])


def _slot(pen: Pen, name: str, total_months: int) -> Words | None:
    """What the career puts into a slot; None where it has nothing for it."""
    career, rng = pen.career, pen.rng
    uses = career.skill_uses(latest=3)[:14]
    degrees = [(place, study) for place, study in enumerate(career.studies) if study.level in HIGHER]

    def listing(count: int) -> Words:
        return pen.listing([pen.skill(use, None, in_text=True) for use in rng.sample(uses, min(len(uses), count))])

    match name:
        case "years":
            years = total_months // 12
            return (TextRun(f"{years} years" if years != 1 else "1 year", "duration", str(12 * years), of="career"),)
        case "Title" | "title":
            title = career.occupation if name == "Title" else _lower(career.occupation)
            return (TextRun(title, "title", career.occupation),)
        case "in_field":
            if not uses or chance(rng, 0.4):
                return ()
            fields = listing(rng.randint(1, 3))
            return (TextRun(rng.choice((" in ", " with ", ", mainly in ", ", especially in "))), *fields)
        case "Adjective" | "adjective":
            word = rng.choice(phrases()["summary"]["adjectives"])
            return (TextRun(capitalize(word) if name == "Adjective" else word),)
        case "skills":
            return listing(rng.randint(2, 6)) if uses else None
        case "duties":
            return _duties(pen)
        case "employer" | "current_employer" | "last_title":
            job = career.jobs[0] if career.jobs else None
            if job is None or (job.period.end is None) != (name == "current_employer"):
                return None
            if name == "last_title":
                return (TextRun(_lower(job.title), "title", job.title),)
            return (fact(job.employer, "employer"),)
        case "a_degree" | "Degree" | "degree":
            return _degree(pen, name, *degrees[0]) if degrees else None
        case "from_school":
            if not degrees or chance(rng, 0.6):
                return ()
            place, study = degrees[0]
            return (TextRun(" from "), fact(study.school, "university", f"study {place}"))
        case "cities":
            cities = list(dict.fromkeys(job.city for job in career.jobs if job.city))[:3]
            return pen.listing([fact(city, "location") for city in cities]) if len(cities) > 1 else None
        case "city":
            return (fact(career.person.city, "location"),)
    raise ValueError(f"no slot {name!r}")


def _degree(pen: Pen, name: str, place: int, study: CareerStudy) -> Words:
    of = f"study {place}"
    field = (TextRun(" in "), fact(study.field, "field", of)) if study.field else ()
    words = (degree_run(pen, study, of), *field)
    return (TextRun("a "), *words) if name == "a_degree" else words


def _lower(title: str) -> str:
    return " ".join(word if word.isupper() or not word[1:].islower() else word.lower() for word in title.split(" "))


def _duties(pen: Pen) -> Words | None:
    """Two or three short duties without tools, as "planning visits, training staff and keeping files"."""
    duties = [duty for job in pen.career.jobs[:3] for duty in job.all_duties if "{" not in duty and len(duty) < 75]
    plain = [duty for duty in (to_base(pen.expand(duty)) for duty in duties) if duty not in pen.used]
    chosen = pen.rng.sample(plain, min(len(plain), pen.rng.randint(2, 3)))
    if len(chosen) < 2:
        return None
    pen.used.update(chosen)
    return pen.listing([TextRun(conjugate(duty, "gerund")) for duty in chosen])


# What comes after work and studies: certificates, languages, activities, personal details, references.


def certificate_line(pen: Pen, certificate: Certificate) -> ManuscriptLine:
    words: list[TextRun] = [fact(certificate.name, "certification")]
    if certificate.issuer and chance(pen.rng, 0.6):
        words += [TextRun(", "), TextRun(certificate.issuer)]
    if certificate.year and chance(pen.rng, 0.75):
        before, after = pen.rng.choice(((" (", ")"), (", ", ""), (" - ", "")))
        words += [TextRun(before), fact(str(certificate.year), "year"), TextRun(after)]
    return ManuscriptLine(tuple(run for run in words if run.text), bullet=pen.style.body != "prose", role="item")


def write_activities(pen: Pen, heading: str) -> ManuscriptSection:
    """The activities of the career; more of the same sort where the section is to be long."""
    career, rng, bullet = pen.career, pen.rng, pen.style.body != "prose"
    table = lexicon.table("writing/activities.toml")
    lines: list[ManuscriptLine] = []
    for activity in career.activities:
        words: list[TextRun] = [TextRun(capitalize(activity.text))]
        if activity.organisation and activity.organisation not in activity.text:
            words += [TextRun(", "), TextRun(activity.organisation)]
        aside = pen.period(activity.period, "activity", dates=pen.style.other_dates) if activity.period else ()
        lines.append(ManuscriptLine(tuple(words), bullet=bullet, aside=aside, role="item"))
    # Invented ones are of the years in which the person was grown up: since the first job or the end of a study.
    starts = [job.period.start for job in career.jobs] + [study.period.last(career.as_of) for study in career.studies]
    years = year_of(min(starts, default=career.as_of)), year_of(career.as_of)
    sorts = ["volunteering", "memberships", "honours", *(["publications"] if career.kind == "crc" else [])]
    length = sum(tokens(line.words) for line in lines)
    tries = 0
    while (length < pen.style.lengths["activities"] or not lines) and tries < 60 and len(lines) < 18:
        tries += 1
        pattern = rng.choice(table[rng.choice(sorts)])
        text = pen.expand(pattern.replace("{name}", rng.choice(table["names"])))
        text = text.replace("{year}", str(rng.randint(*years))).replace("{city}", career.person.city)
        if text not in pen.used:
            pen.used.add(text)
            lines.append(ManuscriptLine((TextRun(text),), bullet=bullet, role="item"))
            length += tokens(lines[-1].words)
    return ManuscriptSection("activities", heading, tuple(lines))


def write_languages(pen: Pen, heading: str) -> ManuscriptSection:
    languages: list[Words] = []
    for name, grade in pen.career.languages:
        shows_grade = grade and chance(pen.rng, 0.7)
        languages.append((fact(name, "language"), *((TextRun(f" ({grade})"),) if shows_grade else ())))
    return ManuscriptSection("other", heading, (ManuscriptLine(join(languages, ", ")),))


def write_personal(pen: Pen, heading: str) -> ManuscriptSection:
    """Details as they are usual in India and elsewhere: birth, nationality, languages, address."""
    rng, person = pen.rng, pen.career.person
    facts: list[tuple[str, Words]] = []
    birth = _birth(pen)
    if birth:
        facts.append((rng.choice(("Date of Birth", "DOB", "Date of birth")), (birth,)))
    nationalities = lexicon.table("writing/norms.toml")["nationalities"]
    facts.append(("Nationality", (TextRun(nationalities.get(person.country, person.country)),)))
    if pen.career.languages:
        names = [fact(name, "language") for name, _ in pen.career.languages]
        facts.append((rng.choice(("Languages Known", "Languages")), pen.listing(names)))
    if chance(rng, 0.4):
        facts.append(("Marital Status", (TextRun(rng.choice(("Single", "Married", "Unmarried"))),)))
    if chance(rng, 0.5):
        facts.append((rng.choice(("Hobbies", "Interests")), (TextRun(", ".join(draw_interests(pen))),)))
    if person.street and chance(rng, 0.5):
        label = rng.choice(("Permanent Address", "Address"))
        facts.append((label, (TextRun(f"{person.street}, "), fact(person.city, "city"))))
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
    year, number, month = year_of(born), number_of(born), MONTHS[number_of(born) - 1]
    forms = (f"{day:02d}/{number:02d}/{year}", f"{day} {month} {year}", f"{day:02d}-{month[:3]}-{year}")
    return TextRun(pen.rng.choice(forms), "date", f"{iso(born)}-{day:02d}", of="birth")


def draw_interests(pen: Pen) -> list[str]:
    return pen.rng.sample(phrases()["closing"]["interests"], pen.rng.randint(2, 5))


def text_section(heading: str, text: str) -> ManuscriptSection:
    return ManuscriptSection("other", heading, (ManuscriptLine((TextRun(text),)),))


def write_declaration(pen: Pen, heading: str) -> ManuscriptSection:
    person = pen.career.person
    lines: list[Words] = [
        (TextRun(f"{pen.pick('closing', 'declarations').strip()}."),),
        (TextRun("Place: "), fact(person.city, "city")),
        (TextRun("("), fact(person.name, "name"), TextRun(")")),
    ]
    return ManuscriptSection("other", heading, tuple(map(ManuscriptLine, lines)))


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
