"""The writer: a career, a style and chance make a manuscript."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import Career
from evenhand_lab.corpora.lexicon import chance, stream, weighted
from evenhand_lab.corpora.manuscript import (
    Block,
    Manuscript,
    ManuscriptLine,
    ManuscriptSection,
    TextRun,
    Words,
    fact,
    join,
    map_words,
)
from evenhand_lab.corpora.truth import relevant_months, skill_months
from evenhand_lab.corpora.writing import experience, profile
from evenhand_lab.corpora.writing.education import write_education, write_skills
from evenhand_lab.corpora.writing.grammar import capitalize, career_names, mark_section
from evenhand_lab.corpora.writing.pen import Pen, draw_style, phrases
from evenhand_lab.corpora.writing.sentences import Composer, SentenceScene

# The head of a resume: who it is and how to reach them.


def write_head(pen: Pen) -> ManuscriptSection:
    """Name, perhaps a tag line, then contact data on one line or several."""
    rng, person = pen.rng, pen.career.person
    lines: list[ManuscriptLine] = []
    if chance(rng, 0.14 if pen.style.is_indian else 0.04):
        title = rng.choice(("CURRICULUM VITAE", "RESUME", "Curriculum Vitae", "Resume"))
        lines.append(ManuscriptLine((TextRun(title),), role="tagline"))
    name = person.name.upper() if chance(rng, 0.25) else person.name
    lines.append(ManuscriptLine((TextRun(name, "name", person.name, bold=True),), role="name"))
    if pen.career.jobs and chance(rng, 0.22):
        # of the person, not of the job: it carries no dates
        lines.append(ManuscriptLine((experience.written_title(pen, pen.career.jobs[0], None),), role="tagline"))
    has_labels = chance(rng, 0.35)
    email_label = rng.choice(("E-mail: ", "Email: ", "Email ID: ", "e-mail: ", "Mail: ")) if has_labels else ""
    phone_labels = ("Phone: ", "Mobile: ", "Tel: ", "Ph: ", "Cell: ", "Contact No: ", "M: ")
    phone_label = rng.choice(phone_labels) if has_labels else ""
    email: Words = (TextRun(email_label), fact(person.email, "email"))
    phone: Words = (TextRun(phone_label), fact(person.phone, "phone"))
    parts: list[Words] = [email, phone] if chance(rng, 0.5) else [phone, email]
    if chance(rng, 0.88):
        address = _address(pen)
        parts.insert(0 if chance(rng, 0.6) else len(parts), address)
    parts += [(fact(link, "link"),) for link in person.links if chance(rng, 0.8)]
    parts = [tuple(run for run in words if run.text) for words in parts]
    if chance(rng, 0.55):
        parts = [join(parts, rng.choice((" | ", " • ", ", ", " · ", "  |  ", " / ")))]
    return ManuscriptSection("personal", None, (*lines, *(ManuscriptLine(words, role="contact") for words in parts)))


def _address(pen: Pen) -> Words:
    """From the street to the country, or just the city."""
    rng, person = pen.rng, pen.career.person
    form = weighted(rng, {"full": 3.0, "city_region": 4.0, "city": 2.0, "city_country": 2.0})
    parts: list[Words] = [(TextRun(person.street),)] if form == "full" and person.street else []
    parts.append((fact(person.city, "city"),))
    if form in {"full", "city_region"} and person.region:
        parts.append((TextRun(person.region),))
    if form == "city_country" or (form == "full" and chance(rng, 0.4)):
        parts.append((TextRun(person.country),))
    return join(parts, ", ")


# Slips of the finger: letters swapped, dropped, doubled or hit beside; names and contact data stay clean.

CLEAN = frozenset({"name", "email", "phone", "link", "city", "date", "duration", "year", "performance"})
_WORD = re.compile(r"[A-Za-z]{4,}")


def slip(rng: Random, word: str) -> str:
    """One slip inside the word; the first letter stays, as it mostly does."""
    place = rng.randrange(1, len(word) - 1)
    letter = word[place]
    kind = rng.random()
    if kind < 0.35:
        return word[:place] + word[place + 1] + letter + word[place + 2 :]
    if kind < 0.65:
        return word[:place] + word[place + 1 :]
    if kind < 0.85:
        return word[:place] + letter + word[place:]
    near: str = rng.choice(lexicon.table("writing/norms.toml")["neighbours"].get(letter.lower(), "e"))
    return word[:place] + (near.upper() if letter.isupper() else near) + word[place + 1 :]


def misspell(manuscript: Manuscript, rng: Random, rate: float) -> Manuscript:
    if not rate:
        return manuscript

    def changed(words: Words) -> Words:
        return tuple(run if run.label in CLEAN else _with_slips(run, rng, rate) for run in words)

    return replace(manuscript, sections=tuple(map_words(section, changed) for section in manuscript.sections))


def _with_slips(run: TextRun, rng: Random, rate: float) -> TextRun:
    text = run.text
    for match in reversed([match for match in _WORD.finditer(run.text) if rng.random() < rate]):
        text = text[: match.start()] + slip(rng, match[0]) + text[match.end() :]
    return replace(run, text=text)


def write(career: Career, *, seed: int) -> Manuscript:
    """The resume this person writes; the same for the same career and seed."""
    rng = stream(seed, career.number, "writing")
    pen = Pen(rng, draw_style(rng, career), career, career_names(career))
    head = write_head(pen)
    # work comes first because the skills section and the summary may say how long something was done
    worked = _write_work(pen)
    months = skill_months(career, worked)
    parts = {section.type: section for section in worked}
    parts |= _write_around(pen, months, relevant_months(career, worked))
    order = list(pen.style.order)
    if pen.style.employers == "functional":
        order.sort(key=lambda name: (name != "profile", name != "skills"))
    body = [*(parts[name] for name in order if name in parts), *_closing(pen)]
    dated = {"experience", "projects"}  # what they mention is marked already, with the job it belongs to
    sections = [head, *(section if section.type in dated else mark_section(section, pen.names) for section in body)]
    choices = pen.style.choices() | {"order": " ".join(section.type for section in sections[1:])}
    manuscript = Manuscript(career.number, tuple(sections), style=choices)
    return misspell(manuscript, rng, pen.style.typos)


def heading(pen: Pen, name: str) -> str:
    """A title for a section, in the resume's case; the usual ones are usual."""
    titles = lexicon.table("writing/headings.toml")[name]
    text = str(pen.rng.choices(titles, [1 / (1 + place) ** 0.8 for place in range(len(titles))])[0])
    match pen.style.headings:
        case "upper":
            return text.upper()
        case "sentence":
            return text[:1] + text[1:].lower().replace(" i ", " I ").replace(" i'", " I'")
        case "lower":
            return text.lower()
    return text


