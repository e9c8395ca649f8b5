"""Linear models of words, job titles and encoder vectors."""
