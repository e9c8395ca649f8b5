"""The jobs of the demo: which ads, who is drawn to them, and what is planted among their applicants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

PORTAL = "Career portal"
COPIED = "copied"  # besides the cases of a corpus: the job's own text in plain sight
ENCRYPTED, TRUNCATED, PICTURE, EMPTY = ("encrypted", "truncated", "picture", "empty")  # files that nobody can read

Trade = tuple[str, str]
"""A kind of careers, and the lexicon of an occupation within it."""


@dataclass(frozen=True, slots=True)
class DemoJob:
    """A job: its ad, whose trade it is, who else tries, and by which ways they come, with weights."""

    ad: str
    trade: Trade
    near: tuple[Trade, ...]
    sources: Mapping[str, float]
    dropped: tuple[str, ...] = ()  # demands that whoever added the job took out: a word of the title is no skill

    def text(self) -> str:
        return (files("evenhand") / "sample_jobs" / f"{self.ad}.txt").read_text(encoding="utf-8")


OPENINGS = (
    DemoJob(
        "sales-manager",
        ("mixed", "sales_manager"),
        (("mixed", "business_development"), ("mixed", "customer_support"), ("mixed", "bank_teller")),
        {PORTAL: 50, "Agency": 30, "Referral": 20},
        dropped=("sales",),
    ),
    DemoJob(
        "marketing-manager",
        ("mixed", "marketing_manager"),
        (("mixed", "digital_media"), ("mixed", "public_relations"), ("mixed", "graphic_designer")),
        {PORTAL: 55, "Job board": 35, "Referral": 10},
        dropped=("marketing",),
    ),
    DemoJob(
        "registered-nurse",
        ("mixed", "nurse"),
        (("mixed", "pharmacist"), ("mixed", "social_worker"), ("mixed", "fitness_trainer")),
        {PORTAL: 60, "Job fair": 25, "Referral": 15},
    ),
    DemoJob(
        "accountant",
        ("mixed", "accountant"),
        (("mixed", "bank_teller"), ("mixed", "administrative_assistant"), ("mixed", "data_analyst")),
        {PORTAL: 45, "Job board": 30, "Agency": 25},
    ),
    DemoJob(
        "electrician",
        ("mixed", "electrician"),
        (("mixed", "construction_manager"), ("mixed", "mechanical_engineer"), ("mixed", "civil_engineer")),
        {PORTAL: 40, "Agency": 35, "Referral": 25},
    ),
    DemoJob(
        "data-warehouse-engineer",
        ("it", "data_engineer"),
        (("it", "dba"), ("it", "python_cloud"), ("mixed", "data_analyst"), ("mixed", "software_developer")),
        {PORTAL: 50, "Agency": 35, "Referral": 15},
    ),
)


@dataclass(frozen=True, slots=True)
class Double:
    """People of a trade who apply for one opening and then for another."""

    trade: Trade
    first: str
    other: str


DOUBLES = (
    Double(("mixed", "sales_manager"), "sales-manager", "marketing-manager"),
    Double(("mixed", "marketing_manager"), "marketing-manager", "sales-manager"),
    Double(("mixed", "data_analyst"), "data-warehouse-engineer", "accountant"),
)


@dataclass(frozen=True, slots=True)
class DemoSize:
    """How many of each sort apply for an opening; by opening, what is planted among those of its trade."""

    trade: int
    near: int
    others: int
    doubles: int  # at most, of each of `DOUBLES`
    planted: tuple[tuple[str, ...], ...]
    broken: tuple[tuple[str, ...], ...]


_USUAL = ("duplicates", "duplicates", "no-hire", "non-accredited", "hidden", "stuffing")

SIZES = {
    "full": DemoSize(
        trade=60,
        near=24,
        others=20,
        doubles=4,
        planted=(
            (*_USUAL, "lookalikes", "scans", COPIED),
            (*_USUAL, "hidden", "no-hire"),
            (*_USUAL, "non-accredited", "scans"),
            (*_USUAL, "hidden", "lookalikes"),
            (*_USUAL, "no-hire", "scans"),
            (*_USUAL, "hidden", "non-accredited"),
        ),
        broken=((ENCRYPTED, EMPTY), (TRUNCATED,), (PICTURE,), (), (), (ENCRYPTED,)),
    ),
    "small": DemoSize(
        trade=12,
        near=5,
        others=3,
        doubles=2,
        planted=(
            ("duplicates", "no-hire", "hidden", "scans", COPIED),
            ("duplicates", "non-accredited", "lookalikes", "stuffing"),
        ),
        broken=((ENCRYPTED, EMPTY), (TRUNCATED, PICTURE)),
    ),
}
