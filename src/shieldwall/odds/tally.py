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
    wounds, fates, marks = dict(tally.wounds), dict(tally.fates), set(tally.marks)
    fresh: dict[int, int] = {}  # wounds on living models that `before` does not know yet
    for event in events:
        if isinstance(event, ev.Wounded):
            wounds[event.unit] = wounds.get(event.unit, 0) + event.wounds
            fresh[event.model] = fresh.get(event.model, 0) + event.wounds
        elif isinstance(event, ev.Removed) and event.cause not in WITHOUT_WOUNDS:
            taken = _taken(before, event.unit, event.models, fresh)
            wounds[event.unit] = wounds.get(event.unit, 0) + taken
        elif isinstance(event, ev.Destroyed):
            fates[event.unit] = event.cause
        elif isinstance(event, ev.SpellCast):
            marks.add(f"{event.spell}: {'worked' if event.worked else 'failed'}")
        elif isinstance(event, ev.ChargeFailed):
            marks.add(f"charge of {before.units[event.unit].name} failed")
        elif isinstance(event, ev.Fell):
            marks.add(f"model {event.model} fell")
    return Tally(tuple(sorted(wounds.items())), tuple(sorted(fates.items())), tuple(sorted(marks)))


def _taken(state: State, unit: int, removed: tuple[int, ...], fresh: dict[int, int]) -> int:
    """The wounds that models took when they fell, as the state before and wounds since then say."""
    profiles = state.profiles
    lost = set(removed)
    return sum(
        [
            max(1, profiles[model.profile].wounds - model.wounds - fresh.get(model.id, 0))
            for model in state.units[unit].models
            if model.id in lost
        ]
    )
