"""Short moves of single models: in a direction, or straight away from an enemy; and distances to a unit."""

from __future__ import annotations

import math

import numpy as np

from shieldwall.geometry.arrays import Floats, Ints, Matrix
from shieldwall.geometry.cast import Stretch
from shieldwall.geometry.contact_places import unit_apart
from shieldwall.geometry.distance import COUNT, FIRST, HIGH, LOW, gap, way_apart
from shieldwall.geometry.paths import nodes_for, put_point, try_way
from shieldwall.geometry.sweep import Movers, lift, scratch_for, stand, unit_gap
from shieldwall.geometry.tolerance import EPS, GRID, ROUNDOFF
from shieldwall.geometry.walk import (
    Trail,
    World,
    run_to_footprint,
    slowed_standing,
    trail_for,
    trial_state,
)

# Directions in which somebody who cannot go straight back looks, and how many of the best are tried.
BACK_SPOKES, BACK_TRIES = 24, 6


def enemies_near(circles: Matrix, sides: Ints, me: int, longest: float, near: Ints) -> int:
    """Rows of the enemy units that a way of this length might reach, going by circles; their number."""
    made = 0
    for u in range(circles.shape[0]):
        dx, dy = circles[u, 0] - circles[me, 0], circles[u, 1] - circles[me, 1]
        bound = circles[u, 2] + circles[me, 2] + longest + EPS
        if sides[u] != sides[me] and dx * dx + dy * dy <= bound * bound:
            near[made] = u
            made += 1
    return made


def gaps_to_unit(movers: Movers, target: int, world: World, answer: Floats) -> None:
    """The distance in space of each model, where it stands, to a unit."""
    swept = scratch_for(movers.mould)
    core, form = swept.points, swept.rows
    for i in range(movers.mould.shape[0]):
        x, y, z = movers.start[i, 0] / GRID, movers.start[i, 1] / GRID, movers.start[i, 3] / GRID
        stand(movers, i, x, y, movers.start[i, 2], core, form)
        lift(form, z, z)
        answer[i], _ = unit_gap(
            world.scene.bodies, target, core, form, movers.mould[i, HIGH] - movers.mould[i, LOW]
        )


def starts_slowed(movers: Movers, world: World) -> bool:
    """Whether some model that minds stands in difficult ground."""
    trail = trail_for(movers, world, 2)
    slowed = -1
    for i in range(movers.mould.shape[0]):
        slowed = max(slowed, slowed_standing(movers, i, world.scene.terrain, trail))
    return slowed >= 0


def go_straight(
    movers: Movers,
    i: int,
    along_x: float,
    along_y: float,
    most: float,
    world: World,
    path: Matrix,
) -> float:
    """How far model i gets in a direction, at most `most`; the place goes into the second row of `path`."""
    walk, nodes = trial_state(movers, world, 2), nodes_for()
    start_x, start_y = movers.start[i, 0] / 1000.0, movers.start[i, 1] / 1000.0
    z = movers.start[i, 3] / 1000.0
    low = 0.0
    high = most
    best = 0.0
    path[0] = movers.start[i]
    for attempt in range(14):
        way = most if attempt == 0 else (low + high) / 2.0
        put_point(path, 1, start_x + along_x * way, start_y + along_y * way, movers.start[i, 2], z)
        used, _ = try_way(walk, i, path, 2, nodes)
        if used <= movers.allowance[i] + EPS:
            best = low = way
            if attempt == 0:
                break
        else:
            high = way
    put_point(path, 1, start_x + along_x * best, start_y + along_y * best, movers.start[i, 2], z)
    return best


def away_from(movers: Movers, i: int, target: int, world: World, trail: Trail) -> tuple[float, float]:
    """The direction that leads model i straight away from the nearest footprint of the target."""
    points, rows = world.scene.bodies.points, world.scene.bodies.rows
    x, y, heading = movers.start[i, 0] / GRID, movers.start[i, 1] / GRID, movers.start[i, 2]
    stand(movers, i, x, y, heading, trail.core, trail.form)
    nearest, best = -1, math.inf
    for j in range(world.scene.bodies.bounds[target, 0], world.scene.bodies.bounds[target, 1]):
        left = gap(trail.core, trail.form, 0, points, rows, j)
        if left < best:
            nearest, best = j, left
    first = int(rows[nearest, FIRST])
    stop = first + int(rows[nearest, COUNT])
    return way_apart(trail.core, 0, int(trail.form[0, COUNT]), points, first, stop)


