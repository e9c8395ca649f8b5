"""Encoders, classifiers, their training and the registry of trained models."""
