"""Words that tell a gender: each with a neutral word, and in pairs. Long lists stand in lexicons/gender_words.toml.

Masking, the neutral texts of debiasing and the word swaps of an audit all take their words from here. Keys are in lower
case. Words with another sense (a bachelor's degree, a king of that name) are left out or stand in LOWER_ONLY.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping

from evenhand.text.folding import word_set
from evenhand.text.names import lexicon_text

_LEXICON = tomllib.loads(lexicon_text("gender_words.toml"))


def _inverted(forms_of: Mapping[str, str]) -> dict[str, str]:
    """Each of the forms with the word it belongs to."""
    return {form: word for word, forms in forms_of.items() for form in forms.split()}


WORDS = _inverted(_LEXICON["neutral"]) | {
    stem + ending: stem + neutral
    for stem in _LEXICON["person_stems"].split()
    for ending, neutral in (("man", "person"), ("woman", "person"), ("men", "people"), ("women", "people"))
}
LOWER_ONLY = _inverted(_LEXICON["lower_only"])
"""With a capital they are names of people, places, teams and companies."""

NEUTRAL_PRONOUNS = _inverted({"they": "he she", "them": "him", "theirs": "hers", "themselves": "himself herself"})
"""Those with one neutral form; what her and his become depends on the words around them."""
PRONOUNS = frozenset(NEUTRAL_PRONOUNS) | {"her", "his"}

TITLES = word_set("mr mrs ms miss mister mistress sir madam madame lady lord dame mme mlle")
"""Before a name; all become TITLE in a neutral text."""
TITLE = "mx"
SAM = "sam"
"""What every first name becomes in a neutral text."""
SALUTATIONS = word_set("mr mrs mister sir madam mlle")
DOUBTFUL_SALUTATIONS = word_set("ms miss mme herr frau smt shri")
"""Words, degrees and names too."""
NOT_AFTER_MS = word_set(_LEXICON["not_after_ms"])
"""Ms Office is a product, and an MS in Physics a degree."""
RELATIVES = word_set("mother father mom mum dad wife husband grandmother grandfather")

PAIRS = (
    *(("he", "she"), ("him", "her"), ("his", "her"), ("himself", "herself"), ("mr", "ms"), ("mr.", "ms.")),
    *(("father", "mother"), ("husband", "wife"), ("dad", "mom"), ("male", "female"), ("men's", "women's")),
    *(("waiter", "waitress"), ("salesman", "saleswoman"), ("chairman", "chairwoman"), ("actor", "actress")),
    *(("businessman", "businesswoman"), ("spokesman", "spokeswoman"), ("foreman", "forewoman")),
    *(("alumnus", "alumna"), ("host", "hostess"), ("fraternity", "sorority"), ("he/him", "she/her")),
)
"""The word for a man and the word for a woman."""
TO_FEMALE = dict(PAIRS)
TO_MALE = {female: male for male, female in reversed(PAIRS)} | {"hers": "his", "mrs": "mr", "mrs.": "mr."}

JOB_TOKENS = {form: WORDS[form] for form in _LEXICON["masked_jobs"].split()} | _inverted(_LEXICON["job_tokens"])
"""What masks a job word; both forms of a pair get the same token."""
TITLE_TOKENS = {"host": "host", "actor": "actor", "tailor": "tailor", "dancer": "dancer", "steward": "flight attendant"}
"""The other half of a pair that has many senses: masked where it is somebody's title."""

GREEK = word_set(_LEXICON["greek"])
HONOR_SOCIETIES = frozenset(" ".join(_LEXICON["honor_societies"].split()).split(", "))
"""Open to all: they tell of marks, or of a trade, or are no society at all."""
