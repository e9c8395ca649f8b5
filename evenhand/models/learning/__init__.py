"""Training with torch. Nothing outside this package loads it; what is learned runs without."""
