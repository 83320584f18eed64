"""The demo armies: legal in their edition, evenly matched, the same for the same seed."""

import pytest

from shieldwall.armies.demo import NoDemoError, demo_armies, demo_setup, table_for
from shieldwall.armies.muster import muster, unknown_rules
from shieldwall.armies.spells import read_spells
from shieldwall.core.codec import state_hash
from shieldwall.core.engine import begin
from shieldwall.core.pending import Roll
from shieldwall.editions import EDITIONS, ruleset

POINTS = {
    "aof-1.6": 500,
    "aof-2": 750,
    "regiments-3.4": 1500,
    "regiments-3.5": 1500,
    "skirmish-3.2": 250,
}


@pytest.mark.parametrize("edition", EDITIONS)
def test_both_armies_cost_the_same(edition: str) -> None:
    assert [sum(unit.cost for unit in army.units) for army in demo_armies(edition)] == [POINTS[edition]] * 2


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_special_rule_is_played(edition: str) -> None:
    rules, armies = ruleset(edition), demo_armies(edition)
    mustered = muster(rules, armies)
    spells = read_spells(spell for army in armies for spell in army.spells)
    assert unknown_rules(rules.specials, mustered.profiles, mustered.units, spells) == ()


@pytest.mark.parametrize("edition", EDITIONS)
def test_spells_that_casters_know_exist(edition: str) -> None:
    armies = demo_armies(edition)
    known = {spell.name for army in armies for spell in army.spells}
    assert len(known) == 12
    assert {name for profile in muster(ruleset(edition), armies).profiles for name in profile.spells} <= known


@pytest.mark.parametrize("edition", ["regiments-3.5", "aof-2"])
def test_the_seed_makes_the_table(edition: str) -> None:
    once = state_hash(demo_setup(edition, seed=7))
    table_for.cache_clear()
    assert state_hash(demo_setup(edition, seed=7)) == once
    assert demo_setup(edition, seed=7).pieces != demo_setup(edition, seed=8).pieces


@pytest.mark.parametrize("edition", ["regiments-3.5", "aof-2"])
def test_a_mirror_match_gives_both_sides_the_same_army(edition: str) -> None:
    state = demo_setup(edition, seed=1, mirror=True)
    names = [[unit.name for unit in state.units if unit.side == side] for side in (0, 1)]
    assert names[0] == names[1]
    assert state.seats[1].name == f"{state.seats[0].name} (2)", "the log must tell them apart"
    assert len({model.id for unit in state.units for model in unit.models}) == sum(
        len(unit.models) for unit in state.units
    )


@pytest.mark.parametrize("edition", ["regiments-3.5", "skirmish-3.2"])
def test_the_game_can_begin(edition: str) -> None:
    progress = begin(ruleset(edition), demo_setup(edition, seed=1))
    assert isinstance(progress.pending, Roll)
    assert progress.pending.purpose == "marker_count"


def test_house_rules_reach_the_game() -> None:
    state = demo_setup("skirmish-3.2", seed=1, options={"sight-method": "top-down"})
    assert ("sight-method", "top-down") in state.options


def test_an_edition_without_armies_says_which_have_them() -> None:
    with pytest.raises(NoDemoError, match=r"regiments-3\.5, skirmish-3\.2"):
        demo_armies("aof-9")


def test_two_lists_of_the_same_name_can_be_told_apart() -> None:
    army = demo_armies("aof-2")[0]
    state = demo_setup("aof-2", seed=1, lists=(army, army))
    assert [seat.name for seat in state.seats] == [army.name, f"{army.name} (2)"]
