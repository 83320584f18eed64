"""Ready-made lists play whole battles; the soak plays all of them."""

import pytest
from ready_games import play_ready

from shieldwall import armies

FEW = [
    ("regiments-3.5", "saltgrass-clans-750", "glasswood-covenant-750"),
    ("regiments-3.4", "kilnfolk-750", "saltgrass-clans-750"),
    ("skirmish-3.2", "kilnfolk-150", "saltgrass-clans-150"),
]


@pytest.mark.parametrize(("edition", "first", "second"), FEW)
def test_two_ready_made_lists_play_a_whole_battle_by_the_rules(edition: str, first: str, second: str) -> None:
    result, problems = play_ready(edition, first, second, seed=3)
    assert problems == ()
    assert result.state.finished


def test_a_joined_hero_and_a_combined_unit_stand_in_the_state() -> None:
    from shieldwall.editions import ruleset

    army = armies.recruit(armies.ready_list("regiments-3.5", "lantern-coast-750"))
    mustered = armies.muster(ruleset("regiments-3.5"), [army])
    pikes = mustered.units[0]
    assert (pikes.name, len(pikes.models), pikes.start_models, pikes.cost) == ("Harbour Pikes", 21, 21, 325)
    hero = next(model for model in pikes.models if model.id == pikes.attached)
    assert mustered.profiles[hero.profile].name == "Warden Ysolde"
    assert mustered.profiles[hero.profile].wounds == 3
    assert pikes.width == 5
    assert sum(unit.cost for unit in mustered.units) == 750


def test_models_with_roles_stand_in_front_under_their_own_name() -> None:
    from shieldwall.editions import ruleset

    army = armies.recruit(armies.ready_list("regiments-3.5", "saltgrass-clans-750"))
    mustered = armies.muster(ruleset("regiments-3.5"), [army])
    bows = next(unit for unit in mustered.units if unit.name == "Bow Riders")
    names = [mustered.profiles[model.profile].name for model in bows.models]
    assert names[:3] == ["Sergeant", "Banner", "Long Bow"]
    assert set(names[3:]) == {"Bow Riders"}
