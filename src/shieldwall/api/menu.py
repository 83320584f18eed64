"""The legal answers to a question as a numbered menu of at most 64 slots with fixed meanings.

Questions with a list of options offer all of them. Paths, places and targets have too many legal answers to list;
they offer a fixed selection: directions and lengths for a move, spots spread over the region for a place, one slot
for each enemy for shooting. An answer is computed only when it is taken, so a menu costs next to nothing.

| question | slots |
|---|---|
| a choice between units | the place of the unit in its army, from 0 |
| any other choice | common words have fixed slots (`OPTION_SLOTS`), others take the free ones |
| the march of a block | 0 stay; 1 to 26 turn left to right in 13 steps, then march half (odd) or all (even) of the \
way; 27 to 29 right, back and left |
| the turn of a block | 0 stay; 1 to 13 turns from left to right |
| the walk of a loose unit | 0 stay; 1 to 32 in one of 16 directions, from straight ahead clockwise, half (odd) or all \
(even) of the way |
| a place for a unit | up to 24 spots spread over the region |
| a spot for a marker | up to 64 spots |
| targets of shooting | 0 the question's own suggestion; 1 to 62 all weapons at the enemy with that place in its army, \
from 1; 63 hold fire |
| a spell | up to 64 casters, spells and targets in the order of the question |
| tokens for a spell | from as many as possible against it to as many as possible for it |
| anything else, such as casualties | 0 the question's own suggestion; 1 to 7 other legal answers, where there are any |
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from shieldwall.bots.numbers import SplitMix
from shieldwall.core.answers import Aims, AnyAnswer, Bid, Cast, Leg, March, Pick, Spot, Walk
from shieldwall.core.pending import Choice, Decision
from shieldwall.core.state import MILLI, Pose, State, Unit
from shieldwall.geometry.march_search import KINDS, SHARES, TURNS
from shieldwall.rules.features.block_questions import Charging, Marching
from shieldwall.rules.features.loose_melee import LooseCharging, Reacting
from shieldwall.rules.features.loose_questions import Walking
from shieldwall.rules.features.tokens_bids import BidTokens
from shieldwall.rules.features.tokens_legal import CastSpell
from shieldwall.rules.place_question import PlaceQuestion
from shieldwall.rules.steps.markers import MarkerSpot
from shieldwall.rules.steps.targets import Targets
from shieldwall.table.block_moves import candidate
from shieldwall.table.drag import solve_drag

SLOTS = 64
WORDS = (
    "hold", "advance", "rush", "charge", "cast", "idle", "yes", "no", "go", "front", "left", "right", "rear",
    "now", "later", "back",
)  # fmt: skip
OPTION_SLOTS = {word: slot for slot, word in enumerate(WORDS)}
DIRECTIONS = 16
TURN_STEPS = 13
HALF, WHOLE = 0.5, 1.0
MARCHES = 2 * TURN_STEPS
SIDEWAYS = {MARCHES + 1: 5, MARCHES + 2: 6, MARCHES + 3: 7}  # slots and the kinds of march: right, back, left
HOLD_FIRE = SLOTS - 1
OTHERS = 7


class Menu:
    """The numbered answers to one question."""

    __slots__ = ("question", "slots", "state")

    def __init__(self, state: State, question: Decision, slots: Sequence[int]) -> None:
        self.state = state
        self.question = question
        self.slots = slots

    def answer(self, slot: int) -> AnyAnswer:
        """The answer of a slot of the menu; slot 0 if there is only one."""
        return self.question.default()

    def ends(self) -> list[tuple[int, float, float]]:
        """Roughly where the unit would end, for slots of moves and places: (slot, x, y) in thousandths of an inch."""
        return []

    def named_units(self) -> list[tuple[int, int]]:
        """Slots that name a unit, with its id."""
        return []


class ChoiceMenu(Menu):
    """A slot for each option."""

    __slots__ = ("_keys",)

    def __init__(self, state: State, question: Choice) -> None:
        self._keys = option_slots(state, question)
        super().__init__(state, question, tuple(self._keys))

    def answer(self, slot: int) -> AnyAnswer:
        return Pick(self._keys[slot])

    def key(self, slot: int) -> str:
        """The key of the option in a slot."""
        return self._keys[slot]

    def named_units(self) -> list[tuple[int, int]]:
        assert isinstance(self.question, Choice)
        slots = {key: slot for slot, key in self._keys.items()}
        return [
            (slots[one.key], one.unit) for one in self.question.options if one.unit >= 0 and one.key in slots
        ]


def option_slots(state: State, question: Choice) -> dict[int, str]:
    """The options of a choice by their slots, in the order of the slots."""
    found: dict[int, str] = {}
    rest: list[str] = []
    options = question.options
    places = roster_places(state) if options and options[0].unit >= 0 else []
    for option in options:
        wanted = places[option.unit] if places and option.unit >= 0 else OPTION_SLOTS.get(option.key, -1)
        if 0 <= wanted < SLOTS and wanted not in found:
            found[wanted] = option.key
        else:
            rest.append(option.key)
    if rest:
        free = [slot for slot in range(SLOTS) if slot not in found]
        found.update(zip(free, rest, strict=False))
    return dict(sorted(found.items()))


def roster_places(state: State) -> list[int]:
    """The place of every unit in its army, from 0."""
    counts = [0] * len(state.sides)
    places = []
    for unit in state.units:
        places.append(counts[unit.side])
        counts[unit.side] += 1
    return places


class MarchMenu(Menu):
    """Turns and lengths of a block's march, relative to its facing."""

    __slots__ = ()

    def __init__(self, state: State, question: Marching) -> None:
        limits = question.limits
        if not limits.allowance:
            slots: Sequence[int] = range(TURN_STEPS + 1) if limits.pivot_limit else (0,)
        elif "pivot" in limits.kinds and limits.pivot_limit:
            slots = range(MARCHES + 1 + 3 * bool(limits.half_allowance))
        else:
            ahead = TURN_STEPS // 2
            slots = (0, 2 * ahead + 1, 2 * ahead + 2, *(SIDEWAYS if limits.half_allowance else ()))
        super().__init__(state, question, slots)

    def answer(self, slot: int) -> AnyAnswer:
        question = self.question
        assert isinstance(question, Marching)
        if slot == 0:
            return March()
        limits = question.limits
        if not limits.allowance:
            return self._turned(
                question, round((slot - 1 - TURN_STEPS // 2) * limits.pivot_limit / (TURN_STEPS // 2))
            )
        if slot in SIDEWAYS:
            number = SIDEWAYS[slot] + KINDS * TURNS * (SHARES - 1)
        else:
            turn, whole = (slot - 1) // 2 * 2, (slot - 1) % 2
            share = (SHARES - 1) if whole else (SHARES - 1) // 2
            number = KINDS * (turn + TURNS * SHARES * share)
        return March(candidate(self.state, question.unit.id, limits, number).legs)

    def _turned(self, question: Marching, turn: int) -> March:
        """The turn, or as much of it as fits."""
        for share in (4, 3, 2, 1):
            amount = turn * share // 4
            march = March((Leg("pivot", amount),))
            if amount and not question.check(march):
                return march
        return March()

    def ends(self) -> list[tuple[int, float, float]]:
        question = self.question
        assert isinstance(question, Marching)
        pose, limits = question.unit.block, question.limits
        if pose is None or not limits.allowance or not limits.pivot_limit:
            return []
        found = []
        for slot in self.slots[1 : MARCHES + 1]:
            turn = ((slot - 1) // 2 - TURN_STEPS // 2) * limits.pivot_limit / (TURN_STEPS // 2)
            angle = math.radians((pose.heading + turn) / 100)
            length = limits.allowance * (WHOLE if (slot - 1) % 2 else HALF)
            found.append((slot, pose.x + length * math.sin(angle), pose.y + length * math.cos(angle)))
        return found


class WalkMenu(Menu):
    """Directions and lengths for a loose unit as a whole, straight ahead being away from its own table edge."""

    __slots__ = ()

    def __init__(self, state: State, question: Walking) -> None:
        super().__init__(
            state, question, range(2 * DIRECTIONS + 1) if max(question.limits.allowance) else (0,)
        )

    def answer(self, slot: int) -> AnyAnswer:
        question = self.question
        assert isinstance(question, Walking)
        if slot == 0:
            return question.default()
        x, y = self._wanted(question, slot)
        start = question.unit.poses[0]
        wanted = Pose(round(x), round(y), start.heading, start.z)
        return Walk(solve_drag(self.state, question.unit.id, question.limits, wanted, roughly=True).paths)

    def _wanted(self, question: Walking, slot: int) -> tuple[float, float]:
        start = question.unit.poses[0]
        length = max(question.limits.allowance) * MILLI * (HALF if slot % 2 else WHOLE)
        angle = forward_of(self.state, question.unit) + math.tau * ((slot - 1) // 2) / DIRECTIONS
        return start.x + length * math.sin(angle), start.y + length * math.cos(angle)

    def ends(self) -> list[tuple[int, float, float]]:
        question = self.question
        assert isinstance(question, Walking)
        return [(slot, *self._wanted(question, slot)) for slot in self.slots[1:]]


def forward_of(state: State, unit: Unit) -> float:
    """The angle that leads away from the unit's own table edge, clockwise from +y."""
    edge = state.sides[unit.side].edge
    return {"south": 0.0, "north": math.pi, "west": math.pi / 2, "east": -math.pi / 2}.get(edge, 0.0)


class PlaceMenu(Menu):
    """Spots for a unit, spread over the area where it may be placed."""

    __slots__ = ("_spots",)

    def __init__(self, state: State, question: PlaceQuestion) -> None:
        self._spots = question.spots()
        super().__init__(state, question, range(max(1, len(self._spots))))

    def answer(self, slot: int) -> AnyAnswer:
        assert isinstance(self.question, PlaceQuestion)
        placed = self.question.put(self._spots[slot]) if self._spots else None
        return placed if placed is not None else self.question.sample(SplitMix(slot))

    def ends(self) -> list[tuple[int, float, float]]:
        return [(slot, spot.x, spot.y) for slot, spot in enumerate(self._spots)]


class MarkerMenu(Menu):
    """Spots for a marker."""

    __slots__ = ()

    def __init__(self, state: State, question: MarkerSpot) -> None:
        super().__init__(state, question, range(min(SLOTS, len(question.spots))))

    def answer(self, slot: int) -> AnyAnswer:
        assert isinstance(self.question, MarkerSpot)
        return Spot(*self.question.spots[slot])

    def ends(self) -> list[tuple[int, float, float]]:
        assert isinstance(self.question, MarkerSpot)
        return [(slot, float(x), float(y)) for slot, (x, y) in enumerate(self.question.spots[:SLOTS])]


class TargetMenu(Menu):
    """One slot for each enemy that may be fired at."""

    __slots__ = ("_units",)

    def __init__(self, state: State, question: Targets) -> None:
        targets = sorted({target for _, target in question.legal})
        places = roster_places(state)
        self._units = {slot: target for target in targets if (slot := 1 + places[target]) < HOLD_FIRE}
        idle = () if question.check(Aims()) else (HOLD_FIRE,)
        super().__init__(state, question, (0, *self._units, *idle))

    def answer(self, slot: int) -> AnyAnswer:
        question = self.question
        assert isinstance(question, Targets)
        if slot == 0:
            return question.default()
        if slot == HOLD_FIRE:
            return Aims()
        return question.onto(self._units[slot])

    def named_units(self) -> list[tuple[int, int]]:
        return list(self._units.items())


class ListMenu(Menu):
    """Answers that are computed in advance."""

    __slots__ = ("_answers", "_named")

    def __init__(
        self, state: State, question: Decision, answers: Sequence[AnyAnswer], named: Sequence[int] = ()
    ) -> None:
        self._answers = answers[:SLOTS]
        self._named = named
        super().__init__(state, question, range(len(self._answers)))

    def answer(self, slot: int) -> AnyAnswer:
        return self._answers[slot]

    def named_units(self) -> list[tuple[int, int]]:
        return list(enumerate(self._named[:SLOTS]))


def _casts(state: State, question: CastSpell) -> Menu:
    answers: list[AnyAnswer] = []
    named: list[int] = []
    for option in question.options:
        for at, target in enumerate(option.targets):
            others = (*option.targets[at:], *option.targets[:at])[: option.spell.targets]
            answers.append(Cast(option.model, option.spell.name, others))
            named.append(target)
    return ListMenu(state, question, answers, named)


def _bids(state: State, question: BidTokens) -> Menu:
    lowest = max(question.lowest, question.highest - SLOTS + 1)
    return ListMenu(state, question, [Bid(tokens) for tokens in range(lowest, question.highest + 1)])


def _others(state: State, question: Decision) -> Menu:
    """The question's own suggestion and a few more that differ from it."""
    found = [question.default()]
    for number in range(OTHERS):
        answer = question.sample(SplitMix(number))
        if answer not in found:
            found.append(answer)
    return ListMenu(state, question, found)


_MENUS: tuple[tuple[type[Decision], Callable[[State, Any], Menu]], ...] = (
    (Charging, lambda state, question: Menu(state, question, (0,))),
    (LooseCharging, lambda state, question: Menu(state, question, (0,))),
    (Reacting, lambda state, question: Menu(state, question, (0,))),
    (Choice, ChoiceMenu),
    (Marching, MarchMenu),
    (Walking, WalkMenu),
    (PlaceQuestion, PlaceMenu),
    (MarkerSpot, MarkerMenu),
    (Targets, TargetMenu),
    (CastSpell, _casts),
    (BidTokens, _bids),
)
_BY_TYPE: dict[type[Decision], Callable[[State, Any], Menu]] = {}


def menu_of(state: State, question: Decision) -> Menu:
    """The menu of a question."""
    kind = type(question)
    make = _BY_TYPE.get(kind)
    if make is None:
        make = _BY_TYPE[kind] = next((made for base, made in _MENUS if issubclass(kind, base)), _others)
    return make(state, question)
