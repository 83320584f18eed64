"""What a position is worth to a side, in points: who will hold the markers in the end, and what each unit risks.

Everything is a rough mean; of the table, only positions are used.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from shieldwall.bots.assignments import Assignment, duties_of, pace_of
from shieldwall.bots.board_summary import BoardSummary, SeenUnit, heading_of
from shieldwall.bots.matchups import pair_of
from shieldwall.bots.outcome_estimates import OutcomeEstimate, is_down
from shieldwall.bots.simulation.places import (
    CLAIM,
    PLACE,
    THREAT,
    MarkerTerms,
    Threats,
    WeighedUnit,
    lay_claim,
    markers_worth,
    put_chances,
    weigh_places,
)
from shieldwall.core.state import MILLI, Marker
from shieldwall.geometry.arrays import Floats, Matrix
from shieldwall.rules.missions import mission_of
from shieldwall.table.formations import heading_vector

SMALLEST = 100.0  # the least points an army counts as, however little of it is left
FARTHEST = 14.0  # the most inches a unit moves before it is evaluated again


class EvaluationWeights(Struct, frozen=True):
    """Weights of the evaluation. Tuples are indexed by rounds left, the last round first.

    Markers: `win` and `lead` are the worth of winning and of each marker of a lead, as shares of an army, `early`
    how much of it counts before the last round. `later` is the chance, per turn needed, that a unit gets somewhere,
    `drawn` how strongly it prefers the nearer of two markers, `leaves` how likely it gives up one for another,
    `seized` how far a marker counts as taken by a side that is alone at it, `fight` how much strength counts where
    both sides meet, `duty` the pull of the marker a unit is assigned to.

    Losses: `blood` is the weight of losses on either side; `kill` and `down` are added for units destroyed or down,
    as shares of their value; `fresh` multiplies harm to enemies still to act. `risk` is the weight of expected
    losses, `spent_risk` of those to enemies that have acted, `others` of those to all but the worst enemy, `fragile`
    how much they endanger the marker a unit is at. `bold` scales `risk` and `fragile` in editions where lone models
    do not simply die of their wounds.

    Order: `patience` and `late` are the weights of gains at markers for the side that acts first, before and in the
    last round.
    """

    win: float = 0.6
    lead: float = 0.15
    later: float = 0.6
    drawn: float = 2.0
    leaves: float = 0.4
    fight: float = 0.5
    blood: tuple[float, ...] = (0.3, 0.9, 1.0, 1.0)
    early: tuple[float, ...] = (1.0, 0.9, 0.85, 0.8)
    seized: float = 0.7
    risk: float = 0.6
    spent_risk: float = 0.35
    fragile: float = 0.8
    bold: float = 0.25
    others: float = 0.4
    kill: float = 0.35
    down: float = 0.35
    fresh: float = 1.15
    duty: float = 0.25
    patience: float = 0.25
    late: float = -0.1


class Standpoint(NamedTuple):
    """Where a unit might be: its middle in inches and its heading."""

    x: float
    y: float
    heading: int


class Evaluation:
    """The markers and dangers of one board summary."""

    __slots__ = (
        "_chances", "_duties", "_gains", "_gaps", "_here", "_holders", "_lasting", "_terms", "_threats", "_weighed",
        "army", "blood", "far_over", "fear", "last", "lead", "sketch",
        "weights", "win",
    )  # fmt: skip

    def __init__(self, sketch: BoardSummary, weights: EvaluationWeights, army: float = 0.0) -> None:
        self.sketch = sketch
        self.weights = weights
        self.army = army = army or max(SMALLEST, sum(seen.card.value for seen in sketch.seen.values()) / 2)
        early = _by_round(weights.early, sketch.rounds_left)
        self.win = army * weights.win * early
        self.lead = army * weights.lead * early
        self.blood = _by_round(weights.blood, sketch.rounds_left)
        self.fear = weights.bold if sketch.rules.last_model_stands else 1.0
        self.last = sketch.rounds_left == 0
        self.far_over = sketch.rules.constants.long_range_over / MILLI
        self._chances: dict[int, Floats] = {}
        self._holders: dict[int, bool] = {}
        self._gaps: dict[int, Floats] = {}
        self._here: dict[int, tuple[float, float]] = {}
        self._lasting = sketch.rules.policies.control_lasts(sketch.rules, sketch.state)
        self._threats: dict[int, Threats] = {}
        self._terms: MarkerTerms | None = None
        self._duties: dict[int, Assignment] | None = None
        self._gains: dict[tuple[int, bool], float] = {}
        self._weighed: dict[int, WeighedUnit] = {}

    # --- markers ---

    def chances(self, seen: SeenUnit, gaps: Floats, acted: bool, down: bool) -> Floats:
        """The chances that a unit at these distances from the markers will be at each when the game ends."""
        found = np.empty(len(gaps))
        moves = self.sketch.rounds_left + (0 if acted else 1)
        if down:
            moves -= 1  # it spends one activation recovering
        holds = moves >= 0 if down else self._may_hold(seen)
        put_chances(self._outline, pace_of(seen), moves, holds, gaps, found)
        return found * 0.8 if down else found

    @property
    def _outline(self) -> MarkerTerms:
        """The markers; `terms` adds the claims."""
        if self._terms is None:
            sketch, weights = self.sketch, self.weights
            self._terms = MarkerTerms(
                sketch.spot_array,
                np.array([self._claim(marker) for marker in sketch.markers]).reshape(-1, CLAIM),
                sketch.seize,
                float(sketch.carried()),
                self.win,
                self.lead,
                0.0 if self.last else weights.fight,
                weights.seized if self._lasting else 0.0,
                weights.drawn,
                weights.leaves,
                weights.later,
            )
        return self._terms

    def _may_hold(self, seen: SeenUnit) -> bool:
        """Whether a unit can ever hold a marker; one that has just arrived will be able to later."""
        unit, state = seen.unit, self.sketch.state
        known = self._holders.get(unit.id)
        if known is None:
            is_new = unit.arrived == state.round and not self.last
            rules = self.sketch.rules
            known = self._holders[unit.id] = is_new or rules.policies.may_hold_markers(rules, state, unit)
        return known

    @property
    def terms(self) -> MarkerTerms:
        """The markers, and who is likely to be at each as things stand."""
        terms = self._outline
        if self._chances:
            return terms
        sketch = self.sketch
        for seen in sketch.seen.values():
            unit, gaps = seen.unit, np.array(sketch.ways_here(seen))
            found = self.chances(seen, gaps, unit.activated, is_down(sketch.rules, unit))
            self._chances[unit.id], self._gaps[unit.id] = found, gaps
            lay_claim(terms, found, gaps, seen.card.value, unit.side == sketch.side)
        return terms

    def _claim(self, marker: Marker) -> tuple[float, ...]:
        """A marker that nobody claims yet. A marker that can only be destroyed cannot be won by its owner, nor lost by
        the other side.
        """
        side, owner = self.sketch.side, marker.owner
        sign = 0 if marker.holder < 0 or not self._lasting else 1 if marker.holder == side else -1
        destroys = mission_of(self.sketch.state).seizing == "destroy" and owner >= 0
        winnable, losable = not destroys or owner != side, not destroys or owner == side
        return sign, winnable, losable, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0

    def now(self) -> float:
        """The worth of the markers as things stand."""
        return markers_worth(self.terms, NOBODY, NOTHING, NOTHING, False)

    def weighed(self, seen: SeenUnit) -> WeighedUnit:
        """A unit of ours in the form in which its possible places are evaluated."""
        known = self._weighed.get(seen.unit.id)
        if known is None:
            card, unit, duty = seen.card, seen.unit, self.duties.get(seen.unit.id)
            self.terms  # noqa: B018 - computes the present chances first
            known = self._weighed[unit.id] = WeighedUnit(
                self._chances[unit.id],
                self._gaps[unit.id],
                np.array(self.sketch.gaps_here(seen)),
                card.value,
                unit.side == self.sketch.side,
                self._may_hold(seen),
                unit.block is not None,
                card.flies,
                card.half_width,
                card.half_depth,
                pace_of(seen),
                self.sketch.rounds_left,
                self.sketch.rounds_left,
                -1 if duty is None else duty.at,
                0.0 if duty is None else self.weights.duty * duty.need,
                card.wounds,
                self.weights.fragile * self.fear,
            )
        return known

    def at(self, seen: SeenUnit, places: Sequence[Standpoint]) -> list[tuple[float, float]]:
        """The worth of having a unit at each of some places, and the wounds to expect there until it acts again."""
        answers = np.empty((len(places), 2))
        rows, grid = place_rows(seen, places), self.sketch.grid_for(seen)
        weigh_places(self.terms, grid, self.weighed(seen), self._threats_to(seen), rows, answers)
        return [(markers, exposure) for markers, exposure in answers.tolist()]

    def at_and_here(self, seen: SeenUnit, places: Sequence[Standpoint]) -> list[tuple[float, float]]:
        """The same; the unit's present place is evaluated along with the others, which costs little."""
        *found, self._here[seen.unit.id] = self.at(seen, (*places, _spot(seen)))
        return found

    def here(self, seen: SeenUnit) -> tuple[float, float]:
        """The same for the unit's present place."""
        known = self._here.get(seen.unit.id)
        if known is None:
            (known,) = self.at(seen, (_spot(seen),))
        return known

    @property
    def duties(self) -> dict[int, Assignment]:
        """Which unit is assigned to which marker."""
        if self._duties is None:
            self._duties = duties_of(self.sketch)
        return self._duties

    def gain(self, seen: SeenUnit, down: bool) -> float:
        """How much the markers gain our side (or lose it, for a friend) if a unit is down, or gone."""
        known = self._gains.get((seen.unit.id, down))
        if known is None:
            terms, gaps = self.terms, self._gaps[seen.unit.id]
            after = self.chances(seen, gaps, seen.unit.activated, True) if down else np.zeros(len(gaps))
            known = markers_worth(terms, self.weighed(seen), after, gaps, True) - self.now()
            if not down:
                known -= self.sketch.carried(seen.unit.id) * (self.win + self.lead) / 2
            self._gains[seen.unit.id, down] = known
        return known

    def by_fate(self, seen: SeenUnit, fate: OutcomeEstimate) -> float:
        """The expected gain at the markers from what may happen to a unit."""
        if fate.gone + fate.down < 0.02:
            return 0.0
        found = fate.gone * self.gain(seen, False)
        return found + fate.down * self.gain(seen, True) if fate.down > 0.02 else found

    def toll(self, seen: SeenUnit, wounds: float, fate: OutcomeEstimate) -> float:
        """Points a unit loses by wounds and by being destroyed or down, not counting markers."""
        card, weights = seen.card, self.weights
        points = min(wounds, card.wounds) * card.per_wound
        points += (fate.gone * weights.kill + fate.down * weights.down) * card.value
        return points * self.blood * (1.0 if seen.unit.activated else weights.fresh)

    def paid(self, seen: SeenUnit, wounds: float, fate: OutcomeEstimate) -> float:
        """The worth of doing this to an enemy, including markers; units in a building hold none."""
        markers = self.by_fate(seen, fate) if seen.unit.place == "table" else 0.0
        return self.toll(seen, wounds, fate) + markers

    # --- danger ---

    def _threats_to(self, seen: SeenUnit) -> Threats:
        """The enemies that could ever hurt a unit before it acts again."""
        known = self._threats.get(seen.unit.id)
        if known is None:
            foes, shots = self._foes_in_reach(seen)
            known = self._threats[seen.unit.id] = Threats(
                np.array(foes, dtype=np.float64).reshape(-1, THREAT),
                np.array(shots, dtype=np.float64).reshape(-1, 3),
                self.far_over,
                self.weights.others,
            )
        return known

    def _foes_in_reach(self, seen: SeenUnit) -> tuple[list[tuple[float, ...]], list[tuple[float, ...]]]:
        """Those enemies and their weapons, as rows of numbers."""
        sketch = self.sketch
        foes: list[tuple[float, ...]] = []
        shots: list[tuple[float, ...]] = []
        for foe in sketch.foes:
            card = foe.card
            share = 1.0 if not foe.unit.activated else 0.0 if self.last else self.weights.spent_risk
            girth = seen.card.radius + card.radius
            far = math.hypot(seen.x - foe.x, seen.y - foe.y) - seen.card.radius - card.radius
            reach = max(card.reach + card.advance, card.charge)
            if share and far <= reach + FARTHEST and not is_down(sketch.rules, foe.unit):
                pair = pair_of(sketch.rules, sketch.state, foe.unit, seen.unit)
                blows = share * pair.charge if "charge" in card.actions else 0.0
                first = len(shots)
                shots += [shot[:3] for shot in pair.shots]
                hurts = (girth, reach, card.charge, blows, card.shots > 0, card.advance, share)
                foes.append((foe.x, foe.y, *hurts, first, len(shots)))
        return foes, shots

    def danger(self, seen: SeenUnit, exposure: float) -> float:
        """What a unit can expect to lose by this many wounds, in points."""
        return (
            min(exposure * seen.card.per_wound, seen.card.value) * self.weights.risk * self.fear * self.blood
        )


def _spot(seen: SeenUnit) -> Standpoint:
    return Standpoint(seen.x, seen.y, heading_of(seen.unit))


def _by_round(values: tuple[float, ...], rounds_left: int) -> float:
    return values[min(rounds_left, len(values) - 1)]


def place_rows(seen: SeenUnit, places: Sequence[Standpoint]) -> Matrix:
    """Places in the form the compiled functions take."""
    x, y = seen.x, seen.y
    rows = [(one.x, one.y, *heading_vector(one.heading), one.x == x and one.y == y) for one in places]
    return np.array(rows, dtype=np.float64).reshape(-1, PLACE)


NOTHING = np.zeros(0)
NOBODY = WeighedUnit(
    NOTHING, NOTHING, NOTHING, 0.0, True, False, False, False, 0.0, 0.0, 0.0, 0, 0, -1, 0.0, 1.0, 0.0
)
