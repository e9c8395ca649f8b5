"""Counts how common words and skills are in resumes and job ads, for evenhand/search/rankers/fit.

    python tools/make_background.py DATA

DATA holds the folders livecareer-pdf, jobs-monster-1000, linkedin-seniority and names. The same data give the same
bytes. Nothing of anyone is kept: only how many documents a word stands in, for words of at least MIN_DOCUMENTS; names
of people and long numbers are left out.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from evenhand.mining.pipeline import MinedResume, mine_with_documents
from evenhand.search.analysis import spans, terms
from evenhand_lab.corpora.sets.records import csv_rows

OUT = Path(__file__).resolve().parent.parent / "evenhand" / "search" / "rankers" / "fit"
AS_OF = "2018-06"  # when the youngest of the resumes was written
MIN_DOCUMENTS = 5
COMMON_SHARE = 0.05  # of the resumes or of the ads, from which a word names nobody
MIN_BEARERS = 5_000  # a word that fewer people have as their name is taken for a word
MIN_AD = 200  # characters
ENGLISH = frozenset(("the", "and", "of", "to", "with", "for", "in"))
NAME_FILES = (
    ("ssa_first_names_by_sex.csv.gz", "first_name", ("count_female", "count_male")),
    ("census_2010_surnames_top60k.csv.gz", "name", ("count",)),
)
WORD = re.compile(r"[^\W\d_].*|\d{1,4}|\d+\.\d+")


def read_names(folder: Path) -> set[str]:
    """First names and surnames that many people have, as terms."""
    found: set[str] = set()
    for file, name, counts in NAME_FILES:
        with gzip.open(folder / file, "rt", encoding="utf-8") as lines:
            for row in csv.DictReader(lines):
                if sum(int(row[column]) for column in counts) >= MIN_BEARERS:
                    found.update(terms(row[name]))
    return found


def count(texts: Iterable[str], capitals: Counter[str], all_places: Counter[str]) -> Counter[str]:
    """Texts per term; besides, how often a term is written with a capital inside a line."""
    found: Counter[str] = Counter()
    for text in texts:
        here = spans(text)
        found.update({span.term for span in here})
        inside = [span for span in here if span.start and text[span.start - 1] in " ("]
        all_places.update(span.term for span in inside)
        capitals.update(span.term for span in inside if text[span.start].isupper())
    return found


def read_ads(data: Path) -> list[str]:
    ads = [row["job_description"] for row in csv_rows(data / "jobs-monster-1000" / "jobs_sample.csv")]
    ads += [row["description"] for row in csv_rows(data / "linkedin-seniority" / "jobs_seniority.csv")]
    texts = {ad for ad in ads if len(ad) >= MIN_AD}
    return sorted(text for text in texts if len(ENGLISH & set(text.lower().split())) >= len(ENGLISH) - 1)


def write(name: str, heading: str, rows: list[str]) -> None:
    text = "".join(f"{row}\n" for row in [heading, *rows])
    (OUT / name).write_text(text, encoding="utf-8")
    print(f"{name}: {len(rows)} rows, {len(text.encode())} bytes")


def write_words(mined: list[MinedResume], ads: list[str], names: set[str]) -> None:
    capitals: Counter[str] = Counter()
    places: Counter[str] = Counter()
    in_resumes = count((each.document.text for each in mined), capitals, places)
    in_ads = count(ads, capitals, places)
    occurrences = Counter(term for each in mined for term in terms(each.document.text))
    titles = [position.title.value for each in mined for position in each.profile.positions if position.title]
    in_titles = count(titles, Counter(), Counter())
    holders = Counter(skill.name for each in mined for skill in each.profile.skills)
    # What a handful of resumes call a skill may be a misread name.
    known = [name for name, number in holders.items() if number >= MIN_DOCUMENTS]
    skills = {term for name in known for term in terms(name)}

    def is_kept(term: str) -> bool:
        share = max(in_resumes[term] / len(mined), in_ads[term] / len(ads))
        is_rare = share < COMMON_SHARE  # "May" is a month, and "Head" no longer anybody's name
        is_name = is_rare and term in names and term not in skills and capitals[term] > places[term] / 2
        is_common = max(in_resumes[term], in_ads[term], in_titles[term]) >= MIN_DOCUMENTS
        return is_common and not is_name and bool(WORD.fullmatch(term))

    kept = sorted(filter(is_kept, in_resumes | in_ads))
    rows = [f"{term}\t{in_resumes[term]}\t{in_ads[term]}\t{in_titles[term]}\t{occurrences[term]}" for term in kept]
    write("words.tsv", f"#\t{len(mined)}\t{len(ads)}\t{len(titles)}\t{occurrences.total()}", rows)


def write_skills(mined: list[MinedResume]) -> None:
    found = Counter(name for each in mined for name in {skill.name for skill in each.profile.skills})
    rows = [f"{name}\t{number}" for name, number in sorted(found.items()) if number >= MIN_DOCUMENTS]
    write("skills.tsv", f"#\t{len(mined)}", rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    data = parser.parse_args().data
    files = sorted((data / "livecareer-pdf" / "pdf").glob("*/*.pdf"))
    mined = [each for each in mine_with_documents(files, as_of=AS_OF) if not each.is_failed]
    write_words(mined, read_ads(data), read_names(data / "names"))
    write_skills(mined)


if __name__ == "__main__":
    main()
