"""Which law asks for what, which part of Evenhand answers, and which file of the evidence pack shows it.

A reading for practitioners, not legal advice: whether a law applies, and whether this is enough, lawyers say.
"""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.records.report import Grid, Paragraph, Report, Section

COLUMNS = ("Duty", "What it asks for", "What answers it here", "Where it is in the pack")
NO_ADVICE = (
    "This table is a reading for practitioners and no legal advice. It tells where evidence lies, not that a duty is "
    "met; dates of laws that were not in force in November 2026 may have moved."
)


@dataclass(frozen=True, slots=True)
class Duty:
    law: str
    asks: str
    feature: str
    files: tuple[str, ...]

    @property
    def row(self) -> tuple[str, str, str, str]:
        return self.law, self.asks, self.feature, ", ".join(self.files)


DUTIES = (
    Duty(
        "New York City Local Law 144 (6 RCNY 5-300 to 5-304)",
        "A bias audit within a year before use, by sex, race or ethnicity and both together; its summary published "
        "with the dates of audit and first use; applicants told ten business days before.",
        "Selection and scoring rates with impact ratios by the rule's own definitions, unknowns counted, small "
        "categories left out only with a reason; notices on record.",
        ("ll144/summary.html", "ll144/summary.csv", "ll144/summary.json", "notices/notices.md"),
    ),
    Duty(
        "Uniform Guidelines on Employee Selection Procedures (29 CFR 1607.4 D)",
        "Selection rates compared by the four-fifths rule, together with statistical significance and an eye on "
        "small numbers.",
        "Impact ratio, exact test, interval, warning under a minimum number, and whether one or two other decisions "
        "would turn the result.",
        ("adverse-impact/table.html", "adverse-impact/tables.csv"),
    ),
    Duty(
        "EU AI Act, Annex III 4(a), Articles 9 to 15",
        "For tools that sort applications: risks known and watched, data examined for bias, instructions for use, "
        "accuracy and limits stated, people able to oversee.",
        "Scheduled bias audits with what has become worse, instructions for use, model cards, no rejection without a "
        "person, explanations of every rank.",
        ("audits/", "instructions/instructions-for-use.md", "models/"),
    ),
    Duty(
        "EU AI Act, Articles 12, 19 and 26",
        "Events logged by themselves, kept, and open to inspection; whoever uses the tool watches how it works.",
        "A ledger in which every event holds the hash of the one before, signed checkpoints, replay of any ranking.",
        ("log/events.jsonl", "log/verification.json"),
    ),
    Duty(
        "EU AI Act, Article 86; GDPR Articles 13 to 15 and 22",
        "Applicants told that and how a tool was used, an explanation of its part in the decision, no decision by a "
        "machine alone, a copy of their data.",
        "Receipt for each applicant with the parts of the score and what would have changed it; decisions are made by "
        "people and can be undone.",
        ("notices/notices.md", "instructions/instructions-for-use.md"),
    ),
    Duty(
        "GDPR Article 17",
        "Data erased when they are no longer needed, without losing the proof of what was done.",
        "Erasure with a signed certificate; the ledger holds commitments only and stays whole; quotations in audit "
        "reports go too.",
        ("log/events.jsonl", "log/verification.json"),
    ),
    Duty(
        "Colorado SB 26-189 (from 2027), Illinois HB 3773, California's rules on automated decisions in employment",
        "Applicants told before and after, a way to correct data and to have a person look again, no use of postal "
        "codes in place of a group, records kept.",
        "Notices on record, corrections with their effect on rank, undo and override, a ranker without a part for "
        "groups or postal codes, retention rules.",
        ("notices/notices.md", "log/events.jsonl", "instructions/instructions-for-use.md"),
    ),
    Duty(
        "Model documentation",
        "For every model: what it says, from which data it learned, how well, for whom worse, and what it is not for.",
        "One card for each model that is installed, with its figures.",
        ("models/",),
    ),
)


def duties_report(made: str) -> Report:
    grid = Grid("Duties, features, evidence", COLUMNS, tuple(duty.row for duty in DUTIES))
    section = Section("Which duty is answered where", (Paragraph(NO_ADVICE), grid))
    return Report("summary", "Duties and where their evidence lies", "Evidence pack", made, (), (section,))


def duties_markdown() -> str:
    lines = [f"| {' | '.join(COLUMNS)} |", "|" + "---|" * len(COLUMNS)]
    lines += [f"| {' | '.join((*duty.row[:3], _files(duty)))} |" for duty in DUTIES]
    return "\n".join(lines) + "\n"


def _files(duty: Duty) -> str:
    return ", ".join(f"`{file}`" for file in duty.files)
