"""Decisions of Age of Fantasy 2 beyond numbers, steps and what all loose armies share."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from shieldwall.core.errors import RefusedError
from shieldwall.core.frames import Activation
from shieldwall.core.state import State, Unit, setting
from shieldwall.core.values import Mod
from shieldwall.editions.aof_2 import terrain
from shieldwall.editions.aof_2.magic import can_wizards_cast
from shieldwall.rules.features.loose_policies import LooseArmyPolicies, past_models_or_units
from shieldwall.rules.hooks import AttackContext, UnitContext
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.table.bases import Family
from shieldwall.table.layout import LayoutAdvice
from shieldwall.table.sight_methods import OPEN, SightMethod
from shieldwall.table.terrain import PresetPiece, TerrainLimits, untyped_pieces

# Lines join the bases, so that only the ground under them lifts a line over anything (A2-LOS-02).
BETWEEN_BASES = past_models_or_units(replace(OPEN, name="between-bases", heights="of the ground"))


class LooseBattlePolicies(LooseArmyPolicies):
    """Defense blocks hits; units that lose their nerve waver."""

    def base_family(self) -> Family:
        return "oval"

    def sight_lines(self) -> tuple[SightMethod, SightMethod]:
        return BETWEEN_BASES

    def spell_hits(self, state: State, hits: int, factor: int, models: int) -> int:
        """All hits of a spell together are capped, as those of a weapon are; by a switch each of them."""
        if factor == 1 or setting(state, "blast-cap", "weapon") == "hit":
            return super().spell_hits(state, hits, factor, models)
        return min(hits * factor, models)

    def hit_limit(self, rules: Ruleset, ctx: AttackContext) -> Mod | None:
        if not ctx.melee:
            return None
        if ctx.unit.broken:
            return Mod(0, "Wavering: natural 6s only", rules.cite("hit.broken"))
        return Mod(0, "fatigued: natural 6s only", rules.cite("hit.tired")) if ctx.unit.tired else None

    def tired_models_crash(self) -> bool:
        return True

    def may_be_joined(self, rules: Ruleset, state: State, host: Unit) -> bool:
        """Any unit that is not made up of heroes."""
        tables = (rules.hooks.of_model(host, model, state.profiles) for model in host.models)
        return not all("joins" in table for table in tables)

    def morale_mods(self, rules: Ruleset, state: State, unit: Unit, tester: int) -> list[Mod]:
        """Modifiers that most of the unit has, or the hero that tests for it."""
        mods = super().morale_mods(rules, state, unit, tester)
        if tester < 0:
            return mods
        known = {mod.why for mod in mods}
        for model in unit.models:
            if model.id == tester:
                hooks = rules.hooks.of_profile(state.profiles[model.profile])
                ctx = UnitContext(state, unit)
                own = [mod for rule in hooks.get("to_morale", ()) if (mod := rule.to_morale(ctx)) is not None]
                mods += [mod for mod in own if mod.why not in known]
        return mods

    def can_cast(self, rules: Ruleset, state: State, unit: Unit, frame: Activation) -> bool:
        return can_wizards_cast(rules, state, unit, frame)

    def terrain_presets(self) -> Mapping[str, PresetPiece]:
        return terrain.PRESETS

    def terrain_in_book(self) -> LayoutAdvice:
        return terrain.SAID

    def terrain_limits(self) -> TerrainLimits:
        return terrain.LIMITS


class RefuseUntyped(TrunkStep):
    """A game does not start with pieces of terrain whose type was not agreed; "open" is a type too."""

    name = "setup.types"

    def go(self, game: Play) -> None:
        cite = game.rules.cite("setup.types")
        unsettled = untyped_pieces(game.state)
        if unsettled:
            raise RefusedError(
                tuple(
                    (f"it is not agreed what {piece.name} (piece {piece.id}) does", cite)
                    for piece in unsettled
                )
            )
