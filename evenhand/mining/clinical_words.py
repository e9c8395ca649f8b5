"""Words by which readers of resumes tell clinical research from the bench, the ward and the desk."""

from __future__ import annotations

import re

from evenhand.mining.lexicon.places import cities_named, countries
from evenhand.records.profile import DEGREE_LEVELS, Education, Profile


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(patterns)})", re.IGNORECASE)


# Titles that say by themselves that the work is on studies with people.
RESEARCH_TITLE = _any_of(
    r"clinical (?:research|trials?|stud(?:y|ies)|data)\b",
    r"(?:research|study|trials?) (?:coordinator|nurse|interviewer|manager|recruiter|participant)",
    r"research (?:data|program(?:me)?|project|regulatory) (?:coordinator|manager|specialist)",
    r"regulatory (?:coordinator|specialist|affairs|manager)",
    r"senior assistant\b",
)
# Titles that both sorts of research have; what was done there decides.
OPEN_TITLE = _any_of(
    r"research (?:\w+ )?(?:assistant|associate|specialist|fellow|intern|volunteer|scholar|aide|analyst|staff)",
    r"data (?:coordinator|manager|specialist)",
    r"researcher\b",
)
LABORATORY_TITLE = _any_of(
    r"laborator(?:y|ies)\b",
    r"lab\b",
    r"bench\b",
    r"post-?doc",
    r"research (?:technician|scientist)",
    r"(?:medical |histo|cyto)techno?log",
    r"medical technolog",
    r"specimen (?:processor|technician)",
    r"(?:molecular|cell|staff) (?:biologist|scientist)",
)
CLINICAL_TITLE = _any_of(
    r"(?:\w+ )?nurs(?:e|ing)\b",
    r"RN\b",
    r"LPN\b",
    r"physician",
    r"surgeon",
    r"(?:resident|house officer|medical officer|registrar)\b",
    r"medical (?:assistant|scribe|receptionist|secretary|records|office)",
    r"patient\b",
    r"phlebotom",
    r"\w*therap(?:y|ist)\b",
    r"pharmacy\b",
    r"pharmacist",
    r"clinical (?:assistant|observer|extern|nurse)",
    r"emergency medical",
    r"paramedic",
    r"(?:home )?health (?:aide|educator|worker|technician)",
    r"community health",
    r"(?:case|care) (?:manager|worker|coordinator)",
    r"social worker",
    r"unit secretary",
    r"dental\b",
    r"caregiver",
)
TREATING_PLACE = _any_of(
    r"hospital\b", r"clinic\b", r"medical cent(?:er|re)\b", r"health ?care\b", r"health (?:system|cent(?:er|re))\b"
)

