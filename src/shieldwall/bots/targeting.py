"""Choosing targets: every weapon group where it costs the enemy most, few targets before many."""

from __future__ import annotations

from collections.abc import Callable

from shieldwall.bots.board_summary import UnitSummary, card_of
from shieldwall.bots.expected_damage import SHOT, AttackMode, group_wounds
from shieldwall.bots.explanation import Considered, Explanation
from shieldwall.core.answers import Aim, Aims
from shieldwall.core.frames import Activation
from shieldwall.core.grammar import unit_does
from shieldwall.core.state import State, Unit
from shieldwall.rules.ruleset import at_half
from shieldwall.rules.steps.targets import Targets

KILL_BONUS = 0.5  # the share of a unit's value added for wounds that would destroy it
HALF_BONUS = 0.25  # the share added for bringing it down to half, where it tests morale
FRESH_BONUS = 1.15  # the factor for units that are still to act


def harm(state: State, target: Unit, card: UnitSummary, wounds: float) -> float:
    """The worth of wounds on a unit in points, with a bonus for breaking or destroying it."""
    taken = min(wounds, card.wounds)
    worth = taken * card.per_wound
    if wounds >= card.wounds:
        worth += KILL_BONUS * card.value
    elif not target.broken and not at_half(state, target) and wounds * 2 >= card.wounds:
        worth += HALF_BONUS * card.value
    elif wounds > 0:
        worth *= 1 + 0.5 * wounds / card.wounds  # focus: wounds on the nearly dead are worth more
    return worth * (1.0 if target.activated else FRESH_BONUS)


Reward = Callable[[int, float], float]


def best_aims(view: State, decision: Targets, reward: Reward | None = None) -> tuple[Aims, Explanation]:
    """The declaration that costs the enemy most on average, within the limit on split fire.

    `reward` gives the worth of a number of wounds on a unit; by default their points.
    """
    rules, unit = decision.rules, decision.unit
    way = _way(view, unit)
    far = rules.constants.long_range_over
    wounds: dict[tuple[str, int], float] = {}
    for (key, target), bearers in decision.legal.items():
        near = min(distance for _, distance in bearers)
        foe = view.units[target]
        shot = way._replace(far=near > far)
        wounds[key, target] = group_wounds(rules, view, unit, foe, decision.groups[key], len(bearers), shot)
    totals: dict[int, float] = {}
    for (_, target), count in wounds.items():
        totals[target] = totals.get(target, 0.0) + count
    if reward is None:

        def reward(target: int, count: float) -> float:
            return harm(view, view.units[target], card_of(rules, view, view.units[target]), count)

    worth = {target: reward(target, count) for target, count in totals.items()}
    order = sorted(worth, key=lambda target: (-worth[target], target))
    aims = _declare(decision, wounds, order)
    considered = tuple(Considered(view.units[t].name, round(worth[t], 2)) for t in order)
    first = view.units[order[0]].name if order else "nobody"
    text = f"{unit_does(unit, 'shoot')} at {first}: {totals.get(order[0], 0.0):.1f} wounds on average."
    return aims, Explanation(text, considered)


def _declare(decision: Targets, wounds: dict[tuple[str, int], float], order: list[int]) -> Aims:
    """Each group at the best target it reaches, in few targets."""
    open_to = order[: decision.rules.constants.split_targets]
    aims = []
    for key in decision.groups:
        target = next((t for t in open_to if (key, t) in wounds), None)
        if target is not None:
            aims.append(Aim(key, target, decision.usual_pick(key, target)))
    return Aims(tuple(aims))


def _way(view: State, unit: Unit) -> AttackMode:
    """How a unit shoots in the running activation."""
    for frame in reversed(view.stack):
        if isinstance(frame, Activation) and frame.unit == unit.id:
            return SHOT._replace(held=frame.action == "hold", moved=frame.moved)
    return SHOT
