"""The pages, one module for each kind; their routers in the order in which addresses are matched."""

from evenhand.web.pages import (
    account,
    audits,
    candidates,
    decisions,
    exports,
    imports,
    jobs,
    ledger,
    retention,
    rights,
    screening,
    sign_in,
    users,
    watchlists,
)

ROUTERS = (
    sign_in.router,
    sign_in.sso_router,
    account.router,
    jobs.router,
    imports.router,
    screening.router,
    decisions.router,
    candidates.router,
    rights.router,
    exports.router,
    retention.router,
    watchlists.router,
    users.router,
    ledger.router,
    audits.audit_records_router,
    audits.router,
)
