"""Encoders: text to vectors. What judges resumes by learning lives here."""
