"""Readers of labelled sets that others made. Each takes the folder the user has the set in and yields frozen records.

Nothing is copied or kept: a reader streams, and a set that is not there is a missing file. Who belongs to which
group is read by the modules called `groups_...` and by no other.
"""
