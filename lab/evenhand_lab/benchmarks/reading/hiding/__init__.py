"""Resumes with words that nobody sees, and with words that only look suspicious, built for every format."""
