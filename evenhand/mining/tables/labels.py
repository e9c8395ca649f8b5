"""What people write over a column or before a value, by what it announces, and how near a cell comes to it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import JaroWinkler

UNIVERSITY, DEGREE, YEAR, PERFORMANCE, SPECIALIZATION = (
    "university",
    "degree",
    "year",
    "performance",
    "specialization",
)
EMPLOYER, PERIOD, DESIGNATION, OTHER = "employer", "work_period", "designation", "other"

NEAR = 0.92  # similarity from which a cell counts as a label: the lexicon features use the same
LEAST = 0.75  # below this a similarity tells nothing
_LONGEST = 48  # characters: no label is longer
_MOST_WORDS = 7

_TEXT = """
[university]
university; college; institute; institution; school; board; board/university; university/board;
school/college; college/university; institute/university; name of institution; name of the institute;
name of college; college name; institution name; name of school; board or university; examining body;
campus; awarding body; affiliated university; school name; university name; place of study
[degree]
degree; qualification; course; examination; exam; class; education; degree/course; course/degree; program;
programme; exam passed; examination passed; degree/exam; academic qualification; educational qualification;
standard; degree/certificate; name of examination; title of qualification; award; qualifications;
degree earned; course name; name of course
[year]
year; year of passing; passing year; year of completion; year passed; passed out; pass out year; yop;
graduation year; completion year; graduated; month and year; academic year; year of graduation; session;
batch; passed year; date of completion; years attended; dates attended; year of pass; completed
[performance]
percentage; performance; grade; marks; result; cgpa; gpa; percentage/cgpa; % marks; score; aggregate; % age;
percent; marks obtained; class obtained; division; percentage of marks; % of marks; class/division; grades;
cgpa/percentage; aggregate percentage; marks %; final grade; sgpa; rank
[specialization]
specialization; specialisation; stream; branch; discipline; subject; subjects; major; field; dept;
department; field of study; main subjects; area of study; major subject; concentration; minor; faculty
[employer]
employer; company; organization; organisation; company name; name of company; employer name; firm;
name of the organization; name of employer; current employer; organization name; previous employer;
industry; name of the company; name of organisation; hospital; client/employer; employer/client; worked at;
workplace
[work_period]
period; duration; tenure; dates; from; to; start; end; start date; end date; date; from date; to date;
work period; time period; years; service period; period of service; employment dates; worked from;
worked till; from - to; joining date; date of joining; relieving date; period of employment; until;
date of leaving; since; employment period; time; timeline; time frame
[designation]
designation; position; role; title; job title; post; position held; designation held; role played;
post held; current position; last designation; current designation; job role; job profile; capacity; roles;
profile; position title; responsibility; job position; worked as; function; rank held
[personal]
name; full name; date of birth; dob; birth date; gender; sex; nationality; marital status; father name;
father's name; mother's name; languages known; language known; languages; address; permanent address; age;
present address; current address; phone; mobile; mobile number; phone number; contact number; telephone;
email; e-mail; email id; passport no; passport number; passport; religion; hobbies; interests;
place of birth; skype; blood group; visa status; driving license; pan no; husband's name; spouse name;
citizenship; linkedin; github; current location; location; contact no; mail id; residence; website; blog;
status; height; weight; notice period
[project]
project; name of project; name of client; title of project; project name; project title; client; customer;
client name; team size; environment; end user; technology; technologies; technologies used; technology used;
description; project description; domain; tools; responsibilities; roles and responsibilities; role;
modules; platform; software; software used; operating system; roles & responsibilities; module;
contribution; tools used; tech stack; technology stack; language; database; url
[skills]
skill; skills; experience; technology; tools; programming languages; languages; databases; database;
operating systems; operating system; web technologies; frameworks; tool; technical skills; version;
last used; proficiency; category; web servers; application servers; ide; os; scripting languages; rating;
methodologies; competency; years of experience; software; packages; hardware; testing tools; build tools;
reporting tools; certification; certificate; issued by; issuer; training; name of training; organized by;
reading; writing; speaking; read; write; speak; language
[other]
s.no; sl no; s no; sr no; serial no; #; place; city; location; country; remarks; credits; semester;
semester no; ctc; salary; reason for leaving; state; reference; phone; medium; mode; status;
responsibilities; remark; total
"""

_NOISE = re.compile(r"[^\w%#&/+' ]+")
_PARTS = re.compile(r"\s*(?:/|&|\bor\b|\band\b)\s*")


def _normal(cell: str) -> str:
    return " ".join(_NOISE.sub(" ", cell.lower().replace("’", "'")).split())


def _label_sets() -> dict[str, tuple[str, ...]]:
    sets = {}
    for part in _TEXT.split("\n[")[1:]:
        kind, _, labels = part.partition("]")
        sets[kind] = tuple(_normal(label) for label in labels.split(";"))
    return sets


LABELS: Mapping[str, tuple[str, ...]] = MappingProxyType(_label_sets())
KINDS = tuple(LABELS)
COLUMN_KINDS = KINDS[:8]


def _by_label() -> dict[str, tuple[str, ...]]:
    kinds: dict[str, tuple[str, ...]] = {}
    for kind, labels in LABELS.items():
        for label in labels:
            kinds[label] = (*kinds.get(label, ()), kind)
    return kinds


_EXACT = _by_label()
_ALL = [label for labels in LABELS.values() for label in labels]
_STARTS = np.cumsum([0, *map(len, LABELS.values())])[:-1]  # of each kind in _ALL


@lru_cache(maxsize=4096)
def similarities(cell: str) -> Mapping[str, float]:
    """For each kind the similarity of its nearest label, 0 to 1; kinds further than LEAST are left out."""
    whole = _normal(cell)
    if not whole or len(whole) > _LONGEST or whole.count(" ") >= _MOST_WORDS:
        return {}
    forms = [whole]
    if len(parts := [part for part in _PARTS.split(whole) if len(part) > 1]) > 1:
        forms += parts
    best: dict[str, float] = {}
    for form in forms:
        for kind, value in _nearest(form).items():
            best[kind] = max(value, best.get(kind, 0.0))
    return best


def is_label(cell: str) -> bool:
    """Near enough to a label of any kind."""
    return any(value >= NEAR for value in similarities(cell).values())


def _nearest(form: str) -> dict[str, float]:
    if kinds := _EXACT.get(form):
        return dict.fromkeys(kinds, 1.0)
    values = process.cdist([form], _ALL, scorer=JaroWinkler.similarity, score_cutoff=LEAST)[0]
    best = np.maximum.reduceat(values, _STARTS)
    return {KINDS[place]: float(best[place]) for place in np.flatnonzero(best)}
