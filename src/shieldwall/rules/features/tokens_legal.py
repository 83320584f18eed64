"""Which spells a unit may try now and on whom: legal casts from one scan of the table, and the question."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.answers import AnyAnswer, Cast, Pick
from shieldwall.core.blocks import MoveThem, TakeTest
from shieldwall.core.forms import LegalCast, SpellForm
from shieldwall.core.frames import Activation, Casting
from shieldwall.core.grammar import models_named, unit_does
from shieldwall.core.pending import Decision, Numbers, Pending, Refusal
from shieldwall.core.state import MILLI, Model, Profile, Spell, State, Unit
from shieldwall.core.values import Mod
from shieldwall.geometry.tolerance import EPS, within
from shieldwall.rules.army.casting import is_meant, pick_of, why_not_meant
from shieldwall.rules.features.token_helpers import Helper, conduits, is_caster, tokens_at_hand
from shieldwall.rules.hooks import PrintedContext, UnitContext
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.table.sight import ShootingScan, shooting_scan

BACK = "back"
OUT_OF_REACH = (math.inf, math.inf)
MOVE_PROCEDURE = "move.spell"
TEST_PROCEDURES = {"morale": "morale.spell", "danger": "danger.spell"}


class TokenRules(Struct, frozen=True):
    """Where editions that cast with tokens differ.

    `any_direction`: casters and bidders see all round, not only to their front. `free_sign`: each player chooses
    whether tokens help or hinder; otherwise friends help and enemies hinder. `from_model`: distance and sight are
    measured from the helper to the casting model; otherwise to the caster's unit. `caster_bids_first`: the caster's
    side bids openly before the other side answers.
    """

    any_direction: bool = True
    free_sign: bool = True
    from_model: bool = False
    caster_bids_first: bool = False


def switched(state: State, switch: str, value: str, unless: bool) -> bool:
    """Whether a house-rule switch is set to a value; `unless` if this game has no such switch."""
    for name, chosen in state.options:
        if name == switch:
            return chosen == value
    return unless


def sees_all_round(state: State, tokens: TokenRules) -> bool:
    """Whether the front arc does not limit casting in this game."""
    return switched(state, "casting-arc", "any", tokens.any_direction)


def casters_of(rules: Ruleset, state: State, unit: Unit) -> tuple[int, ...]:
    """Places of the unit's models that can cast at all."""
    profiles, hooks = state.profiles, rules.hooks
    if "tokens_gained" not in hooks.of_unit(unit, profiles):
        return ()
    return tuple(
        [
            at
            for at, model in enumerate(unit.models)
            if profiles[model.profile].spells and is_caster(rules, state, unit, model)
        ]
    )


def own_casting_mods(rules: Ruleset, state: State, unit: Unit, caster: Model) -> tuple[Mod, ...]:
    """Modifiers of a casting roll by special rules of the caster and its unit."""
    ctx = UnitContext(state, unit)
    found = rules.hooks.of_model(unit, caster, state.profiles).get("to_cast", ())
    return tuple(mod for rule in found if (mod := rule.to_cast(ctx)) is not None)


def spell_named(state: State, name: str) -> Spell:
    """A spell of this game by its name."""
    return next(spell for spell in state.spells if spell.name == name)


def procedures_for(spell: Spell) -> tuple[str, ...]:
    """The procedures of an edition that a spell uses, apart from attacks."""
    moves = (MOVE_PROCEDURE,) if spell.moves or _moves_targets(spell) else ()
    return (*moves, TEST_PROCEDURES[spell.test]) if spell.test else moves


def _moves_targets(spell: Spell) -> bool:
    pick = pick_of(spell)
    then = () if pick is None else pick.then
    after = [one for block in then if isinstance(block, TakeTest) for one in block.failed]
    return any(isinstance(block, MoveThem) for block in (*then, *after))


class SpellList(NamedTuple):
    """The spells of one profile in a game, and the names of those that the edition can play."""

    of: tuple[Spell, ...]
    procedures: object
    spells: list[Spell]
    played: frozenset[str]


