"""Luck and skill: how decisions and dice changed the chance to win in each activation.

The same decision is repeated several times with other dice. The average change of the chance is due to the decision;
what the real dice added to that is luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from shieldwall.analysis.chance import chance_before
from shieldwall.analysis.moments import Moment
from shieldwall.core.engine import pending_of
from shieldwall.core.pending import Decision
from shieldwall.core.state import State
from shieldwall.rules.ruleset import Ruleset

BATTLES_EACH = 96  # quick playouts after each repetition: the mean of several is what counts


class Swing(NamedTuple):
    """What one activation did to the chance of side 0: through the decision, and through the dice.

    `doubt` is the variance of the line drawn between the two.
    """

    step: int
    round: int
    unit: int
    side: int
    choice: float
    dice: float
    doubt: float


class LuckAndSkill(Struct, frozen=True):
    """The origin of the result, in shares of a win of side 0: its chance at the start, what the decisions of each side
    added, and what the dice added. The parts add up to the result. `error` is how far the line between decisions and
    dice may be off (95 %).
    """

    start: float
    choices: tuple[float, float]
    dice: float
    error: float


def chance_after(rules: Ruleset, state: State) -> float:
    """The chance of side 0 after an activation, or its score if the game is over."""
    waits = pending_of(rules, state)
    if isinstance(waits, Decision):
        return chance_before(rules, state, waits, BATTLES_EACH).chance
    return 0.5 if state.winner in (None, -1) else float(state.winner == 0)


def swing_of(rules: Ruleset, moment: Moment, before: float, after: float, ends: Sequence[State]) -> Swing:
    """The swing of one activation: from the chance before and after it, and states after it with other dice."""
    chances = [chance_after(rules, end) for end in ends]
    mean = sum(chances) / len(chances)
    spread = sum((chance - mean) ** 2 for chance in chances) / max(1, len(chances) - 1)
    choice, dice, doubt = mean - before, after - mean, spread / len(chances)
    return Swing(moment.step, moment.state.round, moment.unit, moment.side, choice, dice, doubt)


def balance_of(start: float, swings: Sequence[Swing]) -> LuckAndSkill:
    """The sum of all swings."""
    choices = [sum(one.choice for one in swings if one.side == side) for side in (0, 1)]
    error = 1.96 * sum(one.doubt for one in swings) ** 0.5
    return LuckAndSkill(
        round(start, 4),
        (round(choices[0], 4), round(choices[1], 4)),
        round(sum(one.dice for one in swings), 4),
        round(error, 4),
    )
