"""What has happened to a unit before its scenario begins: losses, wounds, states, spent weapons, effects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from shieldwall.armies.parse import parse_rules
from shieldwall.armies.recruit import casts
from shieldwall.core.errors import MalformedError
from shieldwall.core.state import Effect, Model, Profile, State, Unit, Use, ordinary_profile
from shieldwall.editions.aof_1_6.building_as_unit import garrison, piece_of
from shieldwall.editions.aof_1_6.unit_types import is_infantry
from shieldwall.rulebook.nearest import did_you_mean
from shieldwall.rules.army.binding import Meanings, bind_rules
from shieldwall.rules.bindings import Specials
from shieldwall.rules.features.carry import capacity
from shieldwall.rules.ruleset import Ruleset
from shieldwall.scenario.check import Path
from shieldwall.scenario.schema import Scenario, UnitEntry
from shieldwall.table.ranks import row_width

Say = Callable[[Path, str], None]
Numbers = int | tuple[int, ...] | dict[str | int, int]


class PriorState:
    """What happened to one unit before the scenario begins; reports what is impossible."""

    def __init__(
        self,
        scenario: Scenario,
        name: str,
        unit: Unit,
        profiles: Sequence[Profile],
        specials: Specials,
        meanings: Meanings,
        say: Say,
    ) -> None:
        self.scenario = scenario
        self.meanings = meanings
        self.specials = specials
        self.name = name
        self.entry: UnitEntry = scenario.units[name]
        self.unit = unit
        self.kinds = [profiles[model.profile] for model in unit.models]
        self.say = say

    def unit_at_start(self, is_block: bool, keeps_wounds: bool) -> Unit:
        """The unit as the scenario begins; `keeps_wounds` means that models may survive any number of wounds."""
        entry, unit = self.entry, self.unit
        started = entry.started or len(unit.models)
        if started < len(unit.models):
            self._say("started", f"{len(unit.models)} models are left, but it started with {started}")
        self._check_model_names()
        if not keeps_wounds:
            self._check_dead_models()
        picks = tuple(sorted(entry.picks.items()))
        width = row_width(started - (unit.attached >= 0), entry.part) if is_block else 0
        if width and isinstance(entry.slot, int) and not 1 <= entry.slot <= width:
            self._say(
                "slot", f"a place in the front row is 1 to {width} from the left, or left or right of it"
            )
        return replace(
            unit,
            name=self.name,
            models=tuple(self._with_state(index) for index in range(len(unit.models))),
            start_models=started,
            width=width,
            activated=entry.activated,
            broken=entry.shaken or entry.wavering,
            tired=entry.fatigued is True,
            stayed=not entry.moved,
            arrived=entry.arrived,
            effects=tuple(self._effects()),
            uses=tuple(self._unit_uses()),
            picks=picks + ((("reserve", entry.reserve),) if entry.reserve else ()),
            ordinary=self._ordinary(),
        )

    def _ordinary(self) -> int:
        """The profile of the ordinary models, if special models or heroes outnumber those that are left."""
        special = len(self.entry.command) + sum(model.count for model in self.entry.special)
        own = [model.profile for model in self.unit.models if model.id != self.unit.attached][special:]
        return own[0] if own and ordinary_profile(self.unit) != own[0] else self.unit.ordinary

    def _with_state(self, index: int) -> Model:
        entry = self.entry
        return replace(
            self.unit.models[index],
            wounds=self._number(entry.wounds, index),
            stunned=entry.stunned if isinstance(entry.stunned, bool) else index + 1 in entry.stunned,
            tired=entry.fatigued if isinstance(entry.fatigued, bool) else index + 1 in entry.fatigued,
            tokens=self._number(entry.tokens, index, self._first_caster()),
            uses=tuple(self._uses(index)),
        )

    def _first_caster(self) -> int:
        """The index of the first model with spell tokens; below 0 for none."""
        able = [any(map(casts, profile.rules)) for profile in self.kinds]
        return next((index for index, found in enumerate(able) if found), -1)

    def _number(self, value: Numbers, index: int, bearer: int = -1) -> int:
        """A number for one model: for its bearer, from a list, by model number or by name."""
        if isinstance(value, dict):
            keys = (index + 1, str(index + 1), self.kinds[index].name)
            return next((value[key] for key in keys if key in value), 0)
        if isinstance(value, tuple):
            return value[index] if index < len(value) else 0
        if bearer < 0:  # a plain number belongs to the lone model, or to the joined hero when there is one
            bearer = len(self.unit.models) - 1 if self.unit.attached >= 0 else 0
        return value if index == bearer else 0

    def _check_model_names(self) -> None:
        """Report numbers and names of models that the unit does not have."""
        count = len(self.unit.models)
        names = [profile.name for profile in self.kinds]
        for what in ("wounds", "tokens", "stunned", "fatigued"):
            given = getattr(self.entry, what)
            is_list = what in ("wounds", "tokens") and isinstance(given, tuple)
            if is_list and len(given) > count:
                self._say(what, f"{len(given)} numbers for {count} models")
            if is_list or isinstance(given, int):
                continue
            for key in given:
                is_number = str(key).isdecimal()
                if is_number and not 1 <= int(key) <= count:
                    self._say(what, f"there is no model {key}; {self.name} has {count}")
                elif not is_number and key not in names:
                    self._say(what, f"{self.name} has no model {key!r}{did_you_mean(str(key), names)}")

    def _check_dead_models(self) -> None:
        """Report models with enough wounds to kill them."""
        for index, profile in enumerate(self.kinds):
            wounds = self._number(self.entry.wounds, index)
            if wounds >= profile.wounds:
                text = (
                    f"model {index + 1} is dead with {wounds} of {profile.wounds} wounds;"
                    " leave it out and say `started`"
                )
                self._say("wounds", text)

    def _uses(self, index: int) -> Iterator[Use]:
        """How often this model has used its weapons; an unknown weapon is reported once."""
        everybody = {weapon.name for profile in self.kinds for weapon in profile.weapons} | self._powers()
        own = [weapon.name for weapon in self.kinds[index].weapons]
        for weapon, times in self.entry.used.items():
            if any(rule.name == weapon for rule in self.kinds[index].rules):
                yield Use(self._key(weapon), times, self.scenario.round)
            elif weapon in own:
                yield Use(f"weapon {own.index(weapon)}", times, max(1, self.scenario.round - 1))
            elif weapon not in everybody and index == 0:
                hint = did_you_mean(weapon, sorted(everybody))
                self.say(("units", self.name, "used", weapon), f"{self.name} has no weapon {weapon!r}{hint}")

    def _powers(self) -> set[str]:
        """Special rules of the unit, some of which have limited uses."""
        return {rule.name for profile in self.kinds for rule in profile.rules}

    def _unit_uses(self) -> Iterator[Use]:
        """Powers that a unit has used as a whole."""
        for power, times in self.entry.used.items():
            if power in self._powers():
                yield Use(self._key(power), times, self.scenario.round)

    def _key(self, power: str) -> str:
        """The name under which uses of a power are kept."""
        binding = self.specials.bindings.get(power)
        return (binding.rule.kept_as if binding else "") or power

    def _effects(self) -> Iterator[Effect]:
        units = list(self.scenario.units)
        for number, effect in enumerate(self.entry.effects):
            where: Path = ("units", self.name, "effects", number)
            try:
                grants = bind_rules(parse_rules(effect.rules), self.meanings)
            except MalformedError as error:
                for problem in error.problems:
                    self.say(where, f"{error.what}: {problem}")
                continue
            source = units.index(effect.source) if effect.source in units else -1
            if effect.source and source < 0:
                self.say(where, f"there is no unit {effect.source!r}{did_you_mean(effect.source, units)}")
            yield Effect(effect.name, source, effect.until, grants)

    def _say(self, what: str, text: str) -> None:
        self.say(("units", self.name, what), text)


def faults_inside(rules: Ruleset, state: State) -> Iterator[tuple[int, str]]:
    """Units that cannot be where the scenario puts them, by number, and each reason."""
    for unit in state.units:
        if unit.place == "garrison":
            yield from ((unit.id, why) for why in _why_not_garrisoned(rules, state, unit))
        elif unit.place == "inside" and unit.inside >= 0:
            yield from ((unit.id, why) for why in _why_not_carried(rules, state, unit))


def _why_not_garrisoned(rules: Ruleset, state: State, unit: Unit) -> Iterator[str]:
    if "building.enter" not in rules.cites:
        yield f"{rules.title} has no buildings that units can enter"
        return
    piece = piece_of(state, unit.inside)
    if not piece.capacity:
        yield f"{piece.name} has no room inside; give it a `capacity`, or a kind such as brick house"
        return
    others = garrison(state, piece.id)
    if any(other.side != unit.side for other in others):
        yield f"enemies are inside {piece.name} too; only one side can hold a building"
    count = sum(len(other.models) for other in others)
    if count > piece.capacity:
        yield f"{piece.name} has room for {piece.capacity} models, and {count} are inside"
    if not all(is_infantry(state.profiles[model.profile]) for model in unit.models):
        yield f"only Infantry can enter {piece.name}"


def _why_not_carried(rules: Ruleset, state: State, unit: Unit) -> Iterator[str]:
    if "carry.board" not in rules.cites:
        yield f"{rules.title} has no transports"
        return
    carrier = state.units[unit.inside]
    if carrier.side != unit.side:
        yield f"{carrier.name} is on the other side"
    if not capacity(rules, state, carrier):
        yield f"{carrier.name} is not a transport; give it `rules: Transport(X)`"
