"""What places are worth to a unit: the markers it may hold from there, and the wounds it must expect.

Everything is a rough mean. One call weighs all places that a unit might go to.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.bots.simulation.ways import Grid, way_to
from shieldwall.geometry.arrays import Floats, Matrix
from shieldwall.geometry.ground import length_of

SURE = 0.97  # no unit is more certain than this to be somewhere in the end
NEVER = 99.0  # turns that a unit needs which does not move
ROOT_TWO = math.sqrt(2)

# Columns of `MarkerTerms.claims`, one row a marker: whose it is (1: ours, -1: theirs), whether we can win it, whether
# they can, the chances that no friend and no foe is there at the end, the expected strength, and the units near it now.
SIGN, WINNABLE, LOSABLE, NO_FRIEND, NO_FOE, OURS, THEIRS, FRIENDS, FOES = range(9)
CLAIM = 9
# Columns of `Threats.foes`: where an enemy stands, the radii of both units together, how far it may hurt anybody and by
# a charge, what its charge would do, whether it shoots, how far it walks before, how likely it still acts, its weapons.
FOE_X, FOE_Y, GIRTH, REACH, CHARGE, BLOWS, SHOOTS, WALK, SHARE, FIRST, STOP = range(11)
THREAT = 11
# Columns of `Threats.shots`: the reach of a weapon and the wounds of all its bearers near and far.
RANGE, NEAR, FAR = range(3)
# Columns of places: where they are, the heading there, and whether the unit stands there now.
AT_X, AT_Y, SINE, COSINE, IS_HERE = range(5)
PLACE = 5
MARKERS, EXPOSURE = range(2)  # columns of answers


class MarkerTerms(NamedTuple):
    """The markers of a table as one side sees them, and the weights by which they are judged."""

    spots: Matrix
    claims: Matrix
    seize: float
    carried: float
    win: float
    lead: float
    fight: float
    seized: float
    drawn: float
    leaves: float
    later: float


class WeighedUnit(NamedTuple):
    """The unit that is weighed. `before` are its present chances, `home` its distances from the markers as the ruler
    lies and `ways` as it has to go. `duty` is the pull of the marker it is bound for, `frail` how far wounds endanger
    what it holds.
    """

    before: Floats
    ways: Floats
    home: Floats
    value: float
    is_friend: bool
    holds: bool
    is_block: bool
    flies: bool
    half_width: float
    half_depth: float
    pace: float
    moves: int
    rounds_left: int
    duty_at: int
    duty: float
    wounds: float
    frail: float


class Threats(NamedTuple):
    """Enemies that could hurt a unit before it acts again, and their weapons.

    `far_over` is long range, `others` what all but the worst count.
    """

    foes: Matrix
    shots: Matrix
    far_over: float
    others: float


def rect_gaps(
    x: float,
    y: float,
    sine: float,
    cosine: float,
    half_width: float,
    half_depth: float,
    spots: Matrix,
    gaps: Floats,
) -> None:
    """Inches from a turned rectangle to several points."""
    for k in range(spots.shape[0]):
        dx, dy = spots[k, 0] - x, spots[k, 1] - y
        right = abs(dx * cosine - dy * sine) - half_width
        ahead = abs(dx * sine + dy * cosine) - half_depth
        if right <= 0.0:
            gaps[k] = max(ahead, 0.0)
        elif ahead > 0.0:
            gaps[k] = length_of(right, ahead)
        else:
            gaps[k] = right


def with_detours(grid: Grid, spots: Matrix, seize: float, x: float, y: float, gaps: Floats) -> None:
    """What a unit at a place really has to go to markers that the ruler says are so far away."""
    for k in range(spots.shape[0]):
        if gaps[k] > seize:
            detour = way_to(grid, k, x, y) - length_of(spots[k, 0] - x, spots[k, 1] - y)
            if detour > 0.0:
                gaps[k] += detour


def put_gaps(terms: MarkerTerms, unit: WeighedUnit, places: Matrix, at: int, gaps: Floats) -> None:
    """Inches from a unit put at a place to each marker, as the ruler lies."""
    spots, x, y = terms.spots, places[at, AT_X], places[at, AT_Y]
    if unit.is_block:
        sine, cosine = places[at, SINE], places[at, COSINE]
        rect_gaps(x, y, sine, cosine, unit.half_width, unit.half_depth, spots, gaps)
    elif places[at, IS_HERE] != 0.0:
        for k in range(gaps.shape[0]):
            gaps[k] = unit.home[k]
    else:
        room = unit.half_width * 0.8
        for k in range(gaps.shape[0]):
            gaps[k] = max(0.0, length_of(x - spots[k, 0], y - spots[k, 1]) - room)


def put_chances(
    terms: MarkerTerms, pace: float, moves: int, holds: bool, gaps: Floats, chances: Floats
) -> None:
    """How likely a unit that lies so far from each marker will be there when the game ends."""
    count = gaps.shape[0]
    whole = 0.0
    there = False
    for k in range(count):  # first the turns it needs, below 0 where it is too late
        way = 0.0
        if gaps[k] > terms.seize:
            way = (gaps[k] - terms.seize) / pace if pace > 0.0 else NEVER
        there = there or way == 0.0
        chances[k] = way if way <= moves else -1.0
        if 0.0 < way <= moves:
            whole += math.exp(-terms.drawn * way)
    stays = 1 - terms.leaves * min(1.0, whole) if there and moves != 0 else 1.0
    for k in range(count):
        way = chances[k]
        if not holds or way < 0.0:
            chances[k] = 0.0
        elif way == 0.0:
            chances[k] = min(SURE, stays)
        else:
            pull = math.exp(-terms.drawn * way)
            goes = math.pow(terms.later, max(0.5, way)) * pull / whole if pull > 0.0 else 0.0
            chances[k] = min(SURE, goes * (1 - stays if there else 1.0))


def lay_claim(terms: MarkerTerms, chances: Floats, gaps: Floats, value: float, is_friend: bool) -> None:
    """Add a unit with such chances, so far from the markers, to the claims."""
    claims = terms.claims
    absent, strength, near = (NO_FRIEND, OURS, FRIENDS) if is_friend else (NO_FOE, THEIRS, FOES)
    for k in range(claims.shape[0]):
        claims[k, absent] *= 1 - chances[k]
        claims[k, strength] += chances[k] * value
        if chances[k] > 0.0 and gaps[k] <= terms.seize:
            claims[k, near] += 1.0


def sign_of(sign: float, friends: float, foes: float, seized: float) -> float:
    """The side that will hold a marker with units at it when the round ends, as things are."""
    if friends > 0.0 and foes > 0.0:
        return 0.0
    if friends > 0.0:
        return 1.0 if sign > 0.0 else seized + (1 - seized) * sign
    return -1.0 if sign < 0.0 else -seized + (1 - seized) * sign


def markers_worth(
    terms: MarkerTerms, unit: WeighedUnit, chances: Floats, gaps: Floats, replaced: bool
) -> float:
    """What the markers are worth, with a unit's chances and distances in place of its present ones (`replaced`)."""
    claims = terms.claims
    mean = terms.carried
    spread = 0.0
    for k in range(claims.shape[0]):
        no_friend, no_foe = claims[k, NO_FRIEND], claims[k, NO_FOE]
        ours, theirs = claims[k, OURS], claims[k, THEIRS]
        friends, foes = claims[k, FRIENDS], claims[k, FOES]
        if replaced:
            old, new = unit.before[k], chances[k]
            change, more = (1 - new) / (1 - old), (new - old) * unit.value
            nearer = 1.0 if new > 0.0 and gaps[k] <= terms.seize else 0.0
            nearer -= 1.0 if old > 0.0 and unit.ways[k] <= terms.seize else 0.0
            if unit.is_friend:
                no_friend, ours, friends = no_friend * change, ours + more, friends + nearer
            else:
                no_foe, theirs, foes = no_foe * change, theirs + more, foes + nearer
        nobody, both = no_friend * no_foe, (1 - no_friend) * (1 - no_foe)
        won, lost = (1 - no_friend) * no_foe, (1 - no_foe) * no_friend
        sign = claims[k, SIGN]
        if friends != 0.0 or foes != 0.0:
            sign = sign_of(sign, friends, foes, terms.seized)
        sign *= nobody
        if sign > 0.0:
            won += sign
        else:
            lost -= sign
        if terms.fight != 0.0 and both > 0.01:
            share = ours / (ours + theirs + 0.001)
            won += terms.fight * both * share * share
            lost += terms.fight * both * (1 - share) * (1 - share)
        won, lost = won * claims[k, WINNABLE], lost * claims[k, LOSABLE]
        mean += won - lost
        spread += won + lost - math.pow(won - lost, 2.0)
    scale = ROOT_TWO * math.sqrt(spread + 0.04)
    edge = (math.erf((mean - 0.5) / scale) + math.erf((mean + 0.5) / scale)) / 2
    return terms.win * edge + terms.lead * mean


