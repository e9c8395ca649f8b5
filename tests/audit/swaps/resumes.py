"""One resume of an invented person, marked by the real miner and the real finders."""

from __future__ import annotations

from functools import lru_cache

import evenhand
from evenhand.audit.swaps.editing import Edit, apply_edits
from evenhand.audit.swaps.marked import Marked
from evenhand.workflows.auditing.swap_pool import Subject
from evenhand.workflows.mining import mine

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
def subject(text: str = RESUME) -> Subject:
    document = evenhand.read(text.encode(), name="resume.txt")
    return Subject("resume.txt", document, mine(document, as_of="2026-11"))


def marked(text: str = RESUME) -> Marked:
    return subject(text).marked()


def changed(one: Marked, edits: tuple[Edit, ...] | None) -> str:
    assert edits is not None
    return apply_edits(one.document, edits).document.text
