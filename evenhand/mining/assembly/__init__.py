"""Labelled lines and words become jobs, projects and degrees."""
