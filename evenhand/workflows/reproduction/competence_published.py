"""What was published about competence levels: Tables 2, 3, 7, 8, 10 and 11 of Li et al. 2020."""

from __future__ import annotations

from evenhand.models.inputs import SectionKind

TEST_ACCURACY = {  # Tables 7 and 8: mean and standard deviation over three seeds, per cent
    "Wr": (69.06, 1.56),
    "P": (70.58, 0.38),
    "P+I": (70.87, 0.40),
    "C": (72.35, 0.24),
    "C+I": (73.26, 0.16),
    "Wr+b": (77.70, 0.59),
    "P+I+J": (75.60, 1.07),
    "P+I+J+A": (77.25, 0.87),
    "P+I+J+A-E": (77.58, 0.95),
    "C+I+J": (74.65, 1.87),
    "C+I+J+A": (79.20, 0.26),
    "C+I+J+A-E": (78.49, 0.74),
}
DEV_ACCURACY = {
    "Wr": (69.38, 0.14),
    "P": (68.99, 0.49),
    "P+I": (69.19, 0.63),
    "C": (70.36, 0.34),
    "C+I": (70.64, 0.41),
    "Wr+b": (76.24, 1.08),
    "P+I+J": (74.73, 0.54),
    "P+I+J+A": (75.36, 0.57),
    "P+I+J+A-E": (76.42, 0.22),
    "C+I+J": (73.85, 0.87),
    "C+I+J+A": (76.99, 1.10),
    "C+I+J+A-E": (76.20, 0.96),
}
MAJORITY = {"level": 58.5, "fit": 59.2}  # 302 of 516, 477 of 806 of the published test parts
STAGES = (24_933, 9_286, 6_492)  # applications, unique within a level, unique across levels
RESUMES = 3_425
WITHIN_ONE, ADJACENT = 94.4, 78.8  # of the best network for levels, from its confusion matrix
LENGTHS: dict[SectionKind, tuple[str, str]] = {  # mean ± deviation, longest, per cent within the limit
    "Profile": ("100.65±215.75, 2139, 94.93", "77.95±127.70, 1514, 99.60"),
    "Education": ("174.30±289.37, 3662, 89.50", "129.91±165.06, 1755, 98.81"),
    "Work Experience": ("314.61±316.61, 3605, 80.26", "232.63±168.84, 2099, 98.98"),
    "Activities": ("168.09±289.40, 3967, 91.13", "125.71±57.74, 1514, 99.13"),
    "Skills": ("60.70±102.61, 1157, 98.95", "55.59±70.36, 546, 99.93"),
    "Others": ("77.41±145.40, 2184, 98.34", "72.19±108.80, 1468, 99.38"),
}
