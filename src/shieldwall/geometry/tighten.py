"""Ways round obstacles into contact, drawn tight like a string."""

from __future__ import annotations

import math

from shieldwall.geometry.arrays import Matrix
from shieldwall.geometry.contact_places import (
    ContactGoal,
    ContactSearch,
    fits_at,
    left_to_go,
    touch_point,
    walk_for_trial,
)
from shieldwall.geometry.distance import REACH, X, Y, snap
from shieldwall.geometry.ground import length_of
from shieldwall.geometry.paths import TIMID, copy_points, detour, is_clear, mark_blockers, put_point
from shieldwall.geometry.tolerance import EPS, GRID

# What a search finds leads over points a little outside the corners it goes round.

TOO_LONG = 0.25  # inches by which the way that a search finds may be too long before it is drawn tight
TIGHTENINGS = 4  # rounds, each of which cuts every corner once
HALVINGS = 10  # of how far a corner is cut
TURNS_IN = 4  # ends of a way tried, each half as far from the old one as the one before


def way_round(
    search: ContactSearch, i: int, goals: Matrix, number: int, limit: float, goal: ContactGoal, path: Matrix
) -> float:
    """The shortest way round to one of some goals: what it uses, infinite where there is none.

    Its size is left in the span of the scratch's nodes. First it goes as the pace wants it, then the other
    way: over what has to be climbed, or round it. A way that is only a little too long is drawn tight.
    """
    nodes, slow = search.scratch.nodes, goal.slow
    for other in range(2):
        if other == 1 and nodes.notes[TIMID] == 0:
            break
        shy = slow == (other == 1)
        size = detour(search.walk, i, goals, number, limit + TOO_LONG, shy, nodes, path)
        if size > 0:
            if way_length(path, size) > limit + EPS:
                size = draw_tight(search, i, path, size, limit, shy, goal)
            used = walk_for_trial(search, i, path, size, limit, slow)
            if used < math.inf:
                return used
    return math.inf


def way_length(path: Matrix, size: int) -> float:
    """The length of a way, seen from above."""
    length = 0.0
    for k in range(1, size):
        length += length_of(path[k, 0] - path[k - 1, 0], path[k, 1] - path[k - 1, 1]) / GRID
    return length


def is_leg_clear(
    search: ContactSearch, i: int, x: float, y: float, far_x: float, far_y: float, marked: int, pieces: int
) -> bool:
    """Whether model i gets straight from one stored place to another."""
    return is_clear(search.walk, i, x / GRID, y / GRID, far_x / GRID, far_y / GRID, marked, pieces)


def slide_corner(
    search: ContactSearch, i: int, path: Matrix, k: int, to: int, marked: int, pieces: int
) -> None:
    """Move corner k of a way along the leg to its neighbour `to`, as far as the leg to the other one stays clear."""
    other = 2 * k - to
    x, y, far_x, far_y = path[k, 0], path[k, 1], path[other, 0], path[other, 1]
    along_x, along_y = path[to, 0] - x, path[to, 1] - y
    low, step = 0.0, 1.0
    for _ in range(HALVINGS):
        share = low + step
        near_x, near_y = snap(x + share * along_x), snap(y + share * along_y)
        if is_leg_clear(search, i, far_x, far_y, near_x, near_y, marked, pieces) and is_leg_clear(
            search, i, near_x, near_y, path[to, 0], path[to, 1], marked, pieces
        ):
            low = share
            path[k, 0], path[k, 1] = near_x, near_y
        if low == 1.0:
            break
        step /= 2.0


