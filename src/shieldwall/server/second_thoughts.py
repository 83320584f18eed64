"""A word before a move is made: only where it throws much away, in one sentence, with what would be better.

The same judgement as after a battle (`analysis/decisions.py`): what the activation would lead to against the best
idea of a bot, both by quick playouts. Nobody is kept from anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from shieldwall.analysis.decisions import Doubt, doubt_about, tried_again
from shieldwall.analysis.moments import ACTION, ACTIVATE, Moment
from shieldwall.core.pending import Decision
from shieldwall.core.state import State
from shieldwall.rules.ruleset import Ruleset
from shieldwall.server.question_views import PlannedAnswer

MUCH = 0.16  # of an army: below this an idea is a matter of taste


def second_thought(rules: Ruleset, state: State, decision: Decision, answers: Sequence[PlannedAnswer]) -> str:
    """What to say before an activation is played; "" where it is as good as anything."""
    doubt = doubt_of(rules, state, decision, answers)
    return in_words(doubt) if doubt is not None and doubt.gap >= MUCH else ""


def doubt_of(
    rules: Ruleset, state: State, decision: Decision, answers: Sequence[PlannedAnswer]
) -> Doubt | None:
    """How much better the best idea for the same unit looks than these answers; None where nothing is to choose."""
    if decision.kind not in (ACTIVATE, ACTION) or not answers or answers[0].kind != decision.kind:
        return None
    given = tuple((planned.kind, planned.answer) for planned in answers)
    moment = Moment(0, 0, state, decision, given, ())
    if moment.unit < 0:
        return None
    return doubt_about(rules, moment, tried_again(rules, moment), (moment.unit,))


def in_words(doubt: Doubt) -> str:
    """The better idea in one sentence."""
    idea = doubt.plan.what.rstrip(".")
    name = doubt.moment.state.units[doubt.plan.unit].name
    told = idea if idea.startswith(name) else f"{name}: {idea[:1].lower()}{idea[1:]}"
    return f"This looks like a mistake. Better: {told}."
