"""Words that tell a gender, each with one that does not. Written for this project; keys are in lower case.

Words with another sense (a bachelor's degree, a king of that name) are left out or stand in LOWER_ONLY.
"""

from __future__ import annotations

_NEUTRAL = {
    # Families
    "parent": "mother father mom mum mommy mummy dad daddy mama papa stepmother stepfather stepmom stepdad",
    "parents": "mothers fathers moms mums dads stepmothers stepfathers",
    "grandparent": "grandmother grandfather grandma grandpa granny granddad grandad grandmom",
    "grandparents": "grandmothers grandfathers grandmas grandpas",
    "great-grandparent": "great-grandmother great-grandfather",
    "godparent": "godmother godfather",
    "sibling": "sister brother stepsister stepbrother half-sister half-brother bro sis",
    "siblings": "sisters brothers stepsisters stepbrothers",
    "child": "son daughter stepson stepdaughter boy girl lad lass godson goddaughter tomboy",
    "children": "sons daughters stepsons stepdaughters boys girls lads lasses",
    "grandchild": "grandson granddaughter",
    "grandchildren": "grandsons granddaughters",
    "spouse": "husband wife bride groom bridegroom hubby wifey",
    "spouses": "husbands wives brides grooms",
    "bereaved spouse": "widow widower",
    "partner": "girlfriend boyfriend fiancé fiancée fiance fiancee",
    "partners": "girlfriends boyfriends fiancés fiancées",
    "relative": "aunt uncle auntie aunty niece nephew",
    "relatives": "aunts uncles aunties nieces nephews",
    "parenthood": "motherhood fatherhood",
    "parenting": "mothering fathering",
    "parental": "maternal paternal motherly fatherly maternity paternity",
    "siblinghood": "sisterhood brotherhood",
    "homemaker": "housewife househusband",
    "homemakers": "housewives househusbands",
    # People
    "person": "man woman lady gentleman gal",
    "people": "men women ladies gentlemen gals menfolk womenfolk",
    "peoples": "mens womens",
    "human": "male female",
    "humans": "males females",
    "adulthood": "manhood womanhood",
    "childhood": "boyhood girlhood",
    "humankind": "mankind",
    "workforce": "manpower",
    "human-made": "man-made manmade",
    "student society": "sorority fraternity",
    "student societies": "sororities fraternities",
    "alum": "alumna alumnus",
    "alumni": "alumnae",
    "latinx": "latina latino",
    "filipino": "filipina",
    # Work
    "actor": "actress",
    "actors": "actresses",
    "server": "waiter waitress",
    "servers": "waiters waitresses",
    "host": "hostess",
    "hosts": "hostesses",
    "flight attendant": "stewardess airhostess",
    "flight attendants": "stewardesses airhostesses",
    "chair": "chairman chairwoman",
    "chairs": "chairmen chairwomen",
    "police officer": "policeman policewoman",
    "police officers": "policemen policewomen",
    "firefighter": "fireman firewoman",
    "firefighters": "firemen firewomen",
    "mail carrier": "mailman postman mailwoman postwoman",
    "supervisor": "foreman forewoman",
    "guard": "watchman",
    "cleaner": "maid housemaid charwoman",
    "bartender": "barmaid barman barwoman",
    "tailor": "seamstress",
    "tailors": "seamstresses",
    "head teacher": "headmaster headmistress schoolmaster schoolmistress",
    "massage therapist": "masseuse masseur",
    "massage therapists": "masseuses masseurs",
    "ballet dancer": "ballerina danseuse",
    "ballet dancers": "ballerinas",
    "comedian": "comedienne",
    "comedians": "comediennes",
    "chanteur": "chanteuse",
    "singer": "songstress",
    "poet": "poetess",
    "author": "authoress",
    "sculptor": "sculptress",
    "heir": "heiress",
    "hero": "heroine",
    "heroes": "heroines",
    "hunter": "huntress",
    "priest": "priestess",
    "private tutor": "governess",
    "landowner": "landlord landlady",
    "benefactor": "benefactress",
    "entrepreneur": "entrepreneuse",
    "proprietor": "proprietress",
    "seducer": "seductress temptress",
    "monastic": "nun monk friar",
    "monastics": "nuns monks friars",
    "first-year": "freshman",
    "first-years": "freshmen",
    "alderperson": "alderman alderwoman",
    "ombudsperson": "ombudsman",
    "camera operator": "cameraman camerawoman",
    "camera operators": "cameramen camerawomen",
    "door attendant": "doorman doorwoman",
    "fisher": "fisherman fisherwoman",
    "fishers": "fishermen fisherwomen",
    "repairer": "repairman handyman handywoman",
    "service member": "serviceman servicewoman airman airwoman",
    "service members": "servicemen servicewomen airmen airwomen",
}
_PERSON_STEMS = (
    "business sales spokes sports crafts congress council states lay towns anchor weather assembly camp chess clergy"
    " committee country crew delivery gun horse jury marks middle noble outdoors press print ranch rifle seam show"
    " stunt swords tax trades tribes work"
)


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


def _neutral_words() -> dict[str, str]:
    found = {form: word for word, forms in _NEUTRAL.items() for form in forms.split()}
    for stem in _PERSON_STEMS.split():
        found |= {f"{stem}man": f"{stem}person", f"{stem}woman": f"{stem}person"}
        found |= {f"{stem}men": f"{stem}people", f"{stem}women": f"{stem}people"}
    return found


WORDS = _neutral_words()
LOWER_ONLY = {
    "guy": "person",
    "guys": "people",
    "dude": "person",
    "king": "monarch",
    "queen": "monarch",
    "kings": "monarchs",
    "queens": "monarchs",
    "prince": "royal",
    "princess": "royal",
    "princes": "royals",
    "princesses": "royals",
    "goddess": "deity",
    "goddesses": "deities",
    "mistress": "partner",
    "cowboy": "cowhand",
    "cowgirl": "cowhand",
    "sir": "mx",
    "madam": "mx",
    "ma'am": "mx",
}
"""With a capital they are names of people, places, teams and companies."""

TITLES = _words("mr mrs ms miss mister mistress sir madam madame lady lord dame mme mlle")
"""Before a name; all become TITLE."""
TITLE = "mx"
SAM = "sam"
"""What every first name becomes."""
