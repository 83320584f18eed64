"""Distances that spread over a grid of points, each of which costs something to cross."""

from __future__ import annotations

import math

from shieldwall.geometry.arrays import Cube, Matrix

DIAGONAL = math.sqrt(2)


def spread(far: Cube, cost: Matrix, step: float) -> None:
    """Let distances run over a grid until nothing gets shorter.

    `far[layer, row, column]` is 0 where a layer begins and infinite elsewhere; what an inch between two neighbours
    costs is the mean of theirs. The points of the grid are `step` inches apart.
    """
    for layer in range(far.shape[0]):
        turn = 0
        quiet = 0
        while quiet < 4:  # until no sweep, from any of the four corners, has found anything shorter
            quiet = 0 if sweep(far, cost, step, layer, turn % 2 == 0, turn // 2 % 2 == 0) else quiet + 1
            turn += 1


def sweep(far: Cube, cost: Matrix, step: float, layer: int, downwards: bool, rightwards: bool) -> bool:
    """Look at every point of a layer once and reach it from its neighbours; whether any was reached sooner."""
    rows, columns = far.shape[1], far.shape[2]
    shorter = False
    for line in range(rows):
        row = line if downwards else rows - 1 - line
        for place in range(columns):
            column = place if rightwards else columns - 1 - place
            best = far[layer, row, column]
            for around in range(9):
                from_row, from_column = row + around // 3 - 1, column + around % 3 - 1
                if (
                    around == 4
                    or from_row < 0
                    or from_row >= rows
                    or from_column < 0
                    or from_column >= columns
                ):
                    continue
                length = step * (DIAGONAL if around % 2 == 0 else 1.0)
                way = (
                    far[layer, from_row, from_column]
                    + length * (cost[from_row, from_column] + cost[row, column]) / 2.0
                )
                if way < best:
                    best = way
                    shorter = True
            far[layer, row, column] = best
    return shorter