def on_duty(terms: MarkerTerms, unit: WeighedUnit, gaps: Floats) -> float:
    """How far being so far from each marker fulfils the unit's duty, in points."""
    if unit.duty_at < 0:
        return 0.0
    way = gaps[unit.duty_at] - terms.seize
    turns = 0.0
    if way > 0.0:
        turns = way / unit.pace if unit.pace > 0.0 else NEVER
    if math.ceil(turns) > unit.rounds_left:
        return 0.0
    return unit.duty * math.pow(terms.later, turns) * terms.win


def exposure_at(threats: Threats, x: float, y: float) -> float:
    """Wounds a unit must expect at a place until it acts again."""
    foes, shots = threats.foes, threats.shots
    worst = 0.0
    lost = 0.0
    for k in range(foes.shape[0]):
        distance = length_of(x - foes[k, FOE_X], y - foes[k, FOE_Y]) - foes[k, GIRTH]
        if distance > foes[k, REACH]:
            continue
        hurt = foes[k, BLOWS] if distance <= foes[k, CHARGE] else 0.0
        if foes[k, SHOOTS] != 0.0:
            near = max(0.0, distance - foes[k, WALK])
            column = NEAR if near <= threats.far_over else FAR
            wounds = 0.0
            for shot in range(int(foes[k, FIRST]), int(foes[k, STOP])):
                if shots[shot, RANGE] >= near:
                    wounds += shots[shot, column]
            hurt = max(hurt, foes[k, SHARE] * 0.8 * wounds)
        lost += hurt
        worst = max(worst, hurt)
    return worst + threats.others * (lost - worst)


