"""Events as the page shows them: lines of the story, and dice with their reasons."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.state import State
from shieldwall.core.values import Target
from shieldwall.dice.words import needed_words
from shieldwall.server.views import DieView, LineView, ModView, PoolView, RollView
from shieldwall.server.words import with_names
from shieldwall.story import Names, Story, StoryLine
from shieldwall.story.dice import POOR_LABELS, is_test, purpose

# Events whose sentence is continued by the next step of the same activation.
_UNFINISHED = (ev.Activated, ev.ActionChosen)
_INCH_MARK = re.compile(r'(?<=\d)"')  # the page uses a typographic inch mark


def lines_of(story: Story, before: State, events: tuple[ev.AnyEvent, ...]) -> tuple[LineView, ...]:
    """The lines of one step. A sentence that only names unit and action is held back until its outcome is known."""
    lines: list[LineView] = []
    thrown: dict[int, list[str]] = {}  # dice, by the line they belong to
    state = before
    for event in events:
        lines += map(line_view, story.add(state, (event,)))
        if isinstance(event, ev.Rolled):
            at = len(lines) + (0 if story.awaits_dice() else 1)
            thrown.setdefault(at, []).append(_spelled(_roll(state, event)))
        state = event.apply(state)
    if events and not isinstance(events[-1], _UNFINISHED):
        lines += map(line_view, story.end())
    for at, dice in thrown.items():
        if lines:
            told = min(at, len(lines) - 1)
            earlier = (lines[told].thrown,) if lines[told].thrown else ()
            lines[told] = replace(lines[told], thrown="; ".join((*earlier, *dice)))
    return tuple(lines)


def _spelled(roll: RollView) -> str:
    """Dice in a few signs: "to hit 4+: 6 5 | 2 1", successes first."""
    return "; ".join(f"{f'{roll.title} {_asked(pool)}'.strip()}: {_faces(pool)}" for pool in roll.pools)


def _asked(pool: PoolView) -> str:
    return pool.words or (f"{pool.needed}+" if pool.needed else pool.note)


def _faces(pool: PoolView) -> str:
    if not pool.needed:
        return " ".join(str(die.face) for die in pool.dice)
    parts = (" ".join(str(die.face) for die in pool.dice if bool(die.good) is good) for good in (True, False))
    return " | ".join(part or "–" for part in parts)


def line_view(line: StoryLine) -> LineView:
    """One line as data."""
    return LineView(_INCH_MARK.sub("″", line.text), line.kind, line.cites, line.round, line.side)


def rolls_of(state: State, events: Iterable[ev.AnyEvent]) -> tuple[RollView, ...]:
    """Every roll of a step in order."""
    return tuple(_roll(state, event) for event in events if isinstance(event, ev.Rolled))


def _roll(state: State, event: ev.Rolled) -> RollView:
    names = Names(state)
    pools = tuple(_pool(pool, names) for pool in event.rolls if pool.faces)
    side = state.seats[event.seat].side
    return RollView(event.purpose, purpose(event.purpose), event.seat, side, event.cite, pools)


def _pool(pool: ev.ThrownPool, names: Names) -> PoolView:
    tested = is_test(pool)
    dice = tuple(
        DieView(face, pool.labels[face - 1], pool.labels[face - 1] not in POOR_LABELS if tested else None)
        for face in sorted(pool.faces, reverse=True)
    )
    needed = _needed(pool) if tested else 0
    mods = tuple(ModView(mod.amount, mod.why, mod.cite) for mod in pool.mods)
    words = needed_words(pool.base, pool.mods) if pool.base else ""
    return PoolView(dice, needed, pool.base, mods, with_names(names, pool.note), words)


def _needed(pool: ev.ThrownPool) -> int:
    """The lowest face that succeeds; 0 if success does not depend on rolling high."""
    good = [label not in POOR_LABELS for label in pool.labels]
    lowest = good.index(True) if True in good else len(good)
    return lowest + 1 if all(good[lowest:]) and lowest < len(good) else 0


def mods_of(target: Target) -> tuple[ModView, ...]:
    """The reasons behind a needed roll."""
    mods = target.mods if target.only_six is None else (target.only_six,)
    return tuple(ModView(mod.amount, mod.why, mod.cite) for mod in mods)
