"""No regular expression of the package takes more than linear time: strangers write what they are matched against.

Every pattern is found by importing all modules, and in the source where it stands in a call. Each of its repeats is
pumped: with what the repeat matches, and with the runs that tabbed forms and hostile texts have.
"""

from __future__ import annotations

import ast
import importlib
import json
import pkgutil
import re
import signal
import subprocess
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from re import _constants as sre
from re import _parser as sre_parser
from typing import Any, NamedTuple

import pytest

import evenhand

ROOT = Path(evenhand.__file__).parent
METHODS = ("compile", "sub", "subn", "match", "search", "fullmatch", "findall", "finditer", "split")
ANCHORED = {"match", "fullmatch"}
REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
NOT_IMPORTED = (".__main__", ".migrations.", "._bulk")  # need an argument, a database, a call
PROBES = " \t\n\xa0a0A.-,:/_'@(&|é"
RUNS = (
    *(" ", "\t", "\xa0", "\n", "0", "a", "A", ".", "-", "_", "'", "(", "|", ", ", ": ", " \n", "a ", "A ", "1 ", "Ab "),
    *("a\n", "a.", "a,", "1-", "-a", "/a", "a@", "&a ", "\t \xa0"),
)  # fmt: skip
MAX_PREFIXES = 8
TAILS = ("", "\nprivate!")
SHORT, LONG = 1_500, 15_000  # characters
SUSPICIOUS_SECONDS = 0.003  # of processor time for a short text: linear ones take a tenth
MAX_LONG = 4  # runs of a pattern that are tried with long texts
# A long text may take as long as this many of a yardstick, which is measured beside it: on a busy machine a second of
# processor time does less. The slowest linear pattern takes 1.3, quadratic ones more than 4.
YARDSTICK = re.compile(r"(?:[A-Z][\w.]{1,24} ?){1,3}\d")
YARDSTICK_TEXT = ("-" + "A" * 40 + " ") * 40
MAX_YARDSTICKS = 3.0
QUICK_SECONDS = 0.05
ROUNDS = 3  # of which the quickest counts
MAX_SECONDS = 2.0  # after which a match is given up
Parsed = Iterable[tuple[Any, Any]]


class Pattern(NamedTuple):
    pattern: str | bytes
    flags: int
    place: str  # file:line
    methods: tuple[str, ...]


# Collecting them, in a process that has imported nothing yet.


def compiled_at_import() -> Iterator[tuple[str | bytes, int, str]]:
    seen: dict[tuple[str | bytes, int], str] = {}
    compile_pattern = re._compile  # type: ignore[attr-defined]

    def recorded(pattern: Any, flags: Any) -> Any:
        frame = sys._getframe(2)
        if frame.f_code.co_filename.startswith(str(ROOT)):
            name = str(Path(frame.f_code.co_filename).relative_to(ROOT))
            whole = getattr(pattern, "pattern", pattern)
            seen.setdefault((whole, int(flags)), f"{name}:{frame.f_lineno}:{frame.f_code.co_name}")
        return compile_pattern(pattern, flags)

    re._compile = recorded  # type: ignore[attr-defined]
    for module in pkgutil.walk_packages([str(ROOT)], "evenhand."):
        if not any(part in f"{module.name}." for part in (f"{part.rstrip('.')}." for part in NOT_IMPORTED)):
            importlib.import_module(module.name)
    yield from ((pattern, flags, place) for (pattern, flags), place in seen.items())


@cache
def sources() -> dict[str, ast.Module]:
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text()) for path in sorted(ROOT.rglob("*.py"))}


def written_in_calls() -> Iterator[tuple[str | bytes, int, str]]:
    """re.sub(r"...", ...) inside functions, which are not called at import."""
    for file, tree in sources().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in {f"re.{name}" for name in METHODS}:
                flags = 0
                for part in (*node.args[1:], *(keyword.value for keyword in node.keywords)):
                    if re.fullmatch(r"re\.[A-Z]+(?: \| re\.[A-Z]+)*", ast.unparse(part)):
                        flags |= sum(int(getattr(re, name)) for name in re.findall(r"re\.([A-Z]+)", ast.unparse(part)))
                if isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str | bytes):
                    called = ast.unparse(node.func).removeprefix("re.")
                    yield node.args[0].value, flags, f"{file}:{node.lineno}:{called}"


