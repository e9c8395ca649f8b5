"""Rich Text Format to Draft: a tokenizer, the state of a group, and the machine that runs control words."""

from evenhand.documents.rtf.reader import read_rtf

__all__ = ["read_rtf"]
