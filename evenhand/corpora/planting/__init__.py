"""How each planted case is made."""
