"""What an agent sees: fixed-size arrays from its own point of view, the own table edge at the bottom.

All values are floats around 0 to 1. `u` runs along the own edge from left to right, `v` away from it.

`units` (48 x 16): own units, then the enemy's, 24 rows each, in the order of their lists. Columns: on the table, `u`,
`v`, sine and cosine of the heading, models / 20, share of models left, Quality / 6, Defense / 6, points / 200, longest
range / 48 inches, has acted, broken, tired, is asked about, exists.

`markers` (10 x 5): exists, `u`, `v`, held by me, held by the enemy.

`game` (8): round / 4, rounds left / 4, my markers / 5, theirs, points I have left as a share of all, theirs, my units
that are yet to act / 10, theirs.

`question` (24): one of `KINDS`; all zeros for any other kind of question.

`actions` (64 x 28), a row for each slot of the menu. Columns: where it leads (`u`, `v`), how much nearer it brings a
unit to the next marker its side does not hold and to the next enemy (in feet), how far from them it ends (in 2 feet),
its share of the longest move, whether it leads anywhere; then the unit it names: share of all points, is an enemy,
distance to the next such marker and to the next enemy (in 2 feet); then 16 columns for the words of `WORDS`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from shieldwall.api.menu import OPTION_SLOTS, SLOTS, WORDS, ChoiceMenu, Menu
from shieldwall.core.state import MILLI, State, Unit
from shieldwall.environments.battle import Battle

ROWS = 24
UNIT_COLUMNS = 16
ASKED, PRESENT = 14, 15
MARKERS = 10
MARKER_COLUMNS = 5
GAME = 8
PLACE_COLUMNS = 8
NAMED_COLUMNS = 4
ACTION_COLUMNS = PLACE_COLUMNS + NAMED_COLUMNS + len(WORDS)
KINDS = (
    "activate", "action", "path", "pivot", "targets", "charge_target", "charge_side", "deploy", "deploy_place",
    "marker", "marker_first", "edge", "hold_back", "arrive", "arrive_place", "attach", "cast_or_go", "cast", "bid",
    "casualties", "strike_back", "consolidate", "lasting_pick", "scout_move",
)  # fmt: skip
SHAPES: dict[str, tuple[int, ...]] = {
    "units": (2 * ROWS, UNIT_COLUMNS),
    "markers": (MARKERS, MARKER_COLUMNS),
    "game": (GAME,),
    "question": (len(KINDS),),
    "actions": (SLOTS, ACTION_COLUMNS),
}
FLAT = sum(math.prod(shape) for shape in SHAPES.values())
LOW, HIGH = -8.0, 8.0
_KIND = {kind: at for at, kind in enumerate(KINDS)}
_TURNS = {"south": 0, "": 0, "north": 2, "west": 1, "east": 3}
NOWHERE = (1e7, 1e7)  # of units that are not on the table: farther away than anything
FAR = 48.0  # inches, where there is no marker or no enemy at all

Array = NDArray[np.float32]
Points = NDArray[np.float64]


class Observer:
    """Writes what one side sees into arrays that are kept from step to step; only changes are written."""

    def __init__(self, side: int) -> None:
        self.side = side
        self.flat: Array = np.zeros(FLAT, dtype=np.float32)
        self.parts: dict[str, Array] = {}
        at = 0
        for name, shape in SHAPES.items():
            size = math.prod(shape)
            self.parts[name] = self.flat[at : at + size].reshape(shape)
            at += size
        self._seen: list[Unit | None] = []
        self._rows: list[int] = []
        self._edge = "?"
        self._asked = -1
        self._points = 1.0
        self._where: Points = np.zeros((0, 2))
        self._enemies: NDArray[np.intp] = np.zeros(0, dtype=np.intp)

    def reset(self, state: State) -> None:
        """Get ready for another game."""
        self.flat[:] = 0.0
        self._seen = [None] * len(state.units)
        places = [0, 0]
        self._rows = []
        for unit in state.units:
            mine = unit.side != self.side
            self._rows.append(mine * ROWS + places[mine] if places[mine] < ROWS else -1)
            places[mine] += 1
        self._edge = "?"
        self._asked = -1
        self._points = max(1.0, float(sum(unit.cost for unit in state.units)))
        self._where = np.full((len(state.units), 2), NOWHERE[0])
        sides = np.array([unit.side for unit in state.units])
        self._enemies = np.flatnonzero(sides != self.side)

    def look(self, battle: Battle) -> Array:
        """Everything as it is now; the array is written again at the next look."""
        state = battle.state
        edge = state.sides[self.side].edge
        if edge != self._edge:
            self._edge = edge
            self._seen = [None] * len(state.units)
        for at, unit in enumerate(state.units):
            if unit is not self._seen[at]:
                self._write_unit(state, unit)
                self._seen[at] = unit
        self._write_markers(state)
        self._write_game(battle)
        self._write_question(battle)
        return self.flat

    # --- the table ---

    def _turned(self, state: State, x: float, y: float) -> tuple[float, float]:
        across, away = x / state.width, y / state.depth
        turns = _TURNS.get(self._edge, 0) if self._edge else 2 * self.side
        if turns == 0:
            return across, away
        if turns == 2:
            return 1 - across, 1 - away
        return (1 - away, across) if turns == 1 else (away, 1 - across)

    def _write_unit(self, state: State, unit: Unit) -> None:
        spot = unit.block or (unit.poses[0] if unit.poses else None)
        is_there = unit.place == "table" and spot is not None and bool(unit.models)
        self._where[unit.id] = (spot.x, spot.y) if is_there and spot is not None else NOWHERE
        row = self._rows[unit.id]
        if row < 0:
            return
        u = v = sine = cosine = 0.0
        if is_there and spot is not None:
            u, v = self._turned(state, spot.x, spot.y)
            turns = _TURNS.get(self._edge, 0) if self._edge else 2 * self.side
            angle = math.radians(spot.heading / 100) - turns * math.pi / 2
            sine, cosine = math.sin(angle), math.cos(angle)
        profile = state.profiles[unit.models[-1].profile] if unit.models else None
        reach = max((weapon.reach for weapon in profile.weapons), default=0) if profile is not None else 0
        self.parts["units"][row] = (
            is_there, u, v, sine, cosine, len(unit.models) / 20, len(unit.models) / max(1, unit.start_models),
            profile.quality / 6 if profile is not None else 0.0,
            profile.defense / 6 if profile is not None else 0.0,
            unit.cost / 200, reach / (48 * MILLI), unit.activated, unit.broken, unit.tired,
            unit.id == self._asked, 1.0,
        )  # fmt: skip

    def _write_markers(self, state: State) -> None:
        part = self.parts["markers"]
        for at, marker in enumerate(state.markers[:MARKERS]):
            u, v = self._turned(state, marker.x, marker.y)
            holder = marker.holder
            part[at] = (not marker.gone, u, v, holder == self.side, holder == 1 - self.side)

    def _write_game(self, battle: Battle) -> None:
        state, side = battle.state, self.side
        held, fresh, points = [0, 0], [0, 0], [0.0, 0.0]
        for marker in state.markers:
            if marker.holder >= 0:
                held[marker.holder] += 1
        for unit in state.units:
            if unit.models:
                points[unit.side] += unit.cost * len(unit.models) / max(1, unit.start_models)
                fresh[unit.side] += not unit.activated
        last = battle.rules.constants.rounds
        self.parts["game"][:] = (
            state.round / 4, max(0, last - state.round) / 4, held[side] / 5, held[1 - side] / 5,
            points[side] / self._points, points[1 - side] / self._points, fresh[side] / 10, fresh[1 - side] / 10,
        )  # fmt: skip

    # --- the question and its actions ---

    def _write_question(self, battle: Battle) -> None:
        part, question = self.parts["question"], battle.question
        part[:] = 0.0
        self.parts["actions"][:] = 0.0
        if question is None or battle.menu is None:
            return
        kind = _KIND.get(question.kind)
        if kind is not None:
            part[kind] = 1.0
        self._mark_asked(battle)
        if battle.side == self.side:
            self._write_actions(battle.state, battle.menu)

    def _mark_asked(self, battle: Battle) -> None:
        unit = getattr(battle.question, "unit", None)
        now = unit.id if isinstance(unit, Unit) else -1
        if now != self._asked:
            for at, value in ((self._asked, 0.0), (now, 1.0)):
                if at >= 0 and self._rows[at] >= 0:
                    self.parts["units"][self._rows[at], ASKED] = value
            self._asked = now

    def _write_actions(self, state: State, menu: Menu) -> None:
        part = self.parts["actions"]
        if isinstance(menu, ChoiceMenu):
            for slot in menu.slots:
                word = OPTION_SLOTS.get(menu.key(slot), -1)
                if word >= 0:
                    part[slot, PLACE_COLUMNS + NAMED_COLUMNS + word] = 1.0
        ends = menu.ends()
        if ends:
            self._write_ends(state, menu, ends)
        named = menu.named_units()
        if named:
            self._write_named(state, named)

    def _write_ends(self, state: State, menu: Menu, ends: list[tuple[int, float, float]]) -> None:
        found = np.array(ends)
        slots = found[:, 0].astype(np.intp)
        spots = found[:, 1:]
        part = self.parts["actions"]
        across, away = spots[:, 0] / state.width, spots[:, 1] / state.depth
        turns = _TURNS.get(self._edge, 0) if self._edge else 2 * self.side
        if turns == 1:
            across, away = 1 - away, across
        elif turns == 2:
            across, away = 1 - across, 1 - away
        elif turns == 3:
            across, away = away, 1 - across
        part[slots, 0], part[slots, 1] = np.clip(across, LOW, HIGH), np.clip(away, LOW, HIGH)
        marker, enemy = self._distances(state, spots)
        part[slots, 4], part[slots, 5] = marker / 24, enemy / 24
        part[slots, 7] = 1.0
        start = getattr(menu.question, "unit", None)
        here = self._where[start.id] if isinstance(start, Unit) else None
        if here is not None and here[0] < NOWHERE[0]:
            now_marker, now_enemy = self._distances(state, here[None, :])
            part[slots, 2], part[slots, 3] = (now_marker - marker) / 12, (now_enemy - enemy) / 12
            lengths = np.hypot(spots[:, 0] - here[0], spots[:, 1] - here[1])
            part[slots, 6] = lengths / max(1.0, float(lengths.max()))

    def _write_named(self, state: State, named: list[tuple[int, int]]) -> None:
        slots = np.array([slot for slot, _ in named])
        ids = np.array([unit for _, unit in named])
        marker, enemy = self._distances(state, self._where[ids])
        part, at = self.parts["actions"], PLACE_COLUMNS
        part[slots, at] = [state.units[unit].cost / self._points for _, unit in named]
        part[slots, at + 1] = [float(state.units[unit].side != self.side) for _, unit in named]
        part[slots, at + 2], part[slots, at + 3] = marker / 24, enemy / 24

    def _distances(self, state: State, spots: Points) -> tuple[Points, Points]:
        """How far spots are from the nearest marker this side does not hold, and from the nearest enemy; in inches."""
        free = [
            (marker.x, marker.y) for marker in state.markers if marker.holder != self.side and not marker.gone
        ]
        others = np.array([*free, NOWHERE])
        return _nearest(spots, others), _nearest(spots, self._where[self._enemies])


def _nearest(spots: Points, others: Points) -> Points:
    dx = np.subtract.outer(spots[:, 0], others[:, 0])
    dy = np.subtract.outer(spots[:, 1], others[:, 1])
    nearest: Points = np.minimum(np.sqrt((dx * dx + dy * dy).min(axis=1)) / MILLI, FAR)
    return nearest
