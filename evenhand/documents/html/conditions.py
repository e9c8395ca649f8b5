"""Conditions of style rules on an ordinary screen: True, False, or None for what is not understood or depends on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evenhand.documents.html import css
from evenhand.documents.html.css import TABLES, Unclear, Value

_FEATURES = TABLES["media"]["features"]
_RANGES = TABLES["media"]["ranges"]
_PROPERTIES = frozenset(TABLES["harmless"].split()).union(
    TABLES["evaluated"].split(), *(TABLES[n] for n in ("pixels", "ems", "words", "plain"))
)
_DISPLAYS = frozenset(TABLES["displays"].split())
_FUNCTIONS = frozenset("color-mix oklch oklab lab lch color calc min max clamp var env linear-gradient".split())  # noqa: SIM905
_CONTAINERS = {"width": (150.0, 1920.0), "inline-size": (150.0, 1920.0)}
_DENSITIES = {"dppx": 1.0, "x": 1.0, "dpi": 1 / 96, "dpcm": 2.54 / 96}
_TURNED = {"<": ">", ">": "<", "=": "="}


def media(query: Value) -> bool | None:
    """Whether rules for these media apply."""
    parts = [_condition(part, _medium) for part in css.split(query)] if query else [True]
    return True if True in parts else None if None in parts else False


def container(query: Value) -> bool | None:
    """Whether a box around has this size; boxes that narrow text stands in are told apart elsewhere."""
    named = query[1:] if query and query[0].type == "ident" and query[0].lower_value != "not" else query
    holds = _condition(named, lambda token: _medium(token, _CONTAINERS))
    return False if holds is False else None


def supports(condition: Value) -> bool | None:
    return _condition(list(condition), _supported)


def _condition(tokens: Sequence[Any], leaf: Callable[[Any], bool | None]) -> bool | None:
    results: list[bool | None] = []
    joints: set[str] = set()
    negated = False
    for place, token in enumerate(tokens):
        word = token.lower_value if token.type == "ident" else ""
        if word == "not" and not place:
            negated = True
        elif word in ("and", "or", "only"):
            joints.add(word)
        elif token.type == "() block" and any(inner.type == "() block" for inner in token.content):
            results.append(_condition(css.solid(token.content), leaf))
        else:
            results.append(leaf(token))
    if not results or {"and", "or"} <= joints:
        return None
    weak, strong = (False, True) if "or" in joints else (True, False)
    result = strong if strong in results else None if None in results else weak
    return result if result is None else result != negated


def _supported(token: Any) -> bool | None:
    inner = css.solid(token.content) if token.type == "() block" else ()
    if len(inner) < 3 or inner[0].type != "ident" or inner[1] != ":":
        return None
    name = inner[0].lower_value.removeprefix("-webkit-")
    if name.startswith(("-ms-", "-moz-", "-o-")):
        return False
    if name == "display":
        return set(css.words(inner[2:])) <= _DISPLAYS
    return (
        True
        if name in _PROPERTIES
        and all(
            t.type in ("ident", "number", "dimension", "percentage") or css.label(t) in _FUNCTIONS for t in inner[2:]
        )
        else None
    )


def _medium(token: Any, ranges: Mapping[str, Sequence[float]] = _RANGES) -> bool | None:
    if token.type == "ident":
        return bool(token.lower_value in ("all", "screen"))
    if token.type != "() block":
        return None
    inner = css.solid(token.content)
    names = [t.lower_value for t in inner if t.type == "ident"]
    name = names[0].removeprefix("-webkit-") if names else ""
    if len(inner) >= 3 and inner[0].type == "ident" and inner[1] == ":":
        for prefix, sign in (("min-", ">"), ("max-", "<")):
            bare = name.removeprefix(prefix).removeprefix("-moz-")
            if name.startswith(prefix) and bare in ranges:
                return _compare(ranges[bare], sign, inner[2:])
        if name in ranges:
            return _compare(ranges[name], "=", inner[2:])
        value = inner[2].serialize().lower() if len(inner) == 3 else ""
        return value == _FEATURES[name] if name in _FEATURES and value else None
    if len(inner) == 1:
        return _FEATURES[name] not in ("none", "no-preference", "0") if name in _FEATURES else name in ranges or None
    return _ranged(inner, ranges.get(name))


def _ranged(inner: Value, bounds: Sequence[float] | None) -> bool | None:
    """A comparison such as (600px <= width < 900px)."""
    place = next((p for p, t in enumerate(inner) if t.type == "ident"), None)
    if place is None or bounds is None:
        return None
    results = []
    for side, is_left in ((inner[:place], True), (inner[place + 1 :], False)):
        signs = [t.value for t in side if t.type == "literal" and t.value in "<>="]
        values = tuple(t for t in side if t.type != "literal" or t.value == "/")
        if signs:
            results.append(_compare(bounds, _TURNED[signs[0]] if is_left else signs[0], values))
    return None if not results or None in results else all(results)


def _compare(bounds: Sequence[float], sign: str, value: Value) -> bool | None:
    """Whether a bound holds on all screens; None when on some only."""
    try:
        if len(value) == 3 and value[1] == "/":
            bound = css.quantity(value[0])[0] / (css.quantity(value[2])[0] or 1)
        elif len(value) == 1 and value[0].type == "dimension" and value[0].lower_unit in _DENSITIES:
            bound = value[0].value * _DENSITIES[value[0].lower_unit]
        else:
            bound = css.quantity(*value)[0] if len(value) == 1 else css.quantity(value)[0]
    except (Unclear, AttributeError):
        return None
    low, high = bounds
    holds = [low >= bound, high >= bound] if sign == ">" else [low <= bound, high <= bound]
    if sign == "=":
        return False if bound < low or bound > high else True if low == high else None
    return holds[0] if holds[0] == holds[1] else None
