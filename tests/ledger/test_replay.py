"""Whatever happened since, every ranking that was shown can be made again, and a forged one cannot."""

from __future__ import annotations

import hashlib
import json
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import create_engine, delete, insert, select, text

from evenhand.applicants.corrections import (
    accept_correction,
    correct,
    decline_correction,
    list_proposed,
    revert_correction,
)
from evenhand.errors import NotFound, UsageError
from evenhand.ledger.recording import RecordedScreener, Recorder
from evenhand.ledger.replay import UNSETTLED, ReplayResult, replay, replay_all
from evenhand.ledger.verify import verify
from evenhand.mining.corrections import CorrectionInput
from evenhand.records import Demand, Job, canonical_json
from evenhand.records.event import LedgerEvent
from evenhand.screening.candidate_list import Viewer
from evenhand.screening.ingest import recorrected
from evenhand.screening.service import ingest_files, reprocess
from evenhand.search.criteria import Criteria, SkillCondition
from evenhand.search.feature_extraction import extract_features
from evenhand.search.mining_results import FEATURES_VERSION
from evenhand.search.rankers.best import Best, Weights
from evenhand.search.rankers.weights import WeightsInForce
from evenhand.search.service import Service
from evenhand.search.visibility import OPEN
from evenhand.settings import Settings
from evenhand.store.ledger_append import ledger, openings
from evenhand.store.mined import MiningResult
from evenhand_lab.corpora.generate import CorpusRequest, make
from tests.ledger.chains import rehash
from tests.screening.applicants import AS_OF, ASHA, BORIS, CLARA, DAVID, FIVE, JAVA_JOB, Taken, take_in

RANKERS = ("best", "bm25", "tfidf", "kl", "tfidf+skills")
TEXTS = ("", "kubernetes", '"data warehouse" sql', "java>=12", "NOT php", "prog* linux", "degree:master")
FACETS: tuple[dict[str, tuple[str, ...]], ...] = (
    {},
    {},
    {"status": ("new",)},
    {"status": ("screened", "rejected")},
    {"status": ("shortlisted",), "degree": ("master", "bachelor")},
    {"relevant_years": ("0-1", "1-3")},
    {"relevant_years": ("3-5", "5-10", "not stated")},
    {"skill": ("java",)},
)
OTHER_JOB = Job(
    text="We look for a data engineer who knows SQL and Python and builds reports.",
    title="Data Engineer",
    demands=(Demand(("sql",), True, 24), Demand(("python",), False, 12)),
)


def show(
    service: Service,
    criteria: Criteria,
    *,
    ranker: str = "best",
    first: int = 0,
    size: int = 20,
    depth: int | None = None,
    weights: Weights | None = None,
) -> LedgerEvent:
    """A page is made and its ranking recorded, as the server does it."""
    assert criteria.job
    with service.screener(criteria.job, ranker=ranker) as screener:
        noted = RecordedScreener.of(replace(screener, depth=depth or screener.depth))
        if weights:
            learned = replace(noted.screener, ranker=Best(weights), weights=WeightsInForce(3, weights))
            noted = replace(noted, screener=learned)
        screen = noted.screener.screen(criteria, first=first, size=size)
        draft = noted.draft(screen, service.settings, actor="ann", first=first, size=size)
    [event] = Recorder(service.store, service.settings).record([draft])
    return event


