"""ODT and flat ODT to a draft: the text in order, what is hidden apart, nothing run or fetched."""
