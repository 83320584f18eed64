"""Compiled judgement of a loose unit that is put down: its models against each other and the ground."""

from __future__ import annotations

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import COUNT, FIRST, Floats, Ints
from shieldwall.table.kernels_close import mates_overlap
from shieldwall.table.kernels_ground import STANDS, stand_code
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS


@lean
def note_overlaps(points: Floats, rows: Floats, pairs: Ints) -> int:
    """Pairs of bases that stand on each other, the later one first; how many there are."""
    found = 0
    for i in range(rows.shape[0]):
        for j in range(i):
            if mates_overlap(points, rows, i, j) < -EPS:
                pairs[found, 0] = i
                pairs[found, 1] = j
                found += 1
    return found


@kernel
def note_stands(ground: Floats, pieces: Floats, points: Floats, rows: Floats, answer: Ints) -> bool:
    """For every base the code of `stand_code` and the piece that speaks against it; whether all stand well."""
    all_stand = True
    for i in range(rows.shape[0]):
        form = rows[i : i + 1].copy()
        first = int(form[0, FIRST])
        form[0, FIRST] = 0.0
        core = points[first : first + int(form[0, COUNT])]
        answer[i, 0], answer[i, 1] = stand_code(ground, pieces, core, form)
        all_stand = all_stand and answer[i, 0] == STANDS
    return all_stand
