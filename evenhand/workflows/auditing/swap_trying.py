"""Every planned edit made, read anew and judged, block by block; a run that was stopped goes on where it was."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from evenhand.audit.swaps.editing import apply_edits
from evenhand.audit.swaps.effects import Integers
from evenhand.audit.swaps.plan import Variant, plan
from evenhand.audit.swaps.trials import Trials, columns_of
from evenhand.audit.swaps.values import Family
from evenhand.records import canonical_json
from evenhand.records.document import Document
from evenhand.records.profile import Profile
from evenhand.settings import Settings
from evenhand.version import __version__
from evenhand.workflows.auditing.swap_judges import Judged, Reading, SwapJudge
from evenhand.workflows.auditing.swap_pool import Subject
from evenhand.workflows.mining_one import is_failed, shortened
from evenhand.workflows.mining_pool import MiningPool
from evenhand.workflows.order import in_order
from evenhand.workflows.section_vectors import SectionEncoder
from evenhand.workflows.watching import Watch, unwatched

BLOCK = 8  # resumes; what a run that is stopped loses at most


@dataclass(frozen=True, slots=True)
class Planned:
    """A resume with all that is to be tried with it."""

    number: int
    subject: Subject
    variants: tuple[Variant, ...]


def plan_all(subjects: Sequence[Subject], families: Sequence[Family], *, seed: int) -> list[Planned]:
    return [
        Planned(number, subject, tuple(plan(subject.marked(), families, number=number, seed=seed)))
        for number, subject in enumerate(subjects)
    ]


def try_all(
    planned: Sequence[Planned],
    families: tuple[Family, ...],
    judges: Sequence[SwapJudge],
    *,
    encoder: SectionEncoder | None = None,
    kept: Path | None = None,
    settings: Settings | None = None,
    watch: Watch = unwatched,
) -> Trials:
    """`kept` is a folder for what is done already; the same pool, families and judges find it again there."""
    settings = settings or Settings()
    blocks = [planned[start : start + BLOCK] for start in range(0, len(planned), BLOCK)]
    files = [_file(kept, block, judges) for block in blocks]
    done = [_load(file, block, judges) for file, block in zip(files, blocks, strict=True)]
    missing = [one for block, found in zip(blocks, done, strict=True) if found is None for one in block]
    total = sum(len(one.variants) for one in planned)
    with watch("Trying edits", total) as bar, MiningPool(settings) as miners:
        profiles = read_variants(missing, miners, settings)
        for at, block in enumerate(blocks):
            if done[at] is None:
                done[at] = _judged(block, judges, profiles, encoder)
                _save(files[at], done[at])
            for _ in range(sum(len(one.variants) for one in block)):
                bar.advance()
    return _trials(planned, families, judges, [found for found in done if found is not None])


def read_variants(
    planned: Sequence[Planned], miners: MiningPool, settings: Settings
) -> Iterator[tuple[Document, Profile]]:
    """In the order of the plan, on all processors; an edited text is mined as if it had come that way."""

    def read(item: tuple[Subject, Variant]) -> tuple[Document, Profile]:
        subject, variant = item
        if not variant.edits:
            return subject.document, subject.profile
        document = apply_edits(subject.document, variant.edits).document
        part, _ = shortened(document, settings.mined_characters)
        return document, miners.mine(part, as_of=subject.profile.as_of)

    items = ((one.subject, variant) for one in planned for variant in one.variants)
    return in_order(read, items, threads=settings.workers or os.cpu_count() or 1)


Block = list[tuple[Judged, Judged]]
"""For each judge: of the resumes of a block as they are, and of all that was tried with them."""


def _judged(
    block: Sequence[Planned],
    judges: Sequence[SwapJudge],
    profiles: Iterator[tuple[Document, Profile]],
    encoder: SectionEncoder | None,
) -> Block:
    found: list[list[tuple[Judged, Judged]]] = [[] for _ in judges]
    for one in block:
        base = Reading(one.subject.text, one.subject.profile, encoder)
        read = list(islice(profiles, len(one.variants)))
        readings = [Reading(document.text, profile, encoder) for document, profile in read]
        lost = np.array([is_failed(profile) for _, profile in read], bool)
        for rows, judge in zip(found, judges, strict=True):
            tried = judge.judge(base, readings)
            rows.append(
                (judge.judge(base, [base]), replace(tried, score=np.where(lost, np.nan, tried.score)))
            )
    return [(_joined([base for base, _ in rows]), _joined([tried for _, tried in rows])) for rows in found]


def _joined(parts: Sequence[Judged]) -> Judged:
    return Judged(
        np.concatenate([part.score for part in parts]), np.concatenate([part.label for part in parts])
    )


def _trials(
    planned: Sequence[Planned],
    families: tuple[Family, ...],
    judges: Sequence[SwapJudge],
    blocks: Sequence[Block],
) -> Trials:
    trials = columns_of([(one.number, variant) for one in planned for variant in one.variants], families)
    place: Integers = np.array([at for at, one in enumerate(planned) for _ in one.variants], np.int64)
    outcomes = []
    for number, judge in enumerate(judges):
        base = _joined([block[number][0] for block in blocks])
        tried = _joined([block[number][1] for block in blocks])
        outcomes.append(judge.outcome(tried, base, place))
    return replace(trials, outcomes=tuple(outcomes))


def work_key(*parts: Any) -> str:
    """Names the folder of a run: another pool, job, seed or version is another run."""
    return hashlib.sha256(canonical_json([__version__, *parts]).encode()).hexdigest()[:24]


def _file(kept: Path | None, block: Sequence[Planned], judges: Sequence[SwapJudge]) -> Path | None:
    if kept is None:
        return None
    tried = [
        [one.subject.document.sha256, one.subject.profile.as_of, [variant.value for variant in one.variants]]
        for one in block
    ]
    return kept / f"{work_key(tried, [judge.name for judge in judges])}.npz"


def _load(file: Path | None, block: Sequence[Planned], judges: Sequence[SwapJudge]) -> Block | None:
    """None for what is not there, or is not whole: then it is done again."""
    if file is None or not file.exists():
        return None
    rows = sum(len(one.variants) for one in block)
    try:
        with np.load(file) as kept:
            found = [
                tuple(
                    Judged(kept[f"{kind}_score_{at}"], kept[f"{kind}_label_{at}"])
                    for kind in ("base", "tried")
                )
                for at in range(len(judges))
            ]
    except (OSError, KeyError, ValueError, BadZipFile):
        return None
    is_whole = all(len(base.score) == len(block) and len(tried.score) == rows for base, tried in found)
    return [(base, tried) for base, tried in found] if is_whole else None


def _save(file: Path | None, block: Block | None) -> None:
    if file is None or block is None:
        return
    arrays = {
        f"{kind}_{column}_{at}": getattr(judged, column)
        for at, both in enumerate(block)
        for kind, judged in zip(("base", "tried"), both, strict=True)
        for column in ("score", "label")
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_suffix(f".{os.getpid()}.tmp.npz")
    np.savez(unfinished, **arrays)
    unfinished.replace(file)  # at once: a run that is killed leaves a whole block or none
