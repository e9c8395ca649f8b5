"""Concept removal in order: embed, decompose, weigh, remove, retrain, probe, report."""
