"""Our own factions: complete, distinct, priced by one function, and together using every rule of every edition."""

import pytest

from shieldwall import armies
from shieldwall.armies.army_rules import standings
from shieldwall.armies.loadout import bare_figures, outfit
from shieldwall.armies.muster import MusteredArmy, muster
from shieldwall.armies.overlay import overlays
from shieldwall.armies.pricing import MODEL_RULES, WEAPON_RULES
from shieldwall.armies.recruit import recruit
from shieldwall.armies.things import describe
from shieldwall.core.blocks import Aura, Feat, MayMove, Picks
from shieldwall.core.state import RuleRef
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.rules.special.granted_by_spells import LENT

SIZES = {
    "aof-1.6": (400, 500),
    "aof-2": (750, 1000, 1500),
    "regiments-3.4": (750, 1000, 1500),
    "regiments-3.5": (750, 1000, 1500),
    "skirmish-3.2": (150, 200, 250),
}
# Temporary effects, which no card prints.
NEVER_PRINTED = {*LENT, "Frightened"}
EVERY_BOOK = [(faction, edition) for edition in EDITIONS for faction in armies.factions()]
EVERY_LIST = [(edition, ready.id) for edition in EDITIONS for ready in armies.ready_lists(edition)]


def every_unit(faction: str, edition: str) -> armies.ArmyList:
    """A list with each unit of a book once, everything bought for it that can be."""
    book = armies.book(faction, edition)
    entries = []
    for unit in book.units:
        picks: tuple[armies.UpgradePick, ...] = ()
        for section in book.sections_of(unit):
            for option in section.options:
                more = (*picks, armies.UpgradePick(option.id))
                if not outfit(book, unit, more).problems:
                    picks = more
        entries.append(armies.Entry(id=unit.id, unit=unit.id, picks=picks))
    for number, unit in enumerate(book.units):  # what was not bought above is bought for a second copy
        for section in book.sections_of(unit):
            entries += [
                armies.Entry(id=f"{number}-{option.id}", unit=unit.id, picks=(armies.UpgradePick(option.id),))
                for option in section.options
            ]
    return armies.ArmyList("everything", edition, 0, tuple(entries), (armies.BookRef(faction),))


@pytest.mark.parametrize(("faction", "edition"), EVERY_BOOK)
def test_a_faction_has_ten_units_two_heroes_with_upgrades_and_six_spells(faction: str, edition: str) -> None:
    book = armies.book(faction, edition)
    heroes = [unit for unit in book.units if unit.is_hero]
    assert len(book.units) >= 10
    assert len(heroes) >= 2
    assert all(book.sections_of(hero) for hero in heroes)
    assert len(book.spells) == 6
    assert all(spell.spec is not None and spell.text for spell in book.spells)
    assert len(book.about.splitlines()) == 2


@pytest.mark.parametrize("edition", EDITIONS)
def test_between_them_the_factions_use_every_special_rule_of_the_edition(edition: str) -> None:
    rules = ruleset(edition)
    printed: set[str] = set()
    for faction in armies.factions():
        army: MusteredArmy = recruit(every_unit(faction, edition))
        for profile in muster(rules, [army]).profiles:
            printed |= {rule.name for rule in profile.rules}
            printed |= {rule.name for weapon in profile.weapons for rule in weapon.rules}
    own = {rule.name for faction in armies.factions() for rule in armies.book(faction, edition).rules}
    assert set(rules.specials.bindings) - NEVER_PRINTED == printed - own
    assert own <= printed


@pytest.mark.parametrize(("faction", "edition"), EVERY_BOOK)
def test_a_faction_has_army_rules_of_its_own_that_are_all_played_and_priced(
    faction: str, edition: str
) -> None:
    book = armies.book(faction, edition)
    found = standings(book, edition)
    own = [found[rule.name] for rule in book.rules]
    assert all(standing.is_played for standing in own)
    assert {standing.name for standing in own} <= MODEL_RULES.keys()
    printed = {rule.name for unit in book.units for rule in unit.rules}
    assert printed & {standing.name for standing in own}  # the faction's signature rule
    kinds = {type(block) for standing in own for block in standing.blocks or ()}
    assert {Aura, Picks} <= kinds
    assert {Feat, MayMove} & kinds


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_special_rule_of_the_edition_has_a_price(edition: str) -> None:
    kinds = {"Monster", "Chariot"}  # come with a kind of unit; overlays say what they bring
    by_number = {"AP", "Blast", "Deadly", "Reliable"}  # `_weapon_worth` prices these by their value
    priced = {*MODEL_RULES, *WEAPON_RULES, *by_number, *kinds}
    assert set(ruleset(edition).specials.bindings) - NEVER_PRINTED - priced == set()


