"""What a position is worth to a side, in points: who will hold the markers in the end, and what each unit risks.

Everything is a rough mean; nothing is asked of the table but where things stand.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from msgspec import Struct

from shieldwall.bots.assignments import NEVER, Assignment, duties_of, pace_of, turns_to
from shieldwall.bots.board_summary import BoardSummary, SeenUnit, rect_gaps
from shieldwall.bots.matchups import Matchup, pair_of
from shieldwall.bots.outcome_estimates import OutcomeEstimate, is_down
from shieldwall.core.state import MILLI, Marker
from shieldwall.rules.missions import mission_of

SURE = 0.97  # no unit is more certain than this to be somewhere in the end
SMALLEST = 100.0  # points that an army counts at least, however little of it is left
FARTHEST = 14.0  # inches that a unit moves at most before it is looked at again
ROOT_TWO = math.sqrt(2)


class EvaluationWeights(Struct, frozen=True):
    """Weights of the evaluation. Tuples are indexed by rounds left, the last round first.

    Markers: `win` and `lead` are what winning and each marker of a lead are worth as shares of an army, `early`
    how much of it counts before the last round. `later` is how likely a unit gets somewhere for each turn it
    needs, `drawn` how strongly it prefers the nearer of two markers, `leaves` how likely it gives up one for
    another, `seized` how far a marker counts as taken by a side that is alone at it, `fight` what strength counts
    where both sides meet, `duty` the pull of the marker a unit is bound for.

    Losses: `blood` is what they count on either side, `kill` and `down` are added for units gone or down, as
    shares of their value, `fresh` multiplies harm to enemies still to act. `risk` is what expected losses
    count, `spent_risk` those by enemies that have acted, `others` those by all but the worst enemy, `fragile`
    how much they endanger the marker a unit is at. `bold` is how far `risk` and `fragile` count where lone models do
    not simply die of their wounds.

    Order: `patience` and `late` are what gains at markers count for the side that acts first, before and in the last
    round.
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


class Threat(NamedTuple):
    """An enemy as one unit has to fear it: where it is, how far it reaches, what its charge would do."""

    x: float
    y: float
    girth: float
    reach: float
    charge: float
    blows: float
    shoots: bool
    walk: float
    share: float
    pair: Matchup


class Claim:
    """One marker: the chance that no unit of either side is there at the end, and the expected strength.

    `sign` is whose it is (1: ours, -1: theirs), `friends` and `foes` are units that are near enough to it now. What can
    only be destroyed cannot be won by its owner nor lost by the other side (`winnable`, `losable`).
    """

    __slots__ = ("foes", "friends", "losable", "no_foe", "no_friend", "ours", "sign", "theirs", "winnable")

    def __init__(self, sign: int, winnable: bool, losable: bool) -> None:
        self.sign = sign
        self.winnable = float(winnable)
        self.losable = float(losable)
        self.friends = self.foes = 0
        self.no_friend = self.no_foe = 1.0
        self.ours = self.theirs = 0.0


