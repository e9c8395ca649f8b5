"""Texts before a model reads them: cleaned and cut to length, and written without words that tell a gender."""
