"""The categories that employers in the United States report (EEO-1), which Local Law 144 asks for, and their spellings.

Only what people said is put under these names. Nothing is guessed: what fits none of them stays as it was written.
"""

from __future__ import annotations

import re

SEX, RACE = "sex", "race"
SEXES = ("female", "male")
RACES = (
    "Hispanic or Latino",
    "White",
    "Black or African American",
    "Native Hawaiian or Pacific Islander",
    "Asian",
    "Native American or Alaska Native",
    "Two or more races",
)

_SEX = {
    "female": ("f", "female", "woman", "women", "w", "she", "girl", "femme"),
    "male": ("m", "male", "man", "men", "he", "boy"),
    "non-binary": ("nonbinary", "nb", "enby", "x", "diverse", "genderdiverse"),
}
_RACE = {
    RACES[0]: (
        "hispanic",
        "latino",
        "latina",
        "latinx",
        "hispanicorlatino",
        "hispaniclatino",
        "hispanicorlatinx",
    ),
    RACES[1]: ("white", "caucasian", "whitenothispanicorlatino"),
    RACES[2]: (
        "black",
        "africanamerican",
        "blackorafricanamerican",
        "blackafricanamerican",
        "blackorafricanamericannothispanicorlatino",
    ),
    RACES[3]: (
        "nativehawaiian",
        "pacificislander",
        "nativehawaiianorpacificislander",
        "nativehawaiianorotherpacificislander",
        "nativehawaiianpacificislander",
    ),
    RACES[4]: ("asian", "asiannothispanicorlatino", "asianamerican"),
    RACES[5]: (
        "nativeamerican",
        "americanindian",
        "alaskanative",
        "americanindianoralaskanative",
        "americanindianoralaskannative",
        "nativeamericanoralaskanative",
        "nativeamericanoralaskannative",
    ),
    RACES[6]: ("twoormoreraces", "twoormore", "multiracial", "mixed", "mixedrace", "2ormoreraces"),
}
_UNKNOWN = re.compile(
    "unknown|nan?|null|missing|refused|withheld|undisclosed|unspecified|noanswer|didnotanswer"
    "|not(stated|specified|known|given|disclosed|answered)|.*prefernot(to.*)?|declined?(to.*)?"
    "|i?(choose|chose)not.*|i?(do|did)(not|nt)wish.*"
)
"""In letters alone. "none" is not among them: no school and no gap are answers."""
_VARIABLES = {
    SEX: ("sex", "gender", "sexgender", "gendersex", "sexorgender"),
    RACE: (
        "race",
        "ethnicity",
        "raceethnicity",
        "ethnicityrace",
        "raceorethnicity",
        "ethnicgroup",
        "racialgroup",
    ),
}


def _turned(table: dict[str, tuple[str, ...]]) -> dict[str, str]:
    return {spelling: name for name, spellings in table.items() for spelling in spellings}


_GROUPS = {SEX: _turned(_SEX), RACE: _turned(_RACE)}
_NAMES = _turned(_VARIABLES)


def variable_named(header: str) -> str:
    """sex and race under these names, whatever the header; others in small letters."""
    plain = " ".join(header.split())
    return _NAMES.get(letters(plain)) or re.sub(r"[\s\-/]+", "_", plain.lower()).strip("_")


def group_named(variable: str, value: str) -> str:
    """The category's own name where the spelling is known; else as it was written."""
    return _GROUPS.get(variable, {}).get(letters(value), value)


def is_unknown(value: str) -> bool:
    """Nothing, or the words of somebody who would rather not say."""
    return not (plain := letters(value)) or _UNKNOWN.fullmatch(plain) is not None


def letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())
