"""Who may work here: passwords, one-time links, single sign-on."""

from evenhand.extras import require

require("server")