@pytest.mark.parametrize("edition", EDITIONS)
def test_spells_lend_only_rules_the_edition_plays(edition: str) -> None:
    for faction in armies.factions():
        army = recruit(every_unit(faction, edition))
        mustered = muster(ruleset(edition), [army])
        assert mustered.unknown == ()
        for spec in army.spells:
            assert spec.hits or spec.grants or spec.moves, spec.name


def test_the_overlays_cover_all_five_editions() -> None:
    assert set(overlays()) == set(SIZES)


def test_defense_is_inverted_where_the_attacker_rolls_to_wound() -> None:
    if "aof-1.6" not in EDITIONS:
        pytest.skip("Age of Fantasy 1.6 is not there yet")
    usual, turned = (armies.book("kilnfolk", edition) for edition in ("aof-2", "aof-1.6"))
    assert [(a.defense, b.defense) for a, b in zip(usual.units, turned.units, strict=True)] == [
        (unit.defense, 8 - unit.defense) for unit in usual.units
    ]
    # the same chance to survive a hit costs the same
    guard = [book.unit("stone-golems") for book in (usual, turned)]
    assert guard[0] is not None
    assert guard[1] is not None
    assert guard[0].cost == guard[1].cost


def test_skirmish_units_are_smaller_and_ranked_units_are_not() -> None:
    small = armies.book("lantern-coast", "skirmish-3.2").unit("harbour-pikes")
    large = armies.book("lantern-coast", "regiments-3.5").unit("harbour-pikes")
    assert small is not None
    assert large is not None
    assert (small.size, large.size) == (3, 10)


@pytest.mark.parametrize(("faction", "edition"), EVERY_BOOK)
def test_prices_grow_with_what_a_unit_has(faction: str, edition: str) -> None:
    book = armies.book(faction, edition)
    for unit in book.units:
        assert unit.cost >= 5
        assert unit.cost % 5 == 0
        for section in book.sections_of(unit):
            for option in section.options:
                assert outfit(book, unit, [armies.UpgradePick(option.id)]).problems == ()
                assert option.price(unit.id) >= 0
                assert (unit.id, option.price(unit.id)) in option.costs


def test_a_better_model_costs_more() -> None:
    from shieldwall.armies.pricing import Worth, model_worth

    plain = bare_figures(armies.book("lantern-coast", "regiments-3.5").units[2])[0]
    usual = Worth(4, 4)
    assert model_worth(Worth(3, 4), plain) > model_worth(usual, plain)
    assert model_worth(Worth(4, 3), plain) > model_worth(usual, plain)
    assert model_worth(Worth(4, 4, (RuleRef("Tough", 3),)), plain) > model_worth(usual, plain)
    assert model_worth(Worth(4, 4, (RuleRef("Slow"),)), plain) < model_worth(usual, plain)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_faction_has_a_ready_made_list_of_every_size(edition: str) -> None:
    there = [(ready.faction, ready.points) for ready in armies.ready_lists(edition)]
    assert sorted(there) == sorted(
        (faction, size) for faction in armies.factions() for size in SIZES[edition]
    )


@pytest.mark.parametrize(("faction", "edition"), EVERY_BOOK)
def test_some_ready_made_list_of_a_faction_has_two_of_its_army_rules(faction: str, edition: str) -> None:
    own = {text.name for text in armies.book(faction, edition).rules}
    found = []
    for ready in armies.ready_lists(edition):
        if ready.faction == faction:
            army = armies.recruit(armies.ready_list(edition, ready.id))
            profiles = armies.muster(ruleset(edition), [army]).profiles
            found.append({rule.name for profile in profiles for rule in profile.rules} & own)
    assert max(map(len, found)) >= 2


@pytest.mark.parametrize(("edition", "name"), EVERY_LIST)
def test_a_ready_made_list_is_legal_with_every_limit_and_spends_all_its_points(
    edition: str, name: str
) -> None:
    army = armies.ready_list(edition, name)
    checked = armies.check_list(army, strict=True)
    assert checked.findings == ()
    assert checked.cost == army.points


def test_asking_for_an_unknown_army_names_the_known_ones() -> None:
    with pytest.raises(armies.NoArmyError, match="lantern-coast"):
        armies.book("nobody", "regiments-3.5")
    with pytest.raises(armies.NoArmyError, match=r"regiments-3\.5"):
        armies.book("kilnfolk", "chess")
    with pytest.raises(armies.NoArmyError, match="kilnfolk-750"):
        armies.ready_list("regiments-3.5", "nothing")


def test_things_print_as_lists_do() -> None:
    unit = armies.book("saltgrass-clans", "regiments-3.5").unit("spear-riders")
    assert unit is not None
    assert [describe(line.what) for line in unit.equipment] == ["Spear (A1)", "Hooves (A1)"]
