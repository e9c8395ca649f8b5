"""The pages, one module for each kind; their routers in the order in which addresses are matched."""

from evenhand.web.pages import entry, imports, jobs, requirements

ROUTERS = (entry.router, jobs.router, requirements.router, imports.router)