# Words of work on studies with people (the terms that a reader must not miss) and of work at the bench.
PEOPLE_TERMS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, _any_of(pattern))
    for name, pattern in (
        ("informed consent", r"(?:informed consent|(?:re-?)?consent(?:s|ed|ing)?\b)"),
        ("review board", r"(?:IRB\b|institutional review board|ethics committee)"),
        ("eligibility", r"(?:eligib|inclusion and exclusion|(?:pre-?)?screen(?:s|ed|ing)?\b)"),
        ("recruitment", r"(?:recruit|enroll)"),
        ("participants", r"(?:participants?|(?:human )?subjects)\b"),
        ("study visits", r"(?:study visits?|protocol visits?|follow-up (?:calls?|visits?))\b"),
        ("case report forms", r"(?:case report forms?|e?CRFs?\b|source documents?)"),
        ("protocol", r"protocols?\b"),
        ("adverse events", r"(?:adverse events?|S?AEs?\b)"),
        ("sponsors", r"(?:sponsors?|monitoring visits?|site initiation|CROs?\b)"),
        ("regulatory", r"(?:regulatory|good clinical practice|(?:ICH-)?GCP\b)"),
        ("procedures", r"(?:standard operating procedures?|SOPs?\b)"),
        ("data capture", r"(?:REDCap|electronic data capture|EDC\b|medidata|oncore|openclinica|study database)"),
        ("specimens", r"(?:specimens?)\b"),
        ("interviews", r"interview"),
        ("questionnaires", r"(?:questionnaires?|surveys?)\b"),
        ("clinical trials", r"(?:clinical (?:trials?|stud(?:y|ies)|research)|phase (?:I{1,3}V?|IV|[1-4])\b)"),
    )
)
BENCH_TERMS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, _any_of(pattern))
    for name, pattern in (
        ("assays", r"(?:assays?|ELISA|enzyme-linked)"),
        ("immunohistochemistry", r"(?:immunohisto|immunofluor|IHC\b)"),
        ("PCR", r"(?:q?PCR\b|polymerase chain)"),
        ("blots and gels", r"(?:western blot|gel electrophoresis)"),
        ("cells", r"(?:\w+ )?cell (?:culture|lines?)|flow cytometry"),
        ("animals", r"(?:mouse|mice|murine|rats?|zebrafish|drosophila|animal model|colon(?:y|ies))\b"),
        ("genes", r"(?:plasmid|cloning|genotyp|sequencing|(?:DNA|RNA) extraction)"),
        ("instruments", r"(?:HPLC|mass spectrometry|microscop)"),
        ("reagents", r"(?:reagents?|buffers?|media preparation)\b"),
        ("bench", r"(?:bench\b|laboratory notebooks?|yeast)"),
    )
)

UNPAID = re.compile(r"\b(?:unpaid|volunteer(?:s|ed|ing)?|observer(?:ship)?|extern(?:ship)?|shadow(?:ed|ing))\b", re.I)
STUDENT = re.compile(r"\b(?:undergraduate|graduate (?:research|student|assistant)|student|thesis|doctoral)\b", re.I)
STUDENT_TIMES = re.compile(
    r"\b(?:semesters?|alongside (?:my )?(?:classes|studies)|work-study|independent study)\b", re.I
)
SUPERVISING = re.compile(
    r"\b(?:supervis(?:e|es|ed|ing) (?:a team|(?:\w+ ){0,3}(?:staff|coordinators?|assistants?|employees|team))"
    r"|direct reports|performance (?:reviews|evaluations|appraisals)|hir(?:e|ed|ing),? (?:and )?train"
    r"|(?:approv(?:e|ed|ing)) time|evaluat(?:e|ed|ing) (?:\w+ ){0,2}(?:research )?staff)\b",
    re.I,
)


EITHER_SORT = frozenset({"protocol", "procedures", "specimens"})
DECIDING_TERMS = tuple((name, pattern) for name, pattern in PEOPLE_TERMS if name not in EITHER_SORT)
VOLUNTEERING = re.compile(r"^[^\w\n]*+(?:Volunteer(?:s|ed)?|Unpaid|Shadow(?:s|ed))\b", re.MULTILINE)
"""Said of oneself, at the start of a sentence: who trains volunteers is paid."""


def count_terms(text: str, terms: tuple[tuple[str, re.Pattern[str]], ...]) -> int:
    """How many different ones of them the text has."""
    return sum(pattern.search(text) is not None for _, pattern in terms)


# Degrees as a guideline for clinical research looks at them: how high, in a science or not, a doctor's from abroad.

HOME = "United States"


