"""What the authors of TaCo published beside its accuracies: the second baseline, importances, shares of women.

Importances are total Sobol indices in the order of `svds`, smallest first.
"""

from __future__ import annotations

NEUTRAL_GENDER_ACCURACY, NEUTRAL_OCCUPATION_ACCURACY = 79.798, 86.08
"""The second baseline: trained on texts without gender words, no concept removed."""
GENDER_FLOOR = 62.679
"""Who knows the occupation only, and guesses its more frequent gender, is right so often."""

GENDER_IMPORTANCE = (
    *(0.0244, 0.0758, 0.0110, 0.0172, 0.0405, 0.0163, 0.0167, 0.0636, 0.0093, 0.0194),
    *(0.0409, 0.0452, 0.0592, 0.0465, 0.0453, 0.3217, 0.0878, 0.0684, 0.1595, 0.1180),
)
OCCUPATION_IMPORTANCE = (
    *(0.0093, 0.0157, 0.0117, 0.0165, 0.0160, 0.0152, 0.0254, 0.0199, 0.0377, 0.0254),
    *(0.0495, 0.0294, 0.0447, 0.0479, 0.0436, 0.0511, 0.0750, 0.1012, 0.1231, 0.3326),
)
REMOVAL_ORDER = (15, 1, 7, 0, 4, 11, 12, 18, 16, 5, 14, 3, 13, 2, 10, 9, 17, 6, 19, 8)

SHARE_OF_WOMEN = {
    "surgeon": 15.1,
    "pastor": 23.2,
    "photographer": 35.7,
    "professor": 45.1,
    "chiropractor": 26.8,
    "software_engineer": 16.2,
    "teacher": 60.2,
    "poet": 49.1,
    "dj": 15.1,
    "rapper": 9.8,
    "paralegal": 85.6,
    "physician": 49.2,
    "journalist": 49.7,
    "architect": 24.3,
    "attorney": 38.1,
    "yoga_teacher": 85.0,
    "nurse": 90.8,
    "painter": 45.1,
    "model": 83.0,
    "composer": 16.1,
    "personal_trainer": 46.1,
    "filmmaker": 32.9,
    "comedian": 21.5,
    "accountant": 36.7,
    "interior_designer": 80.9,
    "dentist": 35.6,
    "psychologist": 61.9,
    "dietitian": 92.8,
}
