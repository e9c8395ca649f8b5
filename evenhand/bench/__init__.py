"""What `evenhand bench NAME` runs: each figure against a named peer or floor in the same run."""