def way_clear_of(
    movers: Movers, i: int, target: int, apart: float, way: Stretch, world: World, trail: Trail
) -> float:
    """How far model i goes along a way until it is `apart` from a unit; all of it where that does not do.

    A base that is too near is left where the way back from the far end would come so near to it.
    """
    others = world.scene.bodies
    back = Stretch(
        way.x + way.ahead * way.sine,
        way.y + way.ahead * way.cosine,
        -way.sine,
        -way.cosine,
        0.0,
        way.ahead,
    )
    gone, before = 0.0, -1.0
    while before < gone < way.ahead or before < 0.0:
        before = gone
        for j in range(others.bounds[target, 0], others.bounds[target, 1]):
            rise = others.rows[j, LOW] - movers.start[i, 3] / GRID
            if abs(rise) >= apart:
                continue
            need = math.sqrt(apart * apart - rise * rise)
            x, y = way.x + gone * way.sine, way.y + gone * way.cosine
            stand(movers, i, x, y, movers.start[i, 2], trail.core, trail.form)
            if gap(trail.core, trail.form, 0, others.points, others.rows, j) >= need - ROUNDOFF:
                continue
            stand(movers, i, back.x, back.y, movers.start[i, 2], trail.core, trail.form)
            if gap(trail.core, trail.form, 0, others.points, others.rows, j) < need:
                return way.ahead
            gone = max(gone, way.ahead - run_to_footprint(trail, back, others, j, need))
    return gone


def back_from(
    movers: Movers, i: int, target: int, apart: float, most: float, world: World, path: Matrix
) -> bool:
    """Move model i straight away from its nearest enemy until it is `apart` from the target; whether it
    moved.

    It goes no farther than `most`, and as far as it can where something is in the way.
    """
    trail = trail_for(movers, world, 2)
    away_x, away_y = away_from(movers, i, target, world, trail)
    way = Stretch(movers.start[i, 0] / GRID, movers.start[i, 1] / GRID, away_x, away_y, 0.0, most)
    far = way_clear_of(movers, i, target, apart, way, world, trail)
    went = go_straight(movers, i, away_x, away_y, far, world, path)
    if went >= far - ROUNDOFF:
        settle_apart(movers, i, target, apart, world, path)
    return bool(path[1, 0] != path[0, 0] or path[1, 1] != path[0, 1])


def settle_apart(movers: Movers, i: int, target: int, apart: float, world: World, path: Matrix) -> None:
    """Of the places of the grid round the end of a short way take the one whose distance is nearest to
    `apart`.
    """
    walk = trial_state(movers, world, 2)
    trail, nodes = walk.trail, nodes_for()
    column, line = path[1, 0], path[1, 1]
    best = math.inf
    best_x, best_y = column, line
    for step in range(9):
        path[1, 0] = column + step % 3 - 1
        path[1, 1] = line + step // 3 - 1
        here = unit_apart(
            movers, i, path[1, 0] / GRID, path[1, 1] / GRID, path[1, 3] / GRID, target, world, trail
        )
        miss = abs(here - apart) + (1.0 if here < apart - EPS else 0.0)
        if miss < best and try_way(walk, i, path, 2, nodes)[0] <= movers.allowance[i] + EPS:
            best = miss
            best_x, best_y = path[1, 0], path[1, 1]
    path[1, 0] = best_x
    path[1, 1] = best_y


def way_back(
    movers: Movers, i: int, target: int, apart: float, swerves: bool, world: World, path: Matrix
) -> float:
    """How far from an enemy model i gets; its new place is written to the second row of `path`.

    Only a model that `swerves` tries directions other than straight back: those that lead farthest away first.
    """
    back_from(movers, i, target, apart, movers.allowance[i], world, path)
    trail = trail_for(movers, world, 2)
    x, y, z = movers.start[i, 0] / GRID, movers.start[i, 1] / GRID, movers.start[i, 3] / GRID
    place, far = np.empty(4), np.empty(BACK_SPOKES)
    for column in range(4):
        place[column] = path[1, column]
    there_x, there_y = x + (place[0] / GRID - x), y + (place[1] / GRID - y)
    best = unit_apart(movers, i, there_x, there_y, z, target, world, trail)
    if not swerves or best >= apart - EPS:
        return best
    for spoke in range(BACK_SPOKES):
        turn = 2.0 * math.pi * spoke / BACK_SPOKES
        there_x, there_y = x + math.sin(turn) * apart, y + math.cos(turn) * apart
        far[spoke] = unit_apart(movers, i, there_x, there_y, z, target, world, trail)
    for _ in range(BACK_TRIES):
        first = 0
        for spoke in range(1, BACK_SPOKES):
            if far[spoke] > far[first]:
                first = spoke
        far[first] = -math.inf
        turn = 2.0 * math.pi * first / BACK_SPOKES
        went = go_straight(movers, i, math.sin(turn), math.cos(turn), apart, world, path)
        there_x, there_y = x + math.sin(turn) * went, y + math.cos(turn) * went
        here = unit_apart(movers, i, there_x, there_y, z, target, world, trail)
        if here > best + EPS:
            best = here
            for column in range(4):
                place[column] = path[1, column]
        if best >= apart - EPS:
            break
    for column in range(4):
        path[1, column] = place[column]
    return best
