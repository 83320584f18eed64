"""Shooting of the first book: one target for a whole unit, unseen targets count as in cover, guns fire on Hold."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.answers import Aim
from shieldwall.core.frames import Activation, Volley
from shieldwall.core.state import State, Unit
from shieldwall.rules.ruleset import Play, Ruleset
from shieldwall.rules.steps.shoot import ChooseTargets, FreezeVolleys
from shieldwall.rules.steps.targets import Targets
from shieldwall.rules.weapons import Bearer
from shieldwall.table.sight import sees


class FireTargets(Targets):
    """Targets for a unit's ranged weapons; `held` says whether it took a Hold, without which guns keep silent."""

    __slots__ = ("held",)

    def __init__(self, rules: Ruleset, state: State, unit: Unit, held: bool) -> None:
        super().__init__(rules, state, unit)
        self.held = held

    def _scan(self) -> dict[tuple[str, int], list[tuple[Bearer, int]]]:
        legal = {key: self.ready(able) for key, able in super()._scan().items()}
        return {key: able for key, able in legal.items() if able}

    def ready(self, able: list[tuple[Bearer, int]]) -> list[tuple[Bearer, int]]:
        """Those who may fire after what their unit did."""
        if self.held:
            return able
        kits, profiles = self.rules.kits, self.state.profiles
        return [
            (bearer, near)
            for bearer, near in able
            if "fires_on_hold_only" not in kits.of_model(self.unit, bearer.model, profiles)
        ]

    def is_seen(self, aim: Aim) -> bool:
        """Whether at least half of those who fire see somebody of the target."""
        method = self.rules.policies.sight_method(self.state)
        target = self.state.units[aim.target]
        firing = self.firing(aim)
        seeing = sum(
            any(
                sees(self.state, method, self.unit.id, bearer.at, target.id, at).visible
                for at in range(len(target.models))
            )
            for bearer, _ in firing
        )
        return 2 * seeing >= len(firing)


def fire_targets(game: Play, unit: Unit) -> FireTargets:
    """The question for a unit, remembered by the state so that one declaration scans the table once."""
    activation = game.nearest(Activation)
    held = activation is not None and activation.action == "hold"
    known: dict[tuple[int, bool], FireTargets] = game.state.__dict__.setdefault("_fire_targets", {})
    if (unit.id, held) not in known:
        known[unit.id, held] = FireTargets(game.rules, game.state, unit, held)
    return known[unit.id, held]


class ChooseOneTarget(ChooseTargets):
    """Name the enemy unit that all weapons fire at, or hold fire."""

    def targets(self, game: Play, unit: Unit) -> Targets:
        return fire_targets(game, unit)


class FreezeFire(FreezeVolleys):
    """Settle dice, distances and cover; whoever is not seen counts as in cover."""

    def targets(self, game: Play, unit: Unit) -> Targets:
        return fire_targets(game, unit)

    def volley(self, game: Play, unit: Unit, targets: Targets, aim: Aim, walked: tuple[int, ...]) -> Volley:
        volley = super().volley(game, unit, targets, aim, walked)
        assert isinstance(targets, FireTargets)
        hidden = targets.aiming[aim.group].unseen_in_cover and volley.cover == "none"
        return replace(volley, cover="in") if hidden and not targets.is_seen(aim) else volley