def methods_of(places: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """How the pattern that is compiled at each place is used; "search" where that is not told by its name."""
    names: dict[str, str] = {}
    used: dict[str, set[str]] = defaultdict(set)  # by file and name
    for file, tree in sources().items():
        imported = {
            alias.name: f"{str(node.module).removeprefix('evenhand.').replace('.', '/')}.py"
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                    names[f"{file}:{line}"] = node.targets[0].id
            elif isinstance(node, ast.Attribute) and node.attr in METHODS and isinstance(node.value, ast.Name):
                name = node.value.id
                used[f"{imported.get(name, file)}:{name}"].add(node.attr)
    methods: dict[str, tuple[str, ...]] = {}
    for place in places:
        where, _, function = place.rpartition(":")
        uses = used[f"{where.partition(':')[0]}:{names.get(where)}"]
        if function == "rule" and where.startswith("masking/"):  # apply_rules
            methods[place] = ("match",)
        elif function in ANCHORED:
            methods[place] = (function,)
        else:
            methods[place] = tuple(sorted(uses)) if uses and uses <= ANCHORED else ("search",)
    return methods


def collect() -> list[Pattern]:
    unique: dict[tuple[str | bytes, int], str] = {}
    for pattern, flags, place in (*compiled_at_import(), *written_in_calls()):
        unique.setdefault((pattern, flags), place)
    methods = methods_of(unique.values())
    return [Pattern(pattern, flags, place, methods[place]) for (pattern, flags), place in unique.items()]


# Texts for each: a prefix that leads to a repeat, then what it repeats.


def example(parsed: Parsed, first: str = "") -> str:
    """A short text that the parsed pattern matches, beginning with `first` where it can."""
    text = ""
    for operator, value in parsed:
        text += _example(operator, value, "" if text else first)
    return text


def _example(operator: Any, value: Any, first: str) -> str:
    if operator is sre.LITERAL:
        return chr(value)
    if operator in (sre.IN, sre.NOT_LITERAL, sre.ANY):
        return next((letter for letter in first + PROBES + ALL if _is_in(operator, value, letter)), "a")
    if operator is sre.SUBPATTERN:
        return example(value[3], first)
    if operator is sre.ATOMIC_GROUP:
        return example(value, first)
    if operator is sre.BRANCH:
        texts = [example(branch, first) for branch in value[1]]
        return next((text for text in texts if first and text.startswith(first)), texts[0])
    return example(value[2], first) * value[0] if operator in REPEATS else ""


ALL = "".join(map(chr, range(33, 127))) + "–•é\ufffc中"
CATEGORIES: dict[Any, Callable[[str], bool]] = {
    sre.CATEGORY_DIGIT: str.isdigit,
    sre.CATEGORY_NOT_DIGIT: lambda letter: not letter.isdigit(),
    sre.CATEGORY_SPACE: str.isspace,
    sre.CATEGORY_NOT_SPACE: lambda letter: not letter.isspace(),
    sre.CATEGORY_WORD: lambda letter: letter.isalnum() or letter == "_",
    sre.CATEGORY_NOT_WORD: lambda letter: not (letter.isalnum() or letter == "_"),
}


def _is_in(operator: Any, value: Any, letter: str) -> bool:
    if operator is not sre.IN:
        return operator is sre.ANY or ord(letter) != value
    is_in, is_negated = False, False
    for kind, part in value:
        if kind is sre.NEGATE:
            is_negated = True
        elif kind is sre.LITERAL:
            is_in |= part == ord(letter)
        elif kind is sre.RANGE:
            is_in |= part[0] <= ord(letter) <= part[1]
        elif kind is sre.CATEGORY:
            is_in |= CATEGORIES[part](letter)
    return is_in != is_negated


def repeats(parsed: Parsed, prefix: str = "") -> Iterator[tuple[str, Parsed]]:
    """Each repeat at any depth, with a text that leads to it."""
    for operator, value in parsed:
        if operator in REPEATS:
            yield from [(prefix, value[2])] if value[1] > 1 else []
            yield from repeats(value[2], prefix)
        elif operator is sre.SUBPATTERN:
            yield from repeats(value[3], prefix)
        elif operator is sre.ATOMIC_GROUP:
            yield from repeats(value, prefix)
        elif operator is sre.BRANCH:
            for branch in value[1]:
                yield from repeats(branch, prefix)
        elif operator in (sre.ASSERT, sre.ASSERT_NOT):
            yield from repeats(value[1], prefix)
        prefix += _example(operator, value, "")


def attacks(pattern: Pattern) -> list[tuple[str, str]]:
    """Prefixes and what is pumped behind them."""
    parsed = sre_parser.parse(pattern.pattern, pattern.flags)
    found = {
        (prefix, run) for prefix, body in repeats(parsed) for run in {example(body, first) for first in PROBES} if run
    }
    prefixes = sorted({prefix for prefix, _ in found} | {""}, key=len)[-MAX_PREFIXES:] if found else []
    return sorted(found | {(prefix, run) for prefix in prefixes for run in RUNS})


def texts(prefix: str, run: str, length: int) -> Iterator[str]:
    for tail in TAILS:
        yield prefix + run * (length // len(run)) + tail
        unit = prefix + run * (40 // len(run) + 1) + tail + " "  # a form with many such lines
        yield unit * (length // len(unit) + 1)


class TooSlow(Exception):
    pass


def _stop(*_: object) -> None:
    raise TooSlow


def seconds(pattern: re.Pattern[Any], method: str, text: str) -> float:
    """Of processor time, and not much more than matters: matching looks for signals."""
    given: Any = text.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else text
    started = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, MAX_SECONDS)
    try:
        if method == "search":
            for _ in pattern.finditer(given):
                pass
        else:
            getattr(pattern, method)(given)
    except TooSlow:
        return MAX_SECONDS
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.process_time() - started


def takes_too_long(pattern: re.Pattern[Any], method: str, text: str) -> bool:
    """Whether every one of some rounds took longer than the yardstick allows, which is not asked of quick ones."""
    return all(
        (duration := seconds(pattern, method, text)) > QUICK_SECONDS
        and duration > MAX_YARDSTICKS * seconds(YARDSTICK, "search", YARDSTICK_TEXT)
        for _ in range(ROUNDS)
    )


def weakness(pattern: Pattern) -> str | None:
    """A text that takes too long. Short ones are tried first, and the slowest of them are made longer."""
    compiled = re.compile(pattern.pattern, pattern.flags)
    tried = [
        (max(seconds(compiled, method, text) for text in texts(prefix, run, SHORT)), method, prefix, run)
        for prefix, run in attacks(pattern)
        for method in pattern.methods
    ]
    for duration, method, prefix, run in sorted(tried, reverse=True)[:MAX_LONG]:
        if duration < SUSPICIOUS_SECONDS:
            break
        for text in texts(prefix, run, LONG):
            if takes_too_long(compiled, method, text):
                return f"{pattern.place} {method}, {prefix!r} and {run!r}: {pattern.pattern!r}"
    return None


def weaknesses(patterns: Iterable[Pattern]) -> list[str]:
    before = signal.signal(signal.SIGVTALRM, _stop)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of sets that may mean something else one day
        try:
            return [found for pattern in patterns if (found := weakness(pattern))]
        finally:
            signal.signal(signal.SIGVTALRM, before)


def all_patterns() -> list[Pattern]:
    done = subprocess.run([sys.executable, "-P", __file__], capture_output=True, check=True, text=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return [
        Pattern(text.encode("latin-1") if is_bytes else text, flags, place, tuple(methods))
        for is_bytes, text, flags, place, methods in rows
    ]


def test_every_pattern_takes_linear_time() -> None:
    patterns = all_patterns()
    assert len(patterns) > 400  # were they found at all?
    assert weaknesses(patterns) == []


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"(?:a|a)+$", "match"),  # exponential
        (r"born[ ]{0,8}[ ]{0,8}[ ]{0,8}[ ]{0,8}[ ]{0,8}[ ]{0,8}[ ]{0,8}[ ]{0,8}\d", "match"),  # of a high degree
        (r"\s+$", "search"),  # quadratic
    ],
)
def test_slow_patterns_are_noticed(pattern: str, method: str) -> None:
    assert weaknesses([Pattern(pattern, 0, "here", (method,))])


if __name__ == "__main__":
    for each in collect():
        is_bytes = isinstance(each.pattern, bytes)
        text = each.pattern.decode("latin-1") if isinstance(each.pattern, bytes) else each.pattern
        sys.stdout.write(json.dumps([is_bytes, text, each.flags, each.place, each.methods]) + "\n")
