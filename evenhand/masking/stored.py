"""Masks that were found once, in a confined process, and are kept: whoever shows a resume runs no pattern over it.

They depend on the resume, on what was mined from it and corrected, on the form and on the file's name, and are found
for all kinds; which of them apply is decided when somebody looks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from evenhand.documents.sandbox import protocol
from evenhand.documents.sandbox.child import ChildDied, WorkerOptions
from evenhand.documents.sandbox.pool import WorkerPool
from evenhand.masking.identity import Form, Identity
from evenhand.masking.masker import MAX_CHARACTERS, Masker
from evenhand.masking.masks import KINDS, Mask, MaskedText, apply
from evenhand.records.conversion import is_valid
from evenhand.records.profile import Profile
from evenhand.settings import Settings

MASKS_VERSION = "3"
"""Another one when rules change what is masked: what was found by others is found anew."""
UNMASKED = "[This text could not be masked, and is not shown.]"
MAX_TOKEN = 40  # characters
MAX_PROCESSES = 2


@dataclass(frozen=True, slots=True)
class ResumeMasks:
    """All that is to be masked of one application, and who its owner is, to mask what others write about them."""

    identity: Identity = field(default_factory=Identity)
    streets: frozenset[str] = frozenset()
    masks: tuple[Mask, ...] = ()  # of the text, of every kind
    hidden: tuple[tuple[Mask, ...], ...] = ()  # of the texts that were set apart as hidden, in their order
    failed: bool = False  # they could not be found: nothing is shown

    def to_bytes(self) -> bytes:
        rows = [list(map(list, masks)) for masks in (self.masks, *self.hidden)]
        values = {"identity": self.identity.to_json(), "streets": sorted(self.streets), "masks": rows}
        return protocol.encode_json(values | ({"failed": True} if self.failed else {}))

    @classmethod
    def from_bytes(cls, data: bytes) -> ResumeMasks:
        """What `to_bytes` wrote, believed."""
        value = protocol.decode_json(data)
        own, *hidden = (tuple(Mask(*row) for row in rows) for rows in value["masks"])
        identity = Identity.from_json(value["identity"])
        return cls(identity, frozenset(value["streets"]), own, tuple(hidden), value.get("failed", False))


FAILED = ResumeMasks(failed=True)


class StoredMasker(Masker):
    """As a Masker, from what was found before. Whoever may not see names may see no contact data either."""

    def __init__(self, text: str, stored: ResumeMasks, kinds: Set[str]) -> None:
        super().__init__(text, kinds=kinds)
        self._stored = stored

    @property
    def identity(self) -> Identity:
        return self._stored.identity

    @property
    def streets(self) -> frozenset[str]:
        return self._stored.streets

    @cached_property
    def found(self) -> tuple[Mask, ...]:
        if self._stored.failed and self.kinds:
            return (Mask(0, len(self._text), self._first_kind, UNMASKED),)
        return tuple(mask for mask in self._stored.masks if mask.kind in self.kinds)

    def mask_text(self, text: str) -> MaskedText:
        if self._stored.failed and self.kinds and text:  # nobody can tell what names the applicant
            return apply(text, [Mask(0, len(text), self._first_kind, UNMASKED)])
        return super().mask_text(text)

    def clean_hidden(self, texts: Sequence[str]) -> list[str]:
        """Those texts of the document that were set apart as hidden, all of them."""
        if self._stored.failed or len(texts) != len(self._stored.hidden):
            return [UNMASKED if self.kinds else text for text in texts]
        return [
            apply(text, (*(mask for mask in masks if mask.kind in self.kinds), *self._rest(text))).text
            for text, masks in zip(texts, self._stored.hidden, strict=True)
        ]

    @property
    def _first_kind(self) -> str:
        return min(self.kinds, key=KINDS.index)


def find_all(
    text: str, profile: Profile, *, hidden: Sequence[str] = (), form: Form | None = None, file: str | None = None
) -> ResumeMasks:
    """Found here and now: for confined processes, and for texts that are nobody's attack."""
    masker = Masker(text, profile, form=form, file=file)
    apart = tuple(tuple(masker.find_in(part)) for part in hidden)
    return ResumeMasks(masker.identity, masker.streets, masker.found, apart)


