"""Which bots are offered as opponents, and why others are not."""

from __future__ import annotations

from shieldwall.bots.registry import BOTS
from shieldwall.server.opponents import levels, no_such_bot


def test_every_bot_is_offered_at_once() -> None:
    assert [bot.key for bot in levels()] == list(BOTS)


def test_an_unknown_bot_is_refused_with_the_known_ones() -> None:
    there = "there are greedy, random, search, solo, tactician"
    assert no_such_bot("napoleon", set(BOTS)) == f"there is no bot 'napoleon' here; {there}"
