"""The pages, one module for each kind; their routers in the order in which addresses are matched."""

from evenhand.web.pages import entry

ROUTERS = (entry.router,)
