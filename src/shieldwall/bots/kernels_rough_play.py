"""How a battle in the rough is played: who acts, what it makes for, charges and shots, round by round."""

from __future__ import annotations

import math

from shieldwall.bots.kernels_rough import (
    ACTED,
    ADVANCE,
    ALIVE,
    AT_X,
    AT_Y,
    CHARGE,
    DOWN,
    FAILS,
    GONE,
    KNOCKED,
    NOBODY,
    PER_WOUND,
    RADIUS,
    REACH,
    RUSH,
    STRIKES,
    SUFFERED,
    TURN,
    WOUNDS,
    Deed,
    Forces,
    Habits,
    Standing,
    Terms,
    apart,
    approach,
    can_hold,
    close_with,
    draw,
    is_within,
    measure,
    way_to,
)
from shieldwall.bots.kernels_rough_fight import about, charge, counted, life, shoot, strength
from shieldwall.table.kernels import Floats
from shieldwall.table.lean import lean

EXTRA = 0.8  # inches that a unit goes beyond the edge of a marker's reach
CLOSE_BY = 1.5  # inches beyond a marker's reach within which a friend counts as being there
STRIDE = 7919  # how far apart the luck of two battles begins
UNITS, DRAWS = 64, 24  # how far apart the luck of two rounds and of two activations begins
OUT_OF_RANGE = 0.5  # what a shot counts that takes a step first
WORN = 0.5  # wounds that a unit counts for at the end that lives by looking them up


@lean
def own_luck(now: Standing, unit: int, left: int) -> int:
    """Where the luck of a unit's activation begins: its own in every round, so that ideas meet the same luck."""
    return int((now.at[1] + (left * UNITS + unit) * DRAWS) % now.luck.shape[0])


@lean
def line_up(forces: Forces, now: Standing, left: int) -> None:
    """The order of a round, by luck."""
    for unit in range(forces.sides.shape[0]):
        now.bodies[TURN, unit] = now.luck[own_luck(now, unit, left)]


@lean
def who_acts(forces: Forces, now: Standing, side: int) -> int:
    """The unit of a side that acts next; nobody where all have acted."""
    found, best = NOBODY, -1.0
    for unit in range(forces.sides.shape[0]):
        if forces.sides[unit] == side and now.marks[ALIVE, unit] and not now.marks[ACTED, unit]:
            turn = now.bodies[TURN, unit]
            if turn > best:
                found, best = unit, turn
    return found


@lean
def nearest_foe(forces: Forces, now: Standing, unit: int) -> int:
    """The enemy nearest to a unit."""
    found, best = NOBODY, math.inf
    for other in range(forces.sides.shape[0]):
        if now.marks[ALIVE, other] and forces.sides[other] != forces.sides[unit]:
            gap = apart(forces, now, unit, other)
            if gap < best:
                found, best = other, gap
    return found


@lean
def needed(
    forces: Forces, terms: Terms, habits: Habits, now: Standing, unit: int, spot: int, turns: float
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


@lean
def wanted(forces: Forces, terms: Terms, habits: Habits, now: Standing, unit: int, left: int) -> int:
    """The marker that a unit makes for; nobody's number where it comes too late for all."""
    found, best = NOBODY, -1.0
    pace = max(forces.stats[RUSH, unit] * habits.hopes, 0.1)
    for spot in range(forces.spots.shape[1]):
        way = way_to(forces, terms, now, unit, spot) - terms.seize
        turns = max(way, 0.0) / pace
        whim = habits.whim * draw(now.luck, now.at)
        if math.ceil(turns) <= left + 1:
            worth = needed(forces, terms, habits, now, unit, spot, turns) * habits.later**turns + whim
            if worth > best:
                found, best = spot, worth
    return found


@lean
def charge_gain(
    forces: Forces, terms: Terms, habits: Habits, now: Standing, unit: int, foe: int, spot: int
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


@lean
def best_charge(
    forces: Forces, terms: Terms, habits: Habits, now: Standing, unit: int, spot: int
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


@lean
def best_shot(forces: Forces, terms: Terms, now: Standing, unit: int) -> tuple[int, float]:
    """The enemy that shots would hurt most, perhaps after a step, and by how much."""
    found, best = NOBODY, 0.0
    reach, step = forces.stats[REACH, unit], forces.stats[ADVANCE, unit]
    for foe in range(forces.sides.shape[0]):
        is_target = now.marks[ALIVE, foe] and forces.shots[unit, foe] > 0.0
        if is_target and is_within(forces, now, unit, foe, reach + step):
            most = life(now, foe) if terms.looked_up else now.bodies[WOUNDS, foe]
            wounds = min(forces.shots[unit, foe] * strength(forces, now, unit), most)
            gain = wounds * forces.stats[PER_WOUND, foe]
            if not is_within(forces, now, unit, foe, reach):
                gain *= OUT_OF_RANGE
            if gain > best:
                found, best = foe, gain
    return found, best


@lean
def go_to(
    forces: Forces, terms: Terms, habits: Habits, now: Standing, unit: int, spot: int, left: int, shots: float
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


@lean
def act(forces: Forces, terms: Terms, habits: Habits, now: Standing, unit: int, left: int) -> None:
    """One unit's activation."""
    now.marks[ACTED, unit] = 1
    if now.marks[DOWN, unit]:
        now.marks[DOWN, unit] = 0
        return
    spot = wanted(forces, terms, habits, now, unit, left)
    foe, gain = best_charge(forces, terms, habits, now, unit, spot)
    mark, shots = best_shot(forces, terms, now, unit)
    least = habits.bother * terms.army * (0.5 + draw(now.luck, now.at))
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


@lean
def rout(forces: Forces, terms: Terms, now: Standing, left: int) -> None:
    """Armies at half test the nerve of all they have when a round ends: who fails goes down, who is down runs."""
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
                elif draw(now.luck, now.at) < forces.stats[FAILS, unit]:
                    now.marks[DOWN, unit] = 1


@lean
def settle_markers(forces: Forces, terms: Terms, now: Standing) -> None:
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


@lean
def play_on(forces: Forces, terms: Terms, habits: Habits, now: Standing, turn: int) -> None:
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


@lean
def begin(forces: Forces, start: Standing, now: Standing, terms: Terms, deed: Deed) -> None:
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
        unit, fate = deed.struck[at], draw(now.luck, now.at)
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


@lean
def lead_of(forces: Forces, terms: Terms, now: Standing) -> tuple[int, float]:
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


@lean
def foresee(
    forces: Forces,
    terms: Terms,
    habits: Habits,
    start: Standing,
    now: Standing,
    deed: Deed,
    first: int,
    ends: Floats,
) -> None:
    """Play the rest of a battle again and again; each row of `ends` gets the lead in markers and in points."""
    turn = 1 if deed.unit >= 0 else 0
    for number in range(ends.shape[0]):
        now.at[0] = now.at[1] = (start.at[1] + (first + number) * STRIDE) % now.luck.shape[0]
        begin(forces, start, now, terms, deed)
        play_on(forces, terms, habits, now, turn)
        ends[number, 0], ends[number, 1] = lead_of(forces, terms, now)
