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
from evenhand.web.pages import audits as audit_records
from evenhand.web.pages import retention as erasures
from evenhand.web.pages import rights as corrections

ROUTERS = (
    sign_in.router,
    sign_in.sso_router,
    account.router,
    jobs.router,
    jobs.requirements_router,
    imports.router,
    screening.router,
    decisions.router,
    candidates.router,
    candidates.reasons_router,
    candidates.comparison_router,
    candidates.remarks_router,
    rights.router,
    corrections.corrections_router,
    erasures.erasures_router,
    exports.router,
    retention.router,
    watchlists.router,
    users.router,
    ledger.router,
    audit_records.audit_records_router,
    audits.router,
    exports.help_router,
)
