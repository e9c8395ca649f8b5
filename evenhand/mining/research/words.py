"""Words by which readers of resumes tell clinical research from the bench, the ward and the desk."""

from __future__ import annotations

import re


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
    r"hospital\b",
    r"clinic\b",
    r"medical cent(?:er|re)\b",
    r"health ?care\b",
    r"health (?:system|cent(?:er|re))\b",
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
        (
            "data capture",
            r"(?:REDCap|electronic data capture|EDC\b|medidata|oncore|openclinica|study database)",
        ),
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

UNPAID = re.compile(
    r"\b(?:unpaid|volunteer(?:s|ed|ing)?|observer(?:ship)?|extern(?:ship)?|shadow(?:ed|ing))\b", re.I
)
STUDENT = re.compile(
    r"\b(?:undergraduate|graduate (?:research|student|assistant)|student|thesis|doctoral)\b", re.I
)
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
VOLUNTEERING = re.compile(r"^\W*(?:Volunteer(?:s|ed)?|Unpaid|Shadow(?:s|ed))\b", re.MULTILINE)
"""Said of oneself, at the start of a sentence: who trains volunteers is paid."""


def count_terms(text: str, terms: tuple[tuple[str, re.Pattern[str]], ...]) -> int:
    """How many different ones of them the text has."""
    return sum(pattern.search(text) is not None for _, pattern in terms)
