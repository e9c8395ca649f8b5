"""How one person writes a resume: order, voice, dates and forms, drawn once and kept to throughout."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from random import Random

from evenhand.corpora.career import Career
from evenhand.corpora.rng import chance, weighted
from evenhand.corpora.writing.dates import DURATION_FORMS, draw_date_style

# How often a section is there, by kind. crc: presence by level of applicants' resumes as published (percent).
PRESENCE: dict[str, dict[str, float]] = {
    "it": {
        "experience": 0.985,
        "education": 0.97,
        "profile": 0.82,
        "activities": 0.25,
        "skills": 0.93,
        "other": 0.55,
    },
    "mixed": {
        "experience": 0.98,
        "education": 0.94,
        "profile": 0.78,
        "activities": 0.3,
        "skills": 0.8,
        "other": 0.35,
    },
}
CRC_PRESENCE: dict[str, dict[str, float]] = {
    "CRC1": {
        "experience": 0.980,
        "education": 0.960,
        "profile": 0.944,
        "activities": 0.404,
        "skills": 0.377,
        "other": 0.322,
    },
    "CRC2": {
        "experience": 0.983,
        "education": 0.956,
        "profile": 0.943,
        "activities": 0.434,
        "skills": 0.364,
        "other": 0.328,
    },
    "CRC3": {
        "experience": 0.972,
        "education": 0.963,
        "profile": 0.941,
        "activities": 0.474,
        "skills": 0.336,
        "other": 0.308,
    },
    "CRC4": {
        "experience": 0.974,
        "education": 0.966,
        "profile": 0.940,
        "activities": 0.402,
        "skills": 0.415,
        "other": 0.372,
    },
}
CRC_TOTAL = {
    "experience": 0.980,
    "education": 0.960,
    "profile": 0.943,
    "activities": 0.425,
    "skills": 0.369,
    "other": 0.325,
}

# Mean and standard deviation of section lengths in tokens; crc as published, the others longer as in services firms.
LENGTHS: dict[str, dict[str, tuple[float, float]]] = {
    "crc": {"profile": (100.65, 215.75), "skills": (60.7, 102.61), "experience": (314.61, 316.61),
            "education": (174.3, 289.37), "other": (77.41, 145.4), "activities": (168.09, 289.4)},
    "it": {"profile": (110, 110), "skills": (90, 70), "experience": (650, 450),
           "education": (80, 50), "other": (70, 60), "activities": (60, 50)},
    "mixed": {"profile": (85, 80), "skills": (70, 70), "experience": (520, 330),
              "education": (70, 60), "other": (60, 60), "activities": (70, 70)},
}  # fmt: skip

# Writers run out of matter, so that sections come out shorter than asked for: what to ask for instead.
STRETCH = {
    "profile": 1.3,
    "skills": 1.05,
    "experience": 1.0,
    "education": 1.25,
    "other": 1.8,
    "activities": 1.2,
}

ORDERS: dict[str, dict[tuple[str, ...], float]] = {
    "experienced": {
        ("profile", "experience", "projects", "education", "skills", "activities"): 4.0,
        ("profile", "skills", "experience", "projects", "education", "activities"): 6.0,
        ("profile", "experience", "projects", "skills", "education", "activities"): 2.5,
        ("profile", "education", "experience", "projects", "skills", "activities"): 2.5,
        ("education", "profile", "experience", "projects", "skills", "activities"): 0.8,
        ("profile", "education", "skills", "experience", "projects", "activities"): 1.5,
        ("skills", "profile", "experience", "projects", "education", "activities"): 0.6,
        ("profile", "skills", "education", "experience", "projects", "activities"): 1.2,
        ("profile", "experience", "projects", "activities", "education", "skills"): 0.8,
        ("profile", "skills", "projects", "experience", "education", "activities"): 0.8,
    },
    "novice": {
        ("profile", "education", "skills", "experience", "projects", "activities"): 4.0,
        ("profile", "education", "experience", "projects", "skills", "activities"): 3.0,
        ("education", "profile", "experience", "projects", "activities", "skills"): 1.0,
        ("profile", "education", "projects", "experience", "skills", "activities"): 1.0,
        ("profile", "skills", "education", "experience", "projects", "activities"): 1.5,
        ("profile", "experience", "projects", "education", "activities", "skills"): 1.5,
    },
}


@dataclass(frozen=True, slots=True)
class Style:
    dates: str
    other_dates: str  # of education, or of older jobs where a resume mixes styles
    joint: str
    present: str
    durations: str  # none, or a form of "(2 yrs 4 months)"
    headings: str  # upper, title, sentence, lower
    order: tuple[str, ...]
    sections: frozenset[str]  # which of them are there
    summary: str  # none, paragraph, bullets, objective
    body: str  # bullets, prose, mixed
    person: str  # implied, first
    full_stops: bool
    skills: str  # list, grouped, table, prose, bullets
    stated: str  # none, years, months: how long each skill was used
    projects: str  # inside, own
    environment: str  # none, or the label of lines that list tools
    education: str  # lines, two_lines, table, sentences
    employers: str  # entries, table (before the entries), functional (instead of them)
    entry: str  # title_employer, employer_title, two_lines, dates_first, one_line
    places: bool
    abbreviates: float  # how often a short form is taken
    versions: float  # how often a version is named
    typos: float  # per word
    oxford: bool
    is_indian: bool
    wordiness: float  # how often a sentence tells more than what was done
    lengths: dict[str, float]  # tokens wanted per section
    seniority: str  # short, long: "Sr." or "Senior"

    def choices(self) -> dict[str, str]:
        """As kept with a manuscript: one word per choice."""
        found: dict[str, str] = {}
        for item in fields(self):
            value = getattr(self, item.name)
            if item.name in {"lengths", "is_indian"}:
                continue
            if isinstance(value, frozenset):
                value = " ".join(sorted(value))
            elif isinstance(value, tuple):
                value = " ".join(part for part in value if part in self.sections or part == "projects")
            elif isinstance(value, bool):
                value = "yes" if value else "no"
            found[item.name] = value.strip() or value if isinstance(value, str) else f"{value:.4f}"
        return found


def draw_style(rng: Random, career: Career) -> Style:
    in_india = career.person.country == "India"
    is_novice = len(career.jobs) <= 1
    dates, joint, present = draw_date_style(rng, in_india=in_india)
    sections = _draw_sections(rng, career)
    has_projects = any(job.projects for job in career.jobs)
    employers = _draw_employers(rng, career, in_india=in_india, has_skills="skills" in sections)
    summary = weighted(
        rng, {"paragraph": 5.0, "bullets": 2.5 if career.kind == "it" else 0.8, "objective": 2.2}
    )
    return Style(
        dates=dates,
        other_dates=_draw_other_dates(rng, dates, in_india=in_india),
        joint=joint,
        present=present,
        durations=rng.choice(DURATION_FORMS) if chance(rng, 0.14) else "none",
        headings=weighted(rng, {"upper": 4.5, "title": 5.0, "sentence": 1.2, "lower": 0.1}),
        order=weighted(rng, ORDERS["novice" if is_novice else "experienced"]),
        sections=sections,
        summary=summary if "profile" in sections else "none",
        body=weighted(rng, {"bullets": 7.0, "prose": 1.6, "mixed": 1.4}),
        person="first" if chance(rng, 0.09) else "implied",
        full_stops=chance(rng, 0.55),
        skills=_draw_skills_form(rng, career),
        stated=weighted(rng, {"none": 8.0, "years": 1.2, "months": 0.5}),
        projects="own" if has_projects and chance(rng, 0.3) else "inside",
        environment=_draw_environment(rng, career),
        education=weighted(
            rng, {"lines": 5.0, "two_lines": 4.0, "table": 3.0 if in_india else 0.5, "sentences": 0.5}
        ),
        employers=employers,
        entry=weighted(
            rng, {"title_employer": 3, "employer_title": 2, "two_lines": 3, "dates_first": 1.2, "one_line": 1}
        ),
        places=chance(rng, 0.72),
        abbreviates=rng.choice((0.05, 0.3, 0.6, 0.85)),
        versions=rng.choice((0.0, 0.15, 0.5, 0.8)),
        typos=_draw_typos(rng),
        oxford=chance(rng, 0.45),
        is_indian=in_india,
        wordiness=rng.choice((0.35, 0.6, 0.75, 0.9)),
        lengths=_draw_lengths(rng, career.kind),
        seniority="short" if chance(rng, 0.3) else "long",
    )


def presence(kind: str, level: str | None) -> dict[str, float]:
    return (
        CRC_PRESENCE.get(level or "", CRC_TOTAL) if kind == "crc" else PRESENCE.get(kind, PRESENCE["mixed"])
    )


def _draw_sections(rng: Random, career: Career) -> frozenset[str]:
    rates = presence(career.kind, career.level)
    drawn = {name for name in sorted(rates) if chance(rng, rates[name])}
    if not drawn & {"experience", "education"}:
        drawn.add("experience")
    return frozenset(drawn)


def _draw_employers(rng: Random, career: Career, *, in_india: bool, has_skills: bool) -> str:
    if len(career.jobs) >= 2 and has_skills and chance(rng, 0.06):
        return "functional"
    if len(career.jobs) >= 2 and chance(rng, 0.25 if in_india else 0.03):
        return "table"
    return "entries"


def _draw_other_dates(rng: Random, dates: str, *, in_india: bool) -> str:
    if chance(rng, 0.55):
        return dates
    return "yyyy" if chance(rng, 0.6) else draw_date_style(rng, in_india=in_india)[0]


def _draw_skills_form(rng: Random, career: Career) -> str:
    if career.kind == "it":
        return weighted(rng, {"grouped": 5.0, "list": 2.0, "table": 1.6, "bullets": 1.2, "prose": 0.4})
    return weighted(rng, {"list": 4.0, "bullets": 3.5, "grouped": 0.7, "prose": 1.3, "table": 0.3})


def _draw_environment(rng: Random, career: Career) -> str:
    labels = (
        "Environment",
        "Technologies",
        "Technologies used",
        "Tools",
        "Tech stack",
        "Software",
        "Technical environment",
    )
    if not chance(rng, 0.6 if career.kind == "it" else 0.08):
        return "none"
    return rng.choice(labels if career.kind == "it" else ("Tools", "Software", "Tools used", "Systems used"))


def _draw_typos(rng: Random) -> float:
    """Most resumes have next to none, a few have many; 0.3 % of the words on average."""
    return weighted(rng, {0.0: 3.0, 0.0015: 3.5, 0.004: 2.5, 0.009: 1.6})


def _draw_lengths(rng: Random, kind: str) -> dict[str, float]:
    """Log-normal, with the long tail of real sections; wordy people are wordy everywhere."""
    wordy = rng.gauss(0, 1)
    lengths = {}
    for name, (mean, sd) in LENGTHS.get(kind, LENGTHS["mixed"]).items():
        sigma = math.sqrt(math.log(1 + (sd / mean) ** 2))
        draw = 0.6 * wordy + 0.8 * rng.gauss(0, 1)
        lengths[name] = STRETCH[name] * mean * math.exp(-sigma * sigma / 2 + sigma * draw)
    return lengths
