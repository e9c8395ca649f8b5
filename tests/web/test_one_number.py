"""Every number about a person is the same wherever it is shown, and what is missing stands nowhere in the text."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient

from evenhand.accounts.sign_in import add_with_password
from evenhand.records import Demand, Job
from evenhand.screening import ingest
from evenhand.screening.service import ingest_files
from evenhand.settings import Settings
from evenhand.text.wording import duration, ordinal
from evenhand.web.access import SESSION
from evenhand.web.app import make_app, open_context
from evenhand_lab.corpora.generate import CorpusRequest, draft_plain
from evenhand_lab.corpora.manuscript import to_plain
from tests.screening.service_fixtures import mine_here
from tests.web.house import OWN_SITE, PASSWORD

CANDIDATES = 200
JOB = Job(
    "Accountant\n\nRequirements: month end close, accounts payable, patient care, month-end variance notes.",
    title="Accountant",
    demands=(
        Demand(("month end close",), must=True),
        Demand(("accounts payable", "accounts receivable"), must=True, months=36),
        Demand(("excel",), must=True),
        Demand(("team of",), must=True),  # in no lexicon
        Demand(("patient care",), must=False),
        Demand(("sql",), must=False, months=12),
    ),
    months=60,
    degree="bachelor",
)


@dataclass(frozen=True)
class Pool:
    client: TestClient
    job: str
    texts: dict[str, str]  # visible, by application
    results: dict[str, dict[str, Any]]  # of the list as JSON, by application

    def json(self, address: str) -> Any:
        answer = self.client.get(f"/api/v1{address}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def html(self, address: str) -> str:
        return self.client.get(address).text


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pool]:
    folder = tmp_path_factory.mktemp("pool")
    order = CorpusRequest(seed=11, kind="mixed", formats=("txt",))
    paths = []
    for number in range(CANDIDATES):
        path = folder / f"{number:03}.txt"
        path.write_text(to_plain(draft_plain(order, number).manuscript).text, encoding="utf-8")
        paths.append(path)
    with pytest.MonkeyPatch.context() as patched, open_context(Settings(data=str(folder / "data"))) as context:
        patched.setattr(ingest, "mine_with_documents", mine_here)
        store = context.store
        id = store.jobs.add(JOB)
        ingest_files(context.service, paths, id, total=len(paths), source="web", as_of="2026-10")
        add_with_password(store, "ada", "admin", PASSWORD, name="Ada", actor="test")
        ada = store.accounts.by_login("ada")
        assert ada
        with TestClient(make_app(context), headers=OWN_SITE, follow_redirects=False) as client:
            client.cookies.set(SESSION, store.sessions.open(ada.id))
            texts = {one.id: store.documents.get(one.document).text for one in store.applications.of_job(id)}
            made = Pool(client, id, texts, {})
            for first in (0, 100):
                listed = made.json(f"/jobs/{id}/screen?size=100&first={first}")["results"]
                made.results.update((one["application"], one) for one in listed)
            yield made


def musts_met(result: dict[str, Any]) -> int:
    return sum(
        match["must"] and (match["months"] or 0) >= (match["required_months"] or 0) for match in result["matched"]
    )


def test_what_is_missing_stands_nowhere_in_the_text(pool: Pool) -> None:
    assert len(pool.results) == CANDIDATES
    met = {name: 0 for demand in JOB.demands for name in demand.skills}
    for id, result in pool.results.items():
        text = pool.texts[id]
        for name in result["missing"]:
            [names] = [demand.skills for demand in JOB.demands if demand.skills[0] == name]
            for one in set(names) - {"excel"}:  # "excel in" speaks of no spreadsheet
                words = r"[\s-]+".join(one.split())
                assert not re.search(rf"\b{words}\b", text, re.IGNORECASE), (one, id)
        for match in result["matched"]:
            met[match["skill"]] += 1
            for place in match["evidence"]:
                assert text[place["start"] : place["end"]].strip()
    assert all(met.values()), met  # or this would test nothing


def test_the_list_says_what_the_api_says(pool: Pool) -> None:
    cards = [
        card
        for page in range(1, 11)
        for card in pool.html(f"/jobs/{pool.job}?size=20&page={page}").split('<article class="card')[1:]
    ]
    assert len(cards) == CANDIDATES
    for card in cards:
        [id] = re.findall(r'data-application="(\w+)"', card)
        result = pool.results[id]
        assert int(re.findall(r'data-rank="(\d+)"', card)[0]) == result["rank"]
        assert re.findall(r'<p class="score"[^>]*><b>([\d.]+)</b>', card) == [f"{result['score']:.1f}"]
        assert re.findall(r'class="musts-met[^>]*>(\d+) of 4 must-haves met', card) == [str(musts_met(result))]
        assert f">Relevant experience: {duration(result['relevant_months'])}<" in card
        assert f">Experience: {duration(result['total_months'])}<" in card
        reason = re.search(r"Requirements</th><td[^>]*>[\d.]+</td><td[^>]*>(\d) of 4 met", card)
        assert reason
        assert int(reason[1]) == musts_met(result)
        missing = re.findall(r'<li class="demand missing">.*?<b>(.*?)</b>', card)
        assert [unescape(name).split(" or ")[0] for name in missing] == result["missing"]


def test_the_page_of_each_candidate_says_the_same(pool: Pool) -> None:
    for id, result in list(pool.results.items())[::5]:  # the comparison below asks for all
        shown = pool.json(f"/applications/{id}")
        facts = shown["facts"]
        assert (facts["total_months"], facts["relevant_months"]) == (result["total_months"], result["relevant_months"])
        assert (facts["musts_met"], facts["musts_asked"]) == (musts_met(result), 4)
        held = {match["skill"]: match["months"] for match in result["matched"]}
        assert {row["name"]: row["months"] for row in shown["demands"] if row["name"] in held} == held
        missing = [row["name"].split(" or ")[0] for row in shown["demands"] if row["state"] == "missing"]
        assert missing == result["missing"]
        html = pool.html(f"/applications/{id}")
        assert f"<b>{result['score']:.1f}</b>" in html
        assert f"<b>{ordinal(result['rank'])}</b> of {CANDIDATES}" in html
        assert f"<b>{musts_met(result)} of 4</b> must-haves met" in html
        assert f">Relevant experience: {duration(result['relevant_months'])}<" in html
        assert f">Experience: {duration(result['total_months'])}<" in html


def test_the_export_says_the_same(pool: Pool) -> None:
    text = pool.client.get(f"/api/v1/jobs/{pool.job}/export.csv").content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == CANDIDATES
    for row in rows:
        result = pool.results[row["application"]]
        assert int(row["rank"]) == result["rank"]
        assert float(row["score"]) == pytest.approx(result["score"], abs=1e-6)
        assert (row["must-haves met"], row["must-haves asked"]) == (str(musts_met(result)), "4")
        assert [name.split(" or ")[0] for name in row["missing"].split("; ") if name] == result["missing"]
        for name in ("relevant", "total"):
            months = result[f"{name}_months"]
            assert row[f"{name} months"] == ("" if months is None else str(months))


def test_a_comparison_says_the_same(pool: Pool) -> None:
    ids = list(pool.results)
    for start in range(0, CANDIDATES, 4):
        chosen = "&".join(f"application={id}" for id in ids[start : start + 4])
        sides = pool.json(f"/jobs/{pool.job}/compare?{chosen}")
        for column in sides["columns"]:
            result = pool.results[column["application"]]
            assert column["score"]["value"] == pytest.approx(result["score"])
            assert column["facts"]["musts_met"] == musts_met(result)
            assert column["facts"]["relevant_months"] == result["relevant_months"]
            assert column["facts"]["total_months"] == result["total_months"]
            missing = [row["name"].split(" or ")[0] for row in column["demands"] if row["state"] == "missing"]
            assert missing == result["missing"]


def test_the_receipt_says_the_same(pool: Pool) -> None:
    for id, result in list(pool.results.items())[::20]:  # each has a dozen variants scored
        receipt = pool.json(f"/applications/{id}/receipt")
        assert receipt["rank"] == {"rank": result["rank"], "total": CANDIDATES, "score": result["score"]}
        missing = [row["name"].split(" or ")[0] for row in receipt["demands"] if row["state"] == "missing"]
        assert missing == result["missing"]
        held = {match["skill"]: match["months"] for match in result["matched"]}
        assert {row["name"]: row["months"] for row in receipt["demands"] if row["name"] in held} == held
        mentioned = [row["words"] for row in receipt["differences"] if row["words"].startswith("mentioned ")]
        assert not [words for words in mentioned if any(f"mentioned {name} " in words for name in held)]
