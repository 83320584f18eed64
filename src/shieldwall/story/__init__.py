"""Prose made from events: one table says how each fact is told, a story joins facts to sentences."""

from shieldwall.story.names import Names
from shieldwall.story.story import LineKind, Story, StoryLine
from shieldwall.story.table import TELLERS, tell

__all__ = ["TELLERS", "LineKind", "Names", "Story", "StoryLine", "tell"]
