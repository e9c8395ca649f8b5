"""The search index: one document per application, in step with the store, rebuilt when its version is another."""

from evenhand.search.index.conditions import Filter
from evenhand.search.index.entry import Entry
from evenhand.search.index.reader import DEPTH, IndexReader, Snapshot
from evenhand.search.index.statistics import IndexStatistics
from evenhand.search.index.writer import IndexWriter, StatusChange

__all__ = [
    "DEPTH",
    "Entry",
    "Filter",
    "IndexReader",
    "IndexStatistics",
    "IndexWriter",
    "Snapshot",
    "StatusChange",
]
