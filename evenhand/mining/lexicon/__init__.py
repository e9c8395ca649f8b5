"""What the miner knows by heart: skills, titles, degrees, fields, schools, companies, certificates, places, headings.

Each lexicon is loaded once, when it is first asked for. They look up words of `tokenise` in lower case and give
half-open spans of words. Look up line by line, or phrases will reach over the ends of lines. Hyphens make no
difference; versions and vendors of products need no entries ("Oracle 11g" is found as oracle, "Apache Kafka" as kafka).
"""
