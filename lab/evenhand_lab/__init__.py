"""Evenhand lab."""
