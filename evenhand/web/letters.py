"""Letters to applicants as HTML: a file of its own, without scripts and without anything to be loaded."""

from __future__ import annotations

from markupsafe import Markup

from evenhand.web.rendering import STATIC, environment
from evenhand.workflows.letter import Letter


def letter_html(letter: Letter) -> str:
    """Can be sent, kept and printed as it is."""
    # Our own file and no one's text, so it needs no escaping; in a style element escapes would not be read anyway.
    styles = Markup((STATIC / "receipt.css").read_text(encoding="utf-8"))  # noqa: S704
    return environment().get_template("receipt/alone.html").render(letter=letter, styles=styles)
