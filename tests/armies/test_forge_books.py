"""Players' army books: every unit, section, price, rule and spell is imported, odd spellings included."""

import pytest
from forge_samples import as_bytes, book, item, old_book, option, section, weapon

from shieldwall.armies.book import Bases, Book, HowMany, Item
from shieldwall.armies.book_file import read_book, write_book
from shieldwall.armies.forge.report import Remark
from shieldwall.armies.importing import read_any
from shieldwall.core.errors import MalformedError
from shieldwall.core.state import RuleRef, Weapon


def loaded(told: object) -> tuple[Book, tuple[Remark, ...]]:
    found = read_any(as_bytes(told))
    assert found.army is None
    return found.books[0], found.remarks


def test_a_book_is_imported_completely() -> None:
    bees, _ = loaded(book())
    assert (bees.id, bees.name, bees.version, bees.system) == ("book-of-bees", "Bee Keepers", "9.9.1", "aofr")
    captain, spears = bees.units
    assert (captain.size, captain.quality, captain.defense, captain.cost) == (1, 3, 4, 60)
    assert captain.is_hero
    assert captain.rules == (RuleRef("Hero"), RuleRef("Tough", 3))
    assert [line.count for line in spears.equipment] == [1, 1, 1]
    assert spears.equipment[2].what == Item("Drum", (RuleRef("Fear", 1),))
    assert [len(bees.sections_of(unit)) for unit in bees.units] == [2, 4]
    assert [rule.name for rule in bees.rules] == ["Hum of Bees"]


@pytest.mark.parametrize(("bites", "each"), [(5, 1), (10, 2), (1, 1)])
def test_weapons_of_items_that_a_unit_has_several_of_are_counted_for_all_of_them(
    bites: int, each: int
) -> None:
    told = book()
    told["units"][1]["items"] = [item("Hornet", weapon("Sting", 1, bites)) | {"count": 5}]
    bees, _ = loaded(told)
    hornets = bees.units[1].equipment[-1]
    assert isinstance(hornets.what, Item)
    assert hornets.what.weapons == (Weapon("Sting", 1, 0),) * each


def test_a_unit_price_overrides_the_flat_one() -> None:
    bees, _ = loaded(book())
    found = bees.find_option(bees.units[1], "halberds")
    assert found is not None
    assert found[1].price("spears") == 20
    assert found[1].price("somebody else") == 99


def test_sections_keep_what_they_affect_and_their_limits() -> None:
    bees, _ = loaded(book())
    roles, arms, bow, icon = bees.sections_of(bees.units[1])
    assert (roles.affects, roles.select) == (HowMany("up to", 3), HowMany("exactly", 1))
    assert (arms.variant, arms.affects, arms.targets) == ("replace", HowMany("all"), ("Spears",))
    assert (bow.variant, bow.affects) == ("replace", HowMany("any"))
    assert icon.affects == HowMany("exactly", 1)


@pytest.mark.parametrize(
    "rule",
    [{"name": "Tough", "rating": 3, "modify": True}, {"name": "Tough", "rating": 3, "label": "Tough(+3)"}],
)
def test_an_added_value_keeps_its_plus_in_a_book_file(rule: dict[str, object]) -> None:
    told = book()
    told["units"][0]["rules"].append(rule)
    bees, _ = loaded(told)
    assert bees.units[0].rules[-1] == RuleRef("Tough", 3, plus=True)
    assert read_book(write_book(bees)).units[0].rules == bees.units[0].rules


def test_a_rating_that_is_text_stays_in_the_name_and_a_count_as_text_is_a_number() -> None:
    bees, _ = loaded(book())
    assert bees.units[1].rules[1] == RuleRef("Split(Lesser Spears [3])")
    bow = bees.find_option(bees.units[1], "bow")
    assert bow is not None
    assert bow[1].gains[0].count == 2
    staff = bees.find_option(bees.units[0], "staff")
    assert staff is not None
    assert staff[1].gains[0].what == Item("Staff", (RuleRef("Caster", 2),))


