"""Playouts: the rest of a battle by a simplified model, some microseconds each."""

from __future__ import annotations

import math
from typing import NamedTuple

from shieldwall.geometry.arrays import Cube, Floats, IntMatrix, Ints, Matrix

# ----------------------------------------------------------------------------------------------------
# The rest of a battle in the rough, in one compiled call: a guess at who will hold what, not the rules.
#
# Units are round, wounds are what the odds give on average with some luck, everybody makes for markers, charges and
# shoots by simple habits. A battle takes some microseconds, so that thousands can be played for one decision. Here are
# the numbers it works on and how they are read; `kernels_rough_fight` tells what units do to each other, and
# `kernels_rough_play` plays.

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


class SimulatedForces(NamedTuple):
    """What stays as it is: sides (0: ours), stats, mean wounds of each unit on each, markers and ways to them."""

    sides: Ints
    stats: Matrix
    shots: Matrix
    charges: Matrix
    blows: Matrix
    spots: Matrix
    ways: Cube


class Standing(NamedTuple):
    """What changes: where units stand and how well, who holds which marker; and the luck.

    `gaps` are inches from units to markers as the ruler lies. `at` says where the luck is read next, and where that of
    the running battle begins.
    """

    bodies: Matrix
    gaps: Matrix
    marks: IntMatrix
    holders: Ints
    luck: Floats
    at: Ints


