"""Small resumes with everything that would have been mined from them."""

from __future__ import annotations

import hashlib

from evenhand.records import Document, Evidence, Fact, Job, Line, Profile, Skill, Source, Warning
from evenhand.store.applications import Arrival
from evenhand.store.mined import MiningResult
from evenhand.store.store import Store

JOB = Job(text="Java developer wanted.", title="Java developer")


def mine(data: bytes, *, sketch: bytes | None = b"sketch", digest: bytes = b"digest") -> MiningResult:
    """As if the bytes were a text resume that mentions one skill, its first word."""
    text = data.decode()
    sha256 = hashlib.sha256(data).hexdigest()
    warning = Warning("hidden_text", "A word is hidden.")
    line = Line(0, len(text), 1, None, None, None, False, False, None, None, None)
    document = Document("cv.txt", sha256, "txt", 1, "parsed", text, (), (line,), (), (warning,), None)
    end = text.find(" ")
    place = Evidence(0, end, 1, "lexicon", 0.9)
    skill = Skill(text[:end].lower(), (text[:end],), 36, 40, "2029-12", (place,))
    profile = Profile(Source.of(document), "2030-01", name=Fact("Ada", text[:end], place), skills=(skill,))
    return MiningResult(document=document, profile=profile, miner="1", digest=digest, digest_version="1", sketch=sketch)


def arrive(store: Store, job: str, text: str, *, source: str | None = None) -> Arrival:
    """The file is kept, the rest is ready to be added."""
    data = text.encode()
    return Arrival(job=job, sha256=store.files.save(data), source=source, file=f"{text[:4]}.txt", mined=mine(data))


def apply(store: Store, job: str, *texts: str) -> list[str]:
    """The ids of one application per text."""
    return [saved.application for saved in store.applications.add([arrive(store, job, text) for text in texts])]
