"""Writes what docs/ shows of the code: the reference. Run as `make docs`; a test compares."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from typer.main import get_command

from evenhand.cli.main import app
from evenhand.errors import DOCUMENT_ERRORS, EXPLANATION_ERRORS, MODEL_ERRORS, MissingExtra
from evenhand.settings import SETTINGS

ROOT = Path(__file__).resolve().parent.parent
NOTE = "<!-- Written by `make docs` from the code; do not edit. -->\n\n"


def table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


def errors() -> str:
    rows = [(f"`{code}`", kind.sentence) for code, kind in DOCUMENT_ERRORS.items()]
    unexplained = [(f"`{code}`", kind.sentence) for code, kind in EXPLANATION_ERRORS.items()]
    refusals = [(f"`{code}`", kind.sentence) for code, kind in MODEL_ERRORS.items()]
    return (
        NOTE + "# Errors\n\nA file that cannot be read gives a Document of status `error` with one of these.\n"
        "Codes never change; sentences may.\n\n"
        + table(("code", "sentence"), rows)
        + "\nA model that is not used is refused with one of these before anything is predicted.\n\n"
        + table(("code", "sentence"), refusals)
        + "\nAn explanation that cannot be given says so with one of these.\n\n"
        + table(("code", "sentence"), unexplained)
        + "\nA part of Evenhand that is not installed is named with the extra that brings it.\n\n"
        + table(("code", "sentence"), [(f"`{MissingExtra.code}`", MissingExtra.sentence)])
    )


def settings() -> str:
    rows = [
        (f"`{name}`", f"`{setting.variable}`", f"`{setting.default}`", setting.expected, setting.help)
        for name, setting in SETTINGS.items()
    ]
    return (
        NOTE + "# Settings\n\n"
        "From `~/.config/evenhand/evenhand.toml` (or the file named by `EVENHAND_CONFIG`), then from the\n"
        "environment, then from `--set NAME=VALUE`. The last one wins. `evenhand settings` shows the values\n"
        "in force and where each comes from.\n\n"
        + table(("name", "variable", "default", "value", "what it does"), rows)
    )


def written(parameter: Any) -> str:
    """As it is typed: FILE..., --text, --workers N."""
    names = "" if parameter.param_type_name == "argument" else ", ".join(parameter.opts)
    repeated = "..." if parameter.nargs == -1 else ""
    return f"{names} {parameter.metavar or ''}{repeated}".strip()


def commands() -> str:
    return "".join([NOTE, "# Command line\n", *sections("evenhand", get_command(app))])


def sections(path: str, group: Any) -> Iterator[str]:
    """A section per command, also of the commands inside commands."""
    for name, command in group.commands.items():
        if command.hidden:
            continue
        if hasattr(command, "commands"):
            yield from sections(f"{path} {name}", command)
        else:
            yield section(f"{path} {name}", command)


def section(name: str, command: Any) -> str:
    text, _, examples = inspect.cleandoc(command.help or "").partition("Example")
    lines = examples.removeprefix("s").removeprefix(":").splitlines()
    shown = [line.strip().removeprefix("- ") for line in lines if line.strip()]
    rows = [(f"`{written(parameter)}`", parameter.help) for parameter in command.params]
    return (
        f"\n## {name}\n\n{text.strip()}\n\n"
        + (table(("argument", "meaning"), rows) + "\n" if rows else "")
        + ("```sh\n" + "\n".join(shown) + "\n```\n" if shown else "")
    )


PAGES = {"docs/reference/cli.md": commands, "docs/reference/errors.md": errors, "docs/reference/settings.md": settings}


def main() -> None:
    for name, write in PAGES.items():
        path = ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(write(), encoding="utf-8")


if __name__ == "__main__":
    main()
