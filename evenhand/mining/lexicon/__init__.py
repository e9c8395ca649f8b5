"""What the miner knows by heart: lexicons, loaded once when first asked for.

    from evenhand.mining import lexicon

    lexicon.skills()          SkillLexicon: find(lower, words) -> [Match(first, last, name, ambiguous)]
                              get(surface) -> canonical name | None; kind(name); is_ambiguous(surface)
    lexicon.titles()          Phrases: find(lower) -> [Found(first, last, name)]; get(phrase); `in`
    lexicon.fields()          Named (Phrases that know which of them are ambiguous): is_ambiguous(phrase)
    lexicon.universities()    Named
    lexicon.companies()       Named
    lexicon.certifications()  Named
    lexicon.degrees()         DegreeLexicon: find(lower) -> [DegreeMatch]; as written: resolver.degrees.find
    lexicon.section_type(heading) -> "education" | ... | None; lexicon.section_titles() -> {title: type}
    lexicon.words(kind)       frozenset of single words; kinds: "stop", "month", "institution", "legal",
                              "organisation", "title head", "title modifier", "certification",
                              "education word", "personal word", "project word"

`lower` are the words of tokens.tokenise in lower case; spans are half-open in words. Look up line by line, or
phrases will reach over the ends of lines. Hyphens make no difference; versions and vendors of products need no
entries ("Oracle 11g" is found as oracle, "Apache Kafka" as kafka).
"""

from evenhand.mining.lexicon.degrees import DegreeLexicon, DegreeMatch, degrees
from evenhand.mining.lexicon.headings import section_titles, section_type
from evenhand.mining.lexicon.lists import (
    Named,
    certifications,
    companies,
    fields,
    titles,
    universities,
    words,
)
from evenhand.mining.lexicon.phrases import Found, Phrases, key_of
from evenhand.mining.lexicon.skills import Match, SkillEntry, SkillLexicon, skills

__all__ = [
    "DegreeLexicon",
    "DegreeMatch",
    "Found",
    "Match",
    "Named",
    "Phrases",
    "SkillEntry",
    "SkillLexicon",
    "certifications",
    "companies",
    "degrees",
    "fields",
    "key_of",
    "section_titles",
    "section_type",
    "skills",
    "titles",
    "universities",
    "words",
]
