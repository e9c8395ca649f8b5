"""`evenhand settings`: the table, with the values in force and where they come from."""

from __future__ import annotations

from evenhand.cli.terminal import printable, show
from evenhand.settings import SETTINGS, load_settings


def settings() -> None:
    """Show every setting: its value, where the value comes from, and what it does.

    A value comes from ~/.config/evenhand/evenhand.toml (or the file that EVENHAND_CONFIG names), then from a
    variable such as EVENHAND_WORKERS, then from a flag. The last one wins.

    Example:

    - EVENHAND_OCR=off evenhand settings
    """
    from rich.table import Table
    from rich.text import Text

    loaded = load_settings()
    table = Table("Setting", "Value", "From", "What it does", title_justify="left")
    for name, setting in SETTINGS.items():
        value, origin = str(getattr(loaded.settings, name)), loaded.origins[name]
        style = "" if origin == "default" else "bold green"
        table.add_row(name, Text(value, style), Text(printable(origin), style), setting.help)
    show(table)
