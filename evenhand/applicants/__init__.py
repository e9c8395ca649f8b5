"""Applicants."""
