"""Values of CSS as numbers, colours and words. What is not evaluated exactly raises `Unclear`; nothing is guessed."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any, NoReturn

from tinycss2 import parse_one_component_value
from tinycss2.color4 import Color, parse_color

from evenhand.documents.draft import BLACK, RGB, WHITE, blend, too_close
from evenhand.documents.properties import UNKNOWN

Value = tuple[Any, ...]
"""The tokens of a value, whitespace and comments left out."""

TABLES: dict[str, Any] = tomllib.loads(files(__package__).joinpath("properties.toml").read_text("utf-8"))
SCREEN_PIXELS = 1280.0
_MAX_TOKENS = 300
_MAX_DEPTH = 30


class Unclear(Exception):
    """A style that is not understood: text under it may be hidden, in a way that `reason` names where it is known."""

    def __init__(self, reason: str = UNKNOWN) -> None:
        self.reason = reason


def solid(tokens: Iterable[Any]) -> Value:
    return tuple(token for token in tokens if token.type not in ("whitespace", "comment"))


def words(value: Sequence[Any]) -> list[str]:
    """The identifiers of a value, in lower case."""
    return [token.lower_value for token in value if token.type == "ident"]


def word(value: Sequence[Any], *allowed: str) -> str:
    """The one identifier that a value is; it must be an allowed one, if any are named."""
    name: str = value[0].lower_value if len(value) == 1 and value[0].type == "ident" else ""
    if allowed and name not in allowed:
        raise Unclear
    return name


def label(token: Any) -> str:
    """The word or the name of the function that a token is."""
    name = token.lower_value if token.type == "ident" else token.lower_name if token.type == "function" else ""
    return str(name)


def only(value: Value) -> Any:
    if len(value) != 1:
        raise Unclear
    return value[0]


def flat(token: Any) -> Iterator[Any]:
    """A function's arguments, and those of functions in it that are no colours."""
    for inner in token.arguments:
        yield inner
        if inner.type == "function" and inner.lower_name in ("from", "to", "color-stop"):
            yield from inner.arguments


def address(token: Any) -> str:
    """Where a picture lies."""
    first = token.arguments[0] if token.type == "function" and token.arguments else token
    return str(getattr(first, "value", "")).strip().lower()


def families(value: Value) -> list[str]:
    return [" ".join(str(getattr(t, "value", "")) for t in part).lower() for part in split(value)]


def text(value: Value) -> str:
    return " ".join(t.serialize() if hasattr(t, "serialize") else label(t) for t in value).lower()


def split(tokens: Iterable[Any], sign: str = ",") -> list[list[Any]]:
    parts: list[list[Any]] = [[]]
    for token in tokens:
        if token.type == "literal" and token.value == sign:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


# Numbers and lengths.

_UNITS = {
    "px": 1.0,
    "pt": 4 / 3,
    "pc": 16.0,
    "in": 96.0,
    "cm": 96 / 2.54,
    "mm": 9.6 / 2.54,
    "q": 2.4 / 2.54,
    "rem": 16.0,
} | {f"{kind}{unit}": pixels for kind in ("", "s", "l", "d") for unit, pixels in (("vw", 12.8), ("vh", 7.2))}
_UNITS |= {"vmin": 7.2, "vmax": 12.8, "vi": 12.8, "vb": 7.2}
_FONT_UNITS = {"em": 1.0, "ex": 0.5, "ch": 0.5}
_ANGLES = {"deg": 1.0, "grad": 0.9, "rad": 57.29577951308232, "turn": 360.0}
_TIMES = {"s": 1.0, "ms": 0.001}
_PICK: dict[str, Callable[[list[float]], float]] = {
    "min": min,
    "max": max,
    "clamp": lambda numbers: max(numbers[0], min(numbers[1], numbers[2])) if len(numbers) == 3 else _raise(),
}
SUMS = ("calc", *_PICK)
_SIZES = "xx-small 9, x-small 10, small 13, medium 16, large 18, x-large 24, xx-large 32, xxx-large 48"
_SIZE_NAMES = {name: float(size) for name, size in (row.split() for row in _SIZES.split(","))}
FONT_SIZES = {"1": 10.0, "2": 13.0, "3": 16.0, "4": 18.0, "5": 24.0, "6": 32.0, "7": 48.0}
"""The size attribute of the font element."""

