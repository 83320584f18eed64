"""Cached facts about terrain and profiles, and the short cut past rules that no model has."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from shieldwall.armies.demo import demo_setup
from shieldwall.core import events as ev
from shieldwall.core.state import Effect, RuleRef, shared_facts, with_unit
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.rules.features.block_limits import march_limits

HOOKS = ("casts_with", "melee_score", "picks_units", "longer_range", "tokens_gained", "move", "aims")


def test_facts_belong_to_one_tuple_and_not_to_another_that_begins_alike() -> None:
    profiles = demo_setup("regiments-3.5", 1).profiles
    facts = shared_facts(profiles)
    facts["told"] = 1
    assert shared_facts(profiles) is facts
    assert "told" not in shared_facts(profiles[:-1])
    assert "told" not in shared_facts(profiles)  # only the latest of two that begin alike is kept


def test_games_with_the_very_same_profiles_share_facts_and_others_do_not() -> None:
    first, second = (demo_setup("regiments-3.5", seed).profiles for seed in (1, 2))
    assert first is not second
    shared_facts(first)["told of both"] = 1
    assert "told of both" in shared_facts(second)
    assert "told of both" in shared_facts(first)
    assert "told of both" not in shared_facts((*second[:-1], replace(second[-1], name="Stranger")))


def test_versions_of_a_unit_share_their_makeup_until_models_or_effects_change() -> None:
    state = demo_setup("aof-2", 1)
    unit = state.units[0]
    acted = with_unit(state, replace(unit, activated=True)).units[0]
    assert acted.makeup is unit.makeup
    hurt = replace(unit.models[0], wounds=unit.models[0].wounds + 1)
    wounded = with_unit(state, replace(unit, models=(hurt, *unit.models[1:]))).units[0]
    cursed = with_unit(state, replace(unit, effects=(*unit.effects, Effect("Curse", 1, "round")))).units[0]
    assert wounded.makeup is not unit.makeup
    assert cursed.makeup is not unit.makeup


def test_a_new_round_and_a_rest_forget_nothing_about_units_that_stay_where_they_are() -> None:
    fresh = demo_setup("regiments-3.5", 1)
    tired = replace(fresh, units=tuple(replace(unit, activated=True, tired=True) for unit in fresh.units))
    assert tired.positions is not fresh.positions
    positions, makeup = tired.positions, tired.units[0].makeup
    rested = ev.Rested().apply(tired)
    later = ev.RoundBegan(round=2, starter=0).apply(rested)
    assert not any(unit.tired or unit.activated for unit in later.units)
    assert later.positions is positions
    assert later.units[0].makeup is makeup


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_hook_that_a_unit_cannot_have_is_in_no_hook_table_of_its_models(edition: str) -> None:
    state, hooks = demo_setup(edition, 1), ruleset(edition).hooks
    told = set()
    for unit in state.units:
        for hook in HOOKS:
            has = any(hook in hooks.of_model(unit, model, state.profiles) for model in unit.models)
            may = hooks.may_have(hook, unit, state.profiles)
            told.add(may)
            assert may or not has, f"{unit.name}: {hook}"
    assert told == {True, False}


def test_march_limits_are_shared_only_by_units_with_the_same_makeup() -> None:
    rules, state = ruleset("regiments-3.5"), demo_setup("regiments-3.5", 1)
    unit = next(unit for unit in state.units if rules.moves_alike(state, unit) and len(unit.models) > 1)
    hurt = replace(unit.models[0], wounds=unit.models[0].wounds + 1)
    wounded = with_unit(state, replace(unit, models=(hurt, *unit.models[1:])))
    known = march_limits(rules, state, unit, "advance")
    assert march_limits(rules, wounded, wounded.units[unit.id], "advance") is known
    swift = with_unit(state, replace(unit, effects=(Effect("Haste", 1, "round", grants=(RuleRef("Fast"),)),)))
    assert march_limits(rules, swift, swift.units[unit.id], "advance").allowance == known.allowance + 2000
    assert march_limits(rules, state, unit, "rush").allowance > known.allowance
    house = rules.variant("other", "Other", constants=replace(rules.constants, advance=1000))
    assert march_limits(house, state, state.units[unit.id], "advance").allowance < known.allowance
