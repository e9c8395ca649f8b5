"""The version, where everyone can import it without importing everything."""

__version__ = "0.1.0"