class BattleTerms(NamedTuple):
    """The battle: the rounds after this one, the distance from which a marker is held, and the spacing of the
    distance field.

    `lasts`: a side keeps a marker when its units leave; `looked_up`: the wounds of a unit's last model are looked up
    in a table, and an army at half strength tests morale. That is the case with so many of our units left
    (`our_half`) or of theirs. `ahead` are markers that we carry less those that they do.
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
    fates: Matrix


def draw(now: Standing) -> float:
    """The next number of the luck, 0 to 1."""
    place = now.at[0] + 1
    if place >= now.luck.shape[0]:
        place = 0
    now.at[0] = place
    return float(now.luck[place])


def apart(forces: SimulatedForces, now: Standing, one: int, other: int) -> float:
    """Inches between two units."""
    across = now.bodies[AT_X, one] - now.bodies[AT_X, other]
    along = now.bodies[AT_Y, one] - now.bodies[AT_Y, other]
    far = math.sqrt(across * across + along * along)
    return far - float(forces.stats[RADIUS, one] + forces.stats[RADIUS, other])


def is_within(forces: SimulatedForces, now: Standing, one: int, other: int, reach: float) -> bool:
    """Whether two units are at most so many inches apart."""
    across = now.bodies[AT_X, one] - now.bodies[AT_X, other]
    along = now.bodies[AT_Y, one] - now.bodies[AT_Y, other]
    far = reach + forces.stats[RADIUS, one] + forces.stats[RADIUS, other]
    return bool(far >= 0.0 and across * across + along * along <= far * far)


def measure(forces: SimulatedForces, now: Standing, unit: int) -> None:
    """Measure again how far a unit is from the markers."""
    for spot in range(forces.spots.shape[1]):
        across = now.bodies[AT_X, unit] - forces.spots[AT_X, spot]
        along = now.bodies[AT_Y, unit] - forces.spots[AT_Y, spot]
        now.gaps[unit, spot] = math.sqrt(across * across + along * along) - forces.stats[RADIUS, unit]


def way_to(forces: SimulatedForces, terms: BattleTerms, now: Standing, unit: int, spot: int) -> float:
    """Inches that a unit has to go to a marker, round what bars the way."""
    straight = float(now.gaps[unit, spot])
    if forces.stats[FLIES, unit] > 0.0:
        return straight
    column = min(max(now.bodies[AT_X, unit] / terms.step, 0.0), forces.ways.shape[2] - 1.001)
    row = min(max(now.bodies[AT_Y, unit] / terms.step, 0.0), forces.ways.shape[1] - 1.001)
    left, low = int(column), int(row)
    right, high = column - left, row - low
    near = forces.ways[spot, low, left] * (1 - right) + forces.ways[spot, low, left + 1] * right
    beyond = forces.ways[spot, low + 1, left] * (1 - right) + forces.ways[spot, low + 1, left + 1] * right
    round_about = float(near * (1 - high) + beyond * high - forces.stats[RADIUS, unit])
    return max(straight, round_about)


def can_hold(forces: SimulatedForces, now: Standing, unit: int) -> bool:
    """Whether a unit counts at a marker."""
    return bool(now.marks[ALIVE, unit] and not now.marks[DOWN, unit] and forces.stats[HOLDS, unit] > 0.0)


def approach(forces: SimulatedForces, now: Standing, unit: int, x: float, y: float, share: float) -> None:
    """Move a unit this share of its way to a point."""
    now.bodies[AT_X, unit] += (x - now.bodies[AT_X, unit]) * share
    now.bodies[AT_Y, unit] += (y - now.bodies[AT_Y, unit]) * share
    measure(forces, now, unit)


def close_with(
    forces: SimulatedForces, now: Standing, unit: int, foe: int, room: float, longest: float
) -> None:
    """Move a unit towards an enemy, leaving some room."""
    gap = apart(forces, now, unit, foe)
    go = min(longest, gap - room)
    if go > 0.0:
        whole = gap + forces.stats[RADIUS, unit] + forces.stats[RADIUS, foe]
        approach(forces, now, unit, now.bodies[AT_X, foe], now.bodies[AT_Y, foe], go / whole)


# ----------------------------------------------------------------------------------------------------
# How units in a battle in the rough harm each other: charges, shots, and what becomes of whoever is struck.
#
# Two kinds of wounds: those that are taken off a unit, and those of lone models and of a unit's last one, which are
# looked up in a table.

BARELY_ALIVE = 0.25  # wounds below which a unit counts as gone
SPREAD = 2.2  # how far luck moves a number of wounds, in roots of it
SIDES_OF_DICE = 6.0
FALLS_FIRST = 2.0  # sides of the die by which a model falls at its last wound; each beyond it adds one
HITS_A_WOUND = 3.0  # hits that cause a wound, more or less
MOST_WOUNDS = 12  # that one attack is thought to cause where they are looked up


def about(mean: float, now: Standing) -> float:
    """A number of wounds with this mean, more or less."""
    if mean <= 0.0:
        return 0.0
    swing = draw(now) + draw(now) - 1.0
    return max(0.0, mean + math.sqrt(mean) * swing * SPREAD)


def counted(mean: float, now: Standing) -> int:
    """A whole number of wounds with this mean, each coming by itself."""
    number, share = 0, math.exp(-mean)
    left = draw(now) - share
    while left >= 0.0 and number < MOST_WOUNDS:
        number += 1
        share *= mean / number
        left -= share
    return number


def strength(forces: SimulatedForces, now: Standing, unit: int) -> float:
    """What is left of a unit, as a share of what it was when the guess was begun; of its models, where those count."""
    models = forces.stats[MODELS, unit]
    share = now.bodies[WOUNDS, unit] / forces.stats[WHOLE, unit]
    if models > 0.0:
        share = max(1.0, math.ceil(share * models)) / models
    return min(1.0, float(share))


def life(now: Standing, unit: int) -> float:
    """Wounds that a unit still takes; one that is looked up each time lives as if by one."""
    return max(1.0, float(now.bodies[WOUNDS, unit]))


def hurt(now: Standing, unit: int, wounds: float) -> None:
    """Take wounds off a unit."""
    now.bodies[WOUNDS, unit] -= wounds
    if now.bodies[WOUNDS, unit] < BARELY_ALIVE:
        now.marks[ALIVE, unit] = 0


def look_up(now: Standing, unit: int, wounds: int) -> None:
    """Wounds on a unit whose last model's are looked up: the others fall one by one, the last falls or goes down."""
    if wounds > 0:
        now.bodies[WOUNDS, unit] -= wounds
        if now.bodies[WOUNDS, unit] <= 0.0:
            sides = FALLS_FIRST - now.bodies[WOUNDS, unit]
            falls = draw(now) * SIDES_OF_DICE < sides
            now.marks[ALIVE if falls else DOWN, unit] = 0 if falls else 1


def finish_off(now: Standing, unit: int) -> None:
    """A unit that is down is charged or hit: it is lost, unless it has wounds left."""
    if now.bodies[WOUNDS, unit] <= 0.0:
        now.marks[ALIVE, unit] = 0
    else:
        look_up(now, unit, 1)


