"""An edition as a value: constants, procedures, special rules, citations and the policies that steps consult."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shieldwall.core import events as ev
from shieldwall.core.engine import GameRun, Rules, Step
from shieldwall.core.frames import Attack
from shieldwall.core.pending import Refusal
from shieldwall.core.state import Model, State, Unit
from shieldwall.rulebook.conversion import decode_json
from shieldwall.rules.bindings import Binding, Specials
from shieldwall.rules.constants import Constants
from shieldwall.rules.hook_tables import HookTables
from shieldwall.rules.hooks import Crossing, UnitContext
from shieldwall.rules.policies import Policies, at_half
from shieldwall.table.reasons import TableReason

if TYPE_CHECKING:
    from shieldwall.rules.losses import Loss

__all__ = [
    "Cites",
    "Play",
    "Policies",
    "Ruleset",
    "StepFactory",
    "TrunkStep",
    "at_half",
    "enemies_on_table",
    "fresh_units",
    "is_in_play",
    "on_table",
    "seat_of",
    "seat_to_ask",
]

Cites = Mapping[str, str]


@cache
def _numbered_steps() -> dict[str, dict[str, list[str]]]:
    """Numbered steps by edition and procedure; the file never changes."""
    data = Path(__file__).with_name("numbered_steps.json").read_bytes()
    return decode_json(data, dict[str, dict[str, list[str]]])


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
        like: str = "",
        unasked: frozenset[str] = frozenset(),
        version: int = 1,
    ) -> None:
        self.id = id
        self.version = (
            version  # raised when the same answers and dice lead to another result (replay/rules_versions.py)
        )
        self.like = like or id  # the edition whose catalogue, house rules and ready-made lists it shares
        self.unasked = (
            unasked  # hooks that none of its steps calls: rules of other editions that need them do nothing
        )
        self.title = title
        self.constants = constants
        self.procedures = procedures
        self.specials = specials
        self.hooks = HookTables(specials)
        self.cites = cites
        self.cite: Callable[[str], str] = cites.__getitem__  # the row behind a step of the trunk
        self.policies = policies
        self.saves_by_unit = saves_by_unit
        self.last_model_stands = last_model_stands

    def numbered_steps(self, procedure: str) -> Sequence[str]:
        """The names of a procedure's steps when states still had their numbers."""
        return _numbered_steps().get(self.id, {}).get(procedure) or super().numbered_steps(procedure)

    def cite_for(self, key: str, kind: str) -> str:
        """The row behind a step of an attack; melee, spells, falls and ground have their own rows for some steps."""
        return self.cites.get(f"{key}.{kind}") or self.cites[key]

    def without(self, special: str) -> Ruleset:
        """The same edition without one special rule; used to show that the rule matters."""
        less = self.variant(self.id)
        less.specials = self.specials.without(special)
        less.hooks = HookTables(less.specials)
        return less

    def variant(
        self,
        id: str,
        title: str = "",
        *,
        constants: Constants | None = None,
        procedures: Mapping[str, tuple[Step[Any], ...]] | None = None,
        policies: Policies | None = None,
        rules: Mapping[str, Binding] | None = None,
    ) -> Ruleset:
        """A new edition that differs from this one in the given values; `rules` are added to the special rules.

        It shares the catalogue, the house rules and the ready-made lists of the edition it was made from.
        """
        bindings = {**self.specials.bindings, **(rules or {})}
        specials = Specials(bindings, high_defense=self.specials.high_defense)
        return Ruleset(
            id=id,
            title=title or self.title,
            constants=constants or self.constants,
            procedures=procedures or self.procedures,
            specials=specials,
            cites=self.cites,
            policies=policies or self.policies,
            saves_by_unit=self.saves_by_unit,
            last_model_stands=self.last_model_stands,
            like=self.like,
            unasked=self.unasked,
        )

    def __reduce__(self) -> tuple[Callable[[dict[str, Any]], Ruleset], tuple[dict[str, Any]]]:
        # caches of this process must not be sent to another one
        parts = ("id", "title", "constants", "procedures", "specials", "cites", "policies")
        names = (*parts, "saves_by_unit", "last_model_stands", "like", "unasked")
        return _rebuilt, ({name: getattr(self, name) for name in names},)

    def __copy__(self) -> Ruleset:
        twin = Ruleset.__new__(Ruleset)
        twin.__dict__.update(self.__dict__)  # in the same process the caches are still valid
        return twin

    def refusals(self, reasons: Iterable[TableReason], action: str = "") -> tuple[Refusal, ...]:
        """The table's reasons as refusals with their rows; some actions have their own row for a reason."""
        cites = self.cites
        return tuple(
            Refusal(reason.text, cites.get(f"{reason.cite}@{action}") or cites[reason.cite])
            for reason in reasons
        )

    def in_play(self, state: State) -> frozenset[str] | None:
        return self.hooks.in_play(state)

    def has_area_rules(self, in_play: frozenset[str] | None) -> bool:
        return in_play is None or "lends_near" in in_play

    def after_change(self, game: Play, event: ev.AnyEvent, moved: bool) -> None:
        from shieldwall.rules.army import near  # that room builds on this one

        if moved or near.depends_on_bearers(self, game.state):
            near.spread_auras(game)
        if isinstance(event, ev.Activated):
            near.catch_starters(game, event.unit)

    def crossing(self, state: State, unit: Unit, model: Model) -> Crossing:
        """What a model ignores while it moves."""
        found = Crossing()
        ctx = UnitContext(state, unit)
        for rule in self.hooks.of_model(unit, model, state.profiles).get("crossing", ()):
            given = rule.crossing(ctx)
            if given is not None:
                found = Crossing(
                    found.units or given.units,
                    found.terrain or given.terrain,
                    found.difficult or given.difficult,
                    found.sure_jumps or given.sure_jumps,
                    min(found.jump_target or 9, given.jump_target or 9) % 9,
                )
        return found

    def survivor_move(self, state: State, unit: Unit) -> int:
        """How far a unit may move that has destroyed its enemy in melee."""
        ctx = UnitContext(state, unit)
        found = self.hooks.of_unit(unit, state.profiles).get("consolidates", ()) if unit.models else ()
        return max([rule.consolidates(ctx) for rule in found], default=self.constants.survivor_move)

    def allowance(self, state: State, unit: Unit, action: str) -> int:
        """How far a unit that moves as one may go: as far as its slowest model."""
        return min(self.allowances(state, unit, action))

    def allowances(self, state: State, unit: Unit, action: str, target: Unit | None = None) -> list[int]:
        """How far each model may go with an action, including modifiers from its unit and the surroundings; for a
        charge at a `target`, also those that depend on it."""
        around = sum([mod.amount for mod in self.policies.move_bonus(self, state, unit, action)])
        lengths = [max(0, length + around) for length in self._lengths_of(state, unit, action, target)]
        if "is_bogged" in self.hooks.of_unit(unit, state.profiles):
            cap = self.constants.difficult_cap
            bound = [not self.crossing(state, unit, model).difficult for model in unit.models]
            return [min(length, cap) if slow else length for length, slow in zip(lengths, bound, strict=True)]
        return lengths

    def after_kill(self, game: Play, unit: int, fallen: Unit) -> None:
        """Effects on a unit that has destroyed another one; `fallen` is that other unit before its last loss."""
        from shieldwall.rules.army.upkeep import mark_destroyer  # that room builds on this one

        self.after_deed(game, unit, "destroys a unit")
        mark_destroyer(game, unit, fallen)

    def after_destroyed(self, game: Play, unit: Unit, last: int, cause: str) -> None:
        """What follows when a unit has lost its last model; `unit` is the unit before its last losses."""
        if "brings_on" in game.plans.in_play or "copies_itself" in game.plans.in_play:
            from shieldwall.rules.army.coming_back import replace_destroyed  # that room builds on this one

            replace_destroyed(game, unit, last, cause)

    def after_deed(self, game: Play, unit: int, moment: str, times: int = 1) -> None:
        """Effects on a unit that has done something so often which some rules count."""
        if "grows" in game.plans.in_play:
            from shieldwall.rules.army.upkeep import grow_at  # that room builds on this one

            grow_at(game, unit, moment, times)

    def after_shaken(self, game: Play, unit: int) -> None:
        """Effects on a unit that has just become Shaken, or whose models were stunned."""
        if "grows" in game.plans.in_play:
            from shieldwall.rules.army.upkeep import lose_when_shaken  # that room builds on this one

            lose_when_shaken(game, unit)
        if "copies_itself" in game.plans.in_play:
            from shieldwall.rules.army.coming_back import replace_shaken  # that room builds on this one

            replace_shaken(game, unit)

    def after_loss(self, game: Play, unit: Unit, loss: Loss, attack: Attack) -> None:
        """Effects of wounds that land; `unit` is the unit before them."""
        if "hits_when_hurt" in self.hooks.of_unit(unit, game.state.profiles):
            from shieldwall.rules.army.out_of_turn import strike_back_for_losses  # builds on this room

            strike_back_for_losses(game, unit, loss, attack)

    def after_placed(self, game: Play, unit: int, arrived: bool = False) -> None:
        """Effects on a unit that was just placed on the table; `arrived` if it came from off the table."""
        from shieldwall.rules.army.out_of_turn import after_deployment  # that room builds on this one

        frames = after_deployment(game, game.state.units[unit], arrived)
        if frames:
            game.push(*frames, again=game.flow_set)

    def charge_change(self, state: State, target: Unit) -> int:
        """What a target's own rules add to the moves of its chargers; usually negative."""
        found = self.hooks.of_unit(target, state.profiles).get("charge_at_me", ())
        return sum(rule.charge_at_me(UnitContext(state, target)) for rule in found) if found else 0

    def charge_lengths(self, state: State, unit: Unit, target: Unit) -> list[int] | None:
        """How far each model may go in a charge at a target; None if that is as far as in any charge."""
        change = self.charge_change(state, target)
        if not change and not self.charges_by_target(state, unit):
            return None
        return [max(0, length + change) for length in self.allowances(state, unit, "charge", target)]

    def most_charge_bonus(self, state: State, unit: Unit) -> int:
        """By how much a charge at some enemy may be longer than others."""
        if not (
            self.charges_by_target(state, unit)
            or self.hooks.by_hook("charge_at_me", state.profiles)
            or any(other.effects for other in state.units)
        ):
            return 0
        enemies = enemies_on_table(state, unit)
        usual = self.allowances(state, unit, "charge")
        lengths = [self.charge_lengths(state, unit, other) or usual for other in enemies]
        return max([0, *(there - here for one in lengths for there, here in zip(one, usual, strict=True))])

    def charges_by_target(self, state: State, unit: Unit) -> bool:
        """Whether the charges of a unit are longer, or shorter, at some targets by its own rules."""
        if not self.hooks.may_have("move", unit, state.profiles):
            return False
        of_models = [self.hooks.of_model(unit, model, state.profiles) for model in one_of_each(unit)]
        tables = (self.hooks.of_unit(unit, state.profiles), *of_models)
        return any(rule.charges_by_target for table in tables for rule in table.get("move", ()))

    def _lengths_of(self, state: State, unit: Unit, action: str, target: Unit | None = None) -> list[int]:
        """How far each model may go by its own rules and its unit's; cached if nothing else matters."""
        if target is not None and self.charges_by_target(state, unit):
            return self._find_lengths(state, unit, action, target)
        makeup, key = unit.makeup, ("lengths", action)
        known: tuple[Ruleset, object, list[int] | None] | None = makeup.get(key)
        if known is None or known[0] is not self or known[1] is not state.profiles:
            lengths = self._find_lengths(state, unit, action) if self.moves_alike(state, unit) else None
            known = makeup[key] = (self, state.profiles, lengths)
        return self._find_lengths(state, unit, action) if known[2] is None else known[2]

    def moves_alike(self, state: State, unit: Unit) -> bool:
        """Whether a unit's moves depend only on its models and effects, so that they can be cached by those."""
        if not self.hooks.may_have("move", unit, state.profiles):
            return True
        of_models = [self.hooks.of_model(unit, model, state.profiles) for model in one_of_each(unit)]
        tables = (self.hooks.of_unit(unit, state.profiles), *of_models)
        return all(rule.always_alike for table in tables for rule in table.get("move", ()))

    def _find_lengths(self, state: State, unit: Unit, action: str, target: Unit | None = None) -> list[int]:
        constants = self.constants
        base = {"advance": constants.advance, "rush": constants.rush, "charge": constants.charge}[action]
        rules = self.hooks.of_unit(unit, state.profiles).get("move", ())
        ctx = UnitContext(state, unit, target)
        base += sum([rule.move(ctx, action) for rule in rules if rule.scope in ("any", "most", "all")])
        each = {model.profile: base + self._own_bonus(ctx, model, action) for model in one_of_each(unit)}
        return [each[model.profile] for model in unit.models]

    def _own_bonus(self, ctx: UnitContext, model: Model, action: str) -> int:
        hooks = self.hooks.of_model(ctx.unit, model, ctx.state.profiles)
        return sum(rule.move(ctx, action) for rule in hooks.get("move", ()) if rule.scope == "model")


