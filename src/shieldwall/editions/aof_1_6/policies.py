"""Decisions of Age of Fantasy 1.6 beyond numbers, steps and what all loose armies share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from shieldwall.core.frames import Activation, Attack, Wreck
from shieldwall.core.pending import Option, Refusal
from shieldwall.core.state import Model, Profile, State, Unit
from shieldwall.core.values import Mod
from shieldwall.editions.aof_1_6 import terrain
from shieldwall.editions.aof_1_6.building_fights import building_charges, strikers_at_wall, with_buildings
from shieldwall.editions.aof_1_6.mysterious import endangered, markers_passed, secrets_around
from shieldwall.editions.aof_1_6.shelter import LooseExit
from shieldwall.editions.aof_1_6.shooting import FireTargets
from shieldwall.editions.aof_1_6.unit_types import is_infantry
from shieldwall.rules.constants import inches
from shieldwall.rules.features.carry import CarryRules
from shieldwall.rules.features.carry_wreck import wreck_of
from shieldwall.rules.features.loose import models_standing_in_danger
from shieldwall.rules.features.loose_policies import LooseArmyPolicies
from shieldwall.rules.hooks import AttackContext
from shieldwall.rules.place_question import PlaceQuestion
from shieldwall.rules.ruleset import Policies, Ruleset
from shieldwall.table.bases import Family
from shieldwall.table.exits import Exit
from shieldwall.table.layout import LayoutAdvice
from shieldwall.table.loose_moves import WalkResult
from shieldwall.table.terrain import PresetPiece, TerrainLimits

CARRY = CarryRules(seats=(), leave_within=inches(6))  # how far from a wreck its passengers are put down


class Aof16Policies(LooseArmyPolicies):
    """The attacker rolls to wound; majorities count; wavering units fight on at -1."""

    def base_family(self) -> Family:
        return "small round"

    def spell_hits(self, state: State, hits: int, factor: int, models: int) -> int:
        """Multiplied hits are not capped."""
        return hits * factor

    def hit_mods(self, rules: Ruleset, ctx: AttackContext) -> tuple[Mod, ...]:
        mods = super().hit_mods(rules, ctx) + ctx.around
        if ctx.melee and ctx.unit.broken:
            mods += (Mod(-1, "Wavering", rules.cite("hit.broken")),)
        return mods

    def defense(self, state: State, unit: Unit, picked: int) -> int:
        """The Defense of most models, also for one that is singled out; on a tie the better one."""
        return majority([state.profiles[model.profile].defense for model in unit.models], high=True)

    def defense_against(self, rules: Ruleset, state: State, frame: Attack, unit: Unit, picked: int) -> int:
        """All weapons of a unit fire at once: losses to those rolled for first change nothing for the others."""
        volley = frame.volley
        if volley is None or volley.target != unit.id or not volley.target_kinds:
            return super().defense_against(rules, state, frame, unit, picked)
        kinds = [state.profiles[kind].defense for kind, count in volley.target_kinds for _ in range(count)]
        return majority(kinds, high=True)

    def test_quality(self, state: State, unit: Unit) -> int:
        """The Quality of most models; on a tie the better one."""
        return majority([state.profiles[model.profile].quality for model in unit.models], high=False)

    def strikers(self, rules: Ruleset, state: State, unit: Unit, enemy: Unit) -> tuple[Model, ...]:
        if "garrison" in (unit.place, enemy.place):
            return strikers_at_wall(rules, state, unit, enemy)
        return super().strikers(rules, state, unit, enemy)

    def charge_options(self, rules: Ruleset, state: State, unit: Unit) -> tuple[Option, ...]:
        if unit.place != "table":
            return ()  # a unit inside something leaves it first
        units = super().charge_options(rules, state, unit)
        return with_buildings(rules, state, unit, units, building_charges(rules, state, unit))

    def can_shoot_on_hold(self, rules: Ruleset, state: State, unit: Unit) -> bool:
        return FireTargets(rules, state, unit, held=True).has_any

    def casualty_order(self, state: State, unit: Unit) -> tuple[int, ...]:
        """Units inside something have no position."""
        return (
            super().casualty_order(state, unit) if unit.poses else Policies.casualty_order(self, state, unit)
        )

    def refused_losses(
        self,
        rules: Ruleset,
        state: State,
        unit: Unit,
        lost: tuple[int, ...],
        usual: tuple[int, ...],
        attack: str,
    ) -> tuple[Refusal, ...]:
        return super().refused_losses(rules, state, unit, lost, usual, attack) if unit.poses else ()

    def may_consolidate(self, rules: Ruleset, state: State, unit: Unit) -> bool:
        return unit.place == "table"

    def exit_question(
        self, rules: Ruleset, state: State, unit: Unit, way_out: Exit, kind: str, prompt: str
    ) -> PlaceQuestion:
        return LooseExit(rules, state, unit, way_out, kind, prompt)

    def wreck_of(self, state: State, unit: Unit, cause: str) -> Wreck | None:
        return wreck_of(state, unit, cause)

    def leaders(self, rules: Ruleset, state: State, unit: Unit) -> tuple[Model, ...]:
        return ()

    def fails_morale(self, unit: Unit) -> bool:
        return False

    def tire(self, unit: Unit, struck: tuple[int, ...]) -> tuple[int, ...] | None:
        return None

    def may_join(self, profile: Profile) -> bool:
        return is_infantry(profile)

    def may_be_joined(self, rules: Ruleset, state: State, host: Unit) -> bool:
        """Units of Infantry that are not heroes themselves."""
        profiles = [state.profiles[model.profile] for model in host.models]
        heroes = all("joins" in rules.hooks.of_profile(profile) for profile in profiles)
        return not heroes and all(is_infantry(profile) for profile in profiles)

    def models_in_danger(self, rules: Ruleset, state: State, unit: Unit) -> tuple[tuple[int, int], ...]:
        if unit.place != "table":
            return ()
        return endangered(state, unit, models_standing_in_danger(state, unit))

    def markers_neared(self, state: State, unit: Unit, walk: WalkResult) -> tuple[int, ...]:
        return markers_passed(state, unit, walk)

    def around(
        self, rules: Ruleset, state: State, frame: Attack, unit: Unit, target: Unit
    ) -> tuple[Mod, ...]:
        return secrets_around(rules, state, frame, unit, target)

    def can_cast(self, rules: Ruleset, state: State, unit: Unit, frame: Activation) -> bool:
        return False  # casting is a separate step, before anything else

    def terrain_presets(self) -> Mapping[str, PresetPiece]:
        return terrain.PRESETS

    def terrain_in_book(self) -> LayoutAdvice:
        return terrain.SAID

    def terrain_limits(self) -> TerrainLimits:
        return terrain.LIMITS


def majority(values: Sequence[int], high: bool) -> int:
    """The number that most models have; of several with as many the highest or the lowest."""
    if len(set(values)) == 1:
        return values[0]
    counts = Counter(values)
    most = max(counts.values())
    tied = [value for value, count in counts.items() if count == most]
    return max(tied) if high else min(tied)
