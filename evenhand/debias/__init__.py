"""Concepts in embeddings: found, weighed against the task, removed, and the price of it measured."""