def cut_corner(
    search: ContactSearch, i: int, path: Matrix, size: int, k: int, marked: int, pieces: int
) -> int:
    """Put two corners in the place of corner k, where a shorter leg between them is clear; the new number of points."""
    x, y = path[k, 0], path[k, 1]
    back_x, back_y, on_x, on_y = (
        path[k - 1, 0] - x,
        path[k - 1, 1] - y,
        path[k + 1, 0] - x,
        path[k + 1, 1] - y,
    )
    back, on = length_of(back_x, back_y), length_of(on_x, on_y)
    longest = min(back, on) / 2.0
    if size == path.shape[0] or longest < 1.0:
        return size
    low, step = 0.0, longest
    one_x = one_y = two_x = two_y = 0.0
    for _ in range(HALVINGS):
        cut = low + step
        ax, ay = snap(x + back_x / back * cut), snap(y + back_y / back * cut)
        bx, by = snap(x + on_x / on * cut), snap(y + on_y / on * cut)
        if (
            is_leg_clear(search, i, path[k - 1, 0], path[k - 1, 1], ax, ay, marked, pieces)
            and is_leg_clear(search, i, ax, ay, bx, by, marked, pieces)
            and is_leg_clear(search, i, bx, by, path[k + 1, 0], path[k + 1, 1], marked, pieces)
        ):
            low = cut
            one_x, one_y, two_x, two_y = ax, ay, bx, by
        if low == longest:
            break
        step /= 2.0
    if low < 1.0:
        return size
    for place in range(size, k + 1, -1):
        copy_points(path, place - 1, path, place, 1)
    copy_points(path, k, path, k + 1, 1)
    path[k, 0], path[k, 1] = one_x, one_y
    path[k + 1, 0], path[k + 1, 1] = two_x, two_y
    return size + 1


def drop_corners(search: ContactSearch, i: int, path: Matrix, size: int, marked: int, pieces: int) -> int:
    """Leave out corners between whose neighbours the way is clear; the new number of points."""
    k = 1
    while k < size - 1:
        if is_leg_clear(
            search, i, path[k - 1, 0], path[k - 1, 1], path[k + 1, 0], path[k + 1, 1], marked, pieces
        ):
            for place in range(k, size - 1):
                copy_points(path, place + 1, path, place, 1)
            size -= 1
        else:
            k += 1
    return size


def draw_tight(
    search: ContactSearch, i: int, path: Matrix, size: int, limit: float, shy: bool, goal: ContactGoal
) -> int:
    """Draw a way round corners tight, like a string, until it is short enough; the new number of points."""
    marked, pieces = mark_blockers(search.walk, i, limit + TOO_LONG, shy, search.scratch.nodes)
    for _ in range(TIGHTENINGS):
        size = drop_corners(search, i, path, size, marked, pieces)
        for k in range(1, size - 1):
            slide_corner(search, i, path, k, k - 1, marked, pieces)
            slide_corner(search, i, path, k, k + 1, marked, pieces)
        turn_in(search, i, path, size, marked, pieces, goal)
        if way_length(path, size) <= limit:
            break
        for k in range(size - 2, 0, -1):
            size = cut_corner(search, i, path, size, k, marked, pieces)
    return size


def turn_in(
    search: ContactSearch, i: int, path: Matrix, size: int, marked: int, pieces: int, goal: ContactGoal
) -> None:
    """Let a way into contact end where its last leg meets the target soonest, or nearer to that."""
    if goal.target < 0 or size < 3:
        return
    movers, world, last = search.walk.movers, search.walk.world, size - 1
    rows = world.scene.bodies.rows
    for j in range(world.scene.bodies.bounds[goal.target, 0], world.scene.bodies.bounds[goal.target, 1]):
        x, y = path[last - 1, 0] / GRID, path[last - 1, 1] / GRID
        shortest = length_of(path[last, 0] / GRID - x, path[last, 1] / GRID - y)
        dx, dy = x - rows[j, X], y - rows[j, Y]
        if length_of(dx, dy) - rows[j, REACH] - movers.mould[i, REACH] >= shortest:
            continue
        ends = math.atan2(path[last, 1] / GRID - rows[j, Y], path[last, 0] / GRID - rows[j, X])
        turn = (math.atan2(dy, dx) - ends + math.pi) % (2.0 * math.pi) - math.pi
        for _ in range(TURNS_IN):
            to_x, to_y, touches = touch_point(movers, i, j, ends + turn, world, search.walk.trail)
            turn /= 2.0
            away = length_of(to_x - x, to_y - y)
            if not touches or away >= shortest:
                continue
            fits, z = fits_at(search, i, to_x, to_y, goal.keep, goal)
            if (
                fits
                and left_to_go(movers, i, to_x, to_y, z, goal, world, search.walk.trail) <= EPS
                and is_leg_clear(search, i, x * GRID, y * GRID, to_x * GRID, to_y * GRID, marked, pieces)
            ):
                put_point(path, last, to_x, to_y, movers.start[i, 2], z)
                break