Quantity = tuple[float, str]
"""A number and its kind: number, length, percentage, angle or time."""


def _raise() -> NoReturn:
    raise Unclear


def quantity(token: Any, size: float = 16.0) -> Quantity:
    """What a token measures; `size` is the font size for em."""
    if token.type == "number":
        return float(token.value), "number"
    if token.type == "percentage":
        return float(token.value), "percentage"
    if token.type == "dimension":
        for kind, units in (("length", _UNITS), ("angle", _ANGLES), ("time", _TIMES)):
            if token.lower_unit in units:
                return float(token.value) * units[token.lower_unit], kind
        if token.lower_unit in _FONT_UNITS:
            return float(token.value) * _FONT_UNITS[token.lower_unit] * size, "length"
    if token.type == "function" and token.lower_name in SUMS:
        parts = [_sum(solid(part), size) for part in split(token.arguments)]
        kinds = {kind for _, kind in parts}
        if len(kinds) == 1 and (len(parts) == 1 or token.lower_name != "calc"):
            numbers = [number for number, _ in parts]
            return (_PICK[token.lower_name](numbers) if token.lower_name in _PICK else numbers[0]), kinds.pop()
    if token.type == "() block":
        return _sum(solid(token.content), size)
    raise Unclear


def _sum(tokens: Value, size: float) -> Quantity:
    """A calculation in which every step keeps to one kind."""
    total, kind, sign = 0.0, "", "+"
    for place, token in enumerate((*tokens, None)):
        if place % 2:
            if token is not None and (token.type != "literal" or token.value not in "+-*/"):
                raise Unclear
            if token is not None:
                sign = token.value
            continue
        if token is None:
            raise Unclear
        number, other = quantity(token, size)
        if not kind:
            total, kind = number, other
        elif sign in "*/" and len(tokens) == 3 and "number" in (kind, other) and (sign == "*" or other == "number"):
            if sign == "/" and not number:
                raise Unclear
            total, kind = (total * number if sign == "*" else total / number), other if kind == "number" else kind
        elif sign in "+-" and kind == other and not any(t.type == "literal" and t.value in "*/" for t in tokens):
            total += number if sign == "+" else -number
        else:
            raise Unclear
    return total, kind


def pixels(token: Any, size: float = 16.0, whole: float = SCREEN_PIXELS) -> float:
    """A length; `whole` is what a percentage is of."""
    if token.type == "function" and whole and token.lower_name in SUMS:
        # Percentages and lengths may stand together here, and count in pixels.
        return quantity(_without_percentages(token, whole), size)[0]
    number, kind = quantity(token, size)
    if kind == "percentage":
        return number * whole / 100
    if kind == "length" or (kind == "number" and not number):
        return number
    raise Unclear


class _Pixels:
    type, lower_unit = "dimension", "px"

    def __init__(self, value: float) -> None:
        self.value = value

    def serialize(self) -> str:
        return f"{self.value}px"


class _Group:
    def __init__(self, kind: str, name: str, inner: list[Any]) -> None:
        self.type, self.lower_name, self.arguments, self.content = kind, name, inner, inner
        self.weight = 1 + _weight(inner)

    def serialize(self) -> str:
        return f"{self.lower_name}({' '.join(token.serialize() for token in self.arguments)})"


def _weight(tokens: Iterable[Any]) -> int:
    return sum(getattr(token, "weight", 1) for token in tokens)


def _without_percentages(token: Any, whole: float) -> Any:
    return _in_tokens(token, lambda t: _Pixels(t.value * whole / 100) if t.type == "percentage" else t)


def in_root_sizes(value: Value, root: float) -> Value:
    """The value with lengths in font sizes of the page's outermost element as pixels."""
    return tuple(
        _in_tokens(token, lambda t: _Pixels(t.value * root) if getattr(t, "lower_unit", "") == "rem" else t)
        for token in value
    )


def _in_tokens(token: Any, change: Callable[[Any], Any]) -> Any:
    """The token changed, or within a function each that it holds."""
    if token.type not in ("function", "() block"):
        return change(token)
    inner = token.arguments if token.type == "function" else token.content
    name = token.lower_name if token.type == "function" else ""
    return _Group(token.type, name, [_in_tokens(part, change) for part in inner])