SCIENTIFIC = re.compile(
    r"\b(?:bio\w*|(?:neuro|micro|immuno|patho|pharmaco|physio|epidemio|toxico|psycho)\w*|chem\w*|genetics?|physics"
    r"|(?:life|health|medical|biomedical|clinical|nutrition\w*|exercise|behaviou?ral|natural|laboratory) "
    r"(?:sciences?|technology|research|psychology|assisting)|nursing|nurse"
    r"|(?:public|global) health|health (?:policy|sciences?)"
    r"|medicine|surg\w+|anatomy|kinesiology|nutrition|diet\w*|statistics|biostatistics|mathematics|pharmac\w+|dent\w+"
    r"|phlebotomy|respiratory|radiolog\w+|patient care|B\.?S\.?N|M\.?S\.?N|M\.?P\.?H|M\.?B\.?B\.?S)\b",
    re.IGNORECASE,
)
FIRST_MEDICAL_DEGREE = re.compile(r"\bM\.?B\.?,? ?(?:B\.?S|Ch\.?B|B\.?Ch)\b|\bbachelor of medicine\b", re.IGNORECASE)
MEDICAL_DOCTOR = re.compile(r"\bdoctor of medicine\b|\bM\.?D\b\.?", re.IGNORECASE)
FOREIGN_GRADUATE = re.compile(r"\bECFMG\b|\b(?:foreign|international) medical graduate\b", re.IGNORECASE)
DIPLOMA = re.compile(r"\bdip(?:l|loma)?\b", re.IGNORECASE)
UNFINISHED = re.compile(
    r"\b(?:present|expected|anticipated|in progress|ongoing|current(?:ly)?|candidate|pursuing"
    r"|(?:to|till|until) (?:date|now))\b",
    re.IGNORECASE,
)
_CAPITALIZED = re.compile(r"[A-ZÀ-Þ][\w'’.-]+(?: (?:de |do |da |al |of )?[A-ZÀ-Þ][\w'’.-]+){0,2}")


def degree_of(profile: Profile, text: str) -> tuple[int, bool]:
    """The highest completed one as its place among DEGREE_LEVELS, and whether its field is a science.

    Between two of the same height a science counts. 0 where there is none.
    """
    completed = [(0, False)]
    for entry, head in _heads(profile, text):
        is_medical = _is_medical(head)
        level = "doctorate" if is_medical else entry.level or ("diploma" if DIPLOMA.search(head) else "other")
        if not UNFINISHED.search(head):
            completed.append((DEGREE_LEVELS.index(level), is_medical or SCIENTIFIC.search(head) is not None))
    return max(completed)


def is_foreign_doctor(profile: Profile, text: str) -> bool:
    """Trained as a doctor in another country than that of the address (the United States where there is none)."""
    home = profile.country or HOME
    for entry, head in _heads(profile, text):
        if FIRST_MEDICAL_DEGREE.search(head) and home == HOME:
            return True  # no school of the United States gives it
        is_doctor = _is_medical(head)
        if is_doctor and (FOREIGN_GRADUATE.search(text) or _is_abroad(_own_text(entry, text), home)):
            return True
    return False


def _heads(profile: Profile, text: str) -> list[tuple[Education, str]]:
    """Each study with the lines that say what it was, without the name of the school: "Medical College" is no field."""
    heads = []
    for entry in profile.education:
        head = _own_text(entry, text)
        if entry.university is not None:
            head = head.replace(entry.university.surface, " ")
        heads.append((entry, head))
    return heads


def _own_text(entry: Education, text: str) -> str:
    """From the start of the entry to the end of the line with the last of its facts; courses and theses are below."""
    facts = (entry.university, entry.degree, entry.field, entry.year)
    last = max((fact.evidence.end for fact in facts if fact is not None), default=entry.evidence.start)
    first = min((fact.evidence.start for fact in facts if fact is not None), default=entry.evidence.start)
    end = text.find("\n", last)
    return text[min(first, entry.evidence.start) : end if end >= 0 else len(text)]


def _is_medical(head: str) -> bool:
    return FIRST_MEDICAL_DEGREE.search(head) is not None or MEDICAL_DOCTOR.search(head) is not None


def _is_abroad(head: str, home: str) -> bool:
    """Whether a place is named that lies elsewhere, and none that may lie at home."""
    named = [lands for match in _CAPITALIZED.finditer(head) if (lands := _countries_of(match[0]))]
    return bool(named) and all(home not in lands for lands in named)


def _countries_of(name: str) -> set[str]:
    lands = [city.country for city in cities_named(name)]  # that of the largest city first
    return {name, *lands[:1]} if name.lower() in countries() else set(lands)
