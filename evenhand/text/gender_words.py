"""Words that tell a gender: each with a neutral word, and in pairs. Written for this project; keys are in lower case.

Masking, the neutral texts of debiasing and the word swaps of an audit all take their words from here. Words with
another sense (a bachelor's degree, a king of that name) are left out or stand in LOWER_ONLY.
"""

from __future__ import annotations

from evenhand.text.folding import word_set


def _phrases(text: str) -> frozenset[str]:
    return frozenset(text.split(", "))


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


def _neutral_words() -> dict[str, str]:
    words = {form: word for word, forms in _NEUTRAL.items() for form in forms.split()}
    for stem in _PERSON_STEMS.split():
        words |= {f"{stem}man": f"{stem}person", f"{stem}woman": f"{stem}person"}
        words |= {f"{stem}men": f"{stem}people", f"{stem}women": f"{stem}people"}
    return words


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

NEUTRAL_PRONOUNS = {
    "he": "they",
    "she": "they",
    "him": "them",
    "hers": "theirs",
    "himself": "themselves",
    "herself": "themselves",
}
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
NOT_AFTER_MS = word_set(
    "office excel word access sql powerpoint power outlook project visio dos windows window teams paint dynamics"
    " azure sharepoint exchange publisher onenote vba crm bi front frontpage net visual server suite products"
    " applications tools package build degree in of and computer science mathematics physics chemistry nursing"
    " engineering data management accounting finance economics biology statistics candidate student thesis program"
    " certified"
)
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

# Of the job words, those that are masked. Plurals stay: to have worked with foremen tells nothing about oneself.
_MASKED_JOBS = (
    "chairman chairwoman waiter waitress stewardess airhostess salesman saleswoman businessman businesswoman foreman"
    " forewoman spokesman spokeswoman policeman policewoman fireman firewoman mailman postman postwoman cameraman"
    " camerawoman repairman handyman handywoman doorman doorwoman barmaid barman barwoman seamstress headmaster"
    " headmistress schoolmaster schoolmistress charwoman housemaid watchman fisherman fisherwoman masseuse masseur"
    " hostess actress"
)
_OTHER_JOB_TOKENS = {
    "salesperson": "salesgirl salesboy saleslady",
    "anchor": "anchorman anchorwoman",
    "council member": "councilman councilwoman alderman alderwoman",
    "member of congress": "congressman congresswoman",
    "repairer": "serviceman servicewoman",
    "cleaner": "cleaningwoman",
    "delivery worker": "deliveryman milkman",
    "dancer": "ballerina danseuse",
    "athlete": "sportsman sportswoman",
    "graduate": "alumna alumnus alumnae",
}
JOB_TOKENS = {form: WORDS[form] for form in _MASKED_JOBS.split()} | {
    form: token for token, forms in _OTHER_JOB_TOKENS.items() for form in forms.split()
}
"""Both forms of a pair get the same token."""
TITLE_TOKENS = {"host": "host", "actor": "actor", "tailor": "tailor", "dancer": "dancer", "steward": "flight attendant"}
"""The other half of a pair that has many senses: masked where it is somebody's title."""

GREEK = word_set(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau"
    " upsilon phi chi psi omega"
)
HONOR_SOCIETIES = _phrases(
    "phi beta kappa, tau beta pi, beta gamma sigma, phi kappa phi, eta kappa nu, upsilon pi epsilon, pi tau sigma,"
    " sigma theta tau, phi theta kappa, alpha lambda delta, psi chi, kappa delta pi, delta mu delta,"
    " phi alpha theta, lambda pi eta, omicron delta kappa, alpha kappa psi, delta sigma pi, phi sigma pi,"
    " alpha phi omega, chi epsilon, tau sigma, sigma xi, alpha epsilon delta, beta alpha psi, alpha chi,"
    " phi eta sigma, sigma tau delta, pi sigma alpha, sigma pi sigma, omega chi epsilon, alpha pi mu,"
    " kappa mu epsilon, pi mu epsilon, alpha sigma mu, alpha mu alpha, sigma beta delta, beta beta beta,"
    " sigma gamma epsilon, phi delta kappa, rho chi, alpha iota delta, sigma alpha pi, phi alpha delta,"
    " gamma theta upsilon, nu rho psi, omicron delta epsilon, pi delta phi, sigma delta pi, alpha kappa delta,"
    " alpha beta, alpha beta gamma"
)
"""Open to all: they tell of marks, or of a trade, or are no society at all."""
