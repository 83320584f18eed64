"""What happened on the way that the last state does not show any more: wounds dealt, and what became of units."""

from __future__ import annotations

from typing import NamedTuple

from shieldwall.core import events as ev
from shieldwall.core.state import State

# models lost in these ways took no wounds by it
WITHOUT_WOUNDS = frozenset(("routed", "knocked out", "no room", "fell", "drowned"))


class Tally(NamedTuple):
    """Wounds by unit, how destroyed units went, and other facts worth asking for, all in order of their keys."""

    wounds: tuple[tuple[int, int], ...] = ()
    fates: tuple[tuple[int, str], ...] = ()
    marks: tuple[str, ...] = ()


NOTHING = Tally()
COUNTED = frozenset((ev.Wounded, ev.Removed, ev.Destroyed, ev.SpellCast, ev.ChargeFailed, ev.Fell))


def counted(tally: Tally, before: State, events: tuple[ev.AnyEvent, ...] | list[ev.AnyEvent]) -> Tally:
    """The tally after some events that began in the state `before`."""
    if not events:
        return tally
    wounds, fates, marks = dict(tally.wounds), tally.fates, tally.marks
    fresh: dict[int, int] = {}  # wounds on living models that `before` does not know yet
    for event in events:
        if isinstance(event, ev.Removed):
            if event.cause not in WITHOUT_WOUNDS:
                taken = _taken(before, event.unit, event.models, fresh)
                wounds[event.unit] = wounds.get(event.unit, 0) + taken
        elif isinstance(event, ev.Wounded):
            wounds[event.unit] = wounds.get(event.unit, 0) + event.wounds
            fresh[event.model] = fresh.get(event.model, 0) + event.wounds
        elif isinstance(event, ev.Destroyed):
            fates = tuple(sorted({**dict(fates), event.unit: event.cause}.items()))
        elif (mark := _mark(before, event)) and mark not in marks:
            marks = tuple(sorted((*marks, mark)))
    return Tally(tuple(sorted(wounds.items())), fates, marks)


def _mark(before: State, event: ev.AnyEvent) -> str:
    """An event in words that may be asked for; nothing if it is none."""
    if isinstance(event, ev.SpellCast):
        return f"{event.spell}: {'worked' if event.worked else 'failed'}"
    if isinstance(event, ev.ChargeFailed):
        return f"charge of {before.units[event.unit].name} failed"
    return f"model {event.model} fell" if isinstance(event, ev.Fell) else ""


def _taken(state: State, unit: int, removed: tuple[int, ...], fresh: dict[int, int]) -> int:
    """The wounds that models took when they fell, as the state before and wounds since then say."""
    profiles = state.profiles
    taken = 0
    for model in state.units[unit].models:
        if model.id in removed:
            left = profiles[model.profile].wounds - model.wounds
            if fresh:
                left -= fresh.get(model.id, 0)
            taken += left if left > 1 else 1
    return taken