def test_missing_bases_are_guessed_and_reported() -> None:
    bees, remarks = loaded(book())
    assert bees.units[1].bases == Bases()
    assert any(one.kind == "guessed" and "Spears" in one.text for one in remarks)
    goat = bees.find_option(bees.units[0], "goat")
    assert goat is not None
    assert isinstance(goat[1].gains[0].what, Item)
    assert goat[1].gains[0].what.bases == Bases("60x35", "50x25")


def test_spells_are_read_from_their_text_and_others_stay_text() -> None:
    bees, remarks = loaded(book())
    sting, song, slumber, wax = bees.spells
    assert sting.spec is not None
    assert (sting.spec.hits, sting.spec.rules, sting.spec.range, sting.spec.whom) == (2, "AP(1)", 12, "enemy")
    assert song.spec is not None
    assert (song.spec.grants, song.spec.targets, song.spec.whom) == ("Fearless", 2, "friend")
    assert slumber.spec is not None
    assert slumber.spec.grants == "To Morale(-1)"
    assert wax.spec is None
    assert any(one.kind == "kept as text" and "Wax" in one.text for one in remarks)
    assert song.spec.until == "once"


def test_a_spells_printed_text_overrides_its_parameters() -> None:
    told = book()
    told["spells"] = [
        {
            "name": "Swarm",
            "threshold": 2,
            "effect": 'Choose an enemy unit within 6", and it suffers 6 hits.',
            "generation": {"effect": {"parameters": [{"name": "numberDigit", "value": "3"}]}},
        }
    ]
    bees, _ = loaded(told)
    assert bees.spells[0].spec is not None
    assert bees.spells[0].spec.hits == 6


def test_an_older_book_is_imported_too() -> None:
    bees, _ = loaded(old_book())
    drones = bees.units[0]
    assert (drones.quality, drones.defense) == (5, 6)
    assert drones.rules == (RuleRef("Fast"), RuleRef("Tough", 3))
    assert [line.what for line in drones.equipment] == [
        Weapon("Sting", 1, 0, (RuleRef("Poison"),)),
        Weapon("Dart", 1, 12000, (RuleRef("AP", 1),)),
    ]
    darts, gift = bees.sections_of(drones)
    assert (darts.variant, darts.affects, darts.targets) == ("replace", HowMany("exactly", 1), ("Dart",))
    assert (gift.affects, gift.options[0].gains[0].what) == (HowMany("all"), RuleRef("Fearless"))
    assert darts.options[0].price("drones") == 5


@pytest.mark.parametrize("told", [book(), old_book()])
def test_a_book_written_in_our_format_reads_back_unchanged(told: dict[str, object]) -> None:
    bees, _ = loaded(told)
    assert read_book(write_book(bees)) == bees


def test_names_that_plain_text_cannot_represent_are_kept_exactly() -> None:
    told = book()
    told["units"][0]["weapons"][0]["name"] = "Sword (of 2x, [old], A3)"
    told["units"][0]["rules"].append({"name": "Odd, rule (really)", "rating": 4})
    bees, _ = loaded(told)
    assert read_book(write_book(bees)) == bees
    assert bees.units[0].rules[2] == RuleRef("Odd, rule (really)", 4)


def test_numbers_that_make_no_sense_are_guessed_and_reported() -> None:
    told = book()
    told["units"][0] |= {"quality": None, "defense": "nine", "cost": "60", "size": 1e300}
    bees, remarks = loaded(told)
    assert (bees.units[0].quality, bees.units[0].defense, bees.units[0].cost) == (4, 4, 60)
    assert sum(one.kind == "guessed" and "Captain" in one.text for one in remarks) == 3


def test_books_of_one_version_with_different_prices_have_different_fingerprints() -> None:
    first, _ = loaded(book())
    told = book()
    told["units"][0]["cost"] = 65
    second, _ = loaded(told)
    assert first.version == second.version
    assert first.fingerprint != second.fingerprint