def charge(
    forces: SimulatedForces, terms: BattleTerms, habits: Habits, now: Standing, unit: int, foe: int
) -> None:
    """A charge, the blows of both, and who breaks by it."""
    close_with(forces, now, unit, foe, 0.0, math.inf)
    mean = forces.charges[unit, foe] * strength(forces, now, unit) * habits.hits
    if terms.looked_up:
        if now.marks[DOWN, foe]:
            finish_off(now, foe)
        if now.marks[ALIVE, foe]:
            look_up(now, foe, counted(mean, now))
        if now.marks[ALIVE, foe] and not now.marks[DOWN, foe]:
            back = forces.blows[foe, unit] * strength(forces, now, foe) * habits.answers
            look_up(now, unit, counted(back, now))
        return
    dealt = min(about(mean, now), float(now.bodies[WOUNDS, foe]))
    hurt(now, foe, dealt)
    if not now.marks[ALIVE, foe]:
        return
    taken = about(forces.blows[foe, unit] * strength(forces, now, foe) * habits.answers, now)
    taken = min(taken, float(now.bodies[WOUNDS, unit]))
    hurt(now, unit, taken)
    if now.marks[ALIVE, unit]:
        lead = dealt - taken + forces.stats[FOOTING, unit] - forces.stats[FOOTING, foe]
        if lead != 0.0:
            lose_heart(forces, now, foe if lead > 0 else unit)


def lose_heart(forces: SimulatedForces, now: Standing, unit: int) -> None:
    """The test of who lost a melee: gone where little is left, else down."""
    if draw(now) < forces.stats[FAILS, unit]:
        if now.marks[DOWN, unit] or now.bodies[WOUNDS, unit] <= forces.stats[HALF, unit]:
            now.marks[ALIVE, unit] = 0
        else:
            now.marks[DOWN, unit] = 1


def shoot(
    forces: SimulatedForces, terms: BattleTerms, habits: Habits, now: Standing, unit: int, foe: int
) -> None:
    """Shots at an enemy, where it is in range and seen."""
    in_range = is_within(forces, now, unit, foe, forces.stats[REACH, unit])
    if not in_range or draw(now) >= habits.sees:
        return
    mean = forces.shots[unit, foe] * strength(forces, now, unit)
    if terms.looked_up:
        if now.marks[DOWN, foe] and draw(now) < 1 - math.exp(-HITS_A_WOUND * mean):
            finish_off(now, foe)
        if now.marks[ALIVE, foe]:
            look_up(now, foe, counted(mean, now))
        return
    wounds = about(mean, now)
    if wounds <= 0.0:
        return
    hurt(now, foe, wounds)
    weak = now.marks[ALIVE, foe] and now.bodies[WOUNDS, foe] <= forces.stats[HALF, foe]
    if weak and draw(now) < forces.stats[FAILS, foe]:
        now.marks[DOWN, foe] = 1


# ----------------------------------------------------------------------------------------------------
# How a battle in the rough is played: who acts, what it makes for, charges and shots, round by round.

EXTRA = 0.8  # inches that a unit goes beyond the edge of a marker's reach
CLOSE_BY = 1.5  # inches beyond a marker's reach within which a friend counts as being there
STRIDE = 7919  # how far apart the luck of two battles begins
UNITS, DRAWS = 64, 24  # how far apart the luck of two rounds and of two activations begins
OUT_OF_RANGE = 0.5  # what a shot counts that takes a step first
WORN = 0.5  # wounds that a unit counts for at the end that lives by looking them up


def own_luck(now: Standing, unit: int, left: int) -> int:
    """Where the luck of a unit's activation begins: its own in every round, so that ideas meet the same luck."""
    return int((now.at[1] + (left * UNITS + unit) * DRAWS) % now.luck.shape[0])


def line_up(forces: SimulatedForces, now: Standing, left: int) -> None:
    """The order of a round, by luck."""
    for unit in range(forces.sides.shape[0]):
        now.bodies[TURN, unit] = now.luck[own_luck(now, unit, left)]