class Day:
    """Random work on two jobs, drawn from a seed."""

    def __init__(self, service: Service, folder: Path, seed: int) -> None:
        self.service = service
        self.rng = random.Random(seed)
        self.jobs = [service.store.jobs.add(JAVA_JOB), service.store.jobs.add(OTHER_JOB)]
        self.files = [folder / f"{number}.txt" for number in range(40)]
        for number, path in enumerate(self.files):
            path.write_bytes(make(CorpusRequest(seed=seed, kind="it", formats=("txt",)), number).files[0].data)
        self.left = list(self.files)
        self.shown: list[int] = []
        self.erased = 0
        self.ingest(24)

    def ingest(self, number: int) -> None:
        some, self.left = self.left[:number], self.left[number:]
        for job in self.jobs if number > 4 else [self.rng.choice(self.jobs)]:
            source = self.rng.choice(["portal", "agency"])
            ingest_files(self.service, some, job, total=len(some), source=source, as_of=AS_OF)

    def one_of(self, job: str) -> str:
        return self.rng.choice([each.id for each in self.service.store.applications.of_job(job)])

    def look(self) -> None:
        rng, job = self.rng, self.rng.choice(self.jobs)
        criteria = Criteria(
            job=job,
            text=rng.choice(TEXTS),
            facets=rng.choice(FACETS),
            skills=(SkillCondition("python", at_least=6),) if rng.random() < 0.15 else (),
        )
        event = show(
            self.service,
            criteria,
            ranker=rng.choice(RANKERS),
            first=rng.choice([0, 0, 0, 5, 10]),
            size=rng.choice([5, 10, 20]),
            depth=rng.choice([None, None, None, 8]),
        )
        self.shown.append(event.sequence)

    def decide(self) -> None:
        job = self.rng.choice(self.jobs)
        ids = sorted({self.one_of(job) for _ in range(3)})
        action = self.rng.choice(["screen", "shortlist", "reject"])
        try:
            made = self.service.store.decisions.decide(ids, action, actor="ann", reason="because", seen=self.shown[-1])
        except UsageError:
            return
        if made.changed and self.rng.random() < 0.3:
            self.service.store.decisions.undo(made.batch, actor="bob")

    def edit_job(self) -> None:
        job = self.rng.choice(self.jobs)
        asked = self.service.store.jobs.get(job).requirements
        skills = self.rng.sample(["java", "sql", "python", "linux", "javascript"], 2)
        demands = (Demand((skills[0],), True, self.rng.choice([12, 48])), Demand((skills[1],), False))
        title = self.rng.choice([JAVA_JOB.title, OTHER_JOB.title, "Accountant"])
        self.service.store.jobs.change(job, replace(asked, demands=demands, title=title), actor="ann")

    def read_anew(self) -> None:
        """A file as another version of the miner reads it: other months of a skill."""
        document = self.service.store.applications.get(self.one_of(self.rng.choice(self.jobs))).document
        profile = self.service.store.documents.profile(document)
        assert profile
        skills = tuple(replace(skill, months=self.rng.randint(1, 90)) for skill in profile.skills[:6])
        changed = replace(profile, skills=skills)
        read = self.service.store.documents.get(document)
        digest = extract_features(read.text, changed).to_bytes()
        results = [
            MiningResult(document=read, profile=changed, miner="x", digest=digest, digest_version=FEATURES_VERSION)
        ]
        self.service.store.documents.save_mined(results, corrected=recorrected(self.service.store, results))

    def correct(self) -> None:
        """For one of the two applications that most files came with; accepted, declined or undone sometimes."""
        store, viewer = self.service.store, Viewer("ann", OPEN, lambda job: True)
        application = store.applications.get(self.one_of(self.rng.choice(self.jobs)))
        if proposed := list_proposed(self.service, viewer, application):
            answer = self.rng.choice([accept_correction, decline_correction])
            answer(self.service, viewer, application, proposed[0].id, actor="ann")
        elif (standing := store.corrections.reading(application.id).standing) and self.rng.random() < 0.5:
            revert_correction(self.service, application, standing[0].id, actor="ann")
        elif profile := store.applications.profile(application.id):
            wanted = CorrectionInput("skill.remove", self.rng.choice(profile.skills).name)
            correct(self.service, application, wanted, actor="ann", everywhere=self.rng.random() < 0.2)

    def mine_again(self) -> None:
        """Everything dropped and mined, corrections and all: what was corrected is as the miner reads it."""
        self.service.store.documents.drop_mined()
        if self.rng.random() < 0.5:
            self.look()  # the index keeps what it had
        reprocess(self.service, as_of=AS_OF)

    def erase(self) -> None:
        self.service.store.erasures.remove_application(self.one_of(self.rng.choice(self.jobs)), actor="ann")
        self.erased += 1

    def work(self, rankings: int) -> None:
        others = (self.decide,) * 10 + (self.read_anew,) * 2 + (self.correct,) * 5 + (self.edit_job,) * 4
        while len(self.shown) < rankings:
            self.look()
            if self.rng.random() < 0.5:
                self.rng.choice(others)()
            if self.left and self.rng.random() < 0.08:
                self.ingest(2)
            if len(self.shown) in (rankings // 3, 2 * rankings // 3):
                self.erase()
            if len(self.shown) == rankings // 2:
                self.mine_again()


def test_every_ranking_of_a_busy_day_is_made_again(service: Service, tmp_path: Path) -> None:
    is_sqlite = (service.settings.database_url).startswith("sqlite")
    day = Day(service, tmp_path, seed=12)
    day.work(200 if is_sqlite else 40)
    found = {each.sequence: each for each in replay_all(service)}
    assert [each for each in found.values() if not each.identical] == []
    assert sorted(found) == sorted(day.shown)
    assert day.erased >= 2
    assert any(each.erased for each in found.values())
    assert any(service.store.jobs.versions(job) for job in day.jobs)
    events = [service.store.ledger.get(sequence) for sequence in day.shown]
    assert any("proposed" in event.body["sealed"] for event in events)
    assert {event.body["ranker"] for event in events} == set(RANKERS)
    assert list(verify(service.store.ledger.chain(), tables=service.store.ledger)) == []


def test_each_application_of_one_file_is_ranked_as_it_was_then(service: Service) -> None:
    """Corrected for one job only, read anew, undone: no ranking of either job is made from the other's facts."""
    first, second = take_in(service, BORIS, ASHA), take_in(service, BORIS, ASHA)
    boris = service.store.applications.get(first.ids["Boris"])

    def look() -> list[list[object]]:
        return [show(service, Criteria(job=taken.job)).body["listed"] for taken in (first, second)]

    read = look()
    dates = CorrectionInput("position.dates", {"start": "2012-01", "end": "present"}, entry=0)
    made = correct(service, boris, dates, actor="ann").correction
    put_right = look()
    assert put_right[0] != read[0]
    assert put_right[1] == read[1]
    service.store.documents.drop_mined()
    reprocess(service, as_of=AS_OF)
    assert look() == put_right
    revert_correction(service, boris, made, actor="ann")
    assert look() == read
    found = list(replay_all(service))
    assert len(found) == 8
    assert [each for each in found if not each.identical] == []


def test_one_ranking_after_everything_has_changed(service: Service) -> None:
    taken = take_in(service, *FIVE)
    event = show(service, Criteria(job=taken.job, text="payroll"), ranker="tfidf")
    assert [len(event.body["listed"]), event.body["total"], event.body["ordered"]] == [5, 5, 5]
    service.store.decisions.decide([taken.ids["Boris"]], "reject", actor="ann")
    service.store.jobs.change(taken.job, replace(JAVA_JOB, title="Python Developer"))
    take_in(service, replace(ASHA, name="Late Comer"))
    assert replay(service, event.sequence) == ReplayResult(event.sequence, taken.job, 5, 0)
    service.store.erasures.remove_application(taken.ids["Asha"])
    again = replay(service, event.sequence)
    assert (again.identical, again.erased) == (True, 1)


def test_pages_below_somebody_erased(service: Service) -> None:
    """David, Asha and Boris in this order by months of Java: the second page begins with whoever is third."""
    taken = take_in(service, *FIVE)
    page = show(service, Criteria(job=taken.job), first=2, size=2)
    first = show(service, Criteria(job=taken.job), first=0, size=2)
    [top, *_] = first.body["listed"]
    service.store.erasures.remove_application(service.store.ledger.unsealed([top[0]])[top[0]])
    assert [replay(service, each.sequence).identical for each in (page, first)] == [True, True]


def test_the_record_names_nobody_and_no_word_that_was_typed(service: Service) -> None:
    taken = take_in(service, *FIVE)
    event = show(service, Criteria(job=taken.job, text='"Asha Rao" payroll'), ranker="bm25")
    public = canonical_json(event.to_json())
    for secret in (*taken.ids.values(), "Asha", "asha", "payroll", "Rao"):
        assert secret not in public
    opened = service.store.ledger.opening(event.sequence)
    assert opened["criteria"]["text"] == '"Asha Rao" payroll'
    assert "search term: payroll" in opened["names"]


def test_weights_that_were_in_force_then(service: Service) -> None:
    taken = take_in(service, *FIVE)
    event = show(service, Criteria(job=taken.job), weights=Weights(words=10, requirements=80))
    assert event.body["weights"]["version"] == 3
    assert replay(service, event.sequence).identical


def test_what_was_searched_for_has_been_erased(service: Service, settings: Settings) -> None:
    taken = take_in(service, ASHA)
    event = show(service, Criteria(job=taken.job, text="asha"))
    engine = create_engine(settings.database_url)
    with engine.begin() as connection:
        connection.execute(delete(openings).where(openings.c.name == "criteria"))
    engine.dispose()
    again = replay(service, event.sequence)
    assert (again.identical, again.differences) == (False, ())
    assert again.impossible == "What it was made from has been erased: criteria."


def test_only_rankings_are_replayed(service: Service) -> None:
    taken = take_in(service, ASHA)
    with pytest.raises(UsageError, match="Event 1 is no ranking, but job"):
        replay(service, 1)
    with pytest.raises(NotFound):
        replay(service, 99)
    assert list(replay_all(service, job=taken.job)) == []


class Forger:
    """Rewrites a ranking behind the store's back, and the whole chain after it."""

    def __init__(self, settings: Settings) -> None:
        self._url = settings.database_url

    def forge(self, sequence: int, **changed: object) -> None:
        engine = create_engine(self._url)
        with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                connection.execute(text("ALTER TABLE ledger DISABLE TRIGGER USER"))
            else:
                connection.execute(text("DROP TRIGGER IF EXISTS ledger_refuses_DELETE"))
            rows = [tuple(row) for row in connection.execute(select(ledger).order_by(ledger.c.sequence))]
            body = canonical_json({**json.loads(rows[sequence - 1][5]), **changed})
            rows[sequence - 1] = (*rows[sequence - 1][:5], body, *rows[sequence - 1][6:])
            connection.execute(delete(ledger))
            forged = rehash(rows, sequence - 1)
            connection.execute(insert(ledger), [dict(zip(ledger.c.keys(), row, strict=True)) for row in forged])
        engine.dispose()


@pytest.fixture
def forger(settings: Settings) -> Forger:
    return Forger(settings)


def ranked(service: Service) -> tuple[Taken, LedgerEvent]:
    taken = take_in(service, ASHA, BORIS, CLARA, DAVID)
    return taken, show(service, Criteria(job=taken.job))


def test_swapped_scores_are_found(service: Service, forger: Forger) -> None:
    _, event = ranked(service)
    listed = event.body["listed"]
    (one, parts_of_one), (two, parts_of_two) = listed[0], listed[1]
    forger.forge(event.sequence, listed=[[two, parts_of_one], [one, parts_of_two], *listed[2:]])
    assert list(verify(service.store.ledger.chain(), tables=service.store.ledger)) == []  # the chain is a chain
    again = replay(service, event.sequence)
    assert not again.identical
    assert again.differences == (
        f"Number 1 of the list is {two[:12]} by the record and {one[:12]} made again.",
        f"Number 2 of the list is {one[:12]} by the record and {two[:12]} made again.",
    )


def test_an_altered_part_is_found(service: Service, forger: Forger) -> None:
    _, event = ranked(service)
    listed = [[seal, [list(part) for part in parts]] for seal, parts in event.body["listed"]]
    name = service.store.ledger.opening(event.sequence)["names"][listed[1][1][0][0]]
    before = listed[1][1][0][1]
    listed[1][1][0][1] = before + 2.0**-40
    forger.forge(event.sequence, listed=listed)
    [difference] = replay(service, event.sequence).differences
    assert difference == (
        f"{name!r} of {listed[1][0][:12]} is {before + 2.0**-40} by the record and {before} made again."
    )


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"total": 5}, "5 matched by the record, 4 when it is made again."),
        ({"ordered": 3}, "3 were put in order by the record, 4 when it is made again."),
        ({"requirements": hashlib.sha256(b"").hexdigest()}, "what the job asked for then is not kept"),
        ({"ranker": "kl"}, "It cannot be made again from its record"),
        ({"ranker": "tarot"}, "there is no ranker 'tarot'"),
        ({"state": 0}, "4 matched by the record, 0 when it is made again."),
        ({"versions": {"evenhand": "0"}, "total": 9}, "It was made by other versions than these: evenhand 0"),
    ],
)
def test_other_forgeries_are_found(service: Service, forger: Forger, changed: dict[str, object], sentence: str) -> None:
    _, event = ranked(service)
    forger.forge(event.sequence, **changed)
    told = replay(service, event.sequence)
    assert not told.identical
    assert any(sentence in difference for difference in told.differences), told.differences