def _rebuilt(parts: dict[str, Any]) -> Ruleset:
    return Ruleset(**parts)


Play = GameRun[Ruleset]
TrunkStep = Step[Ruleset]
StepFactory = Callable[[], TrunkStep]


def one_of_each(unit: Unit) -> tuple[Model, ...]:
    """One model of every profile in a unit, for facts that all models of a profile share."""
    return tuple({model.profile: model for model in unit.models}.values())


def seat_of(state: State, side: int) -> int:
    """The seat that answers a question put to a whole side."""
    for index, seat in enumerate(state.seats):
        if seat.side == side:
            return index
    raise LookupError(f"nobody plays side {side}")


def seat_to_ask(state: State, side: int, units: Sequence[Unit]) -> int:
    """The seat asked to pick one of its side's units: the player on that side who has acted least."""
    for unit in units:
        if unit.seat != units[0].seat:
            break
    else:  # nearly always one player commands the whole side
        return units[0].seat if units else seat_of(state, side)
    owners = sorted({unit.seat for unit in units})
    acted = Counter(
        unit.seat for unit in state.units if unit.activated or (not state.round and unit.place == "table")
    )
    return min(owners, key=lambda seat: (acted[seat], seat))


def fresh_units(state: State, side: int) -> list[Unit]:
    """Units of a side that may still be activated this round."""
    return [
        unit
        for unit in state.units
        if unit.side == side and not unit.activated and unit.models
        if unit.place == "table" or is_in_play(state, unit)
    ]


def has_fresh_units(state: State, side: int) -> bool:
    """Whether a side has any unit left to activate this round."""
    for unit in state.units:  # no list: this is called for each side after every activation
        is_fresh = unit.side == side and not unit.activated and unit.models
        if is_fresh and (unit.place == "table" or is_in_play(state, unit)):
            return True
    return False


def is_in_play(state: State, unit: Unit) -> bool:
    """Whether a unit stands on the table, is inside a building or rides in a unit that does."""
    while unit.place == "inside" and unit.inside >= 0:
        unit = state.units[unit.inside]
    return unit.place in ("table", "garrison")


def enemies_on_table(state: State, unit: Unit) -> list[Unit]:
    """Units of other sides that stand on the table."""
    return [
        other for other in state.units if other.side != unit.side and other.place == "table" and other.models
    ]


def on_table(state: State, side: int) -> list[Unit]:
    """Units of a side that stand on the table."""
    return [unit for unit in state.units if unit.side == side and unit.place == "table" and unit.models]
