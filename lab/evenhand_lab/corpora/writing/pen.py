"""The pen: what every part of the writer needs at hand (chance, style, the chosen form of each name)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from random import Random

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import Career, CareerPeriod, CareerSkill
from evenhand_lab.corpora.lexicon import chance, weighted
from evenhand_lab.corpora.manuscript import TextRun, Words
from evenhand_lab.corpora.writing.dates import DURATION_FORMS, draw_date_style, forms_of, uncapitalize, write_period
from evenhand_lab.corpora.writing.grammar import Names, agree, joiners

# How one person writes a resume: order, voice, dates and forms, drawn once and kept to throughout.


@dataclass(frozen=True, slots=True)
class WritingStyle:
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
        choices: dict[str, str] = {}
        for item in fields(self):
            if item.name in {"lengths", "is_indian"}:
                continue
            value = getattr(self, item.name)
            if isinstance(value, frozenset):
                value = " ".join(sorted(value))
            elif isinstance(value, tuple):
                value = " ".join(part for part in value if part in self.sections or part == "projects")
            elif isinstance(value, bool):
                value = "yes" if value else "no"
            choices[item.name] = value.strip() or value if isinstance(value, str) else f"{value:.4f}"
        return choices


def draw_style(rng: Random, career: Career) -> WritingStyle:
    in_india, is_it = career.person.country == "India", career.kind == "it"
    dates, joint, present = draw_date_style(rng, in_india=in_india)
    rates = presence(career.kind, career.level)
    sections = {name for name in sorted(rates) if chance(rng, rates[name])}
    if not sections & {"experience", "education"}:
        sections.add("experience")
    employers = "entries"
    if len(career.jobs) >= 2:
        if "skills" in sections and chance(rng, 0.06):
            employers = "functional"
        elif chance(rng, 0.25 if in_india else 0.03):
            employers = "table"
    summary = weighted(rng, {"paragraph": 5.0, "bullets": 2.5 if is_it else 0.8, "objective": 2.2})
    other_dates = dates
    if not chance(rng, 0.55):
        other_dates = "yyyy" if chance(rng, 0.6) else draw_date_style(rng, in_india=in_india)[0]
    norms = lexicon.table("writing/norms.toml")
    orders = norms["orders"]["novice" if len(career.jobs) <= 1 else "experienced"]
    return WritingStyle(
        dates=dates,
        other_dates=other_dates,
        joint=joint,
        present=present,
        durations=rng.choice(DURATION_FORMS) if chance(rng, 0.14) else "none",
        headings=weighted(rng, {"upper": 4.5, "title": 5.0, "sentence": 1.2, "lower": 0.1}),
        order=tuple(weighted(rng, orders).split()),
        sections=frozenset(sections),
        summary=summary if "profile" in sections else "none",
        body=weighted(rng, {"bullets": 7.0, "prose": 1.6, "mixed": 1.4}),
        person="first" if chance(rng, 0.09) else "implied",
        full_stops=chance(rng, 0.55),
        skills=weighted(rng, norms["skills"]["it" if is_it else "other"]),
        stated=weighted(rng, {"none": 8.0, "years": 1.2, "months": 0.5}),
        projects="own" if any(job.projects for job in career.jobs) and chance(rng, 0.3) else "inside",
        environment=rng.choice(phrases()["environment"]["it" if is_it else "other"])
        if chance(rng, 0.6 if is_it else 0.08)
        else "none",
        education=weighted(rng, {"lines": 5.0, "two_lines": 4.0, "table": 3.0 if in_india else 0.5, "sentences": 0.5}),
        employers=employers,
        entry=weighted(
            rng, {"title_employer": 3, "employer_title": 2, "two_lines": 3, "dates_first": 1.2, "one_line": 1}
        ),
        places=chance(rng, 0.72),
        abbreviates=rng.choice((0.05, 0.3, 0.6, 0.85)),
        versions=rng.choice((0.0, 0.15, 0.5, 0.8)),
        # most resumes have next to no typos, a few have many; 0.3 % of the words on average
        typos=weighted(rng, {0.0: 3.0, 0.0025: 3.5, 0.0065: 2.5, 0.014: 1.6}),
        oxford=chance(rng, 0.45),
        is_indian=in_india,
        wordiness=rng.choice((0.35, 0.6, 0.75, 0.9)),
        lengths=_draw_lengths(rng, career.kind),
        seniority="short" if chance(rng, 0.3) else "long",
    )


def presence(kind: str, level: str | None = None) -> dict[str, float]:
    """How often each section is there, for a level where the kind has levels."""
    rates: dict[str, dict[str, float]] = lexicon.table("writing/norms.toml")["presence"]
    return rates.get(level or "", rates[kind])


def section_lengths(kind: str) -> dict[str, tuple[float, float]]:
    """Mean and standard deviation of the tokens in each section."""
    norms = lexicon.table("writing/norms.toml")["lengths"][kind]
    return {name: (float(mean), float(deviation)) for name, (mean, deviation) in norms.items()}


def _draw_lengths(rng: Random, kind: str) -> dict[str, float]:
    """Log-normal, with the long tail of real sections; wordy people are wordy everywhere."""
    wordy = rng.gauss(0, 1)
    stretch = lexicon.table("writing/norms.toml")["stretch"][kind]
    lengths = {}
    for name, (mean, sd) in section_lengths(kind).items():
        sigma = math.sqrt(math.log(1 + (sd / mean) ** 2))
        draw = 0.6 * wordy + 0.8 * rng.gauss(0, 1)
        lengths[name] = stretch[name] * mean * math.exp(-sigma * sigma / 2 + sigma * draw)
    return lengths


COMMON_NOUNS = frozenset({"Electronic Medical Records", "Electronic Data Capture", "Laboratory Information Systems"})
_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_NUMBER = re.compile(r"<(\d+)-(\d+)>")
_TOKEN = re.compile(r"\w+|[^\w\s]")


def phrases() -> dict[str, dict[str, list[str]]]:
    return lexicon.table("writing/phrases.toml")


def tokens(words: Iterable[TextRun]) -> int:
    """Words and marks: the measure of all lengths here."""
    return sum(len(_TOKEN.findall(run.text)) for run in words)


@dataclass
class Pen:
    rng: Random
    style: WritingStyle
    career: Career
    names: Names  # of the person's skills in running text
    forms: dict[str, str] = field(default_factory=dict)  # the form of a skill this person prefers
    used: set[str] = field(default_factory=set)  # sentences already written: nobody says a thing twice

    def expand(self, text: str) -> str:
        """Settles the choices and numbers of a pattern, inner ones first."""
        while "[" in text:
            settled = _CHOICE.sub(lambda match: self.rng.choice(match[1].split("|")), text)
            if settled == text:
                break
            text = settled
        text = _NUMBER.sub(lambda match: str(self.rng.randint(int(match[1]), int(match[2]))), text)
        return agree(text)

    def pick(self, table: str, key: str) -> str:
        return self.expand(self.rng.choice(phrases()[table][key]))

    def skill(self, use: CareerSkill, of: str | None, *, in_text: bool = False, own_name: bool = False) -> TextRun:
        """A mention: mostly in the person's own form of the name, now and then in another.

        Inside a sentence activities lose their capitals; before a noun ("EKG recordings") only the name itself is safe.
        """
        name, known = use.skill, forms_of(use.skill)
        if name not in self.forms or chance(self.rng, 0.12):
            wants_short = chance(self.rng, self.style.abbreviates)
            forms = (known.short if wants_short else known.long) or known.short or known.long or (name,)
            self.forms[name] = name if name in forms and chance(self.rng, 0.5) else self.rng.choice(forms)
        text = name if own_name else self.forms[name]
        if in_text and (not known.is_tool or name in COMMON_NOUNS):
            text = uncapitalize(text)
        has_version = any(letter.isdigit() for letter in text)
        if use.version and not has_version and chance(self.rng, self.style.versions):
            text = f"{text} {use.version}"
        return TextRun(text, "skill", name, of=of)

    def listing(self, runs: Sequence[TextRun], *, prose: bool = True) -> Words:
        """Runs with commas between, and "and" before the last where it is prose."""
        between = joiners(len(runs), oxford=self.style.oxford) if prose else [", "] * (len(runs) - 1)
        words = list(runs[:1])
        for joint, run in zip(between, runs[1:], strict=True):
            words += [TextRun(joint), run]
        return tuple(words)

    def period(self, period: CareerPeriod, of: str, *, dates: str | None = None) -> Words:
        style = self.style
        return write_period(period, dates or style.dates, joint=style.joint, present=style.present, of=of)


def strip_runs(words: Sequence[TextRun]) -> Words:
    """Without empty runs, and neighbours without a label made one."""
    merged: list[TextRun] = []
    for run in words:
        if not run.text:
            continue
        last = merged[-1] if merged else None
        if last and run.label is None and last.label is None and (last.bold, last.italic) == (run.bold, run.italic):
            merged[-1] = TextRun(last.text + run.text, bold=run.bold, italic=run.italic)
        else:
            merged.append(run)
    return tuple(merged)