def worth_at(terms: MarkerTerms, unit: WeighedUnit, gaps: Floats, survival: float, chances: Floats) -> float:
    """The worth of all markers once a unit has acted, lies so far from them, and has survived there so likely."""
    put_chances(terms, unit.pace, unit.moves, unit.holds, gaps, chances)
    for k in range(chances.shape[0]):
        chances[k] *= survival
    return markers_worth(terms, unit, chances, gaps, True) + on_duty(terms, unit, gaps) * survival


def weigh_places(
    terms: MarkerTerms, grid: Grid, unit: WeighedUnit, threats: Threats, places: Matrix, answers: Matrix
) -> None:
    """What having a unit at each place is worth, its duty counted in, and the wounds it must expect there."""
    gaps, chances = np.empty(terms.spots.shape[0]), np.empty(terms.spots.shape[0])
    for k in range(places.shape[0]):
        x, y = places[k, AT_X], places[k, AT_Y]
        exposure = exposure_at(threats, x, y)
        share = exposure / unit.wounds
        survival = 1 - unit.frail * min(1.0, max(0.0, 1.25 * share - 0.15))
        put_gaps(terms, unit, places, k, gaps)
        if not unit.flies:
            with_detours(grid, terms.spots, terms.seize, x, y, gaps)
        answers[k, MARKERS] = worth_at(terms, unit, gaps, survival, chances)
        answers[k, EXPOSURE] = exposure
