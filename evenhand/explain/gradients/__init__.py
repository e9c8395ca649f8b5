"""Attributions by gradients; the only part of explaining that needs torch."""