def in_pixels(value: Value) -> Value:
    """A plain number of an attribute as a length."""
    return tuple(_Pixels(token.value) if token.type == "number" else token for token in value)


def share(token: Any) -> float:
    """A number, or a percentage as a part of one."""
    number, kind = quantity(token)
    if kind not in ("number", "percentage"):
        raise Unclear
    return number / 100 if kind == "percentage" else number


def font_size(token: Any, parent: float) -> float:
    if token.type == "ident":
        name = token.lower_value
        if name in ("smaller", "larger"):
            return parent / 1.2 if name == "smaller" else parent * 1.2
        size = {**_SIZE_NAMES, "inherit": parent, "unset": parent, "initial": 16.0}.get(name)
        if size is None:
            raise Unclear
        return size
    return max(0.0, pixels(token, parent, parent))


def is_size(token: Any) -> bool:
    """Whether a token of the font shorthand is its size, not its weight or width."""
    if token.type == "number":
        return not token.value  # a weight is at least 1
    return token.type in ("dimension", "percentage") or label(token) in (*_SIZE_NAMES, "smaller", "larger", *SUMS)


WORDS: dict[str, Any] = {name: parse_one_component_value(name) for name in ("inherit", "initial", "hidden")}


# Colours.

_SYSTEM: dict[str, RGB] = dict.fromkeys(("windowtext", "canvastext", "buttontext", "fieldtext"), BLACK)
_SYSTEM |= dict.fromkeys(("window", "canvas", "field"), WHITE)
_SYSTEM |= {"buttonface": (240, 240, 240), "graytext": (128, 128, 128), "linktext": (0, 0, 238)}
_TO_D65 = ((0.9554734, -0.0230985, 0.0632593), (-0.0283697, 1.0099954, 0.0210414), (0.0123140, -0.0205077, 1.3303659))
_TO_RGB = ((3.2409699, -1.5373832, -0.4986108), (-0.9692436, 1.8759675, 0.0415551), (0.0556301, -0.2039770, 1.0569715))

Paint = tuple[RGB, float]
"""A colour and how opaque it is."""


def color(token: Any, current: Paint = (BLACK, 1.0)) -> Paint:
    if token.type == "ident" and token.lower_value in _SYSTEM:
        return _SYSTEM[token.lower_value], 1.0
    if token.type == "function" and token.lower_name == "color-mix":
        return _mixed(token, current)
    if token.type == "function" and token.lower_name == "light-dark":  # a light screen
        light, *dark = (solid(part) for part in split(token.arguments))
        return color(only(light), current) if len(dark) == 1 and is_color(only(dark[0])) else _raise()
    try:
        parsed = parse_color(token)
        if parsed == "currentcolor":
            return current
        red, green, blue = (_byte(part) for part in _srgb(parsed))
    except (AttributeError, IndexError, TypeError, ValueError, NotImplementedError) as error:
        raise Unclear from error
    return (red, green, blue), float(parsed.alpha)


def is_color(token: Any) -> bool:
    try:
        color(token)
    except Unclear:
        return False
    return True


def _byte(part: float) -> int:
    return max(0, min(255, round(part * 255)))


def _srgb(parsed: Color) -> Sequence[float]:
    space = parsed.space
    if space in ("srgb", "hsl", "hwb"):
        return tuple(part or 0.0 for part in parsed.to("srgb").coordinates)
    if space == "srgb-linear":
        linear = tuple(part or 0.0 for part in parsed.coordinates)
    elif space in ("lab", "lch", "xyz-d50"):
        linear = _times(_TO_RGB, _times(_TO_D65, parsed.to("xyz-d50").coordinates))
    else:
        linear = _times(_TO_RGB, parsed.to("xyz-d65").coordinates)
    bounded = (max(0.0, min(1.0, part)) for part in linear)
    return tuple(12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055 for part in bounded)


