"""A warning before a move that would throw much away: one sentence, with a better idea.

It uses the same judgement as the analysis after a battle (`analysis/decisions.py`): quick playouts compare the
activation with a bot's best idea. The player may ignore it.
"""

from __future__ import annotations

from collections.abc import Sequence

from shieldwall.analysis.decisions import CandidateMistake, candidate_mistake, repeated_activations
from shieldwall.analysis.moments import ACTION, ACTIVATE, Moment
from shieldwall.core.pending import Decision
from shieldwall.core.state import State
from shieldwall.rules.ruleset import Ruleset
from shieldwall.server.question_views import PlannedAnswer

MUCH = 0.16  # share of an army: below this, an idea is a matter of taste


def warning_before(rules: Ruleset, state: State, decision: Decision, answers: Sequence[PlannedAnswer]) -> str:
    """The warning before an activation is played; "" if it is about as good as anything else."""
    candidate = mistake_in(rules, state, decision, answers)
    return in_words(candidate) if candidate is not None and candidate.gap >= MUCH else ""


def mistake_in(
    rules: Ruleset, state: State, decision: Decision, answers: Sequence[PlannedAnswer]
) -> CandidateMistake | None:
    """How much better the best idea for the same unit looks than these answers; None if there is nothing to choose."""
    if decision.kind not in (ACTIVATE, ACTION) or not answers or answers[0].kind != decision.kind:
        return None
    given = tuple((planned.kind, planned.answer) for planned in answers)
    moment = Moment(0, 0, state, decision, given, ())
    if moment.unit < 0:
        return None
    return candidate_mistake(rules, moment, repeated_activations(rules, moment), (moment.unit,))


def in_words(candidate: CandidateMistake) -> str:
    """The better idea in one sentence."""
    idea = candidate.plan.what.rstrip(".")
    name = candidate.moment.state.units[candidate.plan.unit].name
    told = idea if idea.startswith(name) else f"{name}: {idea[:1].lower()}{idea[1:]}"
    return f"This looks like a mistake. Better: {told}."
