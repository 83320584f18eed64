"""Policies shared by all editions with loose units, and those for whole armies of them."""

from __future__ import annotations

import math

from msgspec.structs import replace

from shieldwall.core.frames import Preparation
from shieldwall.core.pending import Option, Refusal
from shieldwall.core.state import MILLI, Model, Pose, State, Unit, setting, with_unit
from shieldwall.core.values import Mod
from shieldwall.geometry.tolerance import touching
from shieldwall.rules.features.loose_limits import coherency_of, walk_limits
from shieldwall.rules.features.loose_melee import charge_choices, strike_reach
from shieldwall.rules.features.loose_questions import LoosePlacing
from shieldwall.rules.hooks import AttackContext, UnitContext
from shieldwall.rules.losses import turn_to_fall
from shieldwall.rules.place_question import PlaceQuestion
from shieldwall.rules.placing import Ground
from shieldwall.rules.ruleset import Policies, Ruleset
from shieldwall.table.coherency import Coherency, how_far_apart, is_coherent
from shieldwall.table.footprints import unit_shapes
from shieldwall.table.loose_react import models_in_reach
from shieldwall.table.measure import units_apart
from shieldwall.table.regroup import CROWD, solve_regroup
from shieldwall.table.sight_methods import OPEN, SightMethod


def past_models_or_units(method: SightMethod) -> tuple[SightMethod, SightMethod]:
    """A sight method that looks between the models of other units, and the same without such gaps.

    Create each pair once: results are cached by object.
    """
    return method, replace(method, name=f"{method.name}-strips", perimeter="strips")


BETWEEN_MODELS = past_models_or_units(OPEN)
BY_THE_LETTER = Coherency(2.0, 6.0, "letter")
IN_ONE_CHAIN = Coherency(2.0, 6.0, "chain")


class LoosePolicies(Policies):
    """Units whose models move freely, in skirmishes and in battles alike."""

    def rolls_for_late_units(self) -> bool:
        return True

    def measures_heights(self) -> bool:
        """Everything is measured from base to base in three dimensions: ranges, spacing, coherency, contact."""
        return True

    def place_question(
        self, rules: Ruleset, state: State, unit: Unit, ground: Ground, kind: str, prompt: str
    ) -> PlaceQuestion:
        return LoosePlacing(rules, state, unit, ground, kind, prompt)

    def actions_now(
        self, rules: Ruleset, state: State, unit: Unit, allowed: tuple[str, ...]
    ) -> tuple[str, ...]:
        """A unit out of coherency must take an action that restores it or, if none can, one that moves it."""
        if len(unit.models) == 1 or len(allowed) == 1:
            return allowed
        if is_coherent(unit, state.profiles, coherency_of(rules, state)):
            return allowed
        is_late = "rush" in allowed and only_rush_restores_coherency(rules, state, unit)
        left_out = ("hold", "advance") if is_late else ("hold",)
        return tuple(action for action in allowed if action not in left_out)

    def dispute_sides(self, state: State) -> tuple[int, ...]:
        """The side on turn first; before the first turn the winner of the latest roll-off."""
        first = state.turn
        if not state.round:
            won = [frame.winner for frame in state.stack if isinstance(frame, Preparation)]
            first = max(0, *won) if won else state.first_side
        return (first, *(side for side in range(len(state.sides)) if side != first))


