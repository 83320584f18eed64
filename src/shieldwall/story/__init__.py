"""Prose made from events: one table says how each fact is told, a story joins facts to sentences."""

from shieldwall.story.names import Names
from shieldwall.story.story import Line, LineKind, Story
from shieldwall.story.table import TELLERS, tell

__all__ = ["TELLERS", "Line", "LineKind", "Names", "Story", "tell"]
