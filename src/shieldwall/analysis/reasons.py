"""Why one decision was better than another, told by what came of the battles that were played on from both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shieldwall.analysis.what_if import BattleEnd
from shieldwall.core.grammar import does
from shieldwall.core.state import State
from shieldwall.story import Names

WORTH_TELLING = 0.08  # a difference smaller than this explains nothing


class _Difference(NamedTuple):
    """Something that happens more often after the better idea, and how to say it."""

    gain: float
    words: str


def reason_for(state: State, side: int, worse: Sequence[BattleEnd], better: Sequence[BattleEnd]) -> str:
    """The one fact that changes most, as a sentence; an empty one where nothing stands out."""
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
        name = names.marker(marker.id).capitalize()
        found.append(
            _Difference(
                ours[1] - ours[0],
                f"{name} belongs to {names.side(side)} at the end in {_percent(ours[1])} of the battles "
                f"instead of {_percent(ours[0])}.",
            )
        )
        found.append(
            _Difference(
                theirs[0] - theirs[1],
                f"{name} belongs to {names.side(1 - side)} at the end in only {_percent(theirs[1])} of the "
                f"battles instead of {_percent(theirs[0])}.",
            )
        )
    return found


def _units(
    state: State, side: int, worse: Sequence[BattleEnd], better: Sequence[BattleEnd]
) -> list[_Difference]:
    """What becomes of units counts for less than markers, which win the game."""
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
        words = (
            f"{does(names.unit(unit.id), verb, len(unit.models))} in {_percent(shares[1])} of the battles "
            f"instead of {_percent(shares[0])}."
        )
        found.append(_Difference(gain / 2, words))
    return found


def _share(flags: Sequence[bool]) -> float:
    return sum(flags) / max(1, len(flags))


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
