"""Candidates by the million: parts of a few thousand generated resumes put together anew, with their index entries."""
