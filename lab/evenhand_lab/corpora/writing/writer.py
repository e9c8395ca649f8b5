"""The writer: a career, a style and chance make a manuscript."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import Career
from evenhand_lab.corpora.lexicon import chance, stream, weighted
from evenhand_lab.corpora.manuscript import Block, Manuscript, ManuscriptLine, ManuscriptSection, TextRun, Words
from evenhand_lab.corpora.truth import relevant_months, skill_months
from evenhand_lab.corpora.writing.education import write_education, write_skills
from evenhand_lab.corpora.writing.experience import (
    draw_voice,
    environment_line,
    lay_out,
    project_blocks,
    project_scene,
    write_employers,
    write_experience,
    written_title,
)
from evenhand_lab.corpora.writing.grammar import career_names, mark_section
from evenhand_lab.corpora.writing.pen import Pen, draw_style
from evenhand_lab.corpora.writing.profile import (
    certificate_line,
    write_activities,
    write_certificates,
    write_declaration,
    write_interests,
    write_languages,
    write_other,
    write_personal,
    write_profile,
    write_references,
)
from evenhand_lab.corpora.writing.sentences import Composer, SentenceScene

# The head of a resume: who it is and how to reach them.


def write_head(pen: Pen) -> ManuscriptSection:
    """Name, perhaps a tag line, then contact data on one line or several."""
    rng, person = pen.rng, pen.career.person
    lines: list[ManuscriptLine] = []
    if chance(rng, 0.14 if pen.style.is_indian else 0.04):
        lines.append(
            ManuscriptLine(
                (TextRun(rng.choice(("CURRICULUM VITAE", "RESUME", "Curriculum Vitae", "Resume"))),), role="tagline"
            )
        )
    name = person.name.upper() if chance(rng, 0.25) else person.name
    lines.append(ManuscriptLine((TextRun(name, "name", person.name, bold=True),), role="name"))
    if pen.career.jobs and chance(rng, 0.22):
        lines.append(ManuscriptLine((_tagline(pen),), role="tagline"))
    parts = _contact_parts(pen)
    if chance(rng, 0.55):
        separator = rng.choice((" | ", " • ", ", ", " · ", "  |  ", " / "))
        lines.append(ManuscriptLine(_joined(parts, separator), role="contact"))
    else:
        lines.extend(ManuscriptLine(words, role="contact") for words in parts)
    return ManuscriptSection("personal", None, tuple(lines))


def _tagline(pen: Pen) -> TextRun:
    run = written_title(pen, pen.career.jobs[0], "job 0")
    return TextRun(run.text, "title", run.value)  # of the person, not of the job: it carries no dates


def _contact_parts(pen: Pen) -> list[Words]:
    rng, person = pen.rng, pen.career.person
    names = chance(rng, 0.35)
    email_label = rng.choice(("E-mail: ", "Email: ", "Email ID: ", "e-mail: ", "Mail: ")) if names else ""
    phone_label = rng.choice(("Phone: ", "Mobile: ", "Tel: ", "Ph: ", "Cell: ", "Contact No: ", "M: ")) if names else ""
    email: Words = (TextRun(email_label), TextRun(person.email, "email", person.email))
    phone: Words = (TextRun(phone_label), TextRun(person.phone, "phone", person.phone))
    parts: list[Words] = [email, phone] if chance(rng, 0.5) else [phone, email]
    if chance(rng, 0.88):
        address = _address(pen)
        parts.insert(0 if chance(rng, 0.6) else len(parts), address)
    for link in person.links:
        if chance(rng, 0.8):
            parts.append((TextRun(link, "link", link),))
    return [tuple(run for run in words if run.text) for words in parts]


def _address(pen: Pen) -> Words:
    """From the street to the country, or just the city."""
    rng, person = pen.rng, pen.career.person
    words: list[TextRun] = []
    form = weighted(rng, {"full": 3.0, "city_region": 4.0, "city": 2.0, "city_country": 2.0})
    if form == "full" and person.street:
        words += [TextRun(person.street), TextRun(", ")]
    words.append(TextRun(person.city, "city", person.city))
    if form in {"full", "city_region"} and person.region:
        words += [TextRun(", "), TextRun(person.region)]
    if form == "city_country" or (form == "full" and chance(rng, 0.4)):
        words += [TextRun(", "), TextRun(person.country)]
    return tuple(words)


def _joined(parts: list[Words], separator: str) -> Words:
    words: list[TextRun] = []
    for place, part in enumerate(parts):
        if place:
            words.append(TextRun(separator))
        words.extend(part)
    return tuple(words)


# Slips of the finger: letters swapped, dropped, doubled or hit beside; names and contact data stay clean.

CLEAN = frozenset({"name", "email", "phone", "link", "city", "date", "duration", "year", "performance"})
_WORD = re.compile(r"[A-Za-z]{4,}")
BESIDE = {
    "a": "sq", "b": "vn", "c": "xv", "d": "sf", "e": "wr", "f": "dg", "g": "fh", "h": "gj", "i": "uo", "j": "hk",
    "k": "jl", "l": "k", "m": "n", "n": "bm", "o": "ip", "p": "o", "q": "w", "r": "et", "s": "ad", "t": "ry",
    "u": "yi", "v": "cb", "w": "qe", "x": "zc", "y": "tu", "z": "x",
}  # fmt: skip


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
    near = rng.choice(BESIDE.get(letter.lower(), "e"))
    return word[:place] + (near.upper() if letter.isupper() else near) + word[place + 1 :]


def misspell(manuscript: Manuscript, rng: Random, rate: float) -> Manuscript:
    if not rate:
        return manuscript
    sections = tuple(_in_section(section, rng, rate) for section in manuscript.sections)
    return replace(manuscript, sections=sections)


def _in_section(section: ManuscriptSection, rng: Random, rate: float) -> ManuscriptSection:
    return ManuscriptSection(
        section.type, section.heading, tuple(_in_block(block, rng, rate) for block in section.blocks)
    )


def _in_block(block: Block, rng: Random, rate: float) -> Block:
    if isinstance(block, ManuscriptLine):
        return replace(block, words=_in_words(block.words, rng, rate))
    rows = tuple(tuple(_in_words(cell, rng, rate) for cell in row) for row in block.rows)
    return replace(block, rows=rows)


def _in_words(words: Words, rng: Random, rate: float) -> Words:
    return tuple(run if run.label in CLEAN else _in_run(run, rng, rate) for run in words)


def _in_run(run: TextRun, rng: Random, rate: float) -> TextRun:
    matches = list(_WORD.finditer(run.text))
    hits = [match for match in matches if rng.random() < rate]
    if not hits:
        return run
    text = run.text
    for match in reversed(hits):
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
    sections = [head, *(_marked(pen, section) for section in (*_ordered(pen, parts), *_closing(pen)))]
    choices = pen.style.choices() | {"order": " ".join(section.type for section in sections[1:])}
    manuscript = Manuscript(career.number, tuple(sections), style=choices)
    return misspell(manuscript, rng, pen.style.typos)


def _marked(pen: Pen, section: ManuscriptSection) -> ManuscriptSection:
    return section if section.type in {"experience", "projects"} else mark_section(section, pen.names)


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
    if "experience" not in pen.style.sections or not pen.career.jobs:
        return []
    if pen.style.employers == "functional":
        return [write_employers(pen, heading(pen, "employers"))]
    sections = [write_experience(pen, heading(pen, "experience"))]
    if pen.style.projects == "own":
        own = _own_projects(pen)
        if own:
            sections.append(ManuscriptSection("projects", heading(pen, "projects"), tuple(own)))
    return sections


def _own_projects(pen: Pen) -> list[Block]:
    blocks: list[Block] = []
    voice = draw_voice(pen)
    total = sum(len(job.projects) for job in pen.career.jobs)
    for place, job in enumerate(pen.career.jobs):
        for number, project in enumerate(job.projects):
            of = f"job {place} project {number}"
            blocks.extend(project_blocks(pen, project, of, nested=False))
            budget = pen.style.lengths["experience"] * 0.8 / total
            blocks.extend(lay_out(pen, Composer(pen, project_scene(pen, project, of, voice)).sentences(budget)))
            line = environment_line(pen, project.uses, of)
            blocks.extend([line] if line else [])
    return blocks


def _write_around(pen: Pen, months: dict[str, int], total: int) -> dict[str, ManuscriptSection]:
    """Skills, education, profile and activities, as far as this resume has them."""
    career, present = pen.career, pen.style.sections
    parts: dict[str, ManuscriptSection] = {}
    if "skills" in present or pen.style.employers == "functional":
        parts["skills"] = _write_skillset(pen, months)
    if "education" in present and career.studies:
        stray = "other" not in present and bool(career.certificates)
        extra: list[Block] = [certificate_line(pen, item) for item in career.certificates] if stray else []
        parts["education"] = write_education(
            pen, heading(pen, "education_certificates" if stray else "education"), extra
        )
    if "profile" in present:
        name = "objective" if pen.style.summary == "objective" else "profile"
        parts["profile"] = write_profile(pen, heading(pen, name), total or _rough_months(career))
    if "activities" in present:
        parts["activities"] = write_activities(pen, heading(pen, "activities"))
    return {name: section for name, section in parts.items() if section.blocks}


def _rough_months(career: Career) -> int:
    return sum(job.period.months(career.as_of) for job in career.jobs if job.is_relevant)


def _write_skillset(pen: Pen, months: dict[str, int]) -> ManuscriptSection:
    name = "skills" if pen.career.kind == "it" else "skills_plain"
    section = write_skills(pen, heading(pen, name), months)
    if pen.style.employers != "functional":
        return section
    return ManuscriptSection("skills", section.heading, (*_functional(pen), *section.blocks))


def _functional(pen: Pen) -> list[Block]:
    """Sentences about skill areas that belong to no job in particular."""
    blocks: list[Block] = []
    budget = pen.style.lengths["experience"]
    areas = [
        "Leadership",
        "Planning",
        "Communication",
        "Technical work",
        "Quality",
        "Service",
        "Analysis",
        "Organization",
    ]
    jobs = [job for job in pen.career.jobs if job.duties or job.projects]
    for job, area in zip(jobs, pen.rng.sample(areas, min(len(jobs), len(areas))), strict=False):
        duties = (*job.duties, *(duty for project in job.projects for duty in project.duties))
        uses = (*job.uses, *(use for project in job.projects for use in project.uses))
        sentences = Composer(pen, SentenceScene(None, True, uses, duties, "past")).sentences(budget / len(jobs))
        blocks += [ManuscriptLine((TextRun(area, bold=True),), role="subtitle"), *lay_out(pen, sentences)]
    return blocks


def _ordered(pen: Pen, parts: dict[str, ManuscriptSection]) -> list[ManuscriptSection]:
    order = list(pen.style.order)
    if pen.style.employers == "functional":
        order.sort(key=lambda name: (name != "profile", name != "skills"))
    return [parts[name] for name in order if name in parts]


def _closing(pen: Pen) -> list[ManuscriptSection]:
    """Sections at the end: none of them, or a few that suit the country."""
    if "other" not in pen.style.sections:
        return []
    rng, career = pen.rng, pen.career
    sections: list[ManuscriptSection] = []
    if career.certificates:
        sections.append(write_certificates(pen, heading(pen, "certifications")))
    wants_personal = chance(rng, 0.65 if pen.style.is_indian else 0.1)
    if career.languages and not wants_personal and chance(rng, 0.6):
        sections.append(write_languages(pen, heading(pen, "languages")))
    if chance(rng, 0.25):
        sections.append(write_interests(pen, heading(pen, "interests")))
    if wants_personal:
        sections.append(write_personal(pen, heading(pen, "personal")))
    if chance(rng, 0.35) or not sections:
        sections.append(write_other(pen, heading(pen, "other")))
    if chance(rng, 0.22):
        sections.append(write_references(pen, heading(pen, "references")))
    if pen.style.is_indian and chance(rng, 0.35):
        sections.append(write_declaration(pen, heading(pen, "declaration")))
    return sections
