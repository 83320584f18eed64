"""Decisions of an edition that are neither numbers nor steps, with defaults."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING

from shieldwall.core.events import Broke, Stunned
from shieldwall.core.frames import Activation, Attack, Casting, Melee, Morale, Wreck
from shieldwall.core.pending import Option, Refusal
from shieldwall.core.state import Model, Profile, RuleRef, State, Unit, ordinary_profile, setting
from shieldwall.core.values import Mod, Pose
from shieldwall.rules.hooks import AttackContext, BlockContext, SpecialRule, UnitContext
from shieldwall.rules.place_question import PlaceQuestion
from shieldwall.rules.placing import Ground, ambush_ground, deploy_ground
from shieldwall.table.bases import Family
from shieldwall.table.exits import Exit
from shieldwall.table.layout import BLOCK_ADVICE, LayoutAdvice
from shieldwall.table.loose_moves import WalkResult
from shieldwall.table.sight_methods import SightMethod
from shieldwall.table.terrain import LIMITS, PRESETS, PresetPiece, TerrainLimits
from shieldwall.table.zones import Edge, edges_for

if TYPE_CHECKING:
    from shieldwall.rules.ruleset import Ruleset


class TablePolicies:
    """The table: bases, terrain and what generated tables look like."""

    def uses_blocks(self) -> bool:
        """Whether units are ranked blocks."""
        return False

    def base_family(self) -> Family:
        """The default bases of models."""
        return "square" if self.uses_blocks() else "round"

    def measures_heights(self) -> bool:
        """Whether distances are measured in three dimensions."""
        return False

    def terrain_presets(self) -> Mapping[str, PresetPiece]:
        """What common kinds of terrain do, unless the players agree otherwise."""
        return PRESETS

    def terrain_limits(self) -> TerrainLimits:
        """The heights and widths at which terrain becomes elevated or impassable."""
        return LIMITS

    def table_advice(self) -> LayoutAdvice:
        """The advice that generated tables follow."""
        return BLOCK_ADVICE

    def terrain_in_book(self) -> LayoutAdvice:
        """What the book itself says about terrain, to compare a table with; generated tables may be stricter."""
        return self.table_advice()


class SetupPolicies(TablePolicies, ABC):
    """Before the first round and off the table: edges, zones, heroes that join, late units, arrivals, carriers."""

    def deploy_edges(self, state: State) -> tuple[Edge, ...]:
        """The table edges among which the winner of the deployment roll-off picks."""
        return edges_for(state.axis)

    def deploy_ground(self, rules: Ruleset, state: State, side: int) -> Ground:
        """Where a side deploys."""
        return deploy_ground(state, state.sides[side].edge, self.deploy_depth(rules, state))

    def deploy_depth(self, rules: Ruleset, state: State) -> int:
        """How deep deployment zones are on this table."""
        return rules.constants.deploy_depth

    def late_ground(self, rules: Ruleset, state: State, side: int) -> Ground:
        """Where late units are placed."""
        return self.deploy_ground(rules, state, side)

    def ambush_ground(self, rules: Ruleset, state: State, side: int) -> Ground:
        """Where units that come from off the table are placed."""
        constants = rules.constants
        return ambush_ground(state, constants.ambush_edge_within, constants.ambush_enemy_over)

    def rolls_for_late_units(self) -> bool:
        """Whether a roll-off decides who begins with late units; else the side with the first turn does."""
        return False

    def acts_on_arrival(self, state: State) -> bool:
        """Whether a unit may be activated in the round in which it arrives from off the table."""
        return setting(state, "ambush-acts-at-once", "on") == "on"

    @abstractmethod
    def place_question(
        self, rules: Ruleset, state: State, unit: Unit, ground: Ground, kind: str, prompt: str
    ) -> PlaceQuestion:
        """The question where to place a unit."""

    def exit_question(
        self, rules: Ruleset, state: State, unit: Unit, way_out: Exit, kind: str, prompt: str
    ) -> PlaceQuestion:
        """The question where a unit gets out of its carrier; asked only where units carry others."""
        raise TypeError(f"{type(self).__name__} carries nobody: it needs an exit_question")

    def wreck_of(self, state: State, unit: Unit, cause: str) -> Wreck | None:
        """The procedure by which passengers of a unit about to be destroyed get out; None if it has none."""
        return None

    def heroes_join(self) -> bool:
        """Whether lone models can join other units at all."""
        return self.uses_blocks()

    def may_join(self, profile: Profile) -> bool:
        """Whether a model that could join units is small enough to do so."""
        return True

    def may_be_joined(self, rules: Ruleset, state: State, host: Unit) -> bool:
        """Whether a model may join this unit, which no other model has joined."""
        return len(host.models) > 1

    def joining_slots(self, state: State, host: Unit, joiner: Unit) -> tuple[int, ...]:
        """The places a joining model may take in its host; the first one by default."""
        return (0,)


class MarkerPolicies:
    """Objective markers: where they may lie and who may hold them."""

    def marker_axis(self, state: State) -> str:
        """The axis along which markers keep out of deployment zones; "all" for all four edges."""
        return state.axis

    def keeps_markers_off_blocking(self) -> bool:
        """Whether markers may not lie on solid things that block sight."""
        return False

    def markers_must_be_reached(self) -> bool:
        """Whether a marker may lie only where some model could get near it."""
        return True

    def may_hold_markers(self, rules: Ruleset, state: State, unit: Unit) -> bool:
        """Whether a unit on the table can seize and contest."""
        hooks = rules.hooks.of_unit(unit, state.profiles)
        seizing = hooks.get("may_seize", ())
        if ("reserve", "ambush") in unit.picks and "keeps_back" not in hooks:
            seizing = rules.specials.build((RuleRef("Ambush"),))  # it came by that rule, printed or not
        if ("reserve", "copy") in unit.picks and unit.arrived == state.round:
            return False  # it came as the copy of another unit
        last = rules.constants.rounds
        return not unit.broken and all(rule.may_seize(UnitContext(state, unit), last) for rule in seizing)

    def control_lasts(self, rules: Ruleset, state: State) -> bool:
        """Whether a side keeps a marker after its unit has left."""
        usual = "on" if rules.constants.control_lasts else "off"
        return setting(state, "control-lasts", usual) == "on"

    def markers_neared(self, state: State, unit: Unit, walk: WalkResult) -> tuple[int, ...]:
        """Markers that a move passes, if that matters."""
        return ()


class TurnPolicies:
    """Rounds, activations and moves."""

    def next_starter(self, state: State) -> int:
        """The side that begins the next round: the one that ran out of units to activate first.

        If both did at the same moment it is the one that was to act next. A house rule goes by the latest activation
        of each side instead.
        """
        if setting(state, "who-starts-next", "out-of-units") == "last-activation":
            marks = [side.last_turn_at for side in state.sides]
        else:
            marks = [side.dry_at for side in state.sides]
        if marks[0] != marks[1]:
            return 0 if marks[0] < marks[1] else 1
        return state.turn

    def dispute_sides(self, state: State) -> tuple[int, ...]:
        """The sides that settle a dispute; the low half of the die favours the first of them."""
        return tuple(range(len(state.sides)))

    def idles(self, unit: Unit) -> bool:
        """Whether the unit must spend its activation idle."""
        return unit.broken

    def actions_now(
        self, rules: Ruleset, state: State, unit: Unit, allowed: tuple[str, ...]
    ) -> tuple[str, ...]:
        """The actions available to a unit in its situation."""
        return allowed

    def turns_after_shooting(self, state: State) -> bool:
        """Whether a unit on Hold turns after it has shot, not before."""
        return setting(state, "hold-pivot", "before-shooting") == "after-shooting"

    def move_bonus(self, rules: Ruleset, state: State, unit: Unit, action: str) -> tuple[Mod, ...]:
        """Modifiers of a unit's move from its surroundings."""
        return ()

    def models_in_danger(self, rules: Ruleset, state: State, unit: Unit) -> tuple[tuple[int, int], ...]:
        """Models that stand on dangerous ground, each with the piece."""
        return ()

    def may_consolidate(self, rules: Ruleset, state: State, unit: Unit) -> bool:
        """Whether a unit may move after its opponent in melee is gone."""
        return True


