"""Shooting in Age of Fantasy 1.6: one target for a whole unit, unseen targets count as in cover, guns fire on Hold."""

from __future__ import annotations

import math

from msgspec.structs import replace

from shieldwall.core.answers import Aim
from shieldwall.core.frames import Activation, CoverKind, Volley
from shieldwall.core.pending import Refusal
from shieldwall.core.state import MILLI, State, Unit
from shieldwall.editions.aof_1_6.building_as_unit import in_ports, port_tables, sheltered
from shieldwall.geometry.tolerance import within
from shieldwall.rules.ruleset import Play, Ruleset
from shieldwall.rules.steps.ranged_weapons import Shots
from shieldwall.rules.steps.shoot import (
    ChooseTargets,
    FreezeVolleys,
    mixed_kinds,
    with_counted_cover,
    without_dropped_cover,
)
from shieldwall.rules.steps.targets import SLACK, Targets
from shieldwall.rules.weapons import Bearer, sources_of
from shieldwall.table.cover import cover_of
from shieldwall.table.sight import sees, shooting_scan


class FireTargets(Targets):
    """Targets for a unit's ranged weapons; `held` says whether it took a Hold, without which guns do not fire.

    Units inside a building shoot, and are shot at, through its topmost ports.
    """

    __slots__ = ("_seen", "held")

    def __init__(self, rules: Ruleset, state: State, unit: Unit, held: bool) -> None:
        super().__init__(rules, state, unit)
        self.held = held
        self._seen: dict[int, list[float]] = {}

    def on(self, state: State) -> FireTargets:
        return FireTargets(self.rules, state, state.units[self.unit.id], self.held)

    def _nobody_in_reach(self) -> bool:
        if self.unit.place == "garrison" or sheltered(self.state, self.unit.side):
            return False
        return super()._nobody_in_reach()

    def _scan(self) -> dict[tuple[str, int], list[tuple[Bearer, int]]]:
        legal = {} if self.unit.place == "garrison" else super()._scan()
        for there, only in port_tables(self.state, self.unit):
            legal |= self._at_ports(there, only)
        legal = {key: self.ready(able) for key, able in legal.items()}
        return {key: able for key, able in legal.items() if able}

    def _at_ports(
        self, there: State, only: tuple[int, ...] | None
    ) -> dict[tuple[str, int], list[tuple[Bearer, int]]]:
        """Targets on a table where units inside stand at their ports; all of them share all ports."""
        method = self.rules.policies.sight_method(there)
        scan = shooting_scan(there, method, self.unit.id, reach=self.reach / MILLI + SLACK)
        near, seen = scan.nearest.tolist(), scan.nearest_seen.tolist()
        shared = self.unit.place == "garrison"
        legal: dict[tuple[str, int], list[tuple[Bearer, int]]] = {}
        for column, enemy in enumerate(scan.targets):
            if only is not None and enemy not in only:
                continue
            self._seen[enemy] = [row[column] for row in seen]
            for key, group in self.groups.items():
                able = []
                for bearer in group.bearers:
                    profile = bearer.model.profile
                    rows = seen if self.ranged.aiming_by(key, profile).needs_sight else near
                    apart = min(row[column] for row in rows) if shared else rows[bearer.at][column]
                    if within(apart, self.ranged.reach_of(key, enemy, profile) / MILLI):
                        able.append((bearer, round(apart * MILLI)))
                if able:
                    legal[key, enemy] = able
        return legal

    def ready(self, able: list[tuple[Bearer, int]]) -> list[tuple[Bearer, int]]:
        """The models that may fire after their unit's action."""
        return able if self.held else [(bearer, near) for bearer, near in able if not self._only_held(bearer)]

    def _only_held(self, bearer: Bearer) -> bool:
        """Whether a bearer fires on a Hold only."""
        hooks = self.rules.hooks.of_model(self.unit, bearer.model, self.state.profiles)
        return "fires_on_hold_only" in hooks

    def involves_walls(self, target: int) -> bool:
        """Whether one of the two is inside a building."""
        return "garrison" in (self.unit.place, self.state.units[target].place)

    def pickable(self, group: str, target: int) -> dict[int, list[tuple[Bearer, int]]]:
        if not self.involves_walls(target):
            return super().pickable(group, target)
        able = self.pickers(group, target)
        return {model.id: able for model in self.state.units[target].models} if able else {}

    def _why_not(self, aim: Aim, target: Unit) -> Refusal:
        if not self.held and all(self._only_held(bearer) for bearer in self.groups[aim.group].bearers):
            text = f"{aim.group} of {self.unit.name} can only be fired on a Hold"
            return Refusal(text, self.rules.cite("shoot.held"))
        if not self.involves_walls(aim.target) or not target.models:
            return super()._why_not(aim, target)
        text = f"{aim.group} cannot reach {target.name} through a firing port"
        return Refusal(text, self.rules.cite("building.ports"))

    def is_seen(self, aim: Aim) -> bool:
        """Whether at least half of the shooters see a model of the target."""
        if self.involves_walls(aim.target):
            return any(math.isfinite(apart) for apart in self._seen.get(aim.target, ()))
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
    known: dict[tuple[int, bool], FireTargets] = game.state.memory.setdefault("fire_targets", {})
    if (unit.id, held) not in known:
        known[unit.id, held] = FireTargets(game.rules, game.state, unit, held)
    return known[unit.id, held]


