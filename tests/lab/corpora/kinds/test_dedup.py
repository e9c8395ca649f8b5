"""The stages from applications to unique resumes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from evenhand_lab.corpora.kinds.crc_applications import CrcApplication, dedup


def per_level(applications: Iterable[CrcApplication]) -> dict[str, int]:
    return dict(Counter(application.level for application in applications))


def test_the_same_applicant_at_two_levels() -> None:
    stages = dedup([CrcApplication("a", "CRC1"), CrcApplication("a", "CRC2"), CrcApplication("a", "CRC1")])
    assert len(stages.applications) == 3
    assert stages.within_level == (CrcApplication("a", "CRC1"), CrcApplication("a", "CRC2"))
    assert stages.across_levels == (CrcApplication("a", "CRC2"),)


def test_a_higher_level_counts_whenever_it_was_applied_for() -> None:
    stages = dedup([CrcApplication("a", "CRC3"), CrcApplication("b", "CRC1"), CrcApplication("a", "CRC2")])
    assert stages.across_levels == (CrcApplication("a", "CRC3"), CrcApplication("b", "CRC1"))


def test_the_published_totals_come_out_of_applications_built_to_have_them() -> None:
    """Table 2 of the level study: 24,933 applications, 9,286 unique within a level, 6,492 across levels."""
    highest = {"CRC1": 2961, "CRC2": 2250, "CRC3": 885, "CRC4": 396}
    within = {"CRC1": 4779, "CRC2": 3005, "CRC3": 1106, "CRC4": 396}
    applied = {"CRC1": 13794, "CRC2": 8415, "CRC3": 2238, "CRC4": 486}
    resumes = [(f"{level}-{number}", level) for level, count in highest.items() for number in range(count)]
    unique = [CrcApplication(resume, level) for resume, level in resumes]
    for level, count in within.items():
        above = [resume for resume, top in resumes if top > level]
        unique += [CrcApplication(resume, level) for resume in above[: count - highest[level]]]
    applications = list(unique)
    for level, count in applied.items():
        of_level = [application for application in unique if application.level == level]
        applications += [of_level[number % len(of_level)] for number in range(count - within[level])]

    stages = dedup(applications)
    assert per_level(stages.applications) == applied
    assert per_level(stages.within_level) == within
    assert per_level(stages.across_levels) == highest
    assert [len(stages.applications), len(stages.within_level), len(stages.across_levels)] == [24933, 9286, 6492]
