"""An edition as a value: constants, procedures, special rules, citations and the few policies steps consult."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from shieldwall.core.answers import Placed
from shieldwall.core.engine import Game, Rules, Step
from shieldwall.core.frames import Activation, Attack, Casting, Melee, Morale, Wreck
from shieldwall.core.pending import Decision, Option, Refusal
from shieldwall.core.state import Model, Profile, State, Unit, setting
from shieldwall.core.values import Mod, Pose
from shieldwall.rules.constants import Constants
from shieldwall.rules.hooks import AttackContext, Crossing, SpecialRule
from shieldwall.rules.kits import Kit, Kits, Specials
from shieldwall.rules.placing import Ground, ambush_ground, deploy_ground
from shieldwall.table.bases import Family
from shieldwall.table.exits import Exit
from shieldwall.table.reasons import Reason
from shieldwall.table.sight_methods import SightMethod
from shieldwall.table.terrain import LIMITS, PRESETS, PresetPiece, TerrainLimits
from shieldwall.table.zones import Edge, edges_for

Cites = Mapping[str, str]


class PlaceQuestion(Decision):
    """Where a unit is put down; the features know what is legal."""

    def has_any(self) -> bool:
        """Whether any legal spot was found."""
        return True

    def spots(self) -> tuple[Pose, ...]:
        """Places worth trying, spread over the region: where the middle of the unit would be, and its heading."""
        return ()

    def put(self, spot: Pose) -> Placed | None:
        """The unit put down at a spot; None where it does not fit."""
        return None


class Policies:
    """What steps ask of an edition that is neither a number nor a step of its own.

    The defaults are the plainest reading; features and editions override single methods.
    """

    def uses_blocks(self) -> bool:
        """Whether units are ranked blocks."""
        return False

    def sight_method(self, state: State) -> str | SightMethod:
        """The way line of sight is judged in this game."""
        raise NotImplementedError

    def cover_policy(self) -> str:
        """The way cover is judged."""
        raise NotImplementedError

    def hit_limit(self, rules: Ruleset, ctx: AttackContext) -> Mod | None:
        """The condition under which only natural 6s hit, if it holds."""
        return None

    def around(
        self, rules: Ruleset, state: State, frame: Attack, unit: Unit, target: Unit
    ) -> tuple[Mod, ...]:
        """What the surroundings of two units change about the rolls of the first to hit the second."""
        return ()

    def hit_mods(self, rules: Ruleset, ctx: AttackContext) -> tuple[Mod, ...]:
        """What changes the roll to hit, beside special rules."""
        return ()

    def defense(self, state: State, unit: Unit, picked: int) -> int:
        """The Defense a unit, or a model singled out, blocks with."""
        profiles = state.profiles
        if picked >= 0:
            return next(profiles[m.profile].defense for m in unit.models if m.id == picked)
        host = next((m for m in unit.models if m.id != unit.attached), unit.models[0])
        return profiles[host.profile].defense

    def defense_against(self, rules: Ruleset, state: State, frame: Attack, unit: Unit, picked: int) -> int:
        """The Defense a unit, or a model singled out, blocks one attack with."""
        return self.defense(state, unit, picked)

    def block_mods(self, rules: Ruleset, state: State, frame: Attack, unit: Unit) -> tuple[Mod, ...]:
        """What changes the roll to block, beside the hit itself."""
        return ()

    def endures(self, state: State, unit: Unit, model: Model) -> int:
        """How many more wounds take a model out of its unit."""
        return state.profiles[model.profile].wounds - model.wounds

    def casualty_order(self, state: State, unit: Unit) -> tuple[int, ...]:
        """The order in which a sensible owner gives up models."""
        counts = Counter(model.profile for model in unit.models)
        ordinary = max(counts, key=lambda profile: (counts[profile], profile))
        ranked = sorted(
            enumerate(unit.models), key=lambda pair: (pair[1].profile != ordinary, -pair[0], pair[1].id)
        )
        return tuple(model.id for _, model in ranked)

    def refused_losses(
        self, rules: Ruleset, state: State, unit: Unit, lost: tuple[int, ...], usual: tuple[int, ...]
    ) -> tuple[Refusal, ...]:
        """What speaks against the models an owner gives up; `usual` are those it would give up unasked."""
        return ()

    def strikers(self, rules: Ruleset, state: State, unit: Unit, enemy: Unit) -> tuple[Model, ...]:
        """The models of a unit that may strike at an enemy unit now."""
        raise NotImplementedError

    def charge_options(self, rules: Ruleset, state: State, unit: Unit) -> tuple[Option, ...]:
        """The enemy units that can be charged now."""
        raise NotImplementedError

    def idles(self, unit: Unit) -> bool:
        """Whether the unit must spend its activation idle."""
        return unit.broken

    def may_hold_markers(self, rules: Ruleset, state: State, unit: Unit) -> bool:
        """Whether a unit on the table can seize and contest."""
        kit = rules.kits.of_unit(unit, state.profiles)
        last = rules.constants.rounds
        return not unit.broken and all(
            rule.may_seize(unit.arrived, state.round, last) for rule in kit.get("may_seize", ())
        )

    def control_lasts(self, rules: Ruleset, state: State) -> bool:
        """Whether a side keeps a marker after its unit has left."""
        usual = "on" if rules.constants.control_lasts else "off"
        return setting(state, "control-lasts", usual) == "on"

    def move_bonus(self, rules: Ruleset, state: State, unit: Unit, action: str) -> tuple[Mod, ...]:
        """What the surroundings of a unit add to its move."""
        return ()

    def deploy_edges(self, state: State) -> tuple[Edge, ...]:
        """The table edges among which the winner of the deployment roll-off picks."""
        return edges_for(state.axis)

    def deploy_ground(self, rules: Ruleset, state: State, side: int) -> Ground:
        """Where a side deploys."""
        return deploy_ground(state, state.sides[side].edge, self.deploy_depth(rules, state))

    def deploy_depth(self, rules: Ruleset, state: State) -> int:
        """How deep deployment zones are on this table."""
        return rules.constants.deploy_depth

    def marker_axis(self, state: State) -> str:
        """Along which axis markers keep out of the deployment strips; "all" for all four edges."""
        return state.axis

    def keeps_markers_off_blocking(self) -> bool:
        """Whether solid things that block sight are no place for a marker either."""
        return False

    def markers_must_be_reached(self) -> bool:
        """Whether a marker may lie only where some model could get near it."""
        return True

    def late_ground(self, rules: Ruleset, state: State, side: int) -> Ground:
        """Where late units are placed."""
        return self.deploy_ground(rules, state, side)

    def ambush_ground(self, rules: Ruleset, state: State, side: int) -> Ground:
        """Where units from off the table appear."""
        constants = rules.constants
        return ambush_ground(state, constants.ambush_edge_within, constants.ambush_enemy_over)

    def rolls_for_late_units(self) -> bool:
        """Whether a roll-off decides who begins with late units; else the side with the first turn does."""
        return False

    def place_question(
        self, rules: Ruleset, state: State, unit: Unit, ground: Ground, kind: str, prompt: str
    ) -> PlaceQuestion:
        """The question where a unit is put down."""
        raise NotImplementedError

    def base_family(self) -> Family:
        """Which bases models stand on when nobody said otherwise."""
        return "square" if self.uses_blocks() else "round"

    def heroes_join(self) -> bool:
        """Whether lone models can be part of another unit at all."""
        return self.uses_blocks()

    def may_join(self, profile: Profile) -> bool:
        """Whether a model that could join units is not too big for it."""
        return True

    def may_be_joined(self, rules: Ruleset, state: State, host: Unit) -> bool:
        """Whether a model may join this unit, which has no other one in it."""
        return len(host.models) > 1

    def joining_slots(self, state: State, host: Unit, joiner: Unit) -> tuple[int, ...]:
        """The places a joining model may take in its host; the first one by default."""
        return (0,)

    def fires_all_round(self, state: State) -> bool:
        """Whether weapons that need no sight may also fire at targets outside the front arc."""
        return setting(state, "indirect-arc", "front") == "any"

    def spell_cover(self, rules: Ruleset, state: State, caster: Unit, target: Unit) -> tuple[Mod, ...]:
        """What cover adds to rolls to block the hits of a spell."""
        return ()

    def turns_after_shooting(self, state: State) -> bool:
        """Whether a unit on Hold turns after it has shot, not before."""
        return setting(state, "hold-pivot", "before-shooting") == "after-shooting"

    def terrain_presets(self) -> Mapping[str, PresetPiece]:
        """What common kinds of terrain do, unless the players agree otherwise."""
        return PRESETS

    def terrain_limits(self) -> TerrainLimits:
        """The heights and widths at which ground changes its nature."""
        return LIMITS

    def measures_heights(self) -> bool:
        """Whether distances are laid in three dimensions."""
        return False

    def models_in_danger(self, rules: Ruleset, state: State, unit: Unit) -> tuple[tuple[int, int], ...]:
        """Models that stand on dangerous ground, each with the piece."""
        return ()

    def casting_frame(self, unit: int) -> Casting:
        """The procedure that casts a spell."""
        return Casting(procedure="casting", unit=unit)

    def can_cast(self, rules: Ruleset, state: State, unit: Unit, frame: Activation) -> bool:
        """Whether the unit has a spell it may try now."""
        return False

    def actions_now(
        self, rules: Ruleset, state: State, unit: Unit, allowed: tuple[str, ...]
    ) -> tuple[str, ...]:
        """Actions the situation of a unit leaves open."""
        return allowed

    def refused_contacts(
        self, rules: Ruleset, state: State, unit: Unit, target: int, ends: tuple[Pose, ...]
    ) -> tuple[Refusal, ...]:
        """What speaks against where the models of a charge end, beyond the rules of moving."""
        return ()

    def may_strike(self, frame: Melee, unit: Unit, phase: str) -> bool:
        """Whether a unit may strike in a phase of this melee."""
        return True

    def early_models(
        self, rules: Ruleset, state: State, frame: Melee, carriers: tuple[int, ...]
    ) -> tuple[int, ...]:
        """The carriers of early weapons that take dice from the weight of the charge."""
        return carriers

    def tired_models_crash(self) -> bool:
        """Whether the weight of a charge counts for models past their first melee of the round, too."""
        return False

    def orders_blows(self) -> bool:
        """Whether it matters, and so is asked, in which order the weapons of one side strike."""
        return False

    def is_tired(self, unit: Unit, model: Model) -> bool:
        """Whether a model is past its first melee of the round."""
        return unit.tired

    def melee_score(self, rules: Ruleset, state: State, unit: Unit) -> int:
        """What is added to the wounds a unit caused when a melee is decided."""
        return 0

    def defeat_mods(self, rules: Ruleset, frame: Melee, loser: Unit) -> tuple[Mod, ...]:
        """What changes the morale test of a melee's loser."""
        return ()

    def leaders(self, rules: Ruleset, state: State, unit: Unit) -> tuple[Model, ...]:
        """Models whose Quality the unit may use for its morale test."""
        return tuple(
            model
            for model in unit.models
            if model.id == unit.attached
            and "tests_for_others" in rules.kits.of_profile(state.profiles[model.profile])
        )

    def test_quality(self, state: State, unit: Unit) -> int:
        """The Quality a unit tests its nerve with; a joined model does not count while others live."""
        own = next((m for m in unit.models if m.id != unit.attached), unit.models[0])
        return state.profiles[own.profile].quality

    def fails_morale(self, unit: Unit) -> bool:
        """Whether the unit fails every morale test unasked."""
        return unit.broken

    def morale_mods(self, rules: Ruleset, state: State, unit: Unit, tester: int) -> list[Mod]:
        """What changes a unit's morale tests."""
        kit = rules.unit_kit(state, unit)
        return [mod for rule in kit.get("to_morale", ()) if (mod := rule.to_morale()) is not None]

    def second_chances(
        self, rules: Ruleset, state: State, unit: Unit, frame: Morale
    ) -> tuple[SpecialRule, ...]:
        """Rules that may turn a failed test into a pass."""
        return tuple(rules.unit_kit(state, unit).get("morale_failed", ()))

    def reacts(self, rules: Ruleset, state: State, unit: Unit) -> bool:
        """Whether a charged unit closes up."""
        return True

    def may_consolidate(self, rules: Ruleset, state: State, unit: Unit) -> bool:
        """Whether a unit may move after it has seen off its opponent."""
        return True

    def near_models(self, state: State, target: Unit, centre: int) -> tuple[tuple[int, int], ...]:
        """Models round a chosen one that hits may spread to, as (model, unit)."""
        return ()

    def stays_in_contact(self, state: State) -> bool:
        """Whether units that fought stay where they are instead of parting."""
        return False

    def dispute_sides(self, state: State) -> tuple[int, ...]:
        """The sides that settle a dispute, the one that the low half of the die favours first."""
        return tuple(range(len(state.sides)))

    def next_starter(self, state: State) -> int:
        """The side that begins the next round: the one that ran out of units to activate first.

        Where both did at the same moment it is the one that was to act next. A switch looks at the latest
        activation of each side instead.
        """
        if setting(state, "who-starts-next", "out-of-units") == "last-activation":
            marks = [side.last_turn_at for side in state.sides]
        else:
            marks = [side.dry_at for side in state.sides]
        if marks[0] != marks[1]:
            return 0 if marks[0] < marks[1] else 1
        return state.turn

    def acts_on_arrival(self, state: State) -> bool:
        """Whether a unit may be activated in the round in which it comes in from off the table."""
        return setting(state, "ambush-acts-at-once", "on") == "on"

    def flees(self, state: State, unit: Unit) -> bool:
        """Whether a failed test after a lost melee makes the unit rout."""
        return at_half(state, unit)

    def block_after_loss(self, state: State, unit: Unit, survivors: tuple[Model, ...]) -> Pose | None:
        """Where the centre of a ranked unit is once some of its models are gone."""
        return None

    def exit_question(
        self, rules: Ruleset, state: State, unit: Unit, way_out: Exit, kind: str, prompt: str
    ) -> PlaceQuestion:
        """The question where a unit gets out of its carrier."""
        raise NotImplementedError

    def wreck_of(self, state: State, unit: Unit, cause: str) -> Wreck | None:
        """The procedure by which passengers of a unit about to be destroyed get out; None where there are none."""
        return None

    def tire(self, unit: Unit, struck: tuple[int, ...]) -> tuple[int, ...] | None:
        """The models that fatigue marks: none named means the whole unit, None that nobody is tired."""
        return ()


