"""PDF to lines in reading order: glyphs, words, columns and tables, and what cannot be seen."""