def distances_from(scan: ShootingScan, at: int, unit: int) -> dict[int, tuple[float, float]]:
    """How far each unit, and its nearest visible model, is from one model of the scanned unit."""
    near, seen = scan.nearest[at].tolist(), scan.nearest_seen[at].tolist()
    far = dict(zip(scan.targets, zip(near, seen, strict=True), strict=True))
    return {**far, unit: (0.0, 0.0)}  # a model always sees itself


class Spellbook:
    """The spells of a unit's casters in its running activation. The table is scanned once, when needed."""

    __slots__ = (
        "_conduits",
        "_needs",
        "_reaches",
        "_scan",
        "_tokens",
        "activation",
        "casters",
        "rules",
        "state",
        "tokens",
        "unit",
    )

    def __init__(
        self, rules: Ruleset, state: State, unit: Unit, activation: Activation, tokens: TokenRules
    ) -> None:
        self.rules = rules
        self.state = state
        self.unit = unit
        self.activation = activation
        self.tokens = tokens
        places = casters_of(rules, state, unit)
        self.casters = {unit.models[at].id: at for at in places if not unit.models[at].stunned}
        self._scan: ShootingScan | None = None
        self._tokens: dict[int, int] = {}
        self._reaches: dict[int, dict[int, tuple[float, float]]] = {}
        self._needs: dict[int, list[tuple[int, bool, float]]] = {}
        self._conduits: dict[int, list[tuple[Helper, dict[int, tuple[float, float]]]]] = {}

    def known(self, model: Model) -> list[Spell]:
        """The spells of the model's faction."""
        return self._list_of(model).spells

    def as_cast(self, at: int, name: str) -> Spell:
        """A spell as the model at a place casts it."""
        return next(spell for spell in self.known(self.unit.models[at]) if spell.name == name)

    def _longer_by(self, profile: Profile) -> int:
        """How much farther the spells of a model reach than those of others."""
        printed = PrintedContext()
        found = self.rules.hooks.of_profile(profile).get("spell_range", ())
        return sum(rule.spell_range(printed) for rule in found)

    def _list_of(self, model: Model) -> SpellList:
        """The model's spells; cached on its profile."""
        profile, state, procedures = self.state.profiles[model.profile], self.state, self.rules.procedures
        known: SpellList | None = profile.__dict__.get("_spells")
        if known is None or known.of is not state.spells or known.procedures is not procedures:
            named = {spell.name: spell for spell in state.spells}
            more = self._longer_by(profile)
            spells = [named[name] for name in profile.spells if name in named]
            spells = [replace(spell, reach=spell.reach + more) for spell in spells] if more else spells
            played = frozenset([spell.name for spell in spells if self._is_played(spell)])
            known = profile.__dict__["_spells"] = SpellList(state.spells, procedures, spells, played)
        return known

    def tokens_of(self, model: Model) -> int:
        """Spell tokens that a caster may spend, including those that friends keep for it."""
        known = self._tokens.get(model.id)
        if known is None:
            at = self.casters.get(model.id)
            held = model.tokens if at is None else tokens_at_hand(self.rules, self.state, self.unit, at)
            known = self._tokens[model.id] = held
        return known

    def _is_played(self, spell: Spell) -> bool:
        return all(name in self.rules.procedures for name in procedures_for(spell))

    def obstacles(self, model: Model, spell: Spell) -> list[Refusal]:
        """Why a model may not try a spell now, whatever the target."""
        cite = self.rules.cite
        problems = []
        if (model.id, spell.name) in self.activation.tried:
            problems.append(
                Refusal(f"{spell.name} has already been tried this activation", cite("cast.once"))
            )
        held = self.tokens_of(model)
        if held < spell.cost:
            why = f"{spell.name} costs {spell.cost} spell tokens; {held} are left"
            problems.append(Refusal(why, cite("cast.pay")))
        if spell.name not in self._list_of(model).played:
            why = f"{spell.name} has an effect that spells do not have in this edition"
            problems.append(Refusal(why, cite("cast.list")))
        return problems

    @property
    def scan(self) -> ShootingScan:
        """What the unit's models see, as far as the longest spell reaches."""
        if self._scan is None:
            models = [self.unit.models[at] for at in self.casters.values()]
            reach = max((spell.reach for model in models for spell in self.known(model)), default=0)
            self._scan = shooting_scan(
                self.state,
                self.rules.policies.sight_method(self.state),
                self.unit.id,
                reach=reach / MILLI,
                at="all",
                any_direction=sees_all_round(self.state, self.tokens),
            )
        return self._scan

    def distances(self, at: int, target: int) -> tuple[float, float]:
        """How far a unit, and its nearest model that the caster sees, is from the caster."""
        if target == self.unit.id:
            return 0.0, 0.0  # a model always sees itself
        return self._seen_by(at).get(target, OUT_OF_REACH)

    def _seen_by(self, at: int) -> dict[int, tuple[float, float]]:
        """How far each unit, and its nearest visible model, is from a caster."""
        known = self._reaches.get(at)
        if known is None:
            known = self._reaches[at] = distances_from(self.scan, at, self.unit.id)
        return known

    def is_target(self, at: int, spell: Spell, unit: Unit) -> bool:
        """Whether a caster may choose a unit for a spell."""
        if unit.place != "table" or not unit.models:
            return False
        if spell.on == "self":
            return unit.id == self.unit.id
        if (unit.side == self.unit.side) != (spell.on == "friend"):
            return False
        return bool(self.places_for(at, spell, (unit.id,))) and self._is_meant(spell, unit)

    def places_for(self, at: int, spell: Spell, targets: tuple[int, ...]) -> tuple[Helper | None, ...]:
        """Positions from which a caster reaches all these units: models it can cast through, and None for itself."""
        reach = spell.reach / MILLI

        def reaches(from_there: dict[int, tuple[float, float]]) -> bool:
            return all(within(max(from_there.get(target, OUT_OF_REACH)), reach) for target in targets)

        through = [helper for helper, far in self._through(at) if reaches(far)]
        own = {target: self.distances(at, target) for target in targets}
        return (*through, None) if reaches(own) else tuple(through)

    def _through(self, at: int) -> list[tuple[Helper, dict[int, tuple[float, float]]]]:
        """Models that a caster may cast through, each with the distances of units and of their visible models."""
        known = self._conduits.get(at)
        if known is None:
            found = conduits(self.rules, self.state, self.unit, at)
            known = self._conduits[at] = [(helper, self._seen_from(helper)) for helper in found]
        return known

    def _seen_from(self, helper: Helper) -> dict[int, tuple[float, float]]:
        scan = shooting_scan(
            self.state,
            self.rules.policies.sight_method(self.state),
            helper.unit.id,
            at="all",
            any_direction=sees_all_round(self.state, self.tokens),
        )
        return distances_from(scan, helper.at, helper.unit.id)

    def _is_meant(self, spell: Spell, unit: Unit) -> bool:
        """Whether a unit meets a spell's condition for its targets, if it has one."""
        pick = pick_of(spell)
        return pick is None or is_meant(self.state, pick, unit)

    def why_not(self, at: int, spell: Spell, target: int) -> Refusal | None:
        """Why a spell may not target a unit; None when it may."""
        cite = self.rules.cite
        if not 0 <= target < len(self.state.units):
            return Refusal(f"there is no unit number {target}", cite("cast.target"))
        unit = self.state.units[target]
        if self.is_target(at, spell, unit):
            return None
        if unit.place != "table" or not unit.models:
            return Refusal(f"{unit_does(unit, 'are')} not on the table", cite("cast.target"))
        if spell.on == "self":
            return Refusal(f"{spell.name} is cast on the caster's own unit only", cite("cast.target"))
        if (unit.side == self.unit.side) != (spell.on == "friend"):
            whom = "friends" if spell.on == "friend" else "enemies"
            return Refusal(f"{spell.name} is cast on {whom}, not on {unit.name}", cite("cast.target"))
        pick = pick_of(spell)
        if pick is not None and (lacks := why_not_meant(self.state, pick, unit)):
            return Refusal(f"{spell.name} does nothing to {unit.name}: {lacks}", cite("cast.target"))
        reach = spell.reach / MILLI
        near = min(self.distances(at, target)[0], self._nearest_through(at, target))
        if not within(near, reach):
            why = f"{unit_does(unit, 'are')} farther away than the {reach:g} inches of {spell.name}"
            return Refusal(why, cite("cast.sight"))
        return Refusal(f"the caster sees no model of {unit.name} within range", cite("cast.sight"))

    def _nearest_through(self, at: int, target: int) -> float:
        return min((far.get(target, OUT_OF_REACH)[0] for _, far in self._through(at)), default=math.inf)

    def targets(self, at: int, spell: Spell) -> tuple[int, ...]:
        """Every unit a caster may choose for a spell."""
        if spell.on == "self":
            return (self.unit.id,)
        wanted, reach = spell.on == "friend", spell.reach / MILLI + EPS
        found = [
            unit for unit, is_friend, needed in self._reached(at) if is_friend == wanted and needed <= reach
        ]
        return tuple([unit for unit in found if self._is_meant(spell, self.state.units[unit])])

    def _reached(self, at: int) -> list[tuple[int, bool, float]]:
        """Units on the table, whether they are friends, and the reach a spell needs to get there."""
        known = self._needs.get(at)
        if known is None:
            side = self.unit.side
            places = [self._seen_by(at), *[far for _, far in self._through(at)]]
            known = self._needs[at] = [
                (unit.id, unit.side == side, min([max(far.get(unit.id, OUT_OF_REACH)) for far in places]))
                for unit in self.state.units
                if unit.place == "table" and unit.models
            ]
        return known

    def open_spells(self) -> list[tuple[int, Spell]]:
        """Places of casters with the spells they may try now, whatever the target."""
        models = self.unit.models
        return [
            (at, spell)
            for at in self.casters.values()
            for spell in self.known(models[at])
            if not self.obstacles(models[at], spell)
        ]

    def legal(self) -> Iterator[LegalCast]:
        """Every spell that can be tried now, caster by caster in the order of their lists."""
        for at, spell in self.open_spells():
            targets = self.targets(at, spell)
            if targets:
                yield LegalCast(self.unit.models[at].id, spell, targets)

    @property
    def has_any(self) -> bool:
        """Whether anything can be cast; the table is scanned only if no spell can target the caster's own unit."""
        open_spells = self.open_spells()
        if any(spell.on != "enemy" for _, spell in open_spells):
            return True
        return any(self.targets(at, spell) for at, spell in open_spells)


