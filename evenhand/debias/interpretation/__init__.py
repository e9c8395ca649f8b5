"""What a concept is about: which words or clauses carry it, and which texts have most of it."""
