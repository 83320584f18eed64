"""What is remembered about terrain and profiles, and the short cut past rules that nobody has."""

from __future__ import annotations

import pytest

from shieldwall.armies.demo import demo_setup
from shieldwall.core.state import shared_facts
from shieldwall.editions import EDITIONS, ruleset

HOOKS = ("casts_with", "melee_score", "picks_units", "longer_range", "tokens_gained", "move", "aims")


def test_facts_belong_to_one_tuple_and_not_to_another_that_begins_alike() -> None:
    profiles = demo_setup("regiments-3.5", 1).profiles
    facts = shared_facts(profiles)
    facts["told"] = 1
    assert shared_facts(profiles) is facts
    assert "told" not in shared_facts(profiles[:-1])
    assert "told" not in shared_facts(profiles)  # only the latest of two that begin alike is kept


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_hook_that_a_unit_cannot_have_is_in_no_kit_of_its_models(edition: str) -> None:
    state, kits = demo_setup(edition, 1), ruleset(edition).kits
    told = set()
    for unit in state.units:
        for hook in HOOKS:
            has = any(hook in kits.of_model(unit, model, state.profiles) for model in unit.models)
            may = kits.may_have(hook, unit, state.profiles)
            told.add(may)
            assert may or not has, f"{unit.name}: {hook}"
    assert told == {True, False}