class ShootingPolicies(ABC):
    """Sight, cover and shots."""

    @abstractmethod
    def sight_method(self, state: State) -> str | SightMethod:
        """How line of sight is determined in this game."""

    @abstractmethod
    def cover_policy(self) -> str:
        """How cover is determined."""

    def fires_all_round(self, state: State) -> bool:
        """Whether weapons that need no sight may also fire at targets outside the front arc."""
        return setting(state, "indirect-arc", "front") == "any"

    def shot_distance(self, near: int, unit_near: int, picked: int) -> int:
        """The distance of shots meant by "over 9 inches away": unit to unit, or to the model singled out."""
        return near if picked >= 0 else unit_near

    def near_models(self, state: State, target: Unit, centre: int) -> tuple[tuple[int, int], ...]:
        """Models round a chosen one that hits may spread to, as (model, unit)."""
        return ()


class AttackPolicies:
    """Rolls to hit and to block, and which models are lost."""

    def hit_limit(self, rules: Ruleset, ctx: AttackContext) -> Mod | None:
        """The condition under which only natural 6s hit, if it holds."""
        return None

    def hit_mods(self, rules: Ruleset, ctx: AttackContext) -> tuple[Mod, ...]:
        """Modifiers of the roll to hit, apart from special rules."""
        return ()

    def around(
        self, rules: Ruleset, state: State, frame: Attack, unit: Unit, target: Unit
    ) -> tuple[Mod, ...]:
        """Modifiers of the first unit's rolls to hit the second, from the surroundings of both."""
        return ()

    def can_shoot_on_hold(self, rules: Ruleset, state: State, unit: Unit) -> bool:
        """Whether a unit has a target to shoot at from where it stands."""
        from shieldwall.rules.steps.targets import targets_of  # that room builds on this one

        return targets_of(rules, state, unit).has_any

    def defense(self, state: State, unit: Unit, picked: int) -> int:
        """The Defense with which a unit, or a model singled out, blocks."""
        profiles = state.profiles
        if picked >= 0:
            return next(profiles[m.profile].defense for m in unit.models if m.id == picked)
        return profiles[plain_model(unit).profile].defense

    def defense_against(self, rules: Ruleset, state: State, frame: Attack, unit: Unit, picked: int) -> int:
        """The Defense with which a unit, or a model singled out, blocks one attack: printed, or better by a rule.

        The rule must belong to the model that the unit's Defense is taken from.
        """
        printed = self.defense(state, unit, picked)
        single = [model for model in unit.models if model.id == picked] if picked >= 0 else []
        model = single[0] if single else plain_model(unit)
        hooks = rules.hooks.of_model(unit, model, state.profiles)
        if "defense" not in hooks:
            return printed
        ctx = block_context(state, frame, unit)
        better = [value for rule in hooks["defense"] if (value := rule.defense(ctx)) is not None]
        return rules.specials.best_defense([printed, *better])

    def block_mods(self, rules: Ruleset, state: State, frame: Attack, unit: Unit) -> tuple[Mod, ...]:
        """Modifiers of the roll to block, apart from the hit itself."""
        return ()

    def endures(self, state: State, unit: Unit, model: Model) -> int:
        """How many more wounds remove a model."""
        return state.profiles[model.profile].wounds - model.wounds

    def casualty_order(self, state: State, unit: Unit) -> tuple[int, ...]:
        """The order in which a sensible owner gives up models: the most common kind at the start first."""
        ordinary = ordinary_profile(unit)
        ranked = sorted(
            enumerate(unit.models), key=lambda pair: (pair[1].profile != ordinary, -pair[0], pair[1].id)
        )
        return tuple(model.id for _, model in ranked)

    def refused_losses(
        self,
        rules: Ruleset,
        state: State,
        unit: Unit,
        lost: tuple[int, ...],
        usual: tuple[int, ...],
        attack: str,
    ) -> tuple[Refusal, ...]:
        """Why an owner may not give up these models; `usual` are those it would give up by default."""
        return ()

    def block_after_loss(self, state: State, unit: Unit, survivors: tuple[Model, ...]) -> Pose | None:
        """The centre of a ranked unit after the loss of some of its models."""
        return None


