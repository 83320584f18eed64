"""What a position is worth to a side, in points: who will hold which marker, and what each unit risks where it is.

Everything is a rough mean; nothing is asked of the table but where things stand.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from msgspec import Struct

from shieldwall.bots.duties import Duty, duties_of, turns_to
from shieldwall.bots.pairs import pair_of
from shieldwall.bots.sketch import Seen, Sketch, gap_to, rect_gap, roughly_apart
from shieldwall.core.state import MILLI, Unit


class Weights(Struct, frozen=True):
    """How much each thing counts for a bot that weighs.

    `marker` is what one marker is worth as a share of an army, `later` how likely a unit is to get somewhere for
    each round it needs, `risk` what expected losses count, `early` what a marker counts before the last round.
    """

    marker: float = 0.3
    later: float = 0.55
    risk: float = 0.6
    spent_risk: float = 0.25
    fight: float = 0.4
    harm: float = 1.0
    duty: float = 1.0
    outcome: float = 0.5
    patience: float = 0.25
    late: float = -0.1
    others: float = 0.4
    early: tuple[float, ...] = (1.0, 0.85, 0.7, 0.6, 0.5)


class Place(NamedTuple):
    """Where a unit might be: its middle in inches and its heading."""

    x: float
    y: float
    heading: int


class Stake(NamedTuple):
    """What a unit has to say about a marker: how likely it will be there at the end, and its strength."""

    unit: int
    friend: bool
    chance: float
    strength: float


class Worth:
    """The markers and dangers of one sketch."""

    __slots__ = ("_duties", "_stakes", "army", "far_over", "marker", "sketch", "weights")

    def __init__(self, sketch: Sketch, weights: Weights) -> None:
        self.sketch = sketch
        self.weights = weights
        self.army = max(1.0, sum(seen.card.value for seen in sketch.seen.values()) / 2)
        early = weights.early[min(sketch.rounds_left, len(weights.early) - 1)]
        self.marker = max(self.army, 300.0) * weights.marker * early
        self.far_over = sketch.rules.constants.long_range_over / MILLI
        self._stakes: list[list[Stake]] | None = None
        self._duties: dict[int, Duty] | None = None

    # --- markers ---

    @property
    def stakes(self) -> list[list[Stake]]:
        """For each marker, the stakes of all units."""
        if self._stakes is None:
            self._stakes = [
                [self._stake(seen, gap) for gap, seen in self.sketch.near(marker)]
                for marker in self.sketch.markers
            ]
        return self._stakes

    def _stake(self, seen: Seen, gap: float) -> Stake:
        turns = turns_to(self.sketch, seen, gap)
        open_turns = self.sketch.rounds_left + (0 if seen.unit.activated else 1)
        chance = 0.0 if turns > open_turns else self.weights.later ** max(0.5, turns) if turns else 1.0
        if seen.unit.broken:
            chance *= 0.35 if self.sketch.rounds_left else 0.0
        return Stake(seen.unit.id, seen.unit.side == self.sketch.side, chance, seen.card.value)

    def markers_with(self, seen: Seen, place: Place) -> float:
        """The worth of all markers once a unit of ours has acted and stands at a place."""
        total = 0.0
        unit = seen.unit
        last = self.sketch.rounds_left == 0
        for marker, stakes in zip(self.sketch.markers, self.stakes, strict=True):
            gap = gap_at(seen, place, marker.x / MILLI, marker.y / MILLI)
            turns = turns_to(self.sketch, seen, gap)
            mine = 0.0
            if turns <= self.sketch.rounds_left:
                mine = self.weights.later ** max(0.5, turns) if turns else 1.0
            sign = 0 if marker.holder < 0 else 1 if marker.holder == self.sketch.side else -1
            total += self._outcome(stakes, unit.id, mine, seen.card.value, sign, last)
        share = 1.0 if last else self.weights.outcome
        return (total * share + self._on_duty(seen, place)) * self.marker

    def _on_duty(self, seen: Seen, place: Place) -> float:
        """How far a place fulfils the unit's duty, 0 to 1."""
        duty = self.duties.get(seen.unit.id)
        if duty is None:
            return 0.0
        gap = gap_at(seen, place, duty.marker.x / MILLI, duty.marker.y / MILLI)
        turns = turns_to(self.sketch, seen, gap)
        if math.ceil(turns) > self.sketch.rounds_left:
            return 0.0
        return float(self.weights.duty * duty.need * self.weights.later**turns)

    @property
    def duties(self) -> dict[int, Duty]:
        """Who is bound for which marker."""
        if self._duties is None:
            self._duties = duties_of(self.sketch)
        return self._duties

    def _outcome(
        self, stakes: list[Stake], me: int, mine: float, strength: float, sign: int, last: bool
    ) -> float:
        """Between -1 (theirs) and 1 (ours)."""
        no_friend, no_foe = 1.0 - mine, 1.0
        ours, theirs = mine * strength, 0.0
        for unit, is_friend, chance, value in stakes:
            if not chance or unit == me:
                continue
            if is_friend:
                no_friend *= 1 - chance
                ours += chance * value
            else:
                no_foe *= 1 - chance
                theirs += chance * value
        friend, foe = 1 - no_friend, 1 - no_foe
        outcome = friend * no_foe - foe * no_friend + no_friend * no_foe * sign
        if not last and ours + theirs > 0:
            outcome += self.weights.fight * friend * foe * (ours - theirs) / (ours + theirs)
        return outcome

    def without(self, foe: Unit) -> float:
        """What the markers would gain if an enemy unit were gone."""
        gained = 0.0
        for marker, stakes in zip(self.sketch.markers, self.stakes, strict=True):
            own = next((stake for stake in stakes if stake.unit == foe.id), None)
            if own is None or not own.chance:
                continue
            sign = 0 if marker.holder < 0 else 1 if marker.holder == self.sketch.side else -1
            last = self.sketch.rounds_left == 0
            gone = self._outcome(stakes, foe.id, 0.0, 0.0, sign, last)
            others = [stake for stake in stakes if stake.unit != foe.id]
            there = self._outcome([*others, own], -1, 0.0, 0.0, sign, last)
            gained += gone - there
        return gained * self.marker

    # --- danger ---

    def danger(self, seen: Seen, place: Place) -> float:
        """Points a unit must expect to lose at a place until it acts again."""
        sketch, worst, lost = self.sketch, 0.0, 0.0
        for foe in sketch.foes:
            card = foe.card
            distance = roughly_apart(place.x, place.y, seen.card, foe)
            if distance > max(card.reach + card.advance, card.charge) or foe.unit.broken:
                continue
            pair = pair_of(sketch.rules, sketch.state, foe.unit, seen.unit)
            shots = pair.shooting(max(0.0, distance - card.advance), self.far_over) if card.shots else 0.0
            blows = pair.charge if distance <= card.charge and "charge" in card.actions else 0.0
            share = 1.0 if not foe.unit.activated else self.weights.spent_risk if sketch.rounds_left else 0.0
            hurt = share * max(0.8 * shots, blows)
            lost += hurt
            worst = max(worst, hurt)
        expected = worst + self.weights.others * (lost - worst)
        return min(expected * seen.card.per_wound, seen.card.value) * self.weights.risk


def gap_at(seen: Seen, place: Place, x: float, y: float) -> float:
    """Inches from a unit put at a place to a point."""
    card = seen.card
    if seen.unit.block is not None:
        return rect_gap(place.x, place.y, place.heading, card.half_width, card.half_depth, x, y)
    if place.x == seen.x and place.y == seen.y:
        return gap_to(seen, x, y)
    return max(0.0, math.hypot(place.x - x, place.y - y) - card.half_width * 0.8)
