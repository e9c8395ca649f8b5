"""The pages, one module for each kind; their routers in the order in which addresses are matched."""

from evenhand.web.pages import (
    account,
    candidates,
    comparison,
    decisions,
    entry,
    help,
    imports,
    jobs,
    ledger,
    remarks,
    requirements,
    screening,
    sso,
    users,
    watch_lists,
)

ROUTERS = (
    entry.router,
    sso.router,
    account.router,
    jobs.router,
    requirements.router,
    imports.router,
    screening.router,
    decisions.router,
    candidates.router,
    comparison.router,
    remarks.router,
    watch_lists.router,
    users.router,
    ledger.router,
    help.router,
)
