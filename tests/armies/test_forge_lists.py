"""Lists in every format that players have: each gives the same list, and nothing is dropped silently."""

import pytest
from forge_samples import TEXT, as_bytes, book, chosen, community, export_list, resolved, share, unit
from msgspec.structs import replace

from shieldwall.armies.book import Book
from shieldwall.armies.importing import Imported, read_any
from shieldwall.armies.lists import ArmyList, BookRef, Entry, UpgradePick
from shieldwall.armies.recruit import books_of, cost_of, loadout_of, recruit
from shieldwall.armies.troops import Troop
from shieldwall.core.errors import MalformedError
from shieldwall.core.state import RuleRef

BEES: Book = read_any(as_bytes(book())).books[0]
HIVE = ArmyList(
    name="Hive",
    edition="regiments-3.5",
    points=500,
    entries=(
        Entry("Hero1", "captain", name="Queen Ada", picks=(UpgradePick("axe"),), joins="Half1"),
        Entry(
            "Half1",
            "spears",
            note="hold the left",
            picks=(UpgradePick("halberds"), UpgradePick("Sergeant")),
            second=(UpgradePick("halberds"),),
        ),
        Entry("Solo1", "spears", picks=(UpgradePick("bow"), UpgradePick("bow"))),
    ),
    books=(BookRef("book-of-bees", "Bee Keepers", "9.9.1"),),
    note="for the queen",
    id="L1",
    stated=365,
    force_organisation=True,
)


def imported(told: object, edition: str = "") -> Imported:
    content = told if isinstance(told, bytes) else as_bytes(told)
    return read_any(content, books=[BEES], edition=edition)


def army_of(found: Imported) -> ArmyList:
    assert found.army is not None
    return found.army


def kinds(found: Imported, kind: str) -> list[str]:
    return [one.text for one in found.remarks if one.kind == kind]


def test_an_export_file_gives_the_list_with_the_pair_combined_and_the_hero_in_it() -> None:
    found = imported(export_list())
    assert army_of(found) == HIVE
    assert cost_of(HIVE, books_of(HIVE, [BEES])) == 365
    assert kinds(found, "points") == kinds(found, "missing") == []


def test_a_share_and_a_community_list_give_the_same() -> None:
    shared = army_of(imported(share()))
    assert shared.entries == HIVE.entries
    assert shared.stated == 365
    assert army_of(imported(community())) == replace(HIVE, books=(BookRef("book-of-bees", "Bee Keepers"),))


def test_a_resolved_list_needs_no_book_and_costs_the_same() -> None:
    found = read_any(as_bytes(resolved()))
    army = army_of(found)
    known = books_of(army, found.books)
    assert cost_of(army, known) == 365
    assert [entry.joins for entry in army.entries] == ["Half1", "", ""]
    assert army.entries[1].is_combined
    troops = [unit for unit in recruit(army, found.books).units if isinstance(unit, Troop)]
    assert [(unit.name, len(unit.soldiers)) for unit in troops] == [("Spears", 10), ("Spears", 5)]
    assert troops[0].hero is not None
    assert [weapon.name for weapon in troops[0].hero.weapons] == ["Axe"]
    counted = [weapon.name for soldier in troops[1].soldiers for weapon in soldier.weapons]
    assert (counted.count("Bow"), counted.count("Knife"), counted.count("Spear")) == (4, 3, 5)


def test_a_resolved_lists_loadout_overrides_its_upgrades() -> None:
    told = resolved()
    told["units"][3]["loadout"][1]["count"] = 1
    found = read_any(as_bytes(told))
    army = army_of(found)
    loadout = loadout_of(army, army.entries[2], books_of(army, found.books))
    assert loadout is not None
    names = [weapon.name for figure in loadout.figures for weapon in figure.weapons]
    assert names.count("Knife") == 1
    assert loadout.cost == 90
    assert any("Spears" in text for text in kinds(found, "changed"))


def test_pasted_text_gives_the_same_picks() -> None:
    found = imported(TEXT.encode())
    army = army_of(found)
    assert [(one.unit, one.name, one.picks, one.second) for one in army.entries] == [
        (one.unit, one.name, tuple(sorted(one.picks, key=order)), one.second) for one in HIVE.entries
    ]
    assert [one.joins for one in army.entries] == ["u2", "", ""]
    assert kinds(found, "points") == kinds(found, "missing") == []


def order(pick: UpgradePick) -> int:
    return ["Sergeant", "halberds", "bow", "axe"].index(pick.option)


