"""Rolled dice in words: successes first, then a bar, then the others."""

from __future__ import annotations

from shieldwall.core.events import Rolled, ThrownPool
from shieldwall.dice.words import count, needed_words, purpose_words

# Labels of dice that did nothing; every other label of a test is a success.
POOR_LABELS = frozenset({"fail", "miss", "one", "stay", "taken", "out"})

_PURPOSES = {
    "to_hit": "to hit",
    "block": "to block",
    "block_again": "rerolled blocks",
    "to_wound": "to wound",
    "second_die": "second dice",
    "regeneration": "to ignore wounds",
    "morale": "nerve",
    "rout": "to stay in the fight",
    "fearless": "Fearless",
    "dangerous": "dangerous ground",
    "wound_effect": "wound effect",
    "roll_off": "roll-off",
    "marker_count": "number of markers",
    "cast": "to cast",
    "dispel": "to stop the spell",
    "impact": "impact",
    "jump": "to jump",
    "push": "to push",
    "fear": "fear",
    "fear_wounds": "fear",
}


def purpose(name: str) -> str:
    """What a roll is for."""
    return _PURPOSES.get(name, purpose_words(name))


def thrown(event: Rolled) -> str:
    """All pools of a roll: "to hit, 5 dice, 4+ (+1 aim): 6 5 4 | 2 1"."""
    pools = [pool for pool in event.rolls if pool.faces]
    if event.purpose == "roll_off":
        return f"roll-off: {' against '.join(faces(pool) for pool in pools)}"
    if len(pools) == 1:
        return f"{purpose(event.purpose)}, {_pool(pools[0], event.purpose)}"
    return f"{purpose(event.purpose)}: " + "; ".join(_pool(pool, event.purpose) for pool in pools)


def faces(pool: ThrownPool) -> str:
    """The faces of a pool, sorted, successes in front of the bar."""
    if not is_test(pool):
        return " ".join(map(str, pool.faces))
    good = sorted((face for face in pool.faces if not _is_poor(pool, face)), reverse=True)
    poor = sorted((face for face in pool.faces if _is_poor(pool, face)), reverse=True)
    return f"{' '.join(map(str, good)) or '-'} | {' '.join(map(str, poor)) or '-'}"


def is_test(pool: ThrownPool) -> bool:
    """Whether faces of this pool succeed or fail, rather than being added up or compared."""
    return any(label in POOR_LABELS for label in pool.labels)


def _is_poor(pool: ThrownPool, face: int) -> bool:
    return pool.labels[face - 1] in POOR_LABELS


def _pool(pool: ThrownPool, named: str) -> str:
    parts = [count(len(pool.faces), "die", "dice")]
    if pool.base:
        parts.append(needed_words(pool.base, pool.mods))
    if pool.note and pool.note.lower() != purpose(named):
        parts.insert(0, pool.note)
    return f"{', '.join(parts)}: {faces(pool)}"
