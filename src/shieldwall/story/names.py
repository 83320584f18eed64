"""Names of units, models and markers in sentences."""

from __future__ import annotations

import re
from collections import Counter

from shieldwall.core.grammar import does
from shieldwall.core.state import MILLI, State

_NUMBER = re.compile(r" \d+$")  # what tells units of one name apart, where they carry it already


class Names:
    """Names of units, sides and models in one game; units of the same name get numbers.

    Made once for a game: names do not change while it is played. Without `owners` nothing is said of whose a unit is,
    where that is shown in another way.
    """

    __slots__ = ("_lone", "_models", "_owners", "_pieces", "_plain", "_shared", "_sides", "_units")

    def __init__(self, state: State, owners: bool = True) -> None:
        self._owners = owners
        self._sides = tuple(side_name(state, side) for side in range(len(state.sides)))
        seats = Counter(seat.side for seat in state.seats)
        self._shared = {side for side, players in seats.items() if players > 1}
        self._units = self._unit_names(state)
        self._plain = {unit.id: _NUMBER.sub("", unit.name) for unit in state.units}
        models = {unit.id: unit.models if unit.later is None else unit.later.models for unit in state.units}
        self._lone = {unit for unit, found in models.items() if len(found) == 1}
        self._models = {
            model.id: state.profiles[model.profile].name for found in models.values() for model in found
        }

        self._pieces = {
            piece.id: f"the {piece.kind}" if piece.name.lower() == piece.kind else piece.name
            for piece in state.pieces
        }

    def piece(self, piece_id: int) -> str:
        """A piece of terrain: its own name, or what it is."""
        return self._pieces.get(piece_id, f"piece {piece_id}")

    def unit(self, unit_id: int) -> str:
        """A unit; the number of an unknown one."""
        return self._units[unit_id] if 0 <= unit_id < len(self._units) else f"unit {unit_id}"

    def units(self, unit_ids: tuple[int, ...]) -> str:
        """Several units, joined as in a sentence."""
        return joined([self.unit(unit_id) for unit_id in unit_ids]) or "nobody"

    def side(self, side: int) -> str:
        """A side by the names of its players."""
        return self._sides[side] if 0 <= side < len(self._sides) else "nobody"

    def whose(self, unit_id: int, side: int) -> str:
        """A unit and whose it is, said once: "Wolves (Anna)", or "Anna's Wolves" where both sides have some."""
        name, owner = self.unit(unit_id), self.side(side)
        return name if not self._owners or name.startswith(f"{owner}'s ") else f"{name} ({owner})"

    def is_lone(self, unit_id: int) -> bool:
        """Whether a unit had just one model when the game began."""
        return unit_id in self._lone

    def side_does(self, side: int, verb: str) -> str:
        """A side with its verb, given in the plural; a single player takes the singular."""
        name = self.side(side)
        return f"{name} {verb}" if side in self._shared else does(name, verb, 1)

    def marker(self, marker_id: int) -> str:
        """A marker by the number on it; the first one is 1, as on the table."""
        return f"marker {marker_id + 1}"

    def model(self, model_id: int) -> str:
        """A model by its profile."""
        return self._models.get(model_id, "model")

    def models(self, model_ids: tuple[int, ...]) -> str:
        """Several models, counted by profile: "2 × Archer and Captain"."""
        counts = Counter(self.model(model_id) for model_id in model_ids)
        return joined([f"{number} × {name}" if number > 1 else name for name, number in counts.items()])

    def member(self, unit_id: int, model_id: int) -> str:
        """A model of a unit; just the unit if it is a single model of the same name."""
        unit, model = self.unit(unit_id), self.model(model_id)
        if model in (unit, self._plain.get(unit_id)):
            return unit if unit_id in self._lone else f"one of {unit}"
        return f"{model} of {unit}"

    def members(self, unit_id: int, model_ids: tuple[int, ...]) -> str:
        """Models of a unit, to be followed by what happened to them: "Wolves: 2 and Captain"."""
        unit = self.unit(unit_id)
        alike = [m for m in model_ids if self.model(m) in (unit, self._plain.get(unit_id))]
        others = self.models(tuple(m for m in model_ids if m not in alike))
        if alike and unit_id in self._lone:
            return unit
        return f"{unit}: {joined([word for word in (str(len(alike)) if alike else '', others) if word])}"

    def _unit_names(self, state: State) -> tuple[str, ...]:
        wanted = Counter((unit.side, unit.name) for unit in state.units)
        sides_of: dict[str, set[int]] = {}
        for unit in state.units:
            sides_of.setdefault(unit.name, set()).add(unit.side)
        seen: Counter[tuple[int, str]] = Counter()
        names = []
        for unit in state.units:
            key = (unit.side, unit.name)
            seen[key] += 1
            name = f"{unit.name} {seen[key]}" if wanted[key] > 1 else unit.name
            shared = len(sides_of[unit.name]) > 1
            names.append(f"{self._sides[unit.side]}'s {name}" if shared else name)
        return tuple(names)


def side_name(state: State, side: int) -> str:
    return joined([seat.name for seat in state.seats if seat.side == side]) or f"side {side + 1}"


def joined(words: list[str]) -> str:
    """Words joined as in a sentence: "a, b and c"."""
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + " and " + words[-1]


def inches(length: int) -> str:
    """A length as players read it: 6", 2.5"."""
    return f'{round(length / MILLI, 1):g}"'


def place(x: int, y: int) -> str:
    """A point of the table."""
    return f"{inches(x)} across and {inches(y)} up"
