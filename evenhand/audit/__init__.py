"""Whether a name, a place, a school or a gap moves a result, and whether groups fare differently."""

from evenhand.extras import require

require("audit")
