"""Flat Parquet files row by row, as sets of labelled texts are shared: plain or dictionary pages, Snappy or gzip."""

from evenhand.corpora.sets.parquet.reader import parquet_rows

__all__ = ["parquet_rows"]
