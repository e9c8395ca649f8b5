"""A pool of mining processes: every Document gets a Profile in time, even if it hangs or kills its process."""

from __future__ import annotations

from dataclasses import replace

from evenhand.documents.sandbox import protocol
from evenhand.documents.sandbox.child import ChildDied, WorkerOptions
from evenhand.documents.sandbox.pool import WorkerPool
from evenhand.errors import ParseTimeout
from evenhand.mining.in_process import failed_profile, user_lexicon, user_models
from evenhand.records.conversion import Rules, is_valid
from evenhand.records.document import Document
from evenhand.records.profile import (
    DEGREE_LEVELS,
    SECTION_TYPES,
    Education,
    Evidence,
    Profile,
    Project,
    Section,
    Source,
)
from evenhand.settings import Settings

MINER = "evenhand.mining.miner"  # module whose `load_miner` is used
TOO_SLOW = "Mining took too long and was stopped; there are no facts."
CRASHED = "This resume ended the mining process; there are no facts."


class MiningPool(WorkerPool):
    """Mines in as many processes as there are threads that ask, each of which mines one text or a few."""

    def __init__(self, settings: Settings, *, miner: str = MINER) -> None:
        lexicon, models = user_lexicon(settings), user_models(settings)
        own = {"lexicon": str(lexicon) if lexicon else None, "models": str(models) if models else None}
        options = WorkerOptions(
            kind="mining",
            task="evenhand.mining.worker",
            memory_bytes=settings.memory_bytes,
            cpu_seconds=settings.cpu_seconds,
            wall_seconds=settings.wall_seconds,
            requests=settings.files_per_process,
            sandbox=settings.sandbox,
            readable=tuple(path for path in own.values() if path),
            task_options=own | {"miner": miner},
        )
        super().__init__(options)

    def mine(self, document: Document, *, as_of: str) -> Profile:
        """Never raises because of what the text contains."""
        request = {"as_of": as_of, "file": document.file, "sha256": document.sha256}
        body = protocol.encode_document(document)
        try:
            return self.ask(request, body, lambda _, reply: profile_from(reply, document, as_of))
        except ChildDied as death:
            return failed_profile(document, as_of, TOO_SLOW if isinstance(death.error, ParseTimeout) else CRASHED)


def profile_from(body: bytes, document: Document, as_of: str) -> Profile:
    """The Profile in a reply, with our own source and month; ValueError when it is not one of this Document.

    Whoever took the process over writes what they like: what comes back is plain data, every value of the type that
    the record says, every place inside the text.
    """
    data = protocol.decode_json(body)
    try:
        profile = Profile.from_json(data, document.text)
    except (TypeError, KeyError, AttributeError, IndexError) as error:
        raise ValueError("reply is not a profile") from error
    profile = replace(profile, document=Source.of(document), as_of=as_of)
    length, jobs = len(document.text), len(profile.positions)
    rules: Rules = {
        Evidence: lambda place: (
            0 <= place.start <= place.end <= length and place.page >= 0 and 0 <= place.confidence <= 1
        ),
        Section: lambda section: 0 <= section.start <= section.end <= length and section.type in SECTION_TYPES,
        Education: lambda study: study.level is None or study.level in DEGREE_LEVELS,
        Project: lambda project: project.position is None or 0 <= project.position < jobs,
    }
    if not is_valid(profile, rules):
        raise ValueError("reply contradicts itself")
    return profile