class MeleePolicies(ABC):
    """Charges and melees."""

    @abstractmethod
    def charge_options(self, rules: Ruleset, state: State, unit: Unit) -> tuple[Option, ...]:
        """The enemy units that can be charged now."""

    def refused_contacts(
        self, rules: Ruleset, state: State, unit: Unit, target: int, ends: tuple[Pose, ...]
    ) -> tuple[Refusal, ...]:
        """Why the models of a charge may not end there, beyond the rules of moving."""
        return ()

    def reacts(self, rules: Ruleset, state: State, unit: Unit) -> bool:
        """Whether a charged unit closes up."""
        return True

    @abstractmethod
    def strikers(self, rules: Ruleset, state: State, unit: Unit, enemy: Unit) -> tuple[Model, ...]:
        """The models of a unit that may strike at an enemy unit now."""

    def may_strike(self, frame: Melee, unit: Unit, phase: str) -> bool:
        """Whether a unit may strike in a phase of this melee."""
        return True

    def early_models(
        self, rules: Ruleset, state: State, frame: Melee, carriers: tuple[int, ...]
    ) -> tuple[int, ...]:
        """The bearers of early weapons that take away Impact dice."""
        return carriers

    def tired_models_crash(self) -> bool:
        """Whether models that have already fought this round still roll for Impact."""
        return False

    def orders_blows(self) -> bool:
        """Whether the order in which the weapons of one side strike matters, so that the owner is asked for it."""
        return False

    def is_tired(self, unit: Unit, model: Model) -> bool:
        """Whether a model has already fought a melee this round."""
        return unit.tired

    def tire(self, unit: Unit, struck: tuple[int, ...]) -> tuple[int, ...] | None:
        """The models that become fatigued: an empty tuple means the whole unit, None means nobody."""
        return ()

    def melee_score(self, rules: Ruleset, state: State, unit: Unit) -> int:
        """What is added to the wounds a unit caused, for the melee result."""
        return 0

    def stays_in_contact(self, state: State) -> bool:
        """Whether units stay in contact after a melee."""
        return False


