"""Records as plain JSON values and back, from the fields of their dataclass and the types of these.

A field becomes a key of its name, or of `field(metadata={"json": "name"})`, in the order of the fields. Tuples become
lists, sets sorted lists, nested records what their own `to_json` says; all else stays as it is.

A loop over fields takes up to four times as long as a written dictionary: what every resume has dozens of (lines,
evidence, sections, skills) spells its fields out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, partial
from math import isfinite
from operator import methodcaller
from types import NoneType, UnionType
from typing import Any, NamedTuple, Self, TypeVar, Union, get_args, get_origin, get_type_hints

Record = TypeVar("Record")
Convert = Callable[[Any], Any]
Rules = Mapping[type, Callable[[Any], bool]]
"""What must hold of every record of a class, beyond the types of its fields."""
MAX_INTEGER = 2**31  # exclusive; a database column holds no more


class JsonRecord:
    """Base of dataclasses whose JSON form is their fields."""

    __slots__ = ()

    def to_json(self) -> dict[str, Any]:
        return to_json(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Raises KeyError where a field is missing; unknown keys are passed over."""
        return from_json(cls, data)


def to_json(record: Any) -> dict[str, Any]:
    """The fields of a record; a `to_json` of its own may add to them."""
    cls: Any = type(record)
    plan = _plan(cls)
    values = {key: getattr(record, name) for key, name in plan.names.items()}
    for key, write in plan.writers:
        values[key] = write(values[key])
    return values


def from_json(cls: type[Record], data: Mapping[str, Any]) -> Record:
    """The record whose fields `to_json` wrote."""
    known: Any = cls  # mypy takes the `__hash__` of instances for that of their class
    plan = _plan(known)
    values = [*map(data.__getitem__, plan.names)]
    for at, read in plan.readers:
        values[at] = read(values[at])
    return cls(*values)


class _Plan(NamedTuple):
    names: dict[str, str]  # of the fields, by key
    writers: tuple[tuple[str, Convert], ...]  # of the keys whose values do not stay as they are
    readers: tuple[tuple[int, Convert], ...]  # likewise, by the number of the field


@cache
def _plan(cls: type) -> _Plan:
    types = get_type_hints(cls)
    names = {field.metadata.get("json", field.name): field.name for field in fields(cls)}
    writers = ((key, _converter(types[name], is_reading=False)) for key, name in names.items())
    readers = ((at, _converter(types[name], is_reading=True)) for at, name in enumerate(names.values()))
    return _Plan(
        names,
        tuple((key, convert) for key, convert in writers if convert),
        tuple((at, convert) for at, convert in readers if convert),
    )


def _converter(kind: Any, *, is_reading: bool) -> Convert | None:
    """None for values that stay as they are."""
    origin, arguments = get_origin(kind) or kind, get_args(kind)
    inner = [_converter(argument, is_reading=is_reading) for argument in arguments if argument not in (NoneType, ...)]
    if origin in (Union, UnionType):
        convert = next(filter(None, inner), None)
        if convert and len(inner) > 1:  # each writes itself; telling them apart again needs a `from_json` of its own
            convert = methodcaller("from_json" if is_reading else "to_json")
        return convert and (lambda value: None if value is None else convert(value))
    if not isinstance(origin, type):  # Any, Literal
        return None
    if is_dataclass(origin):
        if is_reading:
            return getattr(origin, "from_json", partial(from_json, origin))
        return methodcaller("to_json") if hasattr(origin, "to_json") else to_json
    if issubclass(origin, tuple | list):
        make: Convert = origin if is_reading else list
        if not any(inner):
            return make
        item, *others = inner
        if item and not others:
            return lambda values: make(map(item, values))
        return lambda values: make(
            value if convert is None else convert(value) for value, convert in zip(values, inner, strict=True)
        )
    if issubclass(origin, Mapping):
        value_of = inner[1] if len(inner) > 1 else None  # a Counter names its keys only
        return dict if value_of is None else lambda values: {key: value_of(value) for key, value in values.items()}
    if issubclass(origin, frozenset):
        return frozenset if is_reading else sorted
    return None


def is_valid(record: Any, rules: Rules) -> bool:
    """Whether every field, at any depth, is of the type that its dataclass says, numbers are finite, and rules hold.

    For records that came from a process which has handled strangers' texts: `from_json` believes what it is given.
    """
    kind: Any = type(record)
    return _check(kind)(record, rules)


@cache
def _check(kind: Any) -> Callable[[Any, Rules], bool]:
    origin, arguments = get_origin(kind) or kind, get_args(kind)
    if origin in (Union, UnionType):
        either = [_check(argument) for argument in arguments]
        return lambda value, rules: any(check(value, rules) for check in either)
    if origin is tuple and arguments[1:] == (...,):
        item = _check(arguments[0])
        return lambda value, rules: type(value) is tuple and all(item(part, rules) for part in value)
    if origin is frozenset:
        member = _check(arguments[0])
        return lambda value, rules: type(value) is frozenset and all(member(part, rules) for part in value)
    if is_dataclass(origin):
        types = get_type_hints(origin)
        parts = [(field.name, _check(types[field.name])) for field in fields(origin)]

        def is_record(value: Any, rules: Rules) -> bool:
            holds = rules.get(type(value))
            return (
                type(value) is origin
                and all(check(getattr(value, name), rules) for name, check in parts)
                and (holds is None or holds(value))
            )

        return is_record
    if origin is float:
        is_integer = _check(int)
        return lambda value, rules: isfinite(value) if type(value) is float else is_integer(value, rules)
    if origin is int:
        return lambda value, _: type(value) is int and -MAX_INTEGER < value < MAX_INTEGER
    if origin not in (str, bool, NoneType):
        raise TypeError(f"{kind} is not known here")
    return lambda value, _: type(value) is origin


def canonical_json(value: Any) -> str:
    """Sorted keys, no spaces, real Unicode, no NaN: equal values give equal bytes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def content_hash(value: Any) -> str:
    """SHA-256 of the canonical form, in hexadecimal."""
    # Forms may hold half a surrogate pair, which strict UTF-8 has no bytes for.
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()
