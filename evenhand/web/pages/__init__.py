"""The pages, one module for each kind; their routers in the order in which addresses are matched."""

from evenhand.web.pages import account, entry, help, imports, jobs, requirements, sso, users, watch_lists

ROUTERS = (
    entry.router,
    sso.router,
    account.router,
    jobs.router,
    requirements.router,
    imports.router,
    watch_lists.router,
    users.router,
    help.router,
)
