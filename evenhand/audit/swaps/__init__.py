"""The same resume with another name, place, school or gap: what is edited, what is drawn, and what it changed."""
