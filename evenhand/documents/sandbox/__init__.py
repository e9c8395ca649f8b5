"""Parsing in killable child processes without network, files or unbounded memory."""
