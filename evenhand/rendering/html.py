"""What every HTML file shares: templates beside the code, everything escaped, styles and scripts let in by hash."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from functools import cache, partial
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, FunctionLoader, StrictUndefined

from evenhand.errors import UsageError


@cache
def resource(package: str, name: str) -> str:
    """A template, style or script that lies in the package."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


@cache
def _environment(package: str) -> Environment:
    return Environment(
        loader=FunctionLoader(partial(resource, package)),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render(package: str, template: str, **values: object) -> str:
    """A template of the package. All that is put into it is escaped, but for what is marked as markup."""
    return _environment(package).get_template(template).render(**values)


def source_hash(text: str) -> str:
    """A style or script as a content security policy names it."""
    return "sha256-" + b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def write_file(file: Path, content: bytes) -> None:
    """UsageError for a file that cannot be written."""
    try:
        file.write_bytes(content)
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}.") from error
