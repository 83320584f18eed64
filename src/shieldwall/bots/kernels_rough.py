"""The rest of a battle in the rough, in one compiled call: a guess at who will hold what, not the rules.

Units are round, wounds are what the odds give on average with some luck, everybody makes for markers, charges and
shoots by simple habits. A battle takes some microseconds, so that thousands can be played for one decision. Here are
the numbers it works on and how they are read; `kernels_rough_fight` tells what units do to each other, and
`kernels_rough_play` plays.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from shieldwall.table.kernels import Floats, Ints
from shieldwall.table.lean import lean

# Rows of `Forces.stats`, one column a unit; lengths in inches.
(
    RADIUS, ADVANCE, RUSH, CHARGE, REACH, PER_WOUND, FAILS, HALF, HOLDS, FLIES, STRIKES, WHOLE, FOOTING, MODELS,
) = range(14)  # fmt: skip
STATS = 14
# Rows of `Standing.bodies` and `Standing.marks`.
AT_X, AT_Y, WOUNDS, TURN = range(4)
ALIVE, ACTED, DOWN = range(3)
# Columns of `Deed.fates`.
GONE, KNOCKED, SUFFERED = range(3)

NOBODY = -1


class Forces(NamedTuple):
    """What stays as it is: sides (0: ours), stats, mean wounds of each unit on each, markers and ways to them."""

    sides: Ints
    stats: Floats
    shots: Floats
    charges: Floats
    blows: Floats
    spots: Floats
    ways: Floats


class Standing(NamedTuple):
    """What changes: where units stand and how well, who holds which marker; and the luck.

    `gaps` are inches from units to markers as the ruler lies. `at` says where the luck is read next, and where that of
    the running battle begins.
    """

    bodies: Floats
    gaps: Floats
    marks: Ints
    holders: Ints
    luck: Floats
    at: Ints


class Terms(NamedTuple):
    """The battle: rounds after this one, how near a marker is held from, and how far apart the grid of ways is.

    `lasts`: whoever held a marker keeps it when leaving; `looked_up`: the wounds of a unit's last model are looked up
    in a table, and an army at half tests its nerve. That is the case with so many of our units left (`our_half`) or of
    theirs. `ahead` are markers that we carry less those that they do.
    """

    rounds_left: int
    seize: float
    step: float
    army: float
    lasts: bool
    looked_up: bool
    our_half: float
    their_half: float
    ahead: int


class Habits(NamedTuple):
    """How units behave, fitted to battles of the tactician and to games of such habits against each other.

    Markers: what one counts that friends have already (`crowded`), that is ours and empty (`left`) or ours with
    nobody but the unit itself near (`kept`), how much less for each turn it is away (`later`), and `whim`.
    Fights: what losses count in a charge (`caution`), what driving somebody off the wanted marker does (`drive`, of
    an army), the least gain a charge is made for (`bother`, of an army), what it has to beat in shots (`fire`), and
    from what gain on (of an army) a unit walks and shoots where it could run (`tarry`).
    The ground: shots that find their target (`sees`), how much of its charge a unit really reaches (`lunge`), of
    its pace when it plans (`hopes`) and when it goes (`gets`), and of means what blows and charges do (`answers`,
    `hits`).
    """

    crowded: float
    left: float
    kept: float
    later: float
    whim: float
    caution: float
    drive: float
    bother: float
    fire: float
    tarry: float
    sees: float
    lunge: float
    hopes: float
    answers: float
    hits: float
    gets: float


class Deed(NamedTuple):
    """What one unit does before the rest is played: where it ends, and what becomes of whom (`fates`)."""

    unit: int
    x: float
    y: float
    struck: Ints
    fates: Floats


@lean
def draw(luck: Floats, at: Ints) -> float:
    """The next number of the luck, 0 to 1."""
    at[0] = (at[0] + 1) % luck.shape[0]
    return float(luck[at[0]])


@lean
def apart(forces: Forces, now: Standing, one: int, other: int) -> float:
    """Inches between two units."""
    bodies, radius = now.bodies, forces.stats[RADIUS]
    far = math.hypot(bodies[AT_X, one] - bodies[AT_X, other], bodies[AT_Y, one] - bodies[AT_Y, other])
    return far - float(radius[one] + radius[other])


@lean
def is_within(forces: Forces, now: Standing, one: int, other: int, reach: float) -> bool:
    """Whether two units are at most so many inches apart."""
    bodies, radius = now.bodies, forces.stats[RADIUS]
    across, along = bodies[AT_X, one] - bodies[AT_X, other], bodies[AT_Y, one] - bodies[AT_Y, other]
    far = reach + radius[one] + radius[other]
    return bool(far >= 0.0 and across * across + along * along <= far * far)


@lean
def measure(forces: Forces, now: Standing, unit: int) -> None:
    """Measure again how far a unit is from the markers."""
    for spot in range(forces.spots.shape[1]):
        across = now.bodies[AT_X, unit] - forces.spots[AT_X, spot]
        along = now.bodies[AT_Y, unit] - forces.spots[AT_Y, spot]
        now.gaps[unit, spot] = math.hypot(across, along) - forces.stats[RADIUS, unit]


@lean
def way_to(forces: Forces, terms: Terms, now: Standing, unit: int, spot: int) -> float:
    """Inches that a unit has to go to a marker, round what bars the way."""
    straight = float(now.gaps[unit, spot])
    if forces.stats[FLIES, unit] > 0.0:
        return straight
    grid = forces.ways[spot]
    column = min(max(now.bodies[AT_X, unit] / terms.step, 0.0), grid.shape[1] - 1.001)
    row = min(max(now.bodies[AT_Y, unit] / terms.step, 0.0), grid.shape[0] - 1.001)
    left, low = int(column), int(row)
    right, high = column - left, row - low
    near = grid[low, left] * (1 - right) + grid[low, left + 1] * right
    beyond = grid[low + 1, left] * (1 - right) + grid[low + 1, left + 1] * right
    round_about = float(near * (1 - high) + beyond * high - forces.stats[RADIUS, unit])
    return max(straight, round_about)


@lean
def can_hold(forces: Forces, now: Standing, unit: int) -> bool:
    """Whether a unit counts at a marker."""
    return bool(now.marks[ALIVE, unit] and not now.marks[DOWN, unit] and forces.stats[HOLDS, unit] > 0.0)


@lean
def approach(forces: Forces, now: Standing, unit: int, x: float, y: float, share: float) -> None:
    """Move a unit this share of its way to a point."""
    now.bodies[AT_X, unit] += (x - now.bodies[AT_X, unit]) * share
    now.bodies[AT_Y, unit] += (y - now.bodies[AT_Y, unit]) * share
    measure(forces, now, unit)


@lean
def close_with(forces: Forces, now: Standing, unit: int, foe: int, room: float, longest: float) -> None:
    """Move a unit towards an enemy, leaving some room."""
    gap = apart(forces, now, unit, foe)
    go = min(longest, gap - room)
    if go > 0.0:
        whole = gap + forces.stats[RADIUS, unit] + forces.stats[RADIUS, foe]
        approach(forces, now, unit, now.bodies[AT_X, foe], now.bodies[AT_Y, foe], go / whole)
