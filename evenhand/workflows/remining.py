"""Mines kept files again: after the mined data were dropped, or when a newer Evenhand mines better."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from evenhand import __version__
from evenhand.records import Failure, Unread
from evenhand.settings import Settings
from evenhand.store import KeptDocument, Store
from evenhand.workflows.corrected_readings import recorrected
from evenhand.workflows.mined_data import DIGEST_VERSION, to_keep, with_name
from evenhand.workflows.mining import Mined, mine_with_documents
from evenhand.workflows.watching import Watch, unwatched

BATCH = 32  # files in one transaction
LOST = Failure("unreadable_file", "The kept file is gone, or its bytes are no longer those that came.")


@dataclass(slots=True)
class Remined:
    """What became of the documents that were to be mined; an error names the file as it came."""

    mined: int = 0
    errors: list[Unread] = field(default_factory=list)


def remine(
    store: Store, *, settings: Settings, as_of: str | None = None, watch: Watch = unwatched
) -> Remined:
    """Mine every document that never was, or by another version. Cut off, the next run goes on with the rest.

    "Present" means the month in which a file came, so that facts do not depend on the day they are mined; `as_of` is
    for files that were taken in with a month of their own.
    """
    waiting = list(store.unmined(miner=__version__, digest_version=DIGEST_VERSION))
    summary = Remined()
    with watch("Mining", len(waiting)) as bar:
        for month, documents in sorted(_by_month(store, waiting, as_of).items()):
            for batch in _mined(store, documents, month, settings):
                _save(store, batch, summary)
                for _ in batch:
                    bar.advance()
    return summary


def _by_month(store: Store, hashes: Sequence[str], as_of: str | None) -> dict[str, list[KeptDocument]]:
    months: dict[str, list[KeptDocument]] = defaultdict(list)
    for document in store.documents(hashes):
        months[as_of or document.received.astimezone().strftime("%Y-%m")].append(document)
    return months


Again = tuple[KeptDocument, Mined]


def _mined(
    store: Store, documents: Sequence[KeptDocument], month: str, settings: Settings
) -> Iterator[list[Again]]:
    paths = (store.files.path(document.sha256) for document in documents)
    batch: list[Again] = []
    mined = mine_with_documents(paths, as_of=month, settings=settings)
    for document, found in zip(documents, mined, strict=True):
        batch.append((document, with_name(found, document.file)))
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _save(store: Store, batch: Sequence[Again], summary: Remined) -> None:
    present = store.mined([document.sha256 for document, _ in batch])
    kept = []
    for document, mined in batch:
        is_lost = mined.document.sha256 != document.sha256
        failure = LOST if is_lost else mined.failure
        if failure is None:
            kept.append(to_keep(mined))
            summary.mined += 1
            continue
        summary.errors.append(Unread(document.file or document.sha256, failure))
        # What an earlier version found is better than nothing; where there is nothing, an application without facts
        # stays on the list, with the reason beside it. No version: the next run may do better.
        if not is_lost and document.sha256 not in present:
            kept.append(replace(to_keep(mined), miner=""))
    store.save_mined(recorrected(store, kept))
