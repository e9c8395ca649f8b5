"""Word 97-2003 and Word 6/95 binary files to Draft: text pieces, formatting runs, styles, lists, shapes."""
