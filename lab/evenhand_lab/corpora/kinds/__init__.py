"""Kinds of careers."""
