"""Bytes to Document: type by content, one reader per format, visible text apart from hidden text."""
