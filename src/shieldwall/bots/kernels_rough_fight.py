"""How units in a battle in the rough harm each other: charges, shots, and what becomes of whoever is struck.

Two kinds of wounds: those that are taken off a unit, and those of lone models and of a unit's last one, which are
looked up in a table.
"""

from __future__ import annotations

import math

from shieldwall.bots.kernels_rough import (
    ALIVE,
    DOWN,
    FAILS,
    FOOTING,
    HALF,
    MODELS,
    REACH,
    WHOLE,
    WOUNDS,
    Forces,
    Habits,
    Standing,
    Terms,
    close_with,
    draw,
    is_within,
)
from shieldwall.table.lean import lean

BARELY_ALIVE = 0.25  # wounds below which a unit counts as gone
SPREAD = 2.2  # how far luck moves a number of wounds, in roots of it
SIDES_OF_DICE = 6.0
FALLS_FIRST = 2.0  # sides of the die by which a model falls at its last wound; each beyond it adds one
HITS_A_WOUND = 3.0  # hits that cause a wound, more or less
MOST_WOUNDS = 12  # that one attack is thought to cause where they are looked up


@lean
def about(mean: float, now: Standing) -> float:
    """A number of wounds with this mean, more or less."""
    if mean <= 0.0:
        return 0.0
    swing = draw(now.luck, now.at) + draw(now.luck, now.at) - 1.0
    return max(0.0, mean + math.sqrt(mean) * swing * SPREAD)


@lean
def counted(mean: float, now: Standing) -> int:
    """A whole number of wounds with this mean, each coming by itself."""
    number, share = 0, math.exp(-mean)
    left = draw(now.luck, now.at) - share
    while left >= 0.0 and number < MOST_WOUNDS:
        number += 1
        share *= mean / number
        left -= share
    return number


@lean
def strength(forces: Forces, now: Standing, unit: int) -> float:
    """What is left of a unit, as a share of what it was when the guess was begun; of its models, where those count."""
    models = forces.stats[MODELS, unit]
    share = now.bodies[WOUNDS, unit] / forces.stats[WHOLE, unit]
    if models > 0.0:
        share = max(1.0, math.ceil(share * models)) / models
    return min(1.0, float(share))


@lean
def life(now: Standing, unit: int) -> float:
    """Wounds that a unit still takes; one that is looked up each time lives as if by one."""
    return max(1.0, float(now.bodies[WOUNDS, unit]))


@lean
def hurt(now: Standing, unit: int, wounds: float) -> None:
    """Take wounds off a unit."""
    now.bodies[WOUNDS, unit] -= wounds
    if now.bodies[WOUNDS, unit] < BARELY_ALIVE:
        now.marks[ALIVE, unit] = 0


@lean
def look_up(now: Standing, unit: int, wounds: int) -> None:
    """Wounds on a unit whose last model's are looked up: the others fall one by one, the last falls or goes down."""
    if wounds > 0:
        now.bodies[WOUNDS, unit] -= wounds
        if now.bodies[WOUNDS, unit] <= 0.0:
            sides = FALLS_FIRST - now.bodies[WOUNDS, unit]
            falls = draw(now.luck, now.at) * SIDES_OF_DICE < sides
            now.marks[ALIVE if falls else DOWN, unit] = 0 if falls else 1


@lean
def finish_off(now: Standing, unit: int) -> None:
    """Somebody who is down is charged or hit: gone, unless there is life left."""
    if now.bodies[WOUNDS, unit] <= 0.0:
        now.marks[ALIVE, unit] = 0
    else:
        look_up(now, unit, 1)


@lean
def charge(forces: Forces, terms: Terms, habits: Habits, now: Standing, unit: int, foe: int) -> None:
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


@lean
def lose_heart(forces: Forces, now: Standing, unit: int) -> None:
    """The test of who lost a melee: gone where little is left, else down."""
    if draw(now.luck, now.at) < forces.stats[FAILS, unit]:
        if now.marks[DOWN, unit] or now.bodies[WOUNDS, unit] <= forces.stats[HALF, unit]:
            now.marks[ALIVE, unit] = 0
        else:
            now.marks[DOWN, unit] = 1


@lean
def shoot(forces: Forces, terms: Terms, habits: Habits, now: Standing, unit: int, foe: int) -> None:
    """Shots at an enemy, where it is in range and seen."""
    in_range = is_within(forces, now, unit, foe, forces.stats[REACH, unit])
    if not in_range or draw(now.luck, now.at) >= habits.sees:
        return
    mean = forces.shots[unit, foe] * strength(forces, now, unit)
    if terms.looked_up:
        if now.marks[DOWN, foe] and draw(now.luck, now.at) < 1 - math.exp(-HITS_A_WOUND * mean):
            finish_off(now, foe)
        if now.marks[ALIVE, foe]:
            look_up(now, foe, counted(mean, now))
        return
    wounds = about(mean, now)
    if wounds <= 0.0:
        return
    hurt(now, foe, wounds)
    weak = now.marks[ALIVE, foe] and now.bodies[WOUNDS, foe] <= forces.stats[HALF, foe]
    if weak and draw(now.luck, now.at) < forces.stats[FAILS, foe]:
        now.marks[DOWN, foe] = 1
