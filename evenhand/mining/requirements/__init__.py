"""The text of a job ad to a Job: title, skills with months, experience, degree, place, passages by what they say."""

from evenhand.mining.requirements.understanding import understand_job

__all__ = ["understand_job"]