class Ruleset(Rules):
    """One edition, ready to play. Build it once; it is shared by every game."""

    def __init__(
        self,
        *,
        id: str,
        title: str,
        constants: Constants,
        procedures: Mapping[str, tuple[Step[Any], ...]],
        specials: Specials,
        cites: Cites,
        policies: Policies,
        saves_by_unit: bool = False,
        last_model_stands: bool = False,
    ) -> None:
        self.id = id
        self.title = title
        self.constants = constants
        self.procedures = procedures
        self.specials = specials
        self.kits = Kits(specials)
        self.cites = cites
        self.policies = policies
        self.saves_by_unit = saves_by_unit
        self.last_model_stands = last_model_stands

    def without(self, special: str) -> Ruleset:
        """The same edition less one special rule; used to show that the rule matters."""
        return Ruleset(
            id=self.id,
            title=self.title,
            constants=self.constants,
            procedures=self.procedures,
            specials=self.specials.without(special),
            cites=self.cites,
            policies=self.policies,
            saves_by_unit=self.saves_by_unit,
            last_model_stands=self.last_model_stands,
        )

    def cite(self, key: str) -> str:
        """The row behind a step of the trunk."""
        return self.cites[key]

    def refusals(self, reasons: Iterable[Reason], action: str = "") -> tuple[Refusal, ...]:
        """Reasons of the table with the rows behind them; some actions have a row of their own for a reason."""
        cites = self.cites
        return tuple(
            Refusal(reason.text, cites.get(f"{reason.cite}@{action}") or cites[reason.cite])
            for reason in reasons
        )

    def unit_kit(self, state: State, unit: Unit) -> Kit:
        """Rules that speak for the whole unit."""
        return self.kits.of_unit(unit, state.profiles)

    def crossing(self, state: State, unit: Unit, model: Model) -> Crossing:
        """What a model ignores while it moves."""
        found = Crossing()
        for rule in self.kits.of_model(unit, model, state.profiles).get("crossing", ()):
            given = rule.crossing()
            if given is not None:
                found = Crossing(
                    found.units or given.units,
                    found.terrain or given.terrain,
                    found.difficult or given.difficult,
                    found.sure_jumps or given.sure_jumps,
                    min(found.jump_target or 9, given.jump_target or 9) % 9,
                )
        return found

    def allowance(self, state: State, unit: Unit, action: str) -> int:
        """How far a unit that moves as one may go: the slowest model counts."""
        return min(self.model_allowance(state, unit, model, action) for model in unit.models)

    def model_allowance(self, state: State, unit: Unit, model: Model, action: str) -> int:
        """How far one model may go with an action, with what its unit and the surroundings add."""
        constants = self.constants
        base = {"advance": constants.advance, "rush": constants.rush, "charge": constants.charge}[action]
        own = self._own_bonus(state, unit, model, action)
        shared = sum(
            rule.move(action) for rule in self.unit_kit(state, unit).get("move", ()) if rule.scope == "any"
        )
        around = sum(mod.amount for mod in self.policies.move_bonus(self, state, unit, action))
        return max(0, base + own + shared + around)

    def _own_bonus(self, state: State, unit: Unit, model: Model, action: str) -> int:
        kit = self.kits.of_model(unit, model, state.profiles)
        return sum(rule.move(action) for rule in kit.get("move", ()) if rule.scope == "model")


