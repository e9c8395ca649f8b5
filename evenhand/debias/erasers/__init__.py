"""Other ways to remove a variable from a representation, each giving the same kind of frozen map: what removal of
concepts is compared with, and can be joined with."""
