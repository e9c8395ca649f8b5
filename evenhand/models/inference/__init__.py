"""Predictions of trained networks without torch."""
