"""What is kept: jobs, candidates, applications, documents, profiles, decisions; SQLite or PostgreSQL."""

from evenhand.store.account_rows import ROLES, OneTimeLink, SessionInfo, Token, User
from evenhand.store.rows import (
    Alert,
    Application,
    Arrival,
    Decision,
    FileCheck,
    Indexed,
    KeptDocument,
    KeptJob,
    Label,
    Mined,
    Outcome,
    Preview,
    Refusal,
    Related,
    Saved,
    Skipped,
    WatchEntry,
)
from evenhand.store.statuses import STATUS_NAMES
from evenhand.store.store import Store

__all__ = [
    "ROLES",
    "STATUS_NAMES",
    "Alert",
    "Application",
    "Arrival",
    "Decision",
    "FileCheck",
    "Indexed",
    "KeptDocument",
    "KeptJob",
    "Label",
    "Mined",
    "OneTimeLink",
    "Outcome",
    "Preview",
    "Refusal",
    "Related",
    "Saved",
    "SessionInfo",
    "Skipped",
    "Store",
    "Token",
    "User",
    "WatchEntry",
]
