"""Training of networks with torch; nothing else loads it."""

from evenhand.extras import require

require("train")