class MoralePolicies:
    """Morale tests."""

    def defeat_mods(self, rules: Ruleset, frame: Melee, loser: Unit) -> tuple[Mod, ...]:
        """Modifiers of the morale test of a melee's loser."""
        return ()

    def leaders(self, rules: Ruleset, state: State, unit: Unit) -> tuple[Model, ...]:
        """Models whose Quality the unit may use for its morale test."""
        return tuple(
            model
            for model in unit.models
            if model.id == unit.attached
            and "tests_for_others" in rules.hooks.of_profile(state.profiles[model.profile])
        )

    def test_quality(self, state: State, unit: Unit) -> int:
        """The Quality a unit uses for morale tests; a joined model does not count while others live."""
        return state.profiles[plain_model(unit).profile].quality

    def fails_morale(self, unit: Unit) -> bool:
        """Whether the unit fails every morale test without a roll."""
        return unit.broken

    def shake(self, rules: Ruleset, unit: Unit) -> Broke | Stunned:
        """What happens to a unit that a rule or a spell makes Shaken."""
        return Broke(unit=unit.id, cite=rules.cite("morale.broken"))

    def morale_mods(self, rules: Ruleset, state: State, unit: Unit, tester: int) -> list[Mod]:
        """Modifiers of a unit's morale tests."""
        found = rules.hooks.of_unit(unit, state.profiles).get("to_morale")
        if not found:
            return []
        ctx = UnitContext(state, unit)
        return [mod for rule in found if (mod := rule.to_morale(ctx)) is not None]

    def retests(self, rules: Ruleset, state: State, unit: Unit, tester: int) -> tuple[SpecialRule, ...]:
        """Rules by which a failed test may be rolled again."""
        return tuple(rules.hooks.of_unit(unit, state.profiles).get("morale_again", ()))

    def second_chances(
        self, rules: Ruleset, state: State, unit: Unit, frame: Morale
    ) -> tuple[SpecialRule, ...]:
        """Rules that may turn a failed test into a pass."""
        found = rules.hooks.of_unit(unit, state.profiles).get("morale_failed", ())
        return tuple(rule for rule in found if rule.morale_failed(UnitContext(state, unit)))

    def flees(self, state: State, unit: Unit) -> bool:
        """Whether a failed test after a lost melee makes the unit rout."""
        return at_half(state, unit)


class MagicPolicies:
    """Casting spells."""

    def casting_frame(self, unit: int) -> Casting:
        """The procedure that casts a spell."""
        return Casting(procedure="casting", unit=unit)

    def can_cast(self, rules: Ruleset, state: State, unit: Unit, frame: Activation) -> bool:
        """Whether the unit has a spell it may try now."""
        return False

    def spell_hits(self, state: State, hits: int, factor: int, models: int) -> int:
        """How many hits a spell deals to this many models if each hit is multiplied by `factor`."""
        return hits * min(factor, models)

    def spell_cover(self, rules: Ruleset, state: State, caster: Unit, target: Unit) -> tuple[Mod, ...]:
        """Modifiers from cover of rolls to block the hits of a spell."""
        return ()


class Policies(
    SetupPolicies,
    MarkerPolicies,
    TurnPolicies,
    ShootingPolicies,
    AttackPolicies,
    MeleePolicies,
    MoralePolicies,
    MagicPolicies,
):
    """Decisions of an edition that are neither numbers nor steps.

    The defaults are the plainest reading; features and editions override single methods. Methods without a sensible
    default are abstract, so that an edition that lacks one cannot be created.
    """


def block_context(state: State, frame: Attack, unit: Unit) -> BlockContext:
    """The hits of an attack that a unit has to block, for the hooks of rules."""
    volley = frame.volley
    attacker = state.units[frame.unit] if frame.unit >= 0 else unit
    return BlockContext(
        state=state,
        kind=frame.kind,
        unit=attacker,
        target=unit,
        charging=frame.charging,
        apart=volley.unit_near if volley is not None else 0,
        picked=frame.picked,
        cover=volley.cover if volley is not None else "none",
    )


def plain_model(unit: Unit) -> Model:
    """The model that a unit's own values are taken from: the last that did not join, as special models come first."""
    for model in reversed(unit.models):
        if model.id != unit.attached:
            return model
    return unit.models[-1]


def at_half(state: State, unit: Unit) -> bool:
    """Whether a unit is down to half its starting strength or less; lone models count their wounds instead."""
    if unit.start_models == 1:
        if not unit.models:
            return True
        toughness = state.profiles[unit.models[0].profile].wounds
        return (toughness - unit.models[0].wounds) * 2 <= toughness
    return len(unit.models) * 2 <= unit.start_models
