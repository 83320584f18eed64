"""Carriers with other limits than an edition's: who fits, and the answers that questions offer."""

from __future__ import annotations

import pytest

from shieldwall.bots.numbers import numbers_for
from shieldwall.core.state import State
from shieldwall.editions import ruleset
from shieldwall.editions.regiments_3_4.boarding import boarding_by, spaces_for, way_to_board, why_not_inside
from shieldwall.editions.regiments_3_4.disembarking import leaving
from shieldwall.editions.regiments_3_4.policies import CARRY
from shieldwall.rules.constants import inches
from shieldwall.rules.features.block_limits import march_limits
from shieldwall.rules.features.carry import CarryRules, SeatRule, capacity
from shieldwall.rules.ruleset import fresh_units, is_in_play
from shieldwall.scenario.build import build
from shieldwall.scenario.load import load_text

RULES = ruleset("regiments-3.4")
FOOT_ONLY = CarryRules(seats=(SeatRule(1, 99, kinds=("infantry",)),), leave_within=inches(6))
SCENE = """
scenario: a wagon, its crew, and some who would like to ride
edition: regiments-3.4
defaults: {base: '1x1"'}
terrain: {House: {kind: building, outline: [[30, 13], [42, 13], [42, 16], [30, 16]]}}
units:
  Wagon: {side: A, models: 2, base: '3x3"', rules: 'Transport(6), Tough(3)', at: [36, 10]}
  Crew: {side: A, models: 5, inside: Wagon}
  Rider: {side: A, kind: cavalry, at: [50, 6]}
  Ogre: {side: A, rules: Tough(6), at: [54, 6]}
  Late: {side: A, models: 5, front: [36, 3]}
  Wolves: {side: B, models: 5, at: [46, 10, 270]}
"""
WAGON, CREW, RIDER, OGRE, LATE = range(5)


def scene() -> State:
    (loaded,), faults = load_text(SCENE, "wagon")
    assert not faults
    return build(loaded.scenario).state


def test_spaces_are_those_of_all_living_models() -> None:
    """R34-SR-TRANSPORT-01."""
    state = scene()
    assert capacity(RULES, state, state.units[WAGON]) == 12
    assert why_not_inside(RULES, CARRY, state, state.units[LATE], state.units[WAGON]) == ()


@pytest.mark.parametrize(("unit", "ours", "foot_only"), [(RIDER, 1, 0), (OGRE, 0, 1), (LATE, 1, 1)])
def test_who_fits_is_a_matter_of_data(unit: int, ours: int, foot_only: int) -> None:
    """R34-SR-TRANSPORT-01, and a book that carries any model on foot but no other."""
    state = scene()
    profile = state.profiles[state.units[unit].models[0].profile]
    assert spaces_for(RULES, CARRY, profile) == ours
    assert spaces_for(RULES, FOOT_ONLY, profile) == foot_only


def test_passengers_are_in_play_as_long_as_their_carrier_is() -> None:
    """R34-ROUND-04."""
    state = scene()
    assert is_in_play(state, state.units[CREW])
    assert state.units[CREW] in fresh_units(state, 0)


@pytest.mark.parametrize("seed", range(8))
def test_every_way_out_a_question_offers_is_legal(seed: int) -> None:
    """R34-SR-TRANSPORT-04: sampled or by default, between a wall and an enemy."""
    state = scene()
    question = leaving(RULES, state, state.units[CREW], CARRY)
    assert question.has_any()
    assert question.check(question.default()) == ()
    assert question.check(question.sample(numbers_for(seed, 0))) == ()


@pytest.mark.parametrize("action", ["advance", "rush", "charge"])
def test_the_way_into_a_carrier_that_is_found_leads_into_it(action: str) -> None:
    """R34-SR-TRANSPORT-03."""
    state = scene()
    unit, wagon = state.units[LATE], state.units[WAGON]
    limits = march_limits(RULES, state, unit, action)
    legs = way_to_board(RULES, state, unit, wagon, limits, CARRY)
    boarding = boarding_by(RULES, state, unit, legs, limits, CARRY)
    assert boarding is not None
    assert (boarding.carrier, boarding.refusals) == (WAGON, ())


def test_an_action_that_does_not_lead_inside_finds_no_carrier() -> None:
    """Books may allow fewer actions for getting in."""
    state = scene()
    unit = state.units[LATE]
    limits = march_limits(RULES, state, unit, "charge")
    legs = way_to_board(RULES, state, unit, state.units[WAGON], limits, CARRY)
    walking = CarryRules(seats=CARRY.seats, leave_within=CARRY.leave_within, board_by=("advance", "rush"))
    assert boarding_by(RULES, state, unit, legs, limits, walking) is None
