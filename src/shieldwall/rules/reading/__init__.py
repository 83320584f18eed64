"""Reads the texts of army rules and spells into blocks (`core/blocks.py`)."""

from shieldwall.rules.reading.reader import Misread, Read, Reading, read, read_spell, vocabulary

__all__ = ["Misread", "Read", "Reading", "read", "read_spell", "vocabulary"]
