"""A ranking as one HTML file: nothing is fetched, nothing of a resume is markup, and it reads without its script."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from evenhand import __version__
from evenhand.cli.report.view import page_of
from evenhand.workflows.candidate_facts import Ranked


def report_html(ranked: Ranked, *, shown: int) -> str:
    """The whole page. The same ranking gives the same bytes."""
    style, script = _resource("style.css"), _resource("filter.js")
    # Autoescape is on for every template: only these two files of ours are let through as they are.
    environment = Environment(
        loader=FunctionLoader(_resource),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html").render(
        page=page_of(ranked, shown=shown),
        style=Markup(style),  # noqa: S704
        script=Markup(script),  # noqa: S704
        policy=_policy(style, script),
        version=__version__,
    )


def _resource(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """Only the style and the script below, by their hashes; no source for anything else."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
