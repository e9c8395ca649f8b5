"""Tables as people put them into resumes, with their right answers: many wordings, orders and shapes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from evenhand.corpora.kinds import sample_career
from evenhand.corpora.rng import chance, stream, weighted
from evenhand.corpora.writing.dates import STYLES
from evenhand.mining.examples import Example
from evenhand.workflows.table_fixtures.document import example_of_tables
from evenhand.workflows.table_fixtures.jobs import employer_grid, employer_keys, project_grid, project_keys
from evenhand.workflows.table_fixtures.making import FOLDS, MadeTable, Maker
from evenhand.workflows.table_fixtures.people import personal_keys, personal_line, references
from evenhand.workflows.table_fixtures.skills import (
    certificates,
    events,
    language_grid,
    layout,
    one_column,
    skill_groups,
    skill_lengths,
    skill_matrix,
)
from evenhand.workflows.table_fixtures.studies import (
    education_grid,
    education_keys,
    education_stack,
    transcript,
)

Kind = Callable[[Maker], MadeTable | None]
_EDUCATION: dict[Kind, float] = {
    education_grid: 8.0, education_keys: 1.0, education_stack: 1.0, transcript: 0.5
}  # fmt: skip
_EMPLOYERS: dict[Kind, float] = {employer_grid: 6.0, employer_keys: 3.0}
_PERSONAL: dict[Kind, float] = {personal_keys: 7.0, personal_line: 1.0}
_REST: dict[Kind, float] = {
    skill_groups: 4.0, skill_matrix: 2.0, skill_lengths: 1.0, project_keys: 3.0, project_grid: 1.5,
    certificates: 1.0, events: 1.0, language_grid: 0.7, references: 0.7, layout: 1.5, one_column: 1.5,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fixture:
    example: Example
    tables: tuple[MadeTable, ...]  # as the document's


def make_fixture(seed: int, number: int) -> Fixture:
    """A document of a few tables.

    Resumes whose numbers differ in number % FOLDS share no wording of a label, as far as there are FOLDS of them.
    """
    rng = stream(seed, number, "tables")
    career, _ = sample_career(rng.choice(("it", "it", "mixed")), seed=seed, number=number)
    style = weighted(rng, {name: weight for name, (weight, _, _) in STYLES.items()})
    _, joints, presents = STYLES[style]
    maker = Maker(rng, career, number % FOLDS, style, rng.choice(joints), rng.choice(presents))
    tables = []
    for kinds in (_EDUCATION, _EMPLOYERS, _PERSONAL, _REST, _REST):
        if chance(rng, 0.7):
            made = weighted(rng, kinds)(maker)
            if made is not None and sum(bool(cell) for row in made.rows for cell in row) > 1:
                tables.append(made)
    rng.shuffle(tables)
    return Fixture(example_of_tables(f"table fixture {number}", tables), tuple(tables))
