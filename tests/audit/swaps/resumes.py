"""One resume of an invented person, marked by the real miner and the real finders."""

from __future__ import annotations

from functools import lru_cache

import evenhand
from evenhand.audit.swaps.editing import AuditSubject, Edit, MarkedResume, apply_edits
from evenhand.mining.pipeline import mine

RESUME = """Marta Quillfeather
Boise, ID | marta.quillfeather@example.com | (208) 555-0142

Profile
Accountant with nine years of experience. Responsible for monthly closing and reporting.

Experience
Senior Accountant, Pellworth Stores
Denver, CO
March 2019 - Present
Responsible for general ledger, accounts payable and Excel reports.

Accountant, Tarvale Foods
June 2015 - February 2019
Prepared tax filings in QuickBooks and Excel.

Education
B.Sc. Accounting, Boise State University, 2015

Skills
Excel, QuickBooks, SAP, general ledger, accounts payable
"""


@lru_cache(maxsize=8)
def subject(text: str = RESUME) -> AuditSubject:
    document = evenhand.read(text.encode(), name="resume.txt")
    return AuditSubject("resume.txt", document, mine(document, as_of="2026-11"))


def marked(text: str = RESUME) -> MarkedResume:
    return subject(text).marked()


def changed(one: MarkedResume, edits: tuple[Edit, ...] | None) -> str:
    assert edits is not None
    return apply_edits(one.document, edits).document.text
