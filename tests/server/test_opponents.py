"""Which bots are offered as opponents, and why others are not."""

from __future__ import annotations

from shieldwall.bots.registry import BOTS, NEED_COMPILED
from shieldwall.server.opponents import levels, no_such_bot


def test_bots_that_take_minutes_on_plain_kernels_wait_until_those_are_compiled() -> None:
    assert {bot.key for bot in levels(compiled=True)} == set(BOTS)
    assert {bot.key for bot in levels(compiled=False)} == {"random", "solo", "tactician"}


def test_a_refusal_says_why_and_whom_there_is() -> None:
    offered = set(BOTS) - NEED_COMPILED
    there = "there are random, solo, tactician"
    assert (
        no_such_bot("greedy", offered)
        == f"'greedy' thinks too long until everything is compiled; until then {there}"
    )
    assert no_such_bot("napoleon", offered) == f"there is no bot 'napoleon' here; {there}"