class MaskingPool(WorkerPool):
    """Finds masks in confined processes that are stopped when they take too long."""

    def __init__(self, settings: Settings) -> None:
        options = WorkerOptions(
            kind="masking",
            task=__name__,
            memory_bytes=settings.memory_bytes,
            cpu_seconds=settings.cpu_seconds,
            wall_seconds=settings.wall_seconds,
            requests=settings.files_per_process,
            sandbox=settings.sandbox,
        )
        super().__init__(options, workers=MAX_PROCESSES)
        self._threads = ThreadPoolExecutor(MAX_PROCESSES, "evenhand-masking")

    def find(self, text: str, profile: Profile, *, hidden: Sequence[str], form: Form, file: str | None) -> ResumeMasks:
        """Never raises because of what the text contains."""
        return self.submit(text, profile, hidden=hidden, form=form, file=file).result()

    def submit(
        self, text: str, profile: Profile, *, hidden: Sequence[str], form: Form, file: str | None
    ) -> Future[ResumeMasks]:
        """As `find`, for who asks for many."""
        return self._threads.submit(self._find, text, profile, hidden, form, file)

    def _find(self, text: str, profile: Profile, hidden: Sequence[str], form: Form, file: str | None) -> ResumeMasks:
        texts = [text[:MAX_CHARACTERS], *(part[:MAX_CHARACTERS] for part in hidden)]
        # Of hidden texts, all together no more than of visible ones.
        if sum(map(len, texts[1:])) > MAX_CHARACTERS:
            texts[1:] = []
        request = {"texts": texts, "profile": profile.to_json(), "form": dict(form), "file": file}
        body = protocol.encode_json(request)
        try:
            return self.ask({}, body, lambda _, reply: masks_from(reply, texts))
        except ChildDied:
            return FAILED


_pools: dict[tuple[float | str, ...], MaskingPool] = {}


def masking_pool(settings: Settings) -> MaskingPool:
    """One for all data folders with the same limits: its processes are few, start slowly and end with ours."""
    times = settings.cpu_seconds, settings.wall_seconds
    limits = settings.memory_bytes, *times, settings.files_per_process, settings.sandbox
    if limits not in _pools:
        _pools.setdefault(limits, MaskingPool(settings))
    return _pools[limits]


def prepare(_: Mapping[str, Any]) -> Callable[[Mapping[str, Any], bytes], tuple[dict[str, Any], bytes]]:
    """What the confined process does with a request."""
    return lambda _, body: ({}, answer(body))


def warm(_: Mapping[str, Any]) -> Iterator[None]:
    """There is nothing more to load."""
    return iter(())


def answer(body: bytes) -> bytes:
    value = json.loads(body)
    text, *hidden = value["texts"]
    try:
        profile = Profile.from_json(value["profile"], text)
        found = find_all(text, profile, hidden=hidden, form=value["form"], file=value["file"])
    except Exception:  # whatever a stranger's text brings about: the next one may be masked all the same
        return FAILED.to_bytes()
    return found.to_bytes()


def masks_from(reply: bytes, texts: Sequence[str]) -> ResumeMasks:
    """Of a process that has handled a stranger's text: ValueError unless all of it is what it should be."""
    try:
        found = ResumeMasks.from_bytes(reply)
        is_sound = is_valid(found.identity, {}) and all(type(street) is str for street in found.streets)
        if found.failed:
            return FAILED
        is_sound = is_sound and len(found.hidden) == len(texts) - 1
        pairs = zip((found.masks, *found.hidden), texts, strict=True)
        if not is_sound or not all(_are_sound(masks, len(text)) for masks, text in pairs):
            raise ValueError("reply contradicts itself")
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError("reply holds no masks") from error
    return found


def _are_sound(masks: Iterable[Mask], length: int) -> bool:
    return all(
        type(mask.start) is int
        and type(mask.end) is int
        and 0 <= mask.start <= mask.end <= length
        and mask.kind in KINDS
        and (mask.token is None or (type(mask.token) is str and len(mask.token) <= MAX_TOKEN))
        for mask in masks
    )