class CastSpell(Decision):
    """Which caster tries which spell on whom; `Pick("back")` declines, at no cost."""

    __slots__ = ("_options", "book")

    def __init__(self, book: Spellbook) -> None:
        unit = book.unit
        prompt = f"Pick a spell for {unit.name}, and its target"
        super().__init__("cast", unit.seat, prompt, book.rules.cite("cast.choose"))
        self.book = book
        self._options: tuple[LegalCast, ...] | None = None

    @property
    def about(self) -> int:
        return self.book.unit.id

    def form(self) -> SpellForm:
        return SpellForm(self.book.unit.id, self.options)

    @property
    def options(self) -> tuple[LegalCast, ...]:
        """Every legal caster and spell with its targets."""
        if self._options is None:
            self._options = tuple(self.book.legal())
        return self._options

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if isinstance(answer, Pick) and answer.option == BACK:
            return ()
        if not isinstance(answer, Cast):
            return (Refusal(f"a cast needs a caster, a spell and its targets, or {BACK!r}", self.cite),)
        book = self.book
        at = book.casters.get(answer.model)
        if at is None:
            return (Refusal(f"{models_named(book.state, (answer.model,))} cannot cast", self.cite),)
        known = {spell.name: spell for spell in book.known(book.unit.models[at])}
        spell = known.get(answer.spell)
        if spell is None:
            names = ", ".join(known) or "none"
            list_cite = book.rules.cite("cast.list")
            return (Refusal(f"{answer.spell!r} is not a spell of the caster's own list: {names}", list_cite),)
        return (*book.obstacles(book.unit.models[at], spell), *self._check_targets(at, spell, answer.targets))

    def _check_targets(self, at: int, spell: Spell, targets: tuple[int, ...]) -> list[Refusal]:
        problems = []
        if len(set(targets)) != len(targets) or not 1 <= len(targets) <= spell.targets:
            most = "one target" if spell.targets == 1 else f"1 to {spell.targets} different targets"
            problems.append(Refusal(f"{spell.name} takes {most}", self.book.rules.cite("cast.target")))
        found = (self.book.why_not(at, spell, target) for target in dict.fromkeys(targets))
        problems += [refusal for refusal in found if refusal is not None]
        if not problems and spell.on != "self" and not self.book.places_for(at, spell, targets):
            why = f"no one place is near enough to all targets of {spell.name}"
            problems.append(Refusal(why, self.book.rules.cite("cast.sight")))
        return problems

    def default(self) -> Cast:
        """The first spell that would change something, on the biggest units first."""
        options = sorted(self.options, key=lambda option: not self._useful(option))
        option = options[0]
        units = sorted(
            (self.book.state.units[target] for target in option.targets),
            key=lambda unit: (is_under(unit, option.spell), -len(unit.models), unit.id),
        )
        chosen = [unit.id for unit in units if not is_under(unit, option.spell)] or [units[0].id]
        targets = self.from_one_place(option, tuple(chosen))[: option.spell.targets]
        return Cast(option.model, option.spell.name, targets)

    def from_one_place(self, option: LegalCast, targets: tuple[int, ...]) -> tuple[int, ...]:
        """The first of some targets, and those after it that the spell reaches from the same place."""
        if len(targets) < 2 or option.spell.on == "self":
            return targets
        at, kept = self.book.casters[option.model], targets[:1]
        for target in targets[1:]:
            if self.book.places_for(at, option.spell, (*kept, target)):
                kept = (*kept, target)
        return kept

    def _useful(self, option: LegalCast) -> bool:
        return any(not is_under(self.book.state.units[target], option.spell) for target in option.targets)

    def sample(self, numbers: Numbers) -> Cast:
        option = self.options[numbers.below(len(self.options))]
        left = list(option.targets)
        many = 1 + numbers.below(min(option.spell.targets, len(left)))
        targets = tuple(left.pop(numbers.below(len(left))) for _ in range(many))
        return Cast(option.model, option.spell.name, self.from_one_place(option, targets))


def is_under(unit: Unit, spell: Spell) -> bool:
    """Whether a spell that only grants rules would change nothing, because the unit is already under it."""
    lends_only = bool(spell.grants) and not spell.hits and not spell.test and not spell.moves
    return lends_only and any(effect.name == spell.name for effect in unit.effects)


class ChooseFromBook(TrunkStep):
    """Choose a spell that the unit knows, or decline."""

    name = "cast.choose"

    @abstractmethod
    def book(self, game: Play, unit: Unit, activation: Activation) -> Spellbook:
        """The spells of a unit in its running activation."""

    def ask(self, game: Play) -> Pending | None:
        question = self.would_ask(game, game.state.units[game.top(Casting).unit], "cast")
        return question if question is not None and question.book.has_any else None

    def would_ask(self, game: Play, unit: Unit, kind: str) -> CastSpell | None:
        if kind != "cast":
            return None
        activation = game.nearest(Activation)
        assert activation is not None, "spells are cast in an activation"
        return CastSpell(self.book(game, unit, activation))

    def go(self, game: Play) -> None:
        game.finish()
