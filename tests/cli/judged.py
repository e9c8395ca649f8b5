"""Applicants of whom only two things are known, their words and their degree, and people who decide on them."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from evenhand.records import Document, Job, Profile, Source
from evenhand.search.feature_extraction import extract_features
from evenhand.search.mining_results import FEATURES_VERSION
from evenhand.store.applications import Arrival
from evenhand.store.mined import MiningResult
from evenhand.store.store import Store

WORDS = ("payroll", "ledger", "audit", "invoices", "budget", "forecast", "treasury", "taxes")
JOB = Job(text=f"Accountant for {' '.join(WORDS)}.", degree="master")


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    words: int  # of the job's, that the resume has
    degree: str

    @property
    def text(self) -> str:
        return f"{self.name} knows {' '.join(WORDS[: self.words])}."


Taste = Callable[[Person], bool]


def likes_degrees(person: Person) -> bool:
    return person.degree == "master"


def dislikes_degrees(person: Person) -> bool:
    return person.degree != "master"


def by_lot(person: Person, *, seed: int) -> bool:
    return random.Random(f"{seed} {person.name}").random() < 0.5


def people(prefix: str, number: int) -> list[Person]:
    """Words and degrees have nothing to do with each other: each number of words occurs with both."""
    return [
        Person(f"{prefix}{at}", at // 2 % (len(WORDS) + 1), "master" if at % 2 else "highschool")
        for at in range(number)
    ]


def arrive(store: Store, job: str, some: Sequence[Person]) -> dict[str, str]:
    """The applications' ids, by the names of the people."""
    saved = store.applications.add([_arrival(store, job, person) for person in some])
    return {person.name: each.application for person, each in zip(some, saved, strict=True)}


def _arrival(store: Store, job: str, person: Person) -> Arrival:
    data = person.text.encode()
    sha256 = hashlib.sha256(data).hexdigest()
    document = Document(None, sha256, "txt", 1, "parsed", person.text, (), (), (), (), None)
    profile = Profile(Source.of(document), "2026-01", highest_degree=person.degree)
    mined = MiningResult(
        document=document,
        profile=profile,
        miner="1",
        digest=extract_features(person.text, profile).to_bytes(),
        digest_version=FEATURES_VERSION,
    )
    return Arrival(job=job, sha256=store.files.save(data), file=f"{person.name}.txt", mined=mined)


def judge(store: Store, job: str, user: str, number: int, taste: Taste) -> dict[str, str]:
    """The user decides on people of their own, by one taste; the ids by name."""
    some = people(user, number)
    ids = arrive(store, job, some)
    for action, wanted in (("shortlist", True), ("reject", False)):
        chosen = [ids[person.name] for person in some if taste(person) is wanted]
        for start in range(0, len(chosen), 10):
            store.decisions.decide(chosen[start : start + 10], action, actor=user, reason="read it")
    return ids


def noise(seed: int) -> Taste:
    return partial(by_lot, seed=seed)


PROBES = [Person("learned", 3, "master"), Person("worded", 8, "highschool"), Person("neither", 0, "highschool")]
"""By the defaults words decide, by a taste for degrees the degree: nobody has decided on these."""