class Evaluation:
    """The markers and dangers of one sketch."""

    __slots__ = (
        "_chances", "_claims", "_duties", "_gains", "_holders", "_lasting", "_lead_carried", "_near", "_threats",
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
        self._chances: dict[int, list[float]] = {}
        self._holders: dict[int, bool] = {}
        self._near: dict[int, list[bool]] = {}
        self._lasting = sketch.rules.policies.control_lasts(sketch.rules, sketch.state)
        self._threats: dict[int, list[Threat]] = {}
        self._claims: list[Claim] | None = None
        self._duties: dict[int, Assignment] | None = None
        self._gains: dict[tuple[int, bool], float] = {}
        self._lead_carried = sketch.carried()

    # --- markers ---

    def chances(self, seen: SeenUnit, gaps: list[float], acted: bool, down: bool) -> list[float]:
        """How likely a unit that lies so far from each marker will be there when the game ends."""
        weights, left = self.weights, self.sketch.rounds_left
        moves = left + (0 if acted else 1)
        if down:
            moves -= 1  # one activation goes to pulling itself together
            if moves < 0:
                return [0.0] * len(gaps)
        elif not self._may_hold(seen):
            return [0.0] * len(gaps)
        pace, seize = pace_of(seen), self.sketch.seize
        turns = [0.0 if gap <= seize else (gap - seize) / pace if pace else NEVER for gap in gaps]
        pulls = [math.exp(-weights.drawn * way) if 0 < way <= moves else 0.0 for way in turns]
        whole = sum(pulls)
        there = 0.0 in turns
        stays = (1 - weights.leaves * min(1.0, whole)) if there and moves else 1.0
        found = []
        for way, pull in zip(turns, pulls, strict=True):
            if way == 0:
                found.append(min(SURE, stays))
            elif pull:
                goes = weights.later ** max(0.5, way) * pull / whole
                found.append(min(SURE, goes * (1 - stays if there else 1.0)))
            else:
                found.append(0.0)
        return [chance * 0.8 for chance in found] if down else found

    def _gaps(self, seen: SeenUnit, place: Standpoint | None = None) -> list[float]:
        """How far a unit has to go to each marker, from where it is or might be."""
        sketch = self.sketch
        if place is None:
            return sketch.ways_here(seen)
        return sketch.ways_to(seen, place.x, place.y, gaps_at(sketch, seen, place))

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
    def claims(self) -> list[Claim]:
        """For each marker, who will be there as things stand."""
        if self._claims is None:
            sketch = self.sketch
            self._claims = [self._claim(marker) for marker in sketch.markers]
            for seen in sketch.seen.values():
                gaps = self._gaps(seen)
                unit = seen.unit
                found = self.chances(seen, gaps, unit.activated, is_down(sketch.rules, unit))
                self._chances[unit.id] = found
                self._near[unit.id] = [gap <= sketch.seize for gap in gaps]
                for claim, chance, gap in zip(self._claims, found, gaps, strict=True):
                    near = bool(chance) and gap <= sketch.seize
                    if unit.side == sketch.side:
                        claim.no_friend *= 1 - chance
                        claim.ours += chance * seen.card.value
                        claim.friends += near
                    else:
                        claim.no_foe *= 1 - chance
                        claim.theirs += chance * seen.card.value
                        claim.foes += near
        return self._claims

    def _claim(self, marker: Marker) -> Claim:
        side, owner = self.sketch.side, marker.owner
        sign = 0 if marker.holder < 0 or not self._lasting else 1 if marker.holder == side else -1
        destroys = mission_of(self.sketch.state).seizing == "destroy" and owner >= 0
        return Claim(sign, not destroys or owner != side, not destroys or owner == side)

    def now(self) -> float:
        """What the markers are worth as things stand."""
        return self._value(None, [], [])

    def _value(self, seen: SeenUnit | None, chances: list[float], gaps: list[float]) -> float:
        """What the markers are worth with a unit's chances and distances in place of its present ones."""
        mean, spread = float(self._lead_carried), 0.0
        fight = 0.0 if self.last else self.weights.fight
        claims, seize = self.claims, self.sketch.seize
        if seen is not None:
            before, was_near = self._chances[seen.unit.id], self._near[seen.unit.id]
            value, is_friend = seen.card.value, seen.unit.side == self.sketch.side
        for at, claim in enumerate(claims):
            no_friend, no_foe, ours, theirs = claim.no_friend, claim.no_foe, claim.ours, claim.theirs
            friends, foes = claim.friends, claim.foes
            if seen is not None:
                old, new = before[at], chances[at]
                change, more = (1 - new) / (1 - old), (new - old) * value
                nearer = (new > 0 and gaps[at] <= seize) - (old > 0 and was_near[at])
                if is_friend:
                    no_friend, ours, friends = no_friend * change, ours + more, friends + nearer
                else:
                    no_foe, theirs, foes = no_foe * change, theirs + more, foes + nearer
            nobody, both = no_friend * no_foe, (1 - no_friend) * (1 - no_foe)
            won, lost = (1 - no_friend) * no_foe, (1 - no_foe) * no_friend
            sign = (self._sign(claim.sign, friends, foes) if friends or foes else claim.sign) * nobody
            if sign > 0.0:
                won += sign
            else:
                lost -= sign
            if fight and both > 0.01:
                share = ours / (ours + theirs + 0.001)
                won += fight * both * share * share
                lost += fight * both * (1 - share) * (1 - share)
            won, lost = won * claim.winnable, lost * claim.losable
            mean += won - lost
            spread += won + lost - (won - lost) ** 2
        scale = ROOT_TWO * math.sqrt(spread + 0.04)
        edge = (math.erf((mean - 0.5) / scale) + math.erf((mean + 0.5) / scale)) / 2
        return self.win * edge + self.lead * mean

    def _sign(self, sign: int, friends: int, foes: int) -> float:
        """The side that will hold a marker with units at it when the round ends, as things are."""
        if friends and foes:
            return 0.0
        seized = self.weights.seized if self._lasting else 0.0
        if friends:
            return 1.0 if sign > 0 else seized + (1 - seized) * sign
        return -1.0 if sign < 0 else -seized + (1 - seized) * sign

    def markers_with(self, seen: SeenUnit, place: Standpoint, survival: float = 1.0) -> float:
        """The worth of all markers once a unit of ours has acted and stands at a place, its duty counted in."""
        gaps = self._gaps(seen, place)
        self.claims  # noqa: B018 - the present chances have to be known first
        there = [chance * survival for chance in self.chances(seen, gaps, True, False)]
        return self._value(seen, there, gaps) + self._on_duty(seen, gaps) * survival

    def _on_duty(self, seen: SeenUnit, gaps: list[float]) -> float:
        """How far being so far from each marker fulfils the unit's duty, in points."""
        duty = self.duties.get(seen.unit.id)
        if duty is None:
            return 0.0
        turns = turns_to(self.sketch, seen, gaps[duty.at])
        if math.ceil(turns) > self.sketch.rounds_left:
            return 0.0
        return float(self.weights.duty * duty.need * self.weights.later**turns) * self.win

    @property
    def duties(self) -> dict[int, Assignment]:
        """Who is bound for which marker."""
        if self._duties is None:
            self._duties = duties_of(self.sketch)
        return self._duties

    def gain(self, seen: SeenUnit, down: bool) -> float:
        """What the markers would gain for our side (or lose, for a friend) if a unit were down, or gone."""
        known = self._gains.get((seen.unit.id, down))
        if known is None:
            self.claims  # noqa: B018 - the present chances have to be known first
            gaps = self._gaps(seen)
            if down:
                after = self.chances(seen, gaps, seen.unit.activated, True)
            else:
                after = [0.0] * len(gaps)
            known = self._value(seen, after, gaps) - self.now()
            if not down:
                known -= self.sketch.carried(seen.unit.id) * (self.win + self.lead) / 2
            self._gains[seen.unit.id, down] = known
        return known

    def by_fate(self, seen: SeenUnit, fate: OutcomeEstimate) -> float:
        """What the markers gain for our side by what may become of a unit."""
        if fate.gone + fate.down < 0.02:
            return 0.0
        found = fate.gone * self.gain(seen, False)
        return found + fate.down * self.gain(seen, True) if fate.down > 0.02 else found

    def toll(self, seen: SeenUnit, wounds: float, fate: OutcomeEstimate) -> float:
        """Points a unit loses by wounds and what becomes of it, the markers left aside."""
        card, weights = seen.card, self.weights
        points = min(wounds, card.wounds) * card.per_wound
        points += (fate.gone * weights.kill + fate.down * weights.down) * card.value
        return points * self.blood * (1.0 if seen.unit.activated else weights.fresh)

    def paid(self, seen: SeenUnit, wounds: float, fate: OutcomeEstimate) -> float:
        """What it is worth to do this to an enemy, markers and all; those in a building hold none."""
        markers = self.by_fate(seen, fate) if seen.unit.place == "table" else 0.0
        return self.toll(seen, wounds, fate) + markers

    # --- danger ---

    def exposure(self, seen: SeenUnit, place: Standpoint) -> float:
        """Wounds a unit must expect at a place until it acts again."""
        worst = lost = 0.0
        for threat in self._threats_to(seen):
            distance = math.hypot(place.x - threat.x, place.y - threat.y) - threat.girth
            if distance > threat.reach:
                continue
            hurt = threat.blows if distance <= threat.charge else 0.0
            if threat.shoots:
                near = max(0.0, distance - threat.walk)
                hurt = max(hurt, threat.share * 0.8 * threat.pair.shooting(near, self.far_over))
            lost += hurt
            worst = max(worst, hurt)
        return worst + self.weights.others * (lost - worst)

    def _threats_to(self, seen: SeenUnit) -> list[Threat]:
        """The enemies that could ever hurt a unit before it acts again."""
        known = self._threats.get(seen.unit.id)
        if known is None:
            sketch, known = self.sketch, []
            for foe in sketch.foes:
                card = foe.card
                share = 1.0 if not foe.unit.activated else 0.0 if self.last else self.weights.spent_risk
                far = math.hypot(seen.x - foe.x, seen.y - foe.y) - seen.card.radius - card.radius
                reach = max(card.reach + card.advance, card.charge)
                if share and far <= reach + FARTHEST and not is_down(sketch.rules, foe.unit):
                    pair = pair_of(sketch.rules, sketch.state, foe.unit, seen.unit)
                    blows = share * pair.charge if "charge" in card.actions else 0.0
                    girth = seen.card.radius + card.radius
                    known.append(
                        Threat(
                            foe.x,
                            foe.y,
                            girth,
                            reach,
                            card.charge,
                            blows,
                            card.shots > 0,
                            card.advance,
                            share,
                            pair,
                        )
                    )
            self._threats[seen.unit.id] = known
        return known

    def danger(self, seen: SeenUnit, exposure: float) -> float:
        """What a unit must expect to lose by so many wounds, in points."""
        return (
            min(exposure * seen.card.per_wound, seen.card.value) * self.weights.risk * self.fear * self.blood
        )

    def survival(self, seen: SeenUnit, exposure: float) -> float:
        """How likely a unit is still able to hold a marker after so many wounds."""
        share = exposure / seen.card.wounds
        return 1 - self.weights.fragile * self.fear * min(1.0, max(0.0, 1.25 * share - 0.15))


def _by_round(values: tuple[float, ...], rounds_left: int) -> float:
    return values[min(rounds_left, len(values) - 1)]


def gaps_at(sketch: BoardSummary, seen: SeenUnit, place: Standpoint) -> list[float]:
    """Inches from a unit put at a place to each marker, as the ruler lies."""
    card, spots = seen.card, sketch.spots
    if seen.unit.block is not None:
        return rect_gaps(place.x, place.y, place.heading, card.half_width, card.half_depth, spots)
    if place.x == seen.x and place.y == seen.y:
        return sketch.gaps_here(seen)
    room = card.half_width * 0.8
    return [max(0.0, math.hypot(place.x - x, place.y - y) - room) for _, x, y in spots]
