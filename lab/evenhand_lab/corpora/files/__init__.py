"""Resumes as files in the formats that people send."""
