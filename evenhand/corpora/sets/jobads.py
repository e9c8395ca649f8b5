"""Real job ads: by title and place, by occupation, by level of seniority, by relevance to one person."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evenhand.corpora.sets.files import csv_rows
from evenhand.corpora.sets.records import JobAd

LONGEST_PLACE = 80  # characters; in some rows the place holds the whole ad


def read_monster(folder: Path) -> Iterator[JobAd]:
    for number, row in enumerate(csv_rows(folder / "jobs_sample.csv")):
        place = row["location"].strip()
        location = place if 0 < len(place) <= LONGEST_PLACE else None
        yield JobAd(
            f"monster-{number:04d}", row["job_title"].strip() or None, row["job_description"], location
        )


def read_occupation_posts(folder: Path) -> Iterator[JobAd]:
    """77 posts in 11 of the occupations of the livecareer resumes."""
    for number, row in enumerate(csv_rows(folder / "job_postings_kaggle.csv")):
        yield JobAd(f"post-{number:03d}", None, row["post"], labels=(row["occupation"],))


def read_seniority_posts(folder: Path) -> Iterator[JobAd]:
    """The level is the recruiter's choice of six; about a sixth of the ads is not in English."""
    for number, row in enumerate(csv_rows(folder / "jobs_seniority.csv")):
        yield JobAd(
            f"linkedin-{number:04d}",
            row["title"],
            row["description"],
            row["location"] or None,
            (row["seniority_level"],),
        )


def read_relevance_posts(folder: Path) -> Iterator[JobAd]:
    """Ads that one software engineer called relevant or not."""
    for row in csv_rows(folder / "job_descriptions.csv"):
        label = "relevant" if row["label"].strip().lower() in ("true", "1") else "not relevant"
        yield JobAd(row["job_description_id"], None, row["job_description"], labels=(label,))
