"""Names in a scenario: units by name, models as `Unit/3` or `Unit/Sergeant`, markers and pieces by name."""

from __future__ import annotations

import re
from typing import TypeVar

from msgspec import Struct

from shieldwall.core.state import Model, Piece, State, Unit
from shieldwall.rulebook.nearest import did_you_mean
from shieldwall.scenario.schema import SIDES, Scenario, SideName

T = TypeVar("T")

MOST_NAMED = 100  # models of one unit

_PLACED = re.compile(r"marker ([1-9]\d?)")
# An option of a question by its key: alone in quotes, or with its label.
_KEY = re.compile(r"\b([umb])(\d+) \(((?:[^()]|\([^()]*\))*)\)|'([umb])(\d+)'")


class UnknownNameError(LookupError):
    """A name that nothing on this table has; the message carries a tip."""


class Roster(Struct, frozen=True):
    """Names and ids at the start of the game; models keep their names when others are removed."""

    units: dict[str, int]
    models: dict[str, tuple[int, int]]
    """Unit and model id by every name a model goes by."""
    markers: dict[str, int]
    pieces: dict[str, int]
    sides: tuple[str, ...]
    """The side of each unit, by unit id."""
    weapons: tuple[str, ...] | None = None
    """The names of all weapons; None if they are not known."""
    powers: frozenset[str] = frozenset()
    """The names of all rules, some of which are aimed like weapons (Breath Attack)."""
    spells: frozenset[str] | None = None
    """All spells of the file; None if that is not known."""

    def unit(self, name: object) -> int:
        """The id of a unit."""
        return _known(self.units, name, "unit")

    def model(self, name: object) -> tuple[int, int]:
        """Ids of the unit and the model behind a name; a unit of one model may go by its own name."""
        text = str(name)
        if text in self.models:
            return self.models[text]
        if text in self.units and f"{text}/2" not in self.models and f"{text}/1" in self.models:
            return self.models[f"{text}/1"]
        if text in self.units:
            raise UnknownNameError(f"{text} has several models; name one of them, such as {text}/1")
        return _known(self.models, name, "model")

    def marker(self, name: object) -> int:
        """The id of a marker; those that are placed in play are `marker 1`, `marker 2` in that order."""
        placed = _PLACED.fullmatch(str(name))
        if placed and str(name) not in self.markers:
            return int(placed[1]) - 1
        return _known(self.markers, name, "marker")

    def piece(self, name: object) -> int:
        """The id of a piece of terrain."""
        return _known(self.pieces, name, "piece of terrain")

    def weapon(self, name: str) -> None:
        """Raise an error if no unit has a weapon, or a power that is aimed like one, of this name."""
        if self.weapons is not None and name not in self.weapons and name not in self.powers:
            near = did_you_mean(name, (*self.weapons, *sorted(self.powers)))
            tip = near or f"; there are {', '.join(self.weapons) or 'none at all'}"
            raise UnknownNameError(f"no unit has a weapon {name!r}{tip}")

    def spell(self, name: str) -> None:
        """Raise an error if the file has no spell of this name."""
        if self.spells is not None and name not in self.spells:
            raise UnknownNameError(f"there is no spell {name!r}{did_you_mean(name, sorted(self.spells))}")

    def unit_name(self, unit: int) -> str:
        """The name of a unit."""
        return next((name for name, known in self.units.items() if known == unit), f"unit {unit}")

    def model_name(self, model: int) -> str:
        """The numbered name of a model."""
        return next((name for name, (_, known) in self.models.items() if known == model), f"model {model}")

    def marker_name(self, marker: int) -> str:
        """The name of a marker."""
        return next((name for name, known in self.markers.items() if known == marker), f"marker {marker + 1}")

    def in_words(self, text: str) -> str:
        """A message with names in place of the engine's keys: `u2 (Wolves)`, or just 'u2', is Wolves."""
        return _KEY.sub(self._name_of_key, text)

    def _name_of_key(self, key: re.Match[str]) -> str:
        kind, number, label = key[1] or key[4], int(key[2] or key[5]), key[3]
        known: dict[str, list[str]] = {
            "u": [name for name, unit in self.units.items() if unit == number],
            "m": [name for name, (_, model) in self.models.items() if model == number],
            "b": [name for name, piece in self.pieces.items() if piece == number],
        }
        name = known[kind][0] if known[kind] else key[0]
        return label if label and kind != "m" else name

    def piece_name(self, piece: int) -> str:
        """The name of a piece."""
        return next((name for name, known in self.pieces.items() if known == piece), f"piece {piece}")


