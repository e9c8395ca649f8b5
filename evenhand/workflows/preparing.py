"""What mining would note on examples, taken before any chain model looks at them."""

from __future__ import annotations

from collections.abc import Sequence

from evenhand.mining.contact import find_contacts
from evenhand.mining.dates import find_dates
from evenhand.mining.examples import Example
from evenhand.mining.learning import Prepared, prepare
from evenhand.mining.notes import Notes
from evenhand.mining.noting import take_notes
from evenhand.mining.sheet import lay_out
from evenhand.mining.tables import TableModel, analyse
from evenhand.mining.vocabulary import Vocabulary
from evenhand.records.document import Document
from evenhand.workflows.watching import Watch, unwatched, watched


def note(document: Document, vocabulary: Vocabulary, tables: TableModel | None) -> Notes:
    """The notes of a document, as the miner takes them; without a table model, tables have no types."""
    return take_notes(
        lay_out(document),
        vocabulary,
        dates=find_dates(document.text),
        contacts=find_contacts(document.text, document.lines),
        tables=analyse(document, tables) if tables else None,
    )


def prepare_all(
    examples: Sequence[Example],
    vocabulary: Vocabulary,
    tables: TableModel | None,
    *,
    watch: Watch = unwatched,
) -> list[Prepared]:
    return prepare(
        watched(examples, watch, "notes", len(examples)),
        lambda example: note(example.document, vocabulary, tables),
    )
