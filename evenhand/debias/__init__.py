"""Concepts in embeddings: found, weighed against the task, removed, and the price of it measured."""

from evenhand.extras import require

require("audit")
