"""Explanations for people: a paragraph, bars, and the resume itself with its words coloured."""
