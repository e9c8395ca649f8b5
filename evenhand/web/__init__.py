"""The screening application: pages and an API over the workflows. It computes nothing itself."""

from evenhand.extras import require

require("server")