Play = Game[Ruleset]
TrunkStep = Step[Ruleset]
StepFactory = Callable[[], TrunkStep]


def at_half(state: State, unit: Unit) -> bool:
    """Whether a unit is down to half its starting strength or less; lone models count their wounds instead."""
    if unit.start_models == 1:
        if not unit.models:
            return True
        toughness = state.profiles[unit.models[0].profile].wounds
        return (toughness - unit.models[0].wounds) * 2 <= toughness
    return len(unit.models) * 2 <= unit.start_models


def seat_of(state: State, side: int) -> int:
    """The seat that answers a question put to a whole side."""
    return next(index for index, seat in enumerate(state.seats) if seat.side == side)


def speaker_of(state: State, side: int, units: Sequence[Unit]) -> int:
    """The seat asked to pick one of its side's units: of several players the one that has acted least so far."""
    owners = sorted({unit.seat for unit in units}) or [seat_of(state, side)]
    if len(owners) == 1:
        return owners[0]
    acted = Counter(
        unit.seat for unit in state.units if unit.activated or (not state.round and unit.place == "table")
    )
    return min(owners, key=lambda seat: (acted[seat], seat))


def fresh_units(state: State, side: int) -> list[Unit]:
    """Units of a side that may still be activated this round."""
    return [
        unit
        for unit in state.units
        if unit.side == side and not unit.activated and unit.models and is_in_play(state, unit)
    ]


def is_in_play(state: State, unit: Unit) -> bool:
    """Whether a unit stands on the table, is inside a building or rides in a unit that does."""
    while unit.place == "inside" and unit.inside >= 0:
        unit = state.units[unit.inside]
    return unit.place in ("table", "garrison")


def on_table(state: State, side: int) -> list[Unit]:
    """Units of a side that stand on the table."""
    return [unit for unit in state.units if unit.side == side and unit.place == "table" and unit.models]
