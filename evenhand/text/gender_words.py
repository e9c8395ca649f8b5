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


# Words for jobs that tell the sex of who holds them, with a word that does not. Both forms get the same
# token.
#
# Plurals stay: to have worked with foremen tells nothing about oneself.


_PAIRS = {
    "chair": "chairman chairwoman",
    "server": "waiter waitress",
    "flight attendant": "stewardess airhostess",
    "salesperson": "salesman saleswoman salesgirl salesboy saleslady",
    "businessperson": "businessman businesswoman",
    "supervisor": "foreman forewoman",
    "spokesperson": "spokesman spokeswoman",
    "police officer": "policeman policewoman",
    "firefighter": "fireman firewoman",
    "mail carrier": "mailman postman postwoman",
    "camera operator": "cameraman camerawoman",
    "anchor": "anchorman anchorwoman",
    "council member": "councilman councilwoman alderman alderwoman",
    "member of congress": "congressman congresswoman",
    "repairer": "repairman handyman handywoman serviceman servicewoman",
    "door attendant": "doorman doorwoman",
    "bartender": "barmaid barman barwoman",
    "tailor": "seamstress",
    "head teacher": "headmaster headmistress schoolmaster schoolmistress",
    "cleaner": "charwoman cleaningwoman housemaid",
    "delivery worker": "deliveryman milkman",
    "guard": "watchman",
    "fisher": "fisherman fisherwoman",
    "massage therapist": "masseuse masseur",
    "dancer": "ballerina danseuse",
    "athlete": "sportsman sportswoman",
    "host": "hostess",
    "actor": "actress",
    "graduate": "alumna alumnus alumnae",
}
NEUTRAL = {form: word for word, forms in _PAIRS.items() for form in forms.split()}
TITLES_ONLY = {
    "host": "host",
    "actor": "actor",
    "tailor": "tailor",
    "dancer": "dancer",
    "steward": "flight attendant",
}
"""The other half of a pair that has many senses: masked where it is somebody's title."""

HONOR_SOCIETIES = frozenset(
    [
        "phi beta kappa",
        "tau beta pi",
        "beta gamma sigma",
        "phi kappa phi",
        "eta kappa nu",
        "upsilon pi epsilon",
        "pi tau sigma",
        "sigma theta tau",
        "phi theta kappa",
        "alpha lambda delta",
        "psi chi",
        "kappa delta pi",
        "delta mu delta",
        "phi alpha theta",
        "lambda pi eta",
        "omicron delta kappa",
        "alpha kappa psi",
        "delta sigma pi",
        "phi sigma pi",
        "alpha phi omega",
        "chi epsilon",
        "tau sigma",
        "sigma xi",
        "alpha epsilon delta",
        "beta alpha psi",
        "alpha chi",
        "phi eta sigma",
        "sigma tau delta",
        "pi sigma alpha",
        "sigma pi sigma",
        "omega chi epsilon",
        "alpha pi mu",
        "kappa mu epsilon",
        "pi mu epsilon",
        "alpha sigma mu",
        "alpha mu alpha",
        "sigma beta delta",
        "beta beta beta",
        "sigma gamma epsilon",
        "phi delta kappa",
        "rho chi",
        "alpha iota delta",
        "sigma alpha pi",
        "phi alpha delta",
        "gamma theta upsilon",
        "nu rho psi",
        "omicron delta epsilon",
        "pi delta phi",
        "sigma delta pi",
        "alpha kappa delta",
        "alpha beta",
        "alpha beta gamma",
    ]
)
"""Open to all: they tell of marks, or of a trade, or are no society at all."""

GREEK = frozenset((
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu"),
    *("xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
))  # fmt: skip
NOT_AFTER_MS = frozenset((
    *("office", "excel", "word", "access", "sql", "powerpoint", "power", "outlook", "project", "visio", "dos"),
    *("windows", "window", "teams", "paint", "dynamics", "azure", "sharepoint", "exchange", "publisher", "onenote"),
    *("vba", "crm", "bi", "front", "frontpage", "net", "visual", "server", "suite", "products", "applications"),
    *("tools", "package", "build", "degree", "in", "of", "and", "computer", "science", "mathematics", "physics"),
    *("chemistry", "nursing", "engineering", "data", "management", "accounting", "finance", "economics", "biology"),
    *("statistics", "candidate", "student", "thesis", "program", "certified"),
))  # fmt: skip
"""Ms Office is a product, and an MS in Physics a degree."""