class ChooseOneTarget(ChooseTargets):
    """Choose the enemy unit that all weapons fire at, or hold fire."""

    def sees_nobody(self, game: Play, unit: Unit) -> bool:
        return False  # a unit inside a building still shoots and is shot at

    def targets(self, game: Play, unit: Unit) -> Targets:
        return fire_targets(game, unit)


class FreezeFire(FreezeVolleys):
    """Fix dice, distances and cover; models that are not seen count as in cover."""

    def targets(self, game: Play, unit: Unit) -> Targets:
        return fire_targets(game, unit)

    def volley(
        self, game: Play, unit: Unit, targets: Targets, shots: Shots, walked: tuple[int, ...]
    ) -> Volley:
        assert isinstance(targets, FireTargets)
        if targets.involves_walls(shots.aim.target):
            volley = self._past_walls(game, unit, targets, shots, walked)
        else:
            volley = super().volley(game, unit, targets, shots, walked)
        hidden = shots.aiming.unseen_in_cover and volley.cover == "none"
        return replace(volley, cover="in") if hidden and not targets.is_seen(shots.aim) else volley

    def _past_walls(
        self, game: Play, unit: Unit, targets: FireTargets, shots: Shots, walked: tuple[int, ...]
    ) -> Volley:
        """A volley into a building or out of one: models inside count as in cover."""
        aim, aiming = shots.aim, shots.aiming
        target = game.state.units[aim.target]
        cover: CoverKind = "in" if target.place == "garrison" else "none"
        if cover == "none":
            there = in_ports(game.state, unit.id)
            ports = tuple(range(len(there.units[unit.id].models)))
            cover = cover_of(there, game.rules.policies.cover_policy(), unit.id, ports, target.id).kind
        volley = Volley(
            group=aim.group,
            target=aim.target,
            sources=sources_of(
                game.rules, game.state, shots.bearers, targets.groups[aim.group].weapon, walked
            ),
            picked=shots.picked,
            unit_near=min(near for _, near in shots.together),
            cover="none" if aiming.ignores_cover == "all" else cover,
            target_models=len(target.models),
            target_kinds=mixed_kinds(target),
            rank=aiming.rank,
        )
        if aiming.ignores_cover != "all":
            volley = with_counted_cover(game.rules, game.state, unit, volley)
        return without_dropped_cover(game.rules, game.state, unit, volley)
