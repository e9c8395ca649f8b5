"""Web pages to Draft: parsed as a browser does, styled by a small cascade, walked block by block."""

from evenhand.documents.html.reader import read_html

__all__ = ["read_html"]