def who_acts(forces: SimulatedForces, now: Standing, side: int) -> int:
    """The unit of a side that acts next; nobody where all have acted."""
    found, best = NOBODY, -1.0
    for unit in range(forces.sides.shape[0]):
        if forces.sides[unit] == side and now.marks[ALIVE, unit] and not now.marks[ACTED, unit]:
            turn = now.bodies[TURN, unit]
            if turn > best:
                found, best = unit, turn
    return found


def nearest_foe(forces: SimulatedForces, now: Standing, unit: int) -> int:
    """The enemy nearest to a unit."""
    found, best = NOBODY, math.inf
    for other in range(forces.sides.shape[0]):
        if now.marks[ALIVE, other] and forces.sides[other] != forces.sides[unit]:
            gap = apart(forces, now, unit, other)
            if gap < best:
                found, best = other, gap
    return found


def needed(
    forces: SimulatedForces,
    terms: BattleTerms,
    habits: Habits,
    now: Standing,
    unit: int,
    spot: int,
    turns: float,
) -> float:
    """How much a unit is needed at a marker that is so many turns away."""
    friends = foes = 0
    for other in range(forces.sides.shape[0]):
        if other != unit and can_hold(forces, now, other):
            gap = now.gaps[other, spot]
            if forces.sides[other] != forces.sides[unit]:
                if gap <= terms.seize:
                    foes += 1
            elif gap <= terms.seize + CLOSE_BY:
                friends += 1
    if friends > foes:
        return habits.crowded
    if now.holders[spot] == forces.sides[unit] and not foes:
        return habits.left if turns > 0.0 else habits.kept
    return 1.0


def wanted(
    forces: SimulatedForces, terms: BattleTerms, habits: Habits, now: Standing, unit: int, left: int
) -> int:
    """The marker that a unit makes for; nobody's number where it comes too late for all."""
    found, best = NOBODY, -1.0
    pace = max(forces.stats[RUSH, unit] * habits.hopes, 0.1)
    most_needed = max(1.0, habits.crowded, habits.left, habits.kept)
    for spot in range(forces.spots.shape[1]):
        whim = habits.whim * draw(now)
        if most_needed + whim <= best:
            continue  # distance only takes away, so this one cannot be the best
        way = way_to(forces, terms, now, unit, spot) - terms.seize
        turns = max(way, 0.0) / pace
        if math.ceil(turns) > left + 1:
            continue
        need = needed(forces, terms, habits, now, unit, spot, turns)
        if need + whim > best:
            worth = need * math.pow(habits.later, turns) + whim
            if worth > best:
                found, best = spot, worth
    return found


def charge_gain(
    forces: SimulatedForces, terms: BattleTerms, habits: Habits, now: Standing, unit: int, foe: int, spot: int
) -> float:
    """Points that a charge is thought to bring."""
    own, theirs = now.bodies[WOUNDS, unit], now.bodies[WOUNDS, foe]
    if terms.looked_up:
        own, theirs = life(now, unit), life(now, foe)
    dealt = min(forces.charges[unit, foe] * strength(forces, now, unit), theirs)
    back = forces.blows[foe, unit] * strength(forces, now, foe) * (1 - dealt / theirs)
    taken = min(back, own) * habits.answers
    if terms.looked_up and now.marks[DOWN, foe]:
        dealt, taken = theirs, 0.0
    gain = dealt * forces.stats[PER_WOUND, foe] - taken * forces.stats[PER_WOUND, unit] * habits.caution
    if spot >= 0 and now.gaps[foe, spot] <= terms.seize:
        gain += habits.drive * terms.army * dealt / theirs
    return float(gain)


def best_charge(
    forces: SimulatedForces, terms: BattleTerms, habits: Habits, now: Standing, unit: int, spot: int
) -> tuple[int, float]:
    """The enemy in reach whose charge brings most, and what it brings."""
    found, best = NOBODY, 0.0
    reach = forces.stats[CHARGE, unit] * habits.lunge if forces.stats[STRIKES, unit] > 0.0 else -math.inf
    for foe in range(forces.sides.shape[0]):
        is_foe = now.marks[ALIVE, foe] and forces.sides[foe] != forces.sides[unit]
        if is_foe and is_within(forces, now, unit, foe, reach):
            gain = charge_gain(forces, terms, habits, now, unit, foe, spot)
            if gain > best:
                found, best = foe, gain
    return found, best


