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

A user's own entries, in a file of their own:
    lexicon.add_entry(path, kind, name, aliases), lexicon.load_extra(path); kinds in lexicon.extra.KINDS
    lexicon.load_lexicon(path) -> Lexicon(skills, titles, fields, universities, companies, certifications,
                              degrees, section_titles): the same look-ups with those entries taken in

Places (lexicon.places): places() Phrases -> "city" | "state" | "country"; cities_named(name) -> [City]

`lower` are the words of tokens.tokenise in lower case; spans are half-open in words. Look up line by line, or
phrases will reach over the ends of lines. Hyphens make no difference; versions and vendors of products need no
entries ("Oracle 11g" is found as oracle, "Apache Kafka" as kafka).
"""
