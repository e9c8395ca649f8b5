"""Scanned pages: a picture of text to words with their places, by whichever engine is installed."""
