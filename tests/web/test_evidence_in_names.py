"""A skill that only an employer's name mentions: every page says where it stands, so that a person can judge."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from evenhand.records import Demand, Job
from evenhand.screening.service import ingest_files
from evenhand.text.wording import ONLY_IN_NAMES
from tests.web.house import House

pytest_plugins = ["tests.web.house_fixtures"]

JOB = Job("Database work.\nRequirements: Oracle", title="Database Clerk", demands=(Demand(("oracle",), must=True),))
TEXT = """{name}
Leeds
{mail}@example.org

EXPERIENCE

Office Manager, Oracle Corp
Jan 2018 - Dec 2020
- Ordered furniture and {work} for two floors

EDUCATION

Bachelor of Arts in History, University of Leeds, 2012
"""


def take_in(house: House, folder: Path) -> dict[str, str]:
    """One whose employer is named so and nothing else; one who worked with it there."""
    job = house.store.jobs.add(JOB)
    paths = []
    for name, work in (("Ina Holt", "paper"), ("Ole Brandt", "kept an Oracle database")):
        path = folder / f"{name.split()[0]}.txt"
        path.write_text(TEXT.format(name=name, mail=name.split()[0].lower(), work=work))
        paths.append(path)
    ingest_files(house.context.service, paths, job, total=2, as_of="2026-01")
    ids = {Path(each.file or "").stem: each.id for each in house.store.applications.of_job(job)}
    return ids | {"job": job}


def test_a_skill_in_an_employers_name_only_is_said_to_be_there(house: House, tmp_path: Path) -> None:
    ids = take_in(house, tmp_path)
    ada = house.browser("ada")
    listed = ada.get(f"/jobs/{ids['job']}").text
    cards = {card.split('"')[0]: card for card in listed.split('data-application="')[1:]}
    assert ONLY_IN_NAMES in cards[ids["Ina"]]
    assert ONLY_IN_NAMES not in cards[ids["Ole"]]
    for name, is_said in (("Ina", True), ("Ole", False)):
        assert (ONLY_IN_NAMES.capitalize() in ada.get(f"/applications/{ids[name]}").text) is is_said
        assert (ONLY_IN_NAMES in ada.get(f"/applications/{ids[name]}/receipt").text) is is_said
    compared = ada.get(f"/jobs/{ids['job']}/compare", params={"application": [ids["Ina"], ids["Ole"]]}).text
    assert compared.count(ONLY_IN_NAMES) == 1
    exported = csv.DictReader(io.StringIO(ada.get(f"/jobs/{ids['job']}/export.csv").text.lstrip("\ufeff")))
    assert sum(ONLY_IN_NAMES in " ".join(filter(None, row.values())) for row in exported) == 1
