"""Concept removal for people: what concepts weigh, what removing them costs, and the words that they are made of."""
