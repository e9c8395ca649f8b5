"""Arithmetic of the model audit: rates, gaps, calibration, leakage and slices by group. Arrays in, records out."""
