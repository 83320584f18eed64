"""Turns events into prose: a table of sentences by event type, and a story that joins them."""

from shieldwall.story.names import Names
from shieldwall.story.story import LineKind, Story, StoryLine
from shieldwall.story.table import TELLERS, tell

__all__ = ["TELLERS", "LineKind", "Names", "Story", "StoryLine", "tell"]