def names_in(scenario: Scenario) -> Roster:
    """The names in a scenario that cannot be built as written: every unit it mentions."""
    models: dict[str, tuple[int, int]] = {}
    for unit, (name, entry) in enumerate(scenario.units.items()):
        heroes = [entry.hero.name] if entry.hero else []
        own = [*entry.command, *(special.name for special in entry.special), *heroes]
        numbers = range(1, min(entry.models, MOST_NAMED) + len(heroes) + 1)
        for model, word in enumerate([*map(str, numbers), *own]):
            models[f"{name}/{word}"] = (unit, model)
    return Roster(
        {name: unit for unit, name in enumerate(scenario.units)},
        models,
        {name: number for number, name in enumerate(scenario.objectives)},
        {name: number for number, name in enumerate(scenario.terrain)},
        tuple(entry.side for entry in scenario.units.values()),
    )


def roster_of(state: State, markers: dict[str, int], pieces: dict[str, int]) -> Roster:
    """The roster of a state that was just built."""
    models: dict[str, tuple[int, int]] = {}
    for unit in state.units:
        its_models = unit.models if unit.later is None else unit.later.models
        for number, model in enumerate(its_models, start=1):
            models[f"{unit.name}/{number}"] = (unit.id, model.id)
        for model in its_models:
            models.setdefault(f"{unit.name}/{state.profiles[model.profile].name}", (unit.id, model.id))
    sides = tuple(SIDES[unit.side] for unit in state.units)
    units = {unit.name: unit.id for unit in state.units}
    spells = frozenset(spell.name for spell in state.spells)
    weapons = dict.fromkeys(weapon.name for profile in state.profiles for weapon in profile.weapons)
    return Roster(units, models, markers, pieces, sides, tuple(weapons), _powers(state), spells)


def _powers(state: State) -> frozenset[str]:
    rules = [rule.name for profile in state.profiles for rule in profile.rules]
    rules += [rule.name for unit in state.units for effect in unit.effects for rule in effect.grants]
    return frozenset([*rules, *(text.name for text in state.army_rules)])


def index_of(unit: Unit, model: int) -> int:
    """Where a model stands in its unit's list; an error when it has fallen."""
    for index, known in enumerate(unit.models):
        if known.id == model:
            return index
    raise UnknownNameError(f"{unit.name} has no such model, or it is no longer in play")


def living(state: State, model: int) -> tuple[Unit, Model] | None:
    """The model and the unit it is in now; None when it has fallen."""
    for unit in state.units:
        for known in unit.models:
            if known.id == model:
                return unit, known
    return None


def side_number(name: str) -> int:
    """0 for A, 1 for B."""
    return 0 if name == SIDES[0] else 1


def side_name(number: int | None) -> SideName | str:
    """A, B or none."""
    return SIDES[number] if number is not None and 0 <= number < len(SIDES) else "none"


def pieces_by_id(state: State) -> dict[int, Piece]:
    """All pieces by their ids."""
    return {piece.id: piece for piece in state.pieces}


def _known(table: dict[str, T], name: object, what: str) -> T:
    text = str(name)
    if text not in table:
        raise UnknownNameError(f"there is no {what} {text!r}{did_you_mean(text, tuple(table))}")
    return table[text]
