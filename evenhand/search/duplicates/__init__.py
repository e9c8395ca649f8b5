"""Near-duplicate resumes: one text under several identities, found by shingles and min-hashes, shown as a diff."""
