"""A Document becomes a Profile: sections, jobs, degrees, skills and months of experience, each with its place."""
