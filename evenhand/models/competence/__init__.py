"""Competence levels and fit to a job: how resumes are cut for the twelve networks, without torch."""
