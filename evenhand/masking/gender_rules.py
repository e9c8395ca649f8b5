"""Details and memberships that tell a person's sex or family, as rules."""

from __future__ import annotations

from evenhand.masking.rules import CELL, COLON, SEP, VALUE, any_of, rule

PRONOUN, SOCIETY, LEAVE, FAMILY = "[pronoun]", "[society]", "[leave]", "[family]"

_SEXES = (
    any_of(
        "female male woman man transgender trans non-?_?binary other weiblich männlich divers femme homme f[ée]minin"
        " masculin femenino masculino feminino mujer hombre femmina maschio f m w"
    )
    + r"\b"
)
_STATUSES = (
    any_of(
        "un-?married married single divorced widow(?:er|ed)? separated engaged ledig verheiratet geschieden verwitwet"
        " solter[oa] casad[oa] divorciad[oa] solteir[oa] c[ée]libataire mari[ée]e? nubile celibe coniugat[oa] spinster"
    )
    + r"\b"
)
_STATUS_LABELS = any_of(
    "(?:marital|civil|family|relationship)_?status estado_civil [ée]tat_civil familienstand stato_civile"
)
_CHILDREN = (
    rf"(?:[ ]?(?:,|with|and|&)[ ]?{any_of('no one two three four five [0-9]')}"
    rf"[ ]{any_of('child(?:ren)? kids? sons? daughters?')})"
)
_LEAGUES = any_of(
    "junior senior collegiate national varsity club state college university high intramural ncaa division"
)
_TEAMS = any_of(
    "basketball soccer football tennis swim\\w* rugby lacrosse hockey volleyball softball baseball team college school"
    " hostel club crew rowing track golf cricket choir chorus glee university dormitory group network"
    " association society league caucus conference forum scholarship fellowship award leadership initiative squad"
    " gymnastics wrestling fencing water_polo cross_country ministry high"
)
_THEIRS = rf"(?:{_LEAGUES}[ ]){{0,2}}{_TEAMS}\b"
_CAPITAL = r"(?-i:[^\W\d_a-z])[\w&'’-]*"
_SERVICE = (
    rf"{any_of('military national army armed_forces? civilian')}[ ]{any_of('service duty obligations?')}"
)

DETAILS = (
    rule("pronouns pronoun", rf"pronouns?{COLON}{CELL}", PRONOUN),
    rule("gender sex geschlecht sexe sexo sesso genero", rf"[^\W\d_]+{SEP}(?P<hide>{_SEXES})"),
    rule("gender sex geschlecht", rf"[^\W\d_]+[ \t]*[:=]{CELL}"),
    rule("age", rf"age[ ]?/[ ]?(?:sex|gender){COLON}{CELL}"),
    rule("sex gender", rf"(?:sex|gender)[ ]?/[ ]?age{COLON}{CELL}"),
    rule(
        "marital civil family relationship estado etat familienstand stato",
        rf"{_STATUS_LABELS}{SEP}(?P<hide>{_STATUSES}{_CHILDREN}?)",
    ),
    rule("marital civil familienstand estado", rf"{_STATUS_LABELS}{COLON}{CELL}"),
    rule("married divorced widowed widow widower", rf"[^\W\d_]+{_CHILDREN}"),
    rule("widow widower housewife househusband fiance fiancee girlfriend boyfriend", r"[^\W\d_]+"),
    rule("maternity paternity", rf"[^\W\d_]+[ -]{any_of('leave break career_break absence')}\b", LEAVE),
    rule("maiden", rf"maiden[ ]name(?:{COLON}{VALUE})?"),
    rule("nee", r"n[ée]e?[ :,–-]{1,3}[^\W\d_][\w'’-]+"),
    rule("s d w", r"[sdw]/o\b\.?[ :]{0,3}[^\n\t|;,]{0,40}", FAMILY),
    rule("son daughter", r"(?:son|daughter)[ ]of[ ](?:mr|mrs|late|shri|sh|smt)\b\.?[^\n\t|;,]{0,40}", FAMILY),
    rule("husband wife", rf"(?:husband|wife)['’]?s?[ ]name{SEP}{VALUE}", FAMILY),
    rule(
        "young dynamic honest ambitious hardworking energetic motivated",
        r"[^\W\d_]+(?:[ ,]+[^\W\d_]+){0,2}[ ](?P<hide>man|woman|lady|girl|guy|gentleman|boy)\b",
    ),
)
MEMBERSHIPS = (
    rule("sorority fraternity sororities fraternities sisterhood", r"[^\W\d_]+", SOCIETY),
    rule(
        "women girls girl boys boy men ladies woman lady gentlemen",
        # Boys and Girls Clubs are open to all.
        rf"(?<!and )(?<!& ){any_of('women girl boy men ladies woman lady gentlemen')}s?['’]?s?['’]?[ ]{_THEIRS}",
        facts=True,
    ),
    rule(
        "women girls",
        rf"[^\W\d_]+[ ](?:in|who|of|for|for[ ]the)[ ]{_CAPITAL}(?:[ ]{_CAPITAL}){{0,3}}",
        SOCIETY,
    ),
    rule(
        "society association network league council",
        rf"[^\W\d_]+[ ](?:of|for)[ ](?:{any_of('professional american business')}[ ]){{0,2}}"
        rf"(?:women|girls)(?:[ ](?:in[ ])?{_CAPITAL}){{0,3}}",
        SOCIETY,
        facts=True,
    ),
    rule("for", r"for[ ](?:women|girls|men|boys)\b(?=\s*(?:[,.;)\n|(]|\Z))", facts=True),
    rule(
        "girl boy eagle",
        r"(?:(?:girl|boy)[ ](?:scouts?|guides?)|eagle[ ]scout)\b(?:[ ]of[ ]america)?",
        SOCIETY,
    ),
)
SERVICE = (
    rule("military national army", rf"{_SERVICE}(?:[ ]status)?{COLON}{VALUE}"),
    rule("military", rf"military[ ](?:status|obligations?){COLON}{VALUE}"),
    rule("compulsory mandatory obligatory", rf"[^\W\d_]+[ ]{_SERVICE}[^\n.;]{{0,80}}"),
    rule(
        "completed completion complete exempt exempted exemption finished performed discharged postponed did served",
        rf"[^\W\d_]+(?:[ ]{any_of('of from my the his her a in with')}){{0,2}}[ ](?:\w+[ ])?"
        r"(?:compulsory[ ]|mandatory[ ])?(?:military|national)[ ]service\b[^\n.;]{0,60}",
    ),
    rule("wehrdienst grundwehrdienst zivildienst", r"[^\n.;]{1,80}"),
)
"""Served by men alone in most countries where it is a duty. A soldier's job stays: it is work."""

RULES = (*DETAILS, *MEMBERSHIPS, *SERVICE)
