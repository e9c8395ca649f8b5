"""From what a resume says to what is meant: canonical skills, degree levels, places, and the same organisation.

resolver.skills    canonical(surface), plausible(match, words, position, in_skill_list=...), find(words)
resolver.degrees   level_of(degree), find(words)
resolver.places    find_city(text), is_place(words)
resolver.names     same_organisation(a, b), match_list(name, entries), NameList(entries).best(name)
"""
