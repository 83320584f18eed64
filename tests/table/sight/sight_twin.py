"""Every answer of sight and cover on a few random battlefields; run as a script it prints fingerprints."""

from __future__ import annotations

import hashlib

from sight_makers import random_table
from sight_pairs import METHOD_NAMES, random_pairs

from shieldwall.table.cover import cover_of, covered_share
from shieldwall.table.sight import sees, shooting_scan


def fingerprint(method: str, seed: int) -> str:
    """One line for all answers by one method, to the last digit."""
    state = random_table(seed, ranked=method == "outline", units=6, pieces=7, size=24)
    policy = "ranks" if method == "outline" else "loose"
    found: list[object] = []
    for unit in state.units[:3]:
        scan = shooting_scan(state, method, unit.id, reach=14.0)
        found += [
            scan.targets,
            scan.nearest.tolist(),
            scan.nearest_in_arc.tolist(),
            scan.nearest_seen.tolist(),
        ]
        found += [scan.disregarded(target) for target in scan.targets]
    for a, i, b, j in random_pairs(state, seed, 12):
        found.append(sees(state, method, a, i, b, j))
        found.append(cover_of(state, policy, a, (i,), b))
        found.append(cover_of(state, "crowd", a, (i,), b))
        found.append(covered_share(state, policy, a, (i,), b, j))
    return f"{method} {seed} {hashlib.sha256(repr(found).encode()).hexdigest()}"


def everything() -> list[str]:
    return [fingerprint(method, seed) for method in METHOD_NAMES for seed in range(3)]


if __name__ == "__main__":
    print("\n".join(everything()))