def _times(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> tuple[float, ...]:
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


def _mixed(token: Any, current: Paint) -> Paint:
    """A mixture in sRGB, or in any space of like colours or with something transparent, which leaves the other one."""
    space, *parts = (solid(part) for part in split(token.arguments))
    if len(parts) != 2 or words(space)[:1] != ["in"] or not all(parts):
        raise Unclear
    paints = [color(part[0], current) for part in parts]
    given = [share(part[1]) if len(part) == 2 else None for part in parts]
    first, second = given
    if first is None:
        first = 1 - second if second is not None else 0.5
    weight = first if second is None or given[0] is None else first / (first + second or 1)
    if any(len(part) > 2 for part in parts) or not 0 <= weight <= 1 or (None not in given and sum(given) != 1):  # type: ignore[arg-type]
        raise Unclear
    alpha = paints[0][1] * weight + paints[1][1] * (1 - weight)
    if not alpha or 0.0 in (paints[0][1], paints[1][1]):
        return paints[0 if paints[0][1] else 1][0], alpha
    if words(space)[1:] != ["srgb"] and not too_close(paints[0][0], paints[1][0]):  # of those any mixture will do
        raise Unclear
    return blend(paints[0][0], paints[1][0], paints[0][1] * weight / alpha), alpha


def attribute_color(text: str) -> RGB | None:
    """The colour of an old attribute such as bgcolor."""
    parsed = parse_color(text.strip()) if text.strip() else None
    if isinstance(parsed, Color) and parsed.space == "srgb":
        red, green, blue = (_byte(part) for part in parsed.coordinates)
        return red, green, blue
    digits = text.strip().lstrip("#")
    try:
        return (int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)) if len(digits) == 6 else None
    except ValueError:
        return None


# Variables.


class Variables(dict[str, Value | None]):
    """Custom properties that hold for an element, without references; None for a value that grew out of hand."""

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return self is other


NOTHING: Value = (parse_one_component_value("var(--)"),)
"""A variable without a value."""


def set_variables(parent: Variables, own: Mapping[str, Value], registered: Mapping[str, Value | None]) -> Variables:
    """The variables of an element: its own ones resolved among themselves, the others as its parent has them."""
    pending: dict[str, Value | None] = {**registered, **own}
    if all(parent.get(name, NOTHING) is value for name, value in pending.items()):
        return parent
    variables = Variables(parent)
    cyclic: set[str] = set()

    def settle(name: str, path: tuple[str, ...]) -> None:
        value = pending.pop(name)
        variables.pop(name, None)
        try:
            for used in _references(value or ()):
                cyclic.update((*path, name) if used in (*path, name) else ())
                if used in pending:
                    settle(used, (*path, name)) if len(path) < _MAX_DEPTH else _raise()
            resolved = None if value is None or name in cyclic else substitute(value, variables)
            if resolved is not None or value is None or name in cyclic:
                variables[name] = resolved
        except Unclear:
            variables[name] = None

    while pending:
        settle(next(iter(pending)), ())
    return variables


def _references(tokens: Iterable[Any], depth: int = 0) -> Iterator[str]:
    if depth > _MAX_DEPTH:
        raise Unclear
    for token in tokens:
        if token.type == "function":
            inner = solid(token.arguments)
            if token.lower_name == "var" and inner and inner[0].type == "ident":
                yield inner[0].value
            yield from _references(inner, depth + 1)
        elif token.type.endswith(" block"):
            yield from _references(token.content, depth + 1)


def substitute(value: Value, variables: Mapping[str, Value | None]) -> Value | None:
    """The value with its variables filled in; None when one has no value."""
    if not any(token.type == "function" or token.type.endswith(" block") for token in value):
        return value
    resolved: list[Any] = []
    for token in value:
        filled: Value | None = (token,)
        if token.type == "function" and token.lower_name == "var":
            filled = _variable(solid(token.arguments), variables)
        elif token.type == "function" and any(True for _ in _references((token,))):
            inner = substitute(solid(token.arguments), variables)
            filled = None if inner is None else (_Group("function", token.lower_name, list(inner)),)
        elif token.type in ("() block", "[] block", "{} block") and any(True for _ in _references((token,))):
            raise Unclear
        if filled is None:
            return None
        resolved.extend(filled)
        if _weight(resolved) > _MAX_TOKENS:
            raise Unclear
    return tuple(resolved)


def _variable(arguments: Value, variables: Mapping[str, Value | None]) -> Value | None:
    if not arguments or arguments[0].type != "ident" or (len(arguments) > 1 and arguments[1] != ","):
        raise Unclear
    name = arguments[0].value
    if name in variables:
        stored = variables[name]
        return stored if stored is not None else _raise()
    return substitute(arguments[2:], variables) if len(arguments) > 1 else None