def test_a_section_that_replaces_two_of_something_takes_two() -> None:
    from shieldwall.armies.lists import UpgradePick
    from shieldwall.armies.loadout import outfit

    told = book()
    told["units"][0]["weapons"][0]["count"] = 2
    told["upgradePackages"][1]["sections"].append(
        section("sec-two", "Replace Swords", [option("lance", {"captain": 5})], targets=["2x Swords"])
    )
    bees, _ = loaded(told)
    bought = outfit(bees, bees.units[0], [UpgradePick("lance")])
    assert bought.problems == ()
    assert bought.figures[0].weapons == ()


@pytest.mark.parametrize("cost", [None, "free", -5, 10**12])
def test_a_cost_that_makes_no_sense_is_reported(cost: object) -> None:
    told = book()
    told["units"][0]["cost"] = cost
    bees, remarks = loaded(told)
    assert bees.units[0].cost >= 0
    assert any(one.kind == "guessed" and "cost" in one.text for one in remarks)


@pytest.mark.parametrize(
    ("spelled", "meant"),
    [
        ("AP 1", RuleRef("AP", 1)),
        ("ap (+1)", RuleRef("AP", 1, plus=True)),
        ("TOUGH(3)", RuleRef("Tough", 3)),
        ("fearless", RuleRef("Fearless")),
        ("Company 51", RuleRef("Company 51")),
    ],
)
def test_rules_are_recognised_in_any_spelling(spelled: str, meant: RuleRef) -> None:
    told = book()
    told["units"][0]["rules"] = [spelled, {"name": spelled}, {"label": spelled}]
    assert loaded(told)[0].units[0].rules == (meant,) * 3


def test_a_book_without_packages_is_a_book() -> None:
    told = book() | {"upgradePackages": None, "uid": "b", "versionString": "1"}
    assert loaded(told)[0].units


def test_attacks_may_be_written_as_on_the_card() -> None:
    told = book()
    told["units"][0]["weapons"][0]["attacks"] = "A4"
    assert isinstance(what := loaded(told)[0].units[0].equipment[0].what, Weapon)
    assert what.attacks == 4


def test_an_odd_book_is_saved_so_that_it_can_be_read_again() -> None:
    told = book()
    told["units"][0]["upgrades"].append("nowhere")
    package = told["upgradePackages"][0]
    package["sections"][0]["options"].append(dict(package["sections"][0]["options"][0], label="Again"))
    package["sections"].append({"uid": "empty", "label": "Upgrade with", "variant": "upgrade", "options": []})
    told["upgradePackages"].append(package)
    told["specialRules"] = [*told["specialRules"], *told["specialRules"]]
    bees, remarks = loaded(told)
    assert read_book(write_book(bees)) == bees
    said = " ".join(one.text for one in remarks if one.kind == "left out")
    assert "'nowhere'" in said
    assert "second option" in said
    assert "offers nothing" in said
    assert "second package" in said


@pytest.mark.parametrize(
    ("label", "targets"),
    [
        ("Replace any Sword", ("Sword",)),
        ("Replace up to two Bows and Shields:", ("Bows", "Shields")),
        ("Replace all Hand Weapons", ("Hand Weapons",)),
    ],
)
def test_a_heading_that_names_no_target_is_read_by_its_words(label: str, targets: tuple[str, ...]) -> None:
    told = book()
    section = next(one for one in told["upgradePackages"][0]["sections"] if one["variant"] == "replace")
    section.pop("targets")
    section["label"] = label
    bees, remarks = loaded(told)
    found = next(one for package in bees.packages for one in package.sections if one.id == section["uid"])
    assert found.targets == targets
    assert any(one.kind == "guessed" and label in one.text for one in remarks)


def test_a_book_without_units_is_refused() -> None:
    with pytest.raises(MalformedError, match="without any unit"):
        loaded(book() | {"units": [None]})


def test_gear_and_rules_written_as_text_are_read() -> None:
    told = book()
    told["units"][0] |= {"rules": "Hero, Tough(3)", "weapons": ['Bow (24", A1, AP 1)', "Long Stride"]}
    captain = loaded(told)[0].units[0]
    assert captain.rules == (RuleRef("Hero"), RuleRef("Tough", 3))
    carried = [line.what for line in captain.equipment]
    assert Weapon("Bow", 1, 24000, (RuleRef("AP", 1),)) in carried
    assert RuleRef("Long Stride") in carried
