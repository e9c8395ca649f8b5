"""Words for jobs that tell the sex of who holds them, with a word that does not. Both forms get the same token.

Plurals stay: to have worked with foremen tells nothing about oneself.
"""

from __future__ import annotations

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
