"""Which groups a generated person belongs to. Only audit and debias may read this; rankers and models never do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Groups:
    number: int  # of the career
    gender: str  # female, male
    origin: str  # suggested by the name: "african_american", "anglo", "chinese", "hispanic", "indian"...
    age_band: str  # under_30, 30_39, 40_49, 50_plus
    place: str  # urban, rural
    school_type: str  # of the highest degree: "elite", "state", "women's", "foreign", "none"...
    career_gap: bool  # at least six months without job or study between two of them
