"""Nothing in a resume or a file name reaches the terminal as a command."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.rendering.cells import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Zoë Ångström, 李雷", "Zoë Ångström, 李雷"),
        ("\x1b]0;owned\x07.pdf", r"\x1b]0;owned\x07.pdf"),
        ("a\nb\r\x9b2J", r"a\nb\r\x9b2J"),
        ("tab\tand\xa0space", "tab and space"),
        ("gnp.\u202egpj", r"gnp.\u202egpj"),
        ("caf\udce9.txt", r"caf\udce9.txt"),
        ("[bold]not markup[/bold]", "[bold]not markup[/bold]"),
    ],
)
def test_what_does_not_print_is_shown_as_its_escape(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text())
def test_the_result_always_prints(text: str) -> None:
    assert printable(text).isprintable()
