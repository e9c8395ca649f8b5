"""Processes that are killed at work, and what has to be there afterwards."""
