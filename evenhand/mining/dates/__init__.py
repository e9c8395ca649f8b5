"""Dates of a resume in every usual style, with their places."""

from evenhand.mining.dates.choosing import own_span
from evenhand.mining.dates.finding import find_dates
from evenhand.mining.dates.moments import DateSpan, Moment, is_reversed

__all__ = ["DateSpan", "Moment", "find_dates", "is_reversed", "own_span"]
