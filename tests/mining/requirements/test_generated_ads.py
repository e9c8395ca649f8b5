"""Generated ads, whose demands are known: how much of them is understood."""

from __future__ import annotations

from collections import Counter

import pytest

from evenhand_lab.corpora.jobs import JobAd, sample_job
from tests.mining.requirements.ads import understood, vocabulary

ADS = 40


def compare(ad: JobAd) -> Counter[str]:
    job, canonical = understood(ad.text), vocabulary().canonical_skill
    truth = {canonical(name): demand for demand in ad.demands for name in demand.skills}
    found = {name: demand for demand in job.demands for name in demand.skills}
    both = truth.keys() & found.keys()
    return Counter(
        {
            "demands": len(truth),
            "found": len(both),
            "must": sum(truth[name].must == found[name].must for name in both),
            "months": sum(
                (truth[name].months, truth[name].most_months) == (found[name].months, found[name].most_months)
                for name in both
            ),
            "together": sum({*map(canonical, truth[name].skills)} == {*found[name].skills} for name in both),
            "total": ad.total_months == job.months,
            "degree": ad.degree == job.degree,
            "title": ad.title == job.title,
        }
    )


@pytest.mark.parametrize("kind", ["it", "mixed", "crc"])
def test_generated_ads_are_understood(kind: str) -> None:
    counts: Counter[str] = Counter()
    for number in range(ADS):
        counts += compare(sample_job(kind, seed=29, number=number))
    assert counts["found"] >= 0.97 * counts["demands"]
    assert counts["must"] >= 0.97 * counts["found"]
    assert counts["months"] >= 0.97 * counts["found"]
    assert counts["together"] >= 0.95 * counts["found"]
    assert counts["total"] >= 0.95 * ADS
    assert counts["degree"] >= 0.95 * ADS
    assert counts["title"] >= 0.9 * ADS
