"""A ranking as one HTML file: nothing is fetched, nothing of a resume is markup, and it reads without its script."""
