"""What several subjects know of texts: words, dates, names, contact data."""