class LooseArmyPolicies(LoosePolicies):
    """Loose units that see all round, fight all enemies within reach and lose models so that the rest stay coherent."""

    def sight_method(self, state: State) -> SightMethod:
        past_models, past_units = self.sight_lines()
        return past_units if setting(state, "units-block-sight", "bases") == "strips" else past_models

    def sight_lines(self) -> tuple[SightMethod, SightMethod]:
        """How models look: past other units, or past their models."""
        return BETWEEN_MODELS

    def cover_policy(self) -> str:
        return "crowd"

    def hit_mods(self, rules: Ruleset, ctx: AttackContext) -> tuple[Mod, ...]:
        if ctx.shooting and ctx.cover != "none":
            return (Mod(-1, "cover", rules.cite("hit.cover")),)
        return ()

    def strikers(self, rules: Ruleset, state: State, unit: Unit, enemy: Unit) -> tuple[Model, ...]:
        near = models_in_reach(state, unit.id, enemy.id, strike_reach(rules))
        return tuple(model for model in unit.models if model.id in near)

    def charge_options(self, rules: Ruleset, state: State, unit: Unit) -> tuple[Option, ...]:
        return charge_choices(rules, state, unit)

    def casualty_order(self, state: State, unit: Unit) -> tuple[int, ...]:
        """Plain models first, chosen so that the rest stay coherent."""
        return keeping_together(state, unit, super().casualty_order(state, unit), self.coherency(state))

    def coherency(self, state: State) -> Coherency:
        """How close together the models of a unit stay."""
        return IN_ONE_CHAIN if setting(state, "coherency-shape", "letter") == "chain" else BY_THE_LETTER

    def refused_losses(
        self,
        rules: Ruleset,
        state: State,
        unit: Unit,
        lost: tuple[int, ...],
        usual: tuple[int, ...],
        attack: str,
    ) -> tuple[Refusal, ...]:
        """Models that could keep their unit in coherency must do so."""
        rule = self.coherency(state)
        if stands_together(state, unit, lost, rule) or not stands_together(state, unit, usual, rule):
            return ()
        text = f"{unit.name} would lose coherency, but could keep it if other models were removed"
        return (Refusal(text, rules.cite_for("attack.keep_together", attack)),)

    def refused_contacts(
        self, rules: Ruleset, state: State, unit: Unit, target: int, ends: tuple[Pose, ...]
    ) -> tuple[Refusal, ...]:
        """A charge touches only its target."""
        there = with_unit(state, replace(unit, poses=ends))
        touched = [
            other
            for other in state.units
            if other.place == "table" and other.side != unit.side and other.id != target
            if touching(units_apart(there, unit.id, other.id, heights=True))
        ]
        cite = rules.cite("charge.others")
        return tuple(
            Refusal(f"{unit.name} would touch {other.name}, which it is not charging", cite)
            for other in touched
        )

    def reacts(self, rules: Ruleset, state: State, unit: Unit) -> bool:
        if unit.broken and setting(state, "wavering-reacts", "on") == "off":
            return False
        return self.may_consolidate(rules, state, unit)

    def may_consolidate(self, rules: Ruleset, state: State, unit: Unit) -> bool:
        # rules that limit actions only ever make a unit stay where it is
        return "actions" not in rules.hooks.of_unit(unit, state.profiles)

    def melee_score(self, rules: Ruleset, state: State, unit: Unit) -> int:
        found = rules.hooks.of_unit(unit, state.profiles).get("melee_score")
        if not found:
            return 0
        ctx = UnitContext(state, unit)
        bonuses = [rule.melee_score(ctx) for rule in found]
        return max(bonuses, default=0) if setting(state, "melee-bonuses", "add") == "once" else sum(bonuses)

    def heroes_join(self) -> bool:
        return True

    def markers_must_be_reached(self) -> bool:
        return False


def keeping_together(state: State, unit: Unit, order: tuple[int, ...], rule: Coherency) -> tuple[int, ...]:
    """The order of losses, changed to take each time the first model whose loss leaves the others coherent.

    A single chain is kept if there is one: in separate groups a model may soon be left alone.
    """
    turns = {model.id: turn_to_fall(state, unit, model) for model in unit.models}
    waiting = sorted(order, key=lambda one: turns[one])
    if is_crammed(unit, rule):
        return tuple(waiting)
    gone: list[int] = []
    wanted = [replace(rule, shape="chain"), rule]
    while waiting:
        next_ones = [one for one in waiting if turns[one] == turns[waiting[0]]]
        pairs = ((one, way) for way in wanted for one in next_ones)
        found = (one for one, way in pairs if stands_together(state, unit, (*gone, one), way))
        lost = next(found, next_ones[0])
        waiting.remove(lost)
        gone.append(lost)
    return tuple(gone)


def is_crammed(unit: Unit, rule: Coherency) -> bool:
    """Whether the models stand so close that any of them may be lost: all within one link of each other."""
    corners = [[getattr(pose, axis) for pose in unit.poses] for axis in ("x", "y", "z")]
    across = math.hypot(*(max(ones) - min(ones) for ones in corners if ones))
    return across <= MILLI * min(rule.link, rule.spread)


def stands_together(state: State, unit: Unit, lost: tuple[int, ...], rule: Coherency) -> bool:
    """Whether a unit would be coherent without some of its models."""
    left = [place for place, model in enumerate(unit.models) if model.id not in lost]
    if len(left) < 2:
        return True
    fewer = replace(
        unit,
        models=tuple(unit.models[place] for place in left),
        poses=tuple(unit.poses[place] for place in left),
    )
    return is_coherent(fewer, state.profiles, rule)


def only_rush_restores_coherency(rules: Ruleset, state: State, unit: Unit) -> bool:
    """Whether only a Rush can restore coherency.

    Checked only in doubtful cases, and not for large units, for which the search would take too long.
    """
    if len(unit.models) > CROWD:
        return False
    rule = coherency_of(rules, state)
    need = how_far_apart(unit_shapes(unit, state.profiles), rule)
    walk, run = (walk_limits(rules, state, unit, action) for action in ("advance", "rush"))
    # the shortfall counts links and spread, and each shrinks by two inches when two models move an inch
    if need <= min(walk.allowance) or need > 4 * max(run.allowance):
        return False
    ends = (solve_regroup(state, unit.id, limits).poses for limits in (walk, run))
    mended = (is_coherent(replace(unit, poses=poses), state.profiles, rule) for poses in ends)
    return not next(mended) and next(mended)