def test_somebody_left_off_the_list_is_found(service: Service, forger: Forger) -> None:
    _, event = ranked(service)
    forger.forge(event.sequence, listed=event.body["listed"][:-1])
    told = replay(service, event.sequence)
    assert told.differences == ("The record lists 3, where 4 are to be listed.",)


def test_rankings_shown_while_others_decide(service: Service) -> None:
    """Four people decide on the same few applicants and look at who is new, all at once."""
    taken = take_in(service, *FIVE)
    ids = list(taken.ids.values())

    def work(seed: int) -> None:
        rng = random.Random(seed)
        for _ in range(8):
            made = service.store.decisions.decide([rng.choice(ids)], "screen", actor="ann")
            show(service, Criteria(job=taken.job, facets={"status": (rng.choice(["new", "screened"]),)}))
            if made.changed:
                service.store.decisions.undo(made.batch, actor="ann")

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(4)))
    found = list(replay_all(service))
    assert len(found) == 32
    assert [each for each in found if not each.identical] == []


def test_a_list_of_no_one_moment_is_not_held_against_anybody(service: Service, forger: Forger) -> None:
    _, event = ranked(service)
    forger.forge(event.sequence, settled=False)
    assert replay(service, event.sequence).identical
    forger.forge(event.sequence, settled=False, total=9)
    told = replay(service, event.sequence)
    assert (told.identical, told.differences) == (False, ())
    assert told.impossible == UNSETTLED
