"""Attributions by gradients; the only part of explaining that needs torch."""

from evenhand.extras import require

require("train")
