"""What `evenhand bench NAME` runs: each figure beside a named peer or floor in the same run."""
