"""What an attack's dice depend on, and nothing else: places and distances only as far as they change a roll."""

from __future__ import annotations

from collections.abc import Hashable

from shieldwall.core.frames import Attack, Shoot, Source, Volley
from shieldwall.core.state import State, Unit
from shieldwall.core.values import FAIL
from shieldwall.odds.weights import shares
from shieldwall.rules.attack_math import Attackers
from shieldwall.rules.ruleset import Ruleset

Signature = tuple[Hashable, ...]


def shooting_signature(rules: Ruleset, state: State) -> Signature | None:
    """Equal for shootings of ranked units that have the same odds; None where more than dice may matter.

    It holds among states of one game.
    """
    shoot = next((frame for frame in state.stack if isinstance(frame, Shoot)), None)
    attack = state.stack[-1]
    if shoot is None or not isinstance(attack, Attack) or not rules.policies.uses_blocks():
        return None
    units = dict.fromkeys((shoot.unit, *(volley.target for volley in shoot.volleys)))
    return (
        rules,
        state.options,
        state.round,
        attack.held,
        attack.moved,
        tuple(standing(state.units[unit]) for unit in units),
        tuple(_volley(rules, state, attack, volley) for volley in shoot.volleys),
    )


def standing(unit: Unit) -> Signature:
    """Everything about a unit but where it stands."""
    return (
        unit.id,
        unit.models,
        unit.effects,
        unit.broken,
        unit.tired,
        unit.stayed,
        unit.arrived,
        unit.start_models,
        unit.width,
        unit.attached,
        unit.slot,
        unit.picks,
    )


def _volley(rules: Ruleset, state: State, attack: Attack, volley: Volley) -> Signature:
    frame = Attack(
        procedure=attack.procedure,
        kind="shoot",
        unit=attack.unit,
        volley=volley,
        held=attack.held,
        moved=attack.moved,
    )
    sources = tuple(_source(rules, state, frame, source) for source in volley.sources)
    return volley.target, volley.picked, volley.cover, volley.target_models, volley.rank, sources


def _source(rules: Ruleset, state: State, frame: Attack, source: Source) -> Signature:
    """How a source's dice are read, and what each of its hits brings along."""
    attackers = Attackers(rules, state, frame, source)
    pool = attackers.hit_pool(source.dice)
    hits = tuple(
        tuple(attackers.hit_groups({label: 1}, "")) for label, _ in shares(pool.labels) if label != FAIL
    )
    return source.dice, pool.labels, attackers.multiplier(), hits