def test_pasted_text_without_its_book_is_taken_as_printed() -> None:
    found = read_any(TEXT.encode())
    army = army_of(found)
    known = books_of(army, found.books)
    assert cost_of(army, known) == 365
    loadout = loadout_of(army, army.entries[1], known)
    assert loadout is not None
    assert loadout.size == 10
    assert sum(rule == RuleRef("Sergeant") for figure in loadout.figures for rule in figure.rules) == 1
    assert {weapon.name for figure in loadout.figures for weapon in figure.weapons} == {"Halberd", "Knife"}


@pytest.mark.parametrize(
    ("heading", "name", "stated"),
    [
        ("++ New Army [350pts] ++", "New Army", 350),
        ("++ my list - Bee Keepers [AOFR 1030pts] ++", "my list", 1030),
        ("++ Swarm! - Bee Keepers (v3.4.4) [AOFR 320pts] ++", "Swarm!", 320),
        ("++ Case Mix - Bee Keepers (v3.5.3), Wasps (v3.5.3) [AOFR 1000pts] [6 Units] ++", "Case Mix", 1000),
    ],
)
def test_headings_of_all_years_are_understood(heading: str, name: str, stated: int) -> None:
    army = army_of(read_any(f"{heading}\n\nDrones [3] Q5+ D5+ | 50pts\nSting (A1)\n".encode()))
    assert (army.name, army.stated) == (name, stated)


def test_copies_counted_bearers_and_ranges_in_front_are_understood() -> None:
    text = (
        "++ Old [100pts] ++\n\n"
        "2x Wasps [3] Q5+ D5+ | 50pts | 3x Fast, Tough(3), 1x Queen(Loud Buzzing), Caster(+1)\n"
        '2x Barbed Legs (A2), 24" Sting (A3, AP(1))\n'
    )
    found = read_any(text.encode(), edition="regiments-3.5")
    army = army_of(found)
    assert len(army.entries) == 2
    loadout = loadout_of(army, army.entries[0], books_of(army, found.books))
    assert loadout is not None
    of_all = {RuleRef("Tough", 3), RuleRef("Caster", 1, plus=True), RuleRef("Fast")}
    assert all(of_all <= {*loadout.unit.rules, *figure.gained} for figure in loadout.figures)
    assert sum(weapon.name == "Barbed Legs" for figure in loadout.figures for weapon in figure.weapons) == 2
    sting = [weapon for figure in loadout.figures for weapon in figure.weapons if weapon.name == "Sting"]
    assert [(weapon.reach, weapon.attacks, weapon.rules) for weapon in sting] == [
        (24000, 3, (RuleRef("AP", 1),))
    ]
    assert cost_of(army, books_of(army, found.books)) == 100


def test_of_several_copies_the_last_joins_and_chat_markup_is_dropped() -> None:
    text = (
        "> **++ Old [100pts] ++**\n\n"
        "**2x Queens** [1] Q5+ D5+ | 50pts | Hero\nSting (A1)\n| Joined to:\n"
        "> __Wasps__ [3] Q5+ D5+ | 50pts\n> 3x Sting (A1)\n"
    )
    army = army_of(read_any(text.encode(), edition="regiments-3.5"))
    assert [(one.id, one.joins) for one in army.entries] == [("u1", ""), ("u2", "u3"), ("u3", "")]
    assert [one.unit for one in army.entries] == ["queens-1", "queens-2", "wasps-3"]


@pytest.mark.parametrize(
    ("pasted", "says"),
    [
        ("see you at eight", "is not in a known format; expected an Army Forge file, a pasted list"),
        (" \n", "is empty"),
    ],
)
def test_input_that_is_no_list_is_refused_with_an_example(pasted: str, says: str) -> None:
    with pytest.raises(MalformedError, match=says):
        read_any(pasted.encode())


def test_an_option_of_a_newer_book_is_named_with_both_versions_and_the_points_are_compared() -> None:
    told = export_list(listPoints=390)
    told["armyVersions"][0]["version"] = "9.9.2"
    told["list"]["units"][3]["selectedUpgrades"].append(chosen("sec-new", "honey"))
    found = imported(told)
    assert kinds(found, "missing") == [
        "Spears: option 'honey' under 'sec-new' is not in version 9.9.1; the list was made with 9.9.2"
    ]
    assert any("9.9.2" in text and "9.9.1" in text for text in kinds(found, "changed"))
    assert kinds(found, "points") == [
        "the list says 390 points; by the book it costs 365 (a difference of +25)"
    ]
    assert army_of(found).entries[2].picks[-1] == UpgradePick("honey", "sec-new")


