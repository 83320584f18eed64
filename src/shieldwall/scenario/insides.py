"""Who a scenario puts inside something: whether the edition, the building or the carrier has room for it."""

from __future__ import annotations

from collections.abc import Iterator

from shieldwall.core.state import State, Unit
from shieldwall.rules.features.carry import capacity
from shieldwall.rules.features.hulls import building, garrison
from shieldwall.rules.features.unit_types import is_infantry
from shieldwall.rules.ruleset import Ruleset


def faults_inside(rules: Ruleset, state: State) -> Iterator[tuple[int, str]]:
    """Units that cannot be where the scenario puts them, by number, and each reason."""
    for unit in state.units:
        if unit.place == "garrison":
            yield from ((unit.id, why) for why in _why_not_garrisoned(rules, state, unit))
        elif unit.place == "inside" and unit.inside >= 0:
            yield from ((unit.id, why) for why in _why_not_carried(rules, state, unit))


def _why_not_garrisoned(rules: Ruleset, state: State, unit: Unit) -> Iterator[str]:
    if "building.enter" not in rules.cites:
        yield f"{rules.title} has no buildings that units go into"
        return
    piece = building(state, unit.inside)
    if not piece.capacity:
        yield f"{piece.name} has no room inside; `capacity` gives it some, or a kind such as brick house"
        return
    others = garrison(state, piece.id)
    if any(other.side != unit.side for other in others):
        yield f"enemies are inside {piece.name}, too; a building is held by one side"
    count = sum(len(other.models) for other in others)
    if count > piece.capacity:
        yield f"{piece.name} has room for {piece.capacity} models, and {count} are inside"
    if not all(is_infantry(state.profiles[model.profile]) for model in unit.models):
        yield f"only Infantry goes into {piece.name}"


def _why_not_carried(rules: Ruleset, state: State, unit: Unit) -> Iterator[str]:
    if "carry.board" not in rules.cites:
        yield f"{rules.title} has no units that carry others"
        return
    carrier = state.units[unit.inside]
    if carrier.side != unit.side:
        yield f"{carrier.name} is of the other side"
    if not capacity(rules, state, carrier):
        yield f"{carrier.name} carries nobody; rules: Transport(X) lets it"
