"""What every unit did in a game: kills, losses, and the markers it stood at in the end."""

from __future__ import annotations

from msgspec import Struct

from shieldwall.core.answers import AnyAnswer
from shieldwall.core.engine import Progress
from shieldwall.core.events import AnyEvent, Declared, Destroyed, Hit, Removed, Wounded
from shieldwall.core.pending import Pending
from shieldwall.core.state import Model, State, Unit
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps.objectives import units_near


class UnitRecord(Struct, frozen=True, array_like=True):
    """One unit in one game. Points are those of the list, shared out evenly over the models of a unit.

    `owner` is 0 or 1 for the first or second contender, `place` the unit's place in its army. `markers` counts markers
    of its own side that the unit stood near when the game ended, each shared between all friendly units there.
    """

    owner: int
    place: int
    name: str
    cost: int
    models: int
    killed: float = 0.0
    wounds: int = 0
    lost: float = 0.0
    markers: float = 0.0
    attacks: int = 0
    charges: int = 0


class UnitCounter:
    """Credits wounds and lost models to the last attacker of their unit."""

    def __init__(self, setup: State) -> None:
        self.setup = setup
        self.killed: dict[int, float] = {}
        self.lost: dict[int, float] = {}
        self.wounds: dict[int, int] = {}
        self.attacks: dict[int, int] = {}
        self.charges: dict[int, int] = {}
        self._attacker: dict[int, int] = {}
        self._home = {model.id: unit for unit in setup.units for model in models_of(unit)}

    def began(self, progress: Progress) -> None:
        """Nothing has happened yet."""

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        """Credit what an answer led to."""
        fallen = False
        for event in progress.events:
            fallen |= isinstance(event, Removed | Destroyed)
            self._see(before, event)
        if fallen:
            self._count_losses(before, progress.state)

    def _see(self, state: State, event: AnyEvent) -> None:
        if isinstance(event, Hit):
            if state.units[event.unit].side != state.units[event.target].side:
                self._attacker[event.target] = event.unit
        elif isinstance(event, Declared):
            if event.group == "charge":
                self.charges[event.unit] = self.charges.get(event.unit, 0) + 1
            else:
                self.attacks[event.unit] = self.attacks.get(event.unit, 0) + 1
        elif isinstance(event, Wounded):
            by = self._attacker.get(event.unit)
            if by is not None:
                self.wounds[by] = self.wounds.get(by, 0) + event.wounds

    def _count_losses(self, before: State, after: State) -> None:
        alive = {model.id for unit in after.units for model in unit.models}
        for unit in before.units:
            for model in unit.models:
                if model.id in alive:
                    continue
                home = self._home[model.id]
                points = home.cost / max(1, len(models_of(home)))
                self.lost[home.id] = self.lost.get(home.id, 0.0) + points
                by = self._attacker.get(unit.id)
                if by is not None:
                    self.killed[by] = self.killed.get(by, 0.0) + points

    def points_lost(self, side: int) -> int:
        """The points a side has lost, model by model."""
        return round(sum(self.lost.get(unit.id, 0.0) for unit in self.setup.units if unit.side == side))

    def records(self, rules: Ruleset, state: State, first: int) -> tuple[UnitRecord, ...]:
        """A record for each unit, from the state a game ended in; `first` is the side of the first contender."""
        shares = marker_shares(rules, state)
        places: dict[int, int] = {}
        found = []
        for unit in self.setup.units:
            if unit.later is not None:  # it was no part of the list
                continue
            place = places[unit.side] = places.get(unit.side, -1) + 1
            found.append(
                UnitRecord(
                    owner=int(unit.side != first),
                    place=place,
                    name=unit.name,
                    cost=unit.cost,
                    models=len(unit.models),
                    killed=round(self.killed.get(unit.id, 0.0), 1),
                    wounds=self.wounds.get(unit.id, 0),
                    lost=round(self.lost.get(unit.id, 0.0), 1),
                    markers=shares.get(unit.id, 0.0),
                    attacks=self.attacks.get(unit.id, 0),
                    charges=self.charges.get(unit.id, 0),
                )
            )
        return tuple(found)


def models_of(unit: Unit) -> tuple[Model, ...]:
    """The models of a unit, also if it comes into the game later."""
    return unit.models if unit.later is None else unit.later.models


def marker_shares(rules: Ruleset, state: State) -> dict[int, float]:
    """Each marker that a side holds, shared evenly between the units of that side near it."""
    shares: dict[int, float] = {}
    for marker in state.markers:
        if marker.holder < 0 or marker.gone:
            continue
        near = [unit.id for unit in units_near(rules, state, marker) if unit.side == marker.holder]
        for unit in near:
            shares[unit] = shares.get(unit, 0.0) + round(1 / len(near), 3)
    return shares