def best_shot(forces: SimulatedForces, terms: BattleTerms, now: Standing, unit: int) -> tuple[int, float]:
    """The enemy that shots would hurt most, perhaps after a step, and by how much."""
    found, best = NOBODY, 0.0
    reach, step = forces.stats[REACH, unit], forces.stats[ADVANCE, unit]
    left = strength(forces, now, unit)
    for foe in range(forces.sides.shape[0]):
        is_target = now.marks[ALIVE, foe] and forces.shots[unit, foe] > 0.0
        if is_target and is_within(forces, now, unit, foe, reach + step):
            most = life(now, foe) if terms.looked_up else now.bodies[WOUNDS, foe]
            wounds = min(forces.shots[unit, foe] * left, most)
            gain = wounds * forces.stats[PER_WOUND, foe]
            if not is_within(forces, now, unit, foe, reach):
                gain *= OUT_OF_RANGE
            if gain > best:
                found, best = foe, gain
    return found, best


def go_to(
    forces: SimulatedForces,
    terms: BattleTerms,
    habits: Habits,
    now: Standing,
    unit: int,
    spot: int,
    left: int,
    shots: float,
) -> bool:
    """Move a unit to a marker; whether it may still shoot."""
    way = way_to(forces, terms, now, unit, spot) - terms.seize
    if way <= 0.0:
        return True
    walk, run = forces.stats[ADVANCE, unit] * habits.gets, forces.stats[RUSH, unit] * habits.gets
    late = math.ceil((way - walk) / max(forces.stats[RUSH, unit] * habits.hopes, 0.1)) > left
    runs = way > walk and (late or shots < habits.tarry * terms.army)
    pace = run if runs else walk
    whole = way + terms.seize + forces.stats[RADIUS, unit]
    x, y = forces.spots[AT_X, spot], forces.spots[AT_Y, spot]
    approach(forces, now, unit, x, y, min(1.0, min(pace, way + EXTRA) / max(whole, 0.1)))
    return not runs


def act(
    forces: SimulatedForces, terms: BattleTerms, habits: Habits, now: Standing, unit: int, left: int
) -> None:
    """One unit's activation."""
    now.marks[ACTED, unit] = 1
    if now.marks[DOWN, unit]:
        now.marks[DOWN, unit] = 0
        return
    spot = wanted(forces, terms, habits, now, unit, left)
    foe, gain = best_charge(forces, terms, habits, now, unit, spot)
    mark, shots = best_shot(forces, terms, now, unit)
    least = habits.bother * terms.army * (0.5 + draw(now))
    if foe >= 0 and gain > least and gain > shots * habits.fire:
        charge(forces, terms, habits, now, unit, foe)
        return
    may_shoot = True
    if spot >= 0:
        may_shoot = go_to(forces, terms, habits, now, unit, spot, left, shots)
    elif mark < 0:
        foe = nearest_foe(forces, now, unit)
        if foe >= 0:
            close_with(forces, now, unit, foe, 1.0, forces.stats[RUSH, unit] * habits.gets)
    if may_shoot and mark >= 0:
        shoot(forces, terms, habits, now, unit, mark)


def rout(forces: SimulatedForces, terms: BattleTerms, now: Standing, left: int) -> None:
    """Armies at half strength test morale when a round ends: units that fail go down, units that are down flee."""
    for side in range(2):
        there = 0
        for unit in range(forces.sides.shape[0]):
            there += int(forces.sides[unit] == side and now.marks[ALIVE, unit])
        if there > (terms.our_half if side == 0 else terms.their_half):
            continue
        for unit in range(forces.sides.shape[0]):
            if forces.sides[unit] == side and now.marks[ALIVE, unit]:
                now.at[0] = own_luck(now, unit, left) + DRAWS - 1
                if now.marks[DOWN, unit]:
                    now.marks[ALIVE, unit] = 0
                elif draw(now) < forces.stats[FAILS, unit]:
                    now.marks[DOWN, unit] = 1


def settle_markers(forces: SimulatedForces, terms: BattleTerms, now: Standing) -> None:
    """Who holds which marker when a round ends."""
    for spot in range(forces.spots.shape[1]):
        ours = theirs = False
        for unit in range(forces.sides.shape[0]):
            if can_hold(forces, now, unit) and now.gaps[unit, spot] <= terms.seize:
                if forces.sides[unit] == 0:
                    ours = True
                else:
                    theirs = True
        if ours != theirs:
            now.holders[spot] = 0 if ours else 1
        elif ours or not terms.lasts:
            now.holders[spot] = NOBODY


