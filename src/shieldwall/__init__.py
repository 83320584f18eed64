"""Shieldwall plays the Age of Fantasy family of tabletop wargames by the book."""

__version__ = "0.1.0"
