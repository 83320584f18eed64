"""Units built from list entries: positions in the ranks, shared profiles, rules that are not played."""

import pytest

from shieldwall.armies.muster import ModelSpec, Mustering, UnitSpec, UnknownRule
from shieldwall.core.errors import MalformedError
from shieldwall.core.state import Base, Unit
from shieldwall.rules.bindings import Binding, Specials
from shieldwall.rules.special.nerve import Tough
from shieldwall.table.formations import formation_of


def mustering(blocks: bool = True) -> Mustering:
    return Mustering(Specials({"Tough": Binding(Tough, "")}), blocks)


def added(to: Mustering, spec: UnitSpec, side: int = 0) -> Unit:
    unit = to.add(spec, side)
    assert unit is not None, to.problems
    return unit


PIKES = UnitSpec(name="Pikes [10]", stats="Q4+ D5+", equipment="Pike (A1)")


def test_every_model_is_one_miniature_with_its_own_id() -> None:
    """R35-STAT-10, R35-STAT-11, SK32-STAT-06: ten models, ten ids; a lone model is a unit of one."""
    camp = mustering()
    first, second = (
        added(camp, PIKES),
        added(camp, UnitSpec(name="Troll", stats="Q3+ D4+", kind="monster"), 1),
    )
    assert len(first.models) == 10
    assert len(second.models) == 1
    ids = [model.id for unit in (first, second) for model in unit.models]
    assert ids == list(range(11))


def test_profiles_are_shared() -> None:
    camp = mustering()
    added(camp, PIKES)
    added(camp, PIKES)
    assert len(camp.finished().profiles) == 1


def test_special_models_stand_in_the_front_row() -> None:
    camp = mustering()
    spec = UnitSpec(
        name="Pikes [10]",
        stats="Q4+ D5+",
        equipment="Pike (A1)",
        command=("Sergeant", "Banner"),
        special=(ModelSpec(name="Captain of shot", adds='Pistol (12", A1)'),),
    )
    unit = added(camp, spec)
    profiles = camp.finished().profiles
    front = [profiles[unit.models[index].profile].name for index in formation_of(unit, profiles).rows[0]]
    assert front == ["Sergeant", "Banner", "Captain of shot", "Pikes", "Pikes"]
    assert [rule.name for rule in profiles[unit.models[0].profile].rules] == ["Sergeant"]
    assert [weapon.name for weapon in profiles[unit.models[2].profile].weapons] == ["Pike", "Pistol"]


def test_equipment_of_a_special_model_replaces_the_units() -> None:
    camp = mustering()
    unit = added(
        camp,
        UnitSpec(
            name="Pikes [5]",
            stats="Q4+ D5+",
            equipment="Pike (A1)",
            special=(ModelSpec(equipment='Bow (24", A1)'),),
        ),
    )
    assert [weapon.name for weapon in camp.finished().profiles[unit.models[0].profile].weapons] == ["Bow"]


def test_tough_gives_wounds() -> None:
    camp = mustering()
    unit = added(camp, UnitSpec(name="Troll", stats="Q3+ D4+", kind="monster", rules="Tough(6)"))
    assert camp.finished().profiles[unit.models[0].profile].wounds == 6


def test_rules_of_gear_count() -> None:
    camp = mustering()
    unit = added(camp, UnitSpec(name="Kite", stats="Q3+ D4+", equipment="Wings (Flying), Hide (Tough(3))"))
    profile = camp.finished().profiles[unit.models[0].profile]
    assert [rule.name for rule in profile.rules] == ["Flying", "Tough"]
    assert profile.wounds == 3


@pytest.mark.parametrize(
    ("size", "width"), [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 3), (10, 5), (20, 5)]
)
def test_blocks_know_their_front(size: int, width: int) -> None:
    """R35-FORM-04, R35-FORM-05: models per row by size."""
    camp = mustering()
    assert added(camp, UnitSpec(name="Pikes", models=size, stats="Q4+ D5+")).width == width


def test_combined_unit_keeps_the_row_width_of_its_parts() -> None:
    """R35-FORM-04: two halves of three rank three wide."""
    camp = mustering()
    assert added(camp, UnitSpec(name="Ogres", models=6, part=3, stats="Q4+ D5+")).width == 3


def test_loose_units_have_no_front() -> None:
    camp = mustering(blocks=False)
    unit = added(camp, UnitSpec(name="Goblins [3]", stats="Q5+ D6+"))
    assert unit.width == 0
    assert camp.finished().profiles[0].base == Base("round", 32, 32)


def test_hero_inside_a_unit_keeps_his_own_numbers() -> None:
    camp = mustering()
    spec = UnitSpec(
        name="Pikes [5]",
        stats="Q5+ D5+",
        equipment="Pike (A1)",
        hero=ModelSpec(name="Ida", stats="Q3+ D4+", equipment="Sword (A3)", rules="Hero, Tough(3)"),
    )
    unit = added(camp, spec)
    profiles = camp.finished().profiles
    hero = profiles[unit.models[-1].profile]
    assert unit.attached == unit.models[-1].id
    assert unit.start_models == 6
    assert unit.width == 5
    assert (hero.name, hero.quality, hero.defense, hero.wounds) == ("Ida", 3, 4, 3)


def test_heroes_do_not_join_loose_units() -> None:
    camp = mustering(blocks=False)
    assert camp.add(UnitSpec(name="Goblins [3]", stats="Q5+ D6+", hero=ModelSpec(name="Ida")), 0) is None
    assert "heroes do not join units" in camp.problems[0]


def test_rules_that_are_not_played_are_reported_and_kept() -> None:
    camp = mustering()
    added(camp, UnitSpec(name="Pikes [5]", stats="Q4+ D5+", equipment="Pike (A1, Wobbly)", rules="Sparkling"))
    mustered = camp.finished()
    assert mustered.unknown == (UnknownRule("Pikes", "Sparkling"), UnknownRule("Pikes", "Wobbly"))
    assert [rule.name for rule in mustered.profiles[0].rules] == ["Sparkling"]


def test_all_problems_of_all_entries_are_reported_together() -> None:
    camp = mustering()
    camp.add(UnitSpec(name="Pikes [x]", stats="Q4+", equipment="Pike (B1)"), 0)
    camp.add(UnitSpec(name="Barge", stats="Q4+ D4+", kind="boat"), 1)
    camp.add(UnitSpec(name="Few [1]", stats="Q4+ D4+", command=("Sergeant", "Banner")), 1)
    with pytest.raises(MalformedError) as caught:
        camp.finished()
    text = "\n".join(caught.value.problems)
    for part in ("size 'x'", "no Defense", "'boat'", "2 special models do not fit into 1"):
        assert part in text
