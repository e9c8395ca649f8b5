"""Screening."""
