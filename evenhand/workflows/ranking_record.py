"""What the ledger keeps of a ranking that was shown: enough to make it again, and nothing that names anyone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from evenhand.errors import UsageError
from evenhand.records import content_hash
from evenhand.records.event import Draft, Subject
from evenhand.search.index.conditions import MOST_EXPANSIONS
from evenhand.search.index.schema import VERSION as INDEX_VERSION
from evenhand.search.index.schema import analyzer_signature
from evenhand.search.query import parse
from evenhand.search.query.tree import All, AnyOf, Node, Not, Words
from evenhand.search.recorded_statistics import RecordingStatistics
from evenhand.settings import Settings
from evenhand.version import __version__
from evenhand.workflows.mined_data import DIGEST_VERSION
from evenhand.workflows.screening import Screen, Screener

SETTINGS = ("encoder", "lexicon", "mined_characters", "miner_models", "ocr", "ocr_pages", "pages")
"""Those that can change what a resume or a search is understood as."""


@dataclass(frozen=True)
class RecordedScreener:
    """A screener that notes what it is told, for the ranking it makes. One for each page that is shown."""

    screener: Screener
    statistics: RecordingStatistics
    skills: dict[str, str] = field(default_factory=dict)  # as typed, and what it was resolved to

    @classmethod
    def of(cls, screener: Screener) -> RecordedScreener:
        statistics = RecordingStatistics(screener.snapshot.statistics)
        skills: dict[str, str] = {}
        noted = replace(
            screener, statistics=statistics, resolve_skill=_noting(screener.resolve_skill, skills)
        )
        return cls(noted, statistics, skills)

    def draft(self, screen: Screen, settings: Settings, *, actor: str, first: int, size: int) -> Draft:
        """Of what this screener has just shown."""
        job = screen.criteria.job
        if job is None:
            raise UsageError("A ranking is recorded for one job.")
        names = sorted({part.name for each in screen.listed for part in each.result.score.parts})
        return Draft(
            "ranking",
            actor,
            job,
            body={
                "requirements": content_hash(screen.job.to_json()),
                "ranker": self.screener.ranker.name,
                "weights": screen.weights.to_json() if screen.weights else None,
                "versions": versions(),
                "settings": settings_hash(settings),
                "state": self.screener.snapshot.revision,
                "settled": self.screener.snapshot.settled,
                "total": screen.total,
                "ordered": screen.ordered,
                "first": first,
                "size": size,
                "listed": _listed(screen, names),
            },
            sealed={
                "criteria": screen.criteria.to_json(),
                "names": names,
                "told": self._told(screen),
                **({"proposed": list(screen.proposed)} if screen.proposed else {}),
            },
        )

    def _told(self, screen: Screen) -> dict[str, Any]:
        return {
            "statistics": self.statistics.to_json(),
            "skills": dict(self.skills),
            "expansions": dict(self._expansions(screen.criteria.text)),
        }

    def _expansions(self, text: str) -> Iterator[tuple[str, list[str]]]:
        """Of prefixes that stand for more terms than are searched for: which ones are depends on all resumes."""
        if "*" not in text:
            return
        found = parse(text, resolve_skill=self.screener.resolve_skill)
        for words in prefixes((*found.wishes, *found.conditions)):
            terms = self.screener.snapshot.conditions.expansions(words)
            if len(terms) >= MOST_EXPANSIONS:
                yield expansion_key(words), terms


def versions() -> dict[str, Any]:
    return {
        "evenhand": __version__,
        "miner": __version__,
        "digest": DIGEST_VERSION,
        "index": INDEX_VERSION,
        "analyzer": analyzer_signature(),
    }


def settings_hash(settings: Settings) -> str:
    return content_hash({name: getattr(settings, name) for name in SETTINGS})


def prefixes(nodes: tuple[Node, ...]) -> Iterator[Words]:
    for node in nodes:
        match node:
            case Words():
                if node.prefix:
                    yield node
            case Not():
                yield from prefixes((node.node,))
            case All() | AnyOf():
                yield from prefixes(node.nodes)


def expansion_key(words: Words) -> str:
    return f"{words.where or ''}:{words.text.casefold()}"


def _noting(resolve: Callable[[str], str] | None, noted: dict[str, str]) -> Callable[[str], str] | None:
    if resolve is None:
        return None

    def note(name: str) -> str:
        noted[name] = found = resolve(name)
        return found

    return note


def _listed(screen: Screen, names: list[str]) -> list[Any]:
    """Names of parts hold words that were typed; here each is its place in the sealed list of them."""
    place: Mapping[str, int] = {name: at for at, name in enumerate(names)}
    return [
        [
            Subject(each.entry.application),
            [[place[part.name], part.value] for part in each.result.score.parts],
        ]
        for each in screen.listed
    ]
