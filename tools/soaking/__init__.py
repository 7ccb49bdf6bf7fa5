"""Matrices of tools/soak: a module each, and what they share."""