def _write_work(pen: Pen) -> list[ManuscriptSection]:
    jobs = pen.career.jobs
    if "experience" not in pen.style.sections or not jobs:
        return []
    if pen.style.employers == "functional":
        return [experience.write_employers(pen, heading(pen, "employers"))]
    sections = [experience.write_experience(pen, heading(pen, "experience"))]
    total = sum(len(job.projects) for job in jobs)
    if pen.style.projects == "own" and total:
        voice = experience.draw_voice(pen)
        budget = pen.style.lengths["experience"] * 0.8 / total
        blocks: list[Block] = []
        for place, job in enumerate(jobs):
            for number, project in enumerate(job.projects):
                of = f"job {place} project {number}"
                blocks.extend(experience.write_project(pen, project, of, budget, voice, nested=False))
        sections.append(ManuscriptSection("projects", heading(pen, "projects"), tuple(blocks)))
    return sections


def _write_around(pen: Pen, months: dict[str, int], total: int) -> dict[str, ManuscriptSection]:
    """Skills, education, profile and activities, as far as this resume has them."""
    career, present = pen.career, pen.style.sections
    parts: dict[str, ManuscriptSection] = {}
    is_functional = pen.style.employers == "functional"
    if "skills" in present or is_functional:
        section = write_skills(pen, heading(pen, "skills" if career.kind == "it" else "skills_plain"), months)
        areas = _functional(pen) if is_functional else []
        parts["skills"] = replace(section, blocks=(*areas, *section.blocks))
    if "education" in present and career.studies:
        stray = "other" not in present and bool(career.certificates)
        extra: list[Block] = [profile.certificate_line(pen, item) for item in career.certificates] if stray else []
        title = heading(pen, "education_certificates" if stray else "education")
        parts["education"] = write_education(pen, title, extra)
    if "profile" in present:
        name = "objective" if pen.style.summary == "objective" else "profile"
        roughly = sum(job.period.months(career.as_of) for job in career.jobs if job.is_relevant)
        parts["profile"] = profile.write_profile(pen, heading(pen, name), total or roughly)
    if "activities" in present:
        parts["activities"] = profile.write_activities(pen, heading(pen, "activities"))
    return {name: section for name, section in parts.items() if section.blocks}


def _functional(pen: Pen) -> list[Block]:
    """Sentences about skill areas that belong to no job in particular."""
    areas = phrases()["skills"]["areas"]
    jobs = [job for job in pen.career.jobs if job.duties or job.projects]
    blocks: list[Block] = []
    for job, area in zip(jobs, pen.rng.sample(areas, min(len(jobs), len(areas))), strict=False):
        scene = SentenceScene(None, True, job.all_uses, job.all_duties, "past")
        sentences = Composer(pen, scene).sentences(pen.style.lengths["experience"] / len(jobs))
        blocks += [ManuscriptLine((TextRun(area, bold=True),), role="subtitle"), *experience.lay_out(pen, sentences)]
    return blocks


def _closing(pen: Pen) -> list[ManuscriptSection]:
    """Sections at the end: none of them, or a few that suit the country."""
    if "other" not in pen.style.sections:
        return []
    rng, career = pen.rng, pen.career
    sections: list[ManuscriptSection] = []
    if career.certificates:
        title = heading(pen, "certifications")
        lines = tuple(profile.certificate_line(pen, item) for item in career.certificates)
        sections.append(ManuscriptSection("certifications", title, lines))
    wants_personal = chance(rng, 0.65 if pen.style.is_indian else 0.1)
    if career.languages and not wants_personal and chance(rng, 0.6):
        sections.append(profile.write_languages(pen, heading(pen, "languages")))
    if chance(rng, 0.25):
        sections.append(
            profile.text_section(heading(pen, "interests"), capitalize(", ".join(profile.draw_interests(pen))))
        )
    if wants_personal:
        sections.append(profile.write_personal(pen, heading(pen, "personal")))
    if chance(rng, 0.35) or not sections:
        sections.append(profile.write_other(pen, heading(pen, "other")))
    if chance(rng, 0.22):
        sections.append(profile.text_section(heading(pen, "references"), pen.pick("closing", "references")))
    if pen.style.is_indian and chance(rng, 0.35):
        sections.append(profile.write_declaration(pen, heading(pen, "declaration")))
    return sections