def test_rules_the_edition_does_not_know_are_kept_as_text_and_named() -> None:
    told = export_list()
    told["list"]["units"][3]["selectedUpgrades"] = [chosen("sec-icon", "icon")]
    found = imported(told)
    assert [text.partition(" is kept")[0] for text in kinds(found, "kept as text")] == [
        "Hum of Bees",
        "Split(Lesser Spears [3])",
    ]


def test_rules_with_another_name_in_the_edition_are_played_under_it_and_reported() -> None:
    told = export_list()
    told["list"]["units"][0]["selectedUpgrades"].append(chosen("sec-mount", "staff"))
    found = imported(told, edition="aof-2")
    nearest = "Caster is played as Wizard, the nearest rule in aof-2, which is not the same"
    assert nearest in kinds(found, "changed")
    army = army_of(found)
    loadout = loadout_of(army, army.entries[0], books_of(army, found.books))
    assert loadout is not None
    assert loadout.figures[0].gained == (RuleRef("Wizard", 2),)
    assert loadout.cost == 115


def test_text_in_the_terms_of_the_edition_or_of_the_book_finds_the_options() -> None:
    head = "++ Hive - Bee Keepers (v9.9.1) [AOF 105pts] ++\n\nCaptain [1] Q3+ D4+ | 105pts | Hero, Tough(3), "
    for words in ("1x Staff(Caster(2))", "1x Staff(Wizard(2))"):
        found = imported(f"{head}{words}\nSword (A3)\n".encode(), edition="aof-2")
        assert army_of(found).entries[0].picks == (UpgradePick("staff"),)
        assert kinds(found, "missing") == []


def test_units_of_a_missing_book_are_named() -> None:
    found = read_any(as_bytes(export_list()))
    assert any("Bee Keepers" in text for text in kinds(found, "missing"))
    assert army_of(found).entries == HIVE.entries or army_of(found).entries[0].picks == (
        UpgradePick("axe", "sec-sword"),
    )


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"joinToUnit": "Nobody"}, "joins a unit that is not in the list"),
        ({"joinToUnit": "Hero1"}, "joins itself; it stands alone"),
    ],
)
def test_a_hero_without_a_unit_to_join_stands_alone(changes: dict[str, object], what: str) -> None:
    told = export_list()
    told["list"]["units"][0] |= changes
    found = imported(told)
    assert army_of(found).entries[0].joins == ""
    assert any(what in text for text in kinds(found, "changed"))


def test_halves_without_each_other_stand_alone() -> None:
    told = export_list()
    told["list"]["units"] = [
        unit("spears", "A", combined=True, joinToUnit="gone"),
        unit("spears", "B", combined=True),
    ]
    found = imported(told)
    assert [(one.id, one.second, one.joins) for one in army_of(found).entries] == [
        ("A", None, ""),
        ("B", None, ""),
    ]
    assert len(kinds(found, "changed")) >= 2


def test_remarks_name_units_not_ids() -> None:
    told = export_list()
    told["list"]["units"] = [unit("captain", "A", joinToUnit="gone"), unit("spears", "B", combined=True)]
    assert {
        "Captain: joins a unit that is not in the list; it stands alone",
        "Spears: combined with no other unit; one copy is kept",
    } <= set(kinds(imported(told), "changed"))


@pytest.mark.parametrize(
    ("edition", "turned"), [("aof-1.6", True), ("aof-2", False), ("regiments-3.5", False)]
)
def test_converting_defense_is_reported(edition: str, turned: bool) -> None:
    """Current books roll to block; in Age of Fantasy 1.6 the attacker rolls against Defense."""
    changed = kinds(imported(export_list(), edition=edition), "changed")
    assert any(text.startswith("Defense is converted") for text in changed) is turned


def test_an_unused_book_of_another_game_is_not_mentioned() -> None:
    other = replace(BEES, id="other", name="Wasps", system="aofs")
    found = read_any(as_bytes(export_list()), books=[BEES, other])
    assert not any("Wasps" in remark.text for remark in found.remarks)


def test_experience_and_campaigns_are_named_when_left_out() -> None:
    told = export_list()
    told["list"]["campaignMode"] = True
    told["list"]["units"][0] |= {"xp": 5, "traits": ["Bold"]}
    assert len(kinds(imported(told), "left out")) == 2


def test_a_system_of_another_game_is_refused_unless_an_edition_is_named() -> None:
    told = export_list(gameSystem="gf")
    with pytest.raises(MalformedError, match="gf"):
        imported(told)
    assert army_of(imported(told, edition="regiments-3.4")).edition == "regiments-3.4"


