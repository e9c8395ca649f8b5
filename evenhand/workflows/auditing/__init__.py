"""Bias audits in order: edited resumes ranked again, outcomes by group, models by group, reports."""
