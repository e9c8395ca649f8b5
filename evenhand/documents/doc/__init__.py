"""Word 97-2003 and Word 6/95 binary files to Draft: text pieces, formatting runs, styles, lists, shapes."""

from evenhand.documents.doc.reader import read_doc

__all__ = ["read_doc"]