def test_two_entries_with_one_id_are_both_kept() -> None:
    told = export_list()
    told["list"]["units"][3]["selectionId"] = "Half1"
    ids = [one.id for one in army_of(imported(told)).entries]
    assert len(ids) == len(set(ids)) == 3


def test_booleans_may_be_written_as_text() -> None:
    told = export_list()
    for one in told["list"]["units"]:
        one["combined"] = str(one["combined"]).lower()
    assert army_of(imported(told)) == HIVE


def test_two_halves_that_name_each_other_are_one_unit() -> None:
    told = export_list()
    first, second = (one for one in told["list"]["units"] if one["combined"])
    first["joinToUnit"] = second["selectionId"]
    assert army_of(imported(told)) == HIVE


def test_entries_that_cannot_be_read_are_counted() -> None:
    told = export_list()
    told["list"]["units"] += [None, "spears"]
    told["list"]["units"][0]["selectedUpgrades"] += [7, {"upgradeId": "sec-arms"}]
    said = kinds(imported(told), "left out")
    assert any("2 of" in text and "units" in text for text in said)
    assert any("1 of" in text and "upgrades of" in text for text in said)
    assert any("are unknown" in text for text in said)


def test_a_combined_units_loadout_overrides_its_upgrades() -> None:
    told = resolved()
    half = next(one for one in told["units"] if one["combined"] and one["joinToUnit"])
    axe = {
        "type": "ArmyBookWeapon",
        "name": "Old Axe",
        "range": 0,
        "attacks": 2,
        "count": 5,
        "specialRules": [],
    }
    half["loadout"] = [axe]
    found = read_any(as_bytes(told))
    army = army_of(found)
    pair = next(entry for entry in army.entries if entry.id == "Half1")
    loadout = loadout_of(army, pair, books_of(army, found.books))
    assert loadout is not None
    assert loadout.size == 10
    assert sum(weapon.name == "Old Axe" for figure in loadout.figures for weapon in figure.weapons) == 5
    assert any("equipped as the list says" in text for text in kinds(found, "changed"))


def test_units_with_the_same_id_keep_their_own_gear() -> None:
    told = resolved()
    hero, solo = told["units"][0], told["units"][-1]
    solo["selectionId"] = hero["selectionId"]
    found = read_any(as_bytes(told))
    assert not any("equipped as the list says" in text for text in kinds(found, "changed"))
    assert len({entry.id for entry in army_of(found).entries}) == 3


def test_resolved_units_with_one_id_and_different_stats_are_both_kept() -> None:
    told = resolved()
    solo = told["units"][-1]
    told["units"].append({**solo, "selectionId": "Other", "quality": 2, "defense": 3, "cost": 40})
    found = read_any(as_bytes(told))
    army, books = army_of(found), books_of(army_of(found), found.books)
    loadouts = [loadout_of(army, entry, books) for entry in army.entries]
    assert [
        (one.unit.quality, one.unit.defense) for one in loadouts if one is not None and one.size == 5
    ] == [
        (4, 5),
        (2, 3),
    ]
    assert cost_of(army, books) == 365 + 90 - solo["cost"] + 40
    assert any("all are kept as they are" in text for text in kinds(found, "changed"))


def test_impossible_numbers_in_a_text_are_reported() -> None:
    text = b"60x Spears [5] Q9+ D0+ | 100pts | Fast\n5x Spear (A1)"
    found = read_any(text, edition="aof-2")
    assert len(army_of(found).entries) == 20
    assert any("60 copies" in said for said in kinds(found, "left out"))
    assert len(kinds(found, "guessed")) == 2


def test_known_spells_that_cannot_be_played_are_named() -> None:
    told = book()
    told["units"][0]["rules"].append({"name": "Caster", "rating": 2})
    buzz = 'Choose an enemy unit within 12", and it suffers 2 hits with Stinging.'
    told["spells"] = [
        {"name": "Buzz", "threshold": 1, "effect": buzz},
        {"name": "Drone", "threshold": 1, "effect": "Something nobody has thought of happens."},
    ]
    found = read_any(as_bytes(export_list()), books=read_any(as_bytes(told)).books)
    said = kinds(found, "kept as text")
    assert any(text.startswith("Stinging is kept as text") and "Buzz" in text for text in said)
    assert any("spell Drone" in text for text in said)
    silent = kinds(imported(export_list()), "kept as text")
    assert not any("spell" in text for text in silent)
