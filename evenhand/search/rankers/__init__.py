"""Ways to order resumes for a job, behind one interface: every score is the sum of parts that say their reason."""
