"""Why one decision was better than another, from the results of playouts of both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shieldwall.analysis.what_if import BattleEnd
from shieldwall.core.grammar import does
from shieldwall.core.state import State
from shieldwall.story import Names

ALWAYS, NEVER = 0.995, 0.005  # shares worded as "never" or "always"
WORTH_TELLING = 0.08  # a difference smaller than this explains nothing


class _Difference(NamedTuple):
    """Something that happens more often after the better idea, and how to say it."""

    gain: float
    words: str


def reason_for(state: State, side: int, worse: Sequence[BattleEnd], better: Sequence[BattleEnd]) -> str:
    """The fact that changes most, as a sentence; empty if nothing stands out."""
    found = [*_markers(state, side, worse, better), *_units(state, side, worse, better)]
    best = max(found, key=lambda one: one.gain, default=_Difference(0.0, ""))
    return best.words if best.gain >= WORTH_TELLING else ""


def _markers(
    state: State, side: int, worse: Sequence[BattleEnd], better: Sequence[BattleEnd]
) -> list[_Difference]:
    names = Names(state)
    found = []
    for at, marker in enumerate(state.markers):
        ours = [_share([end.holders[at] == side for end in ends]) for ends in (worse, better)]
        theirs = [_share([end.holders[at] == 1 - side for end in ends]) for ends in (worse, better)]
        name = names.marker(marker.id)
        found.append(_Difference(ours[1] - ours[0], _holding(names.side(side), name, *ours)))
        found.append(_Difference(theirs[0] - theirs[1], _holding(names.side(1 - side), name, *theirs)))
    return found


def _units(
    state: State, side: int, worse: Sequence[BattleEnd], better: Sequence[BattleEnd]
) -> list[_Difference]:
    """Surviving units count less than markers, which win the game."""
    names = Names(state)
    found = []
    for unit in state.units:
        if not unit.models:
            continue
        lives = [_share([unit.id in end.alive for end in ends]) for ends in (worse, better)]
        if unit.side == side:
            gain, shares, verb = lives[1] - lives[0], lives, "survive"
        else:
            gain, shares, verb = lives[0] - lives[1], [1 - share for share in lives], "fall"
        name = does(names.unit(unit.id), verb, unit.start_models or len(unit.models))
        words = f"{name} {_instead(*shares)}."
        found.append(_Difference(gain / 2, words))
    return found


def _holding(side: str, marker: str, worse: float, better: float) -> str:
    if better <= NEVER:
        return f"{side} never holds {marker} at the end; otherwise it does {_often(worse)}."
    return f"{side} holds {marker} at the end {_instead(worse, better)}."


def _instead(worse: float, better: float) -> str:
    """Two shares of the battles: "in 90 % of the battles instead of 12 %"."""
    plain = all(NEVER < share < ALWAYS for share in (worse, better))
    return f"{_often(better)} instead of {_percent(worse) if plain else _often(worse)}"


def _often(share: float) -> str:
    if share >= ALWAYS:
        return "every time"
    return "never" if share <= NEVER else f"in {_percent(share)} of the battles"


def _share(flags: Sequence[bool]) -> float:
    return sum(flags) / max(1, len(flags))


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
