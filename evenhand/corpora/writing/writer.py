"""The writer: a career, a style and chance make a manuscript."""

from __future__ import annotations

from evenhand.corpora import lexicon
from evenhand.corpora.career import Career
from evenhand.corpora.manuscript import Block, Line, Manuscript, Run, Section
from evenhand.corpora.rng import chance, stream
from evenhand.corpora.spans import relevant_months, skill_months
from evenhand.corpora.writing.closing import (
    certificate_line,
    write_activities,
    write_certificates,
    write_declaration,
    write_interests,
    write_languages,
    write_other,
    write_personal,
    write_references,
)
from evenhand.corpora.writing.education import write_education
from evenhand.corpora.writing.experience import (
    draw_voice,
    environment_line,
    lay_out,
    write_employers,
    write_experience,
)
from evenhand.corpora.writing.head import write_head
from evenhand.corpora.writing.mentions import career_names, mark_section
from evenhand.corpora.writing.pen import Pen
from evenhand.corpora.writing.profile import write_profile
from evenhand.corpora.writing.projects import project_blocks, project_scene
from evenhand.corpora.writing.sentences import Composer, Scene
from evenhand.corpora.writing.skillset import write_skills
from evenhand.corpora.writing.style import draw_style
from evenhand.corpora.writing.typos import misspell


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


def _marked(pen: Pen, section: Section) -> Section:
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


def _write_work(pen: Pen) -> list[Section]:
    if "experience" not in pen.style.sections or not pen.career.jobs:
        return []
    if pen.style.employers == "functional":
        return [write_employers(pen, heading(pen, "employers"))]
    sections = [write_experience(pen, heading(pen, "experience"))]
    if pen.style.projects == "own":
        own = _own_projects(pen)
        if own:
            sections.append(Section("projects", heading(pen, "projects"), tuple(own)))
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
            blocks.extend(
                lay_out(pen, Composer(pen, project_scene(pen, project, of, voice)).sentences(budget))
            )
            line = environment_line(pen, project.uses, of)
            blocks.extend([line] if line else [])
    return blocks


def _write_around(pen: Pen, months: dict[str, int], total: int) -> dict[str, Section]:
    """Skills, education, profile and activities, as far as this resume has them."""
    career, present = pen.career, pen.style.sections
    parts: dict[str, Section] = {}
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


def _write_skillset(pen: Pen, months: dict[str, int]) -> Section:
    name = "skills" if pen.career.kind == "it" else "skills_plain"
    section = write_skills(pen, heading(pen, name), months)
    if pen.style.employers != "functional":
        return section
    return Section("skills", section.heading, (*_functional(pen), *section.blocks))


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
        sentences = Composer(pen, Scene(None, True, uses, duties, "past")).sentences(budget / len(jobs))
        blocks += [Line((Run(area, bold=True),), role="subtitle"), *lay_out(pen, sentences)]
    return blocks


def _ordered(pen: Pen, parts: dict[str, Section]) -> list[Section]:
    order = list(pen.style.order)
    if pen.style.employers == "functional":
        order.sort(key=lambda name: (name != "profile", name != "skills"))
    return [parts[name] for name in order if name in parts]


def _closing(pen: Pen) -> list[Section]:
    """Sections at the end: none of them, or a few that suit the country."""
    if "other" not in pen.style.sections:
        return []
    rng, career = pen.rng, pen.career
    sections: list[Section] = []
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
