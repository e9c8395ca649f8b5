"""Training of networks with torch; nothing else loads it."""
