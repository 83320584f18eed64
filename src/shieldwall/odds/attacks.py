"""The wounds of one attack before anybody says where they land: only dice, and the quickest question there is."""

from __future__ import annotations

from fractions import Fraction

from shieldwall.core.engine import begin, pending_of
from shieldwall.core.frames import Attack
from shieldwall.core.pending import Roll
from shieldwall.core.state import State
from shieldwall.odds.folding import can_fold, fold_amounts
from shieldwall.odds.memory import at_moment, remembered, remembered_by_signature
from shieldwall.odds.result import Amount
from shieldwall.odds.signature import standing
from shieldwall.rules.army.in_play import PLACES
from shieldwall.rules.ruleset import Ruleset


def attack_wounds(
    rules: Ruleset, state: State, attack: Attack | None = None, *, before_ignoring: bool = False
) -> Amount | None:
    """Wounds that come through an attack; None where dice alone do not decide.

    The attack is the one the state is about to throw dice for, or any other one, of any conceivable volley.
    Wounds are counted before they land, so more may come through than the victim can take; with `before_ignoring` also
    before rules of the victim ignore any.
    """
    if attack is None:
        return remembered(
            state, ("attack", rules, before_ignoring), lambda: _wounds(rules, state, before_ignoring)
        )
    # what stands round a loose unit may change its rolls, and round a block where a rule says so
    if not rules.policies.uses_blocks() or PLACES in rules.plans_for(state).in_play:
        question = ("attack", rules, attack, before_ignoring)
        return remembered(
            state, question, lambda: _wounds(rules, at_moment(state, (attack,)), before_ignoring)
        )
    volley = attack.volley
    target = attack.victim if volley is None else volley.target
    units = tuple(standing(state.units[unit]) for unit in (attack.unit, target))
    asked = (attack, before_ignoring)
    signature = ("attack", rules, state.options, state.round, asked, units)
    return remembered_by_signature(
        state, signature, lambda: _wounds(rules, at_moment(state, (attack,)), before_ignoring)
    )


def _wounds(rules: Ruleset, state: State, before_ignoring: bool) -> Amount | None:
    if pending_of(rules, state) is None:
        state = begin(rules, state).state
    pending = pending_of(rules, state)
    if not isinstance(pending, Roll) or not isinstance(state.stack[-1], Attack) or not can_fold(rules, state):
        return None
    amounts = fold_amounts(rules, state, pending, before_ignoring)
    if amounts is None:
        return None
    terms, total = amounts
    found: dict[int, Fraction] = {}
    for wounds, weight in terms:
        found[wounds] = found.get(wounds, Fraction(0)) + Fraction(weight, total)
    return Amount(found)
