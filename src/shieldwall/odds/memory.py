"""Answers given before: on the state itself while it is the same one, and by value for states that are equal."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar

from msgspec.structs import replace

from shieldwall.core.frames import AnyFrame
from shieldwall.core.state import State, shared_facts
from shieldwall.odds.powers import product_of_powers

T = TypeVar("T")
REMEMBERED = 512
_BY_VALUE: OrderedDict[Hashable, object] = OrderedDict()
SIGNATURES_KEPT = 4096
_AGE = [0]  # answers of an earlier age are forgotten


def at_moment(state: State, stack: tuple[AnyFrame, ...]) -> State:
    """The same table at another moment of the game; what was measured on it stays known."""
    there = replace(state, stack=stack)
    there.__dict__.update(memory=state.memory, positions=state.positions)
    return there


def remembered(state: State, question: Hashable, answer: Callable[[], T]) -> T:
    """The answer to a question about a state, cached as long as the state lives."""
    here: dict[Hashable, T] = state.__dict__.setdefault("_odds", {})
    key = (_AGE[0], question)
    known = here.get(key)
    if known is None:
        known = here[key] = answer()
    return known


def remembered_by_value(state: State, question: Hashable, answer: Callable[[], T]) -> T:
    """The same for every state that is equal to this one, as long as it was asked not too long ago."""
    return remembered(state, question, lambda: _looked_up(state, question, answer))


def _looked_up(state: State, question: Hashable, answer: Callable[[], T]) -> T:
    key = (state, question)
    known: T | None = _BY_VALUE.get(key)  # type: ignore[assignment]
    if known is None:
        known = answer()
        _BY_VALUE[key] = known
        if len(_BY_VALUE) > REMEMBERED:
            _BY_VALUE.popitem(last=False)
    return known


def remembered_by_signature(state: State, signature: Hashable, answer: Callable[[], T]) -> T:
    """The answer for all states of the same game with this signature."""
    facts = shared_facts(state.profiles)
    known: tuple[int, dict[Hashable, tuple[T]]] | None = facts.get("odds by signature")
    if known is None or known[0] != _AGE[0] or len(known[1]) >= SIGNATURES_KEPT:
        known = facts["odds by signature"] = (_AGE[0], {})
    found = known[1].get(signature)
    if found is None:
        found = known[1][signature] = (answer(),)
    return found[0]


def forget() -> None:
    """Forget every answer given so far, for measuring and for tests."""
    _AGE[0] += 1
    _BY_VALUE.clear()
    product_of_powers.cache_clear()
