"""The 37 numbered features of PROSPECT's Figure 6 and the six sets in which its ablation adds them up."""

from __future__ import annotations

from dataclasses import dataclass

_RS = ("RS-1", "RS-2", "RS-3")
_CR = ("CR-1", "CR-2", "CR-3")
_VISUAL = (*_RS, "CR-2", "CR-3")  # seen by the segmenter always, by the recognizer from its second set on


@dataclass(frozen=True, slots=True)
class Feature:
    number: int
    name: str
    sets: tuple[str, ...]


FEATURES = (
    Feature(1, "starts with a capital letter", _CR),
    Feature(2, "starts with a digit", _CR),
    Feature(3, "all characters are digits", _CR),
    Feature(4, "all characters are capitals", _CR),
    Feature(5, "contains a capital and a numeral", _CR),
    Feature(6, "the word itself", _CR),
    Feature(7, "punctuation", _CR),
    Feature(8, "numerical data", _CR),
    Feature(9, "an initial, such as A.", _CR),
    Feature(10, "a list of skills: word : word, word", _CR[1:]),
    Feature(11, "blank line", _RS),
    Feature(12, "first line of a paragraph", _RS),
    Feature(13, "font style", _VISUAL),
    Feature(14, "font differs from the previous or next line", _RS),
    Feature(15, "font size, relative to this resume", _VISUAL),
    Feature(16, "colour differs from most of the resume", _VISUAL),
    Feature(17, "inside a table", _VISUAL),
    Feature(18, "type of the table", _VISUAL),
    Feature(19, "type of the table's column", _CR[1:]),
    Feature(20, "part of a list", _VISUAL),
    Feature(21, "the segmenter's label of the line", _CR[1:]),
    Feature(22, "lexicon: skills", _CR[2:]),
    Feature(23, "lexicon: designations", _CR[2:]),
    Feature(24, "lexicon: degrees", _CR[2:]),
    Feature(25, "lexicon: specialisations", _CR[2:]),
    Feature(26, "words such as institution, labs", _CR[2:]),
    Feature(27, "words common in education blocks", _RS[1:]),
    Feature(28, "header words of education", _RS[1:]),
    Feature(29, "words common in personal blocks", _RS[1:]),
    Feature(30, "header words of personal data", _RS[1:]),
    Feature(31, "words common in project blocks", _RS[1:]),
    Feature(32, "header words of projects", _RS[1:]),
    Feature(33, "a phone number or postal code", _RS[2:]),
    Feature(34, "a date", _RS[2:]),
    Feature(35, "a duration", _RS[2:]),
    Feature(36, "an e-mail address", _RS[2:]),
    Feature(37, "conjunctions with the previous and the next", (*_RS, *_CR)),
)

SETS = {
    name: frozenset(feature.number for feature in FEATURES if name in feature.sets) for name in (*_RS, *_CR)
}