def play_on(forces: SimulatedForces, terms: BattleTerms, habits: Habits, now: Standing, turn: int) -> None:
    """Play until the last round is over."""
    for left in range(terms.rounds_left, -1, -1):
        line_up(forces, now, left)
        while True:
            unit = who_acts(forces, now, turn)
            if unit < 0:
                turn = 1 - turn
                unit = who_acts(forces, now, turn)
            if unit < 0:
                break
            now.at[0] = own_luck(now, unit, left)
            act(forces, terms, habits, now, unit, left)
            turn = 1 - turn
        if terms.looked_up:
            rout(forces, terms, now, left)
        settle_markers(forces, terms, now)
        for unit in range(forces.sides.shape[0]):
            now.marks[ACTED, unit] = 0


def begin(forces: SimulatedForces, start: Standing, now: Standing, terms: BattleTerms, deed: Deed) -> None:
    """Put everybody where the battle stands, then do the deed."""
    for unit in range(start.bodies.shape[1]):
        for row in range(3):
            now.bodies[row, unit] = start.bodies[row, unit]
            now.marks[row, unit] = start.marks[row, unit]
        for spot in range(start.holders.shape[0]):
            now.gaps[unit, spot] = start.gaps[unit, spot]
    for spot in range(start.holders.shape[0]):
        now.holders[spot] = start.holders[spot]
    if deed.unit < 0:
        return
    now.bodies[AT_X, deed.unit], now.bodies[AT_Y, deed.unit] = deed.x, deed.y
    measure(forces, now, deed.unit)
    now.marks[ACTED, deed.unit], now.marks[DOWN, deed.unit] = 1, 0
    for at in range(deed.struck.shape[0]):
        unit, fate = deed.struck[at], draw(now)
        if fate < deed.fates[at, GONE]:
            now.marks[ALIVE, unit] = 0
            continue
        is_knocked = fate < deed.fates[at, GONE] + deed.fates[at, KNOCKED]
        if is_knocked:
            now.marks[DOWN, unit] = 1
        if not terms.looked_up:
            wounds = about(deed.fates[at, SUFFERED], now)
            now.bodies[WOUNDS, unit] = max(0.5, now.bodies[WOUNDS, unit] - wounds)
        elif is_knocked:
            now.bodies[WOUNDS, unit] = min(now.bodies[WOUNDS, unit] - 1.0, 0.0)
        elif now.bodies[WOUNDS, unit] > 1.0:
            suffered = counted(deed.fates[at, SUFFERED], now)
            now.bodies[WOUNDS, unit] = max(1.0, now.bodies[WOUNDS, unit] - suffered)


def lead_of(forces: SimulatedForces, terms: BattleTerms, now: Standing) -> tuple[int, float]:
    """Markers and points of the army that we have more than they."""
    lead, points = terms.ahead, 0.0
    for spot in range(forces.spots.shape[1]):
        if now.holders[spot] >= 0:
            lead += 1 if now.holders[spot] == 0 else -1
    for unit in range(forces.sides.shape[0]):
        if now.marks[ALIVE, unit]:
            wounds = now.bodies[WOUNDS, unit]
            value = (max(wounds, WORN) if terms.looked_up else wounds) * forces.stats[PER_WOUND, unit]
            points += value if forces.sides[unit] == 0 else -value
    return lead, points


def foresee(
    forces: SimulatedForces,
    terms: BattleTerms,
    habits: Habits,
    start: Standing,
    now: Standing,
    deed: Deed,
    first: int,
    ends: Matrix,
) -> None:
    """Play the rest of a battle again and again; each row of `ends` gets the lead in markers and in points."""
    turn = 1 if deed.unit >= 0 else 0
    for number in range(ends.shape[0]):
        now.at[0] = now.at[1] = (start.at[1] + (first + number) * STRIDE) % now.luck.shape[0]
        begin(forces, start, now, terms, deed)
        play_on(forces, terms, habits, now, turn)
        ends[number, 0], ends[number, 1] = lead_of(forces, terms, now)
