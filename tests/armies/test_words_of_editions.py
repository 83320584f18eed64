"""Lists and books of one edition in the terms and numbers of another, and what is reported."""

from pathlib import Path

import pytest
from forge_samples import as_bytes, book, chosen, export_list, resolved, rule, weapon

from shieldwall.armies.check import check_list
from shieldwall.armies.forge.text_form import list_text
from shieldwall.armies.importing import Imported, read_any
from shieldwall.armies.recruit import books_of, loadout_of
from shieldwall.armies.store import save_book, save_list, saved_books, saved_lists
from shieldwall.editions import EDITIONS

BEES = read_any(as_bytes(book())).books[0]


def kinds(found: Imported, kind: str) -> list[str]:
    return [remark.text for remark in found.remarks if remark.kind == kind]


PASTED = "Spears [5] Q4+ D{defense}+ | 80pts | {rules}\n5x Spear (A1, {on_spear})\n"


@pytest.mark.parametrize(
    ("heading", "printed", "edition", "read"),
    [
        # a text from Army Forge, in the terms of editions with other names
        (
            "[AOF 80pts]",
            (2, "Caster(1), Banner", "Bane"),
            "aof-1.6",
            (6, {"Wizard", "Battle Standard"}, "Poison"),
        ),
        (
            "[AOF 80pts]",
            (2, "Caster(1), Banner", "Bane"),
            "aof-2",
            (2, {"Wizard", "Battle Standard"}, "Poison"),
        ),
        (
            "[80pts]",
            (2, "Caster(1), Banner", "Bane"),
            "aof-1.6",
            (6, {"Wizard", "Battle Standard"}, "Poison"),
        ),
        # a text of an edition of ours, read for another
        (
            "[AOF 80pts] [aof-1.6]",
            (6, "Wizard(1), Battle Standard, Skirmisher", "Poison"),
            "regiments-3.5",
            (2, {"Caster", "Banner", "Stealth"}, "Bane"),
        ),
        (
            "[AOF 80pts] [aof-1.6]",
            (6, "Wizard(1), Battle Standard", "Poison"),
            "aof-1.6",
            (6, {"Wizard", "Battle Standard"}, "Poison"),
        ),
    ],
)
def test_pasted_text_without_its_book_is_put_into_the_terms_of_the_edition(
    heading: str, printed: tuple[int, str, str], edition: str, read: tuple[int, set[str], str]
) -> None:
    defense, rules, on_spear = printed
    unit_text = PASTED.format(defense=defense, rules=rules, on_spear=on_spear)
    found = read_any(f"++ Old {heading} ++\n\n{unit_text}".encode(), edition=edition)
    army = found.army
    assert army is not None
    loadout = loadout_of(army, army.entries[0], books_of(army, found.books))
    assert loadout is not None
    names = {rule.name for figure in loadout.figures for rule in (*loadout.unit.rules, *figure.gained)}
    weapon = loadout.figures[0].weapons[0]
    assert (loadout.unit.defense, names, weapon.rules[0].name) == read
    assert kinds(found, "kept as text") == []
    turned = any(text.startswith("Defense is converted") for text in kinds(found, "changed"))
    assert turned is (defense != read[0])


OLD_BOOK = """
format: shieldwall-book/1
id: old
name: Old Folk
version: "1"
system: aof-1.6
units: [{id: spears, name: Spears, size: 5, quality: 4, defense: 6, cost: 80, rules: Skirmisher}]
spells: [{name: Sting, cost: 4, range: 12, whom: enemy, hits: 2, text: Two hits.}]
"""
OLD_LIST = """
format: shieldwall-list/1
name: Hive
edition: aof-1.6
points: 500
books: [{id: old, name: Old Folk, version: "1"}]
units: [{id: u1, unit: spears}]
"""


@pytest.mark.parametrize(
    ("edition", "defense", "name", "cost"),
    [("aof-1.6", 6, "Skirmisher", 4), ("aof-2", 2, "Stealth", 5), ("regiments-3.5", 2, "Stealth", 1)],
)
def test_a_book_of_aof_1_6_is_converted_for_the_other_editions(
    edition: str, defense: int, name: str, cost: int
) -> None:
    source = read_any(OLD_BOOK.encode()).books[0]
    found = read_any(OLD_LIST.encode(), books=[source], edition=edition)
    assert found.army is not None
    known = books_of(found.army, found.books)["old"]
    assert known.units[0].defense == defense
    assert [rule.name for rule in known.units[0].rules] == [name]
    assert [spell.cost for spell in known.spells] == [cost]


def test_a_book_by_itself_names_the_rules_its_edition_does_not_play() -> None:
    told = book()
    told["units"][0]["rules"].append(rule("Gloom", 2))
    assert any("Gloom" in text for text in kinds(read_any(as_bytes(told)), "kept as text"))
    other = read_any(as_bytes(told | {"gameSystemKey": "GF"}))
    assert kinds(other, "changed")[-1].startswith("made for GF, which Shieldwall does not play")


def test_an_option_offered_only_to_other_units_is_reported_as_such() -> None:
    told = export_list()
    told["list"]["units"][0]["selectedUpgrades"].append(chosen("sec-arms", "halberds"))
    found = read_any(as_bytes(told), books=[BEES])
    assert any("is not offered to it" in text for text in kinds(found, "missing"))
    assert found.army is not None
    findings = check_list(found.army, found.books).findings
    assert any("is not offered to it" in one.text for one in findings if one.level == "error")


def test_a_joined_heros_rule_is_reported_as_the_heros() -> None:
    told = book()
    next(one for one in told["units"] if one["id"] == "captain")["rules"].append(rule("Gloom"))
    found = read_any(as_bytes(export_list()), books=[read_any(as_bytes(told)).books[0]])
    assert found.army is not None
    findings = check_list(found.army, found.books).findings
    assert "Gloom is kept as text, not enforced: Captain" in [one.text for one in findings]


def test_units_of_two_army_books_in_a_resolved_list_stay_of_two_books() -> None:
    """A2-ARMY-03: all units come from one army list."""
    told = resolved()
    for number, one in enumerate(told["units"]):
        one["armyId"] = "wasps" if number == 3 else "bees"
    found = read_any(as_bytes(told), edition="aof-2")
    assert found.army is not None
    assert len(found.books) == 2
    assert any("2 army books" in text for text in kinds(found, "changed"))
    assert "A2-ARMY-03" in {one.row for one in check_list(found.army, found.books).findings}


def test_gear_given_as_text_or_label_is_read_and_the_rest_is_counted() -> None:
    told = resolved()
    told["units"][3]["loadout"] = [
        weapon("Spear", 1, 5, 0, rule("Counter")),
        '3x Sling (12", A1)',
        {"name": "Hammer", "label": "Hammer (A2, AP(1))", "count": 2},
        {},
        None,
    ]
    found = read_any(as_bytes(told))
    assert found.army is not None
    loadout = loadout_of(found.army, found.army.entries[2], books_of(found.army, found.books))
    assert loadout is not None
    held = [one for figure in loadout.figures for one in figure.weapons]
    counts = [sum(one.name == name for one in held) for name in ("Spear", "Sling", "Hammer")]
    assert counts == [5, 3, 2]
    hammer = next(one for one in held if one.name == "Hammer")
    assert (hammer.attacks, [printed.name for printed in hammer.rules]) == (2, ["AP"])
    assert "Spears: 2 of 5 entries of its loadout cannot be read" in kinds(found, "left out")


def test_names_in_brackets_and_free_upgrades_come_back_from_a_text() -> None:
    told = book()
    next(one for one in told["units"] if one["id"] == "captain")["name"] = "Captain (old)"
    for package in told["upgradePackages"]:
        for part in package["sections"]:
            for one in part["options"]:
                if part["uid"] == "sec-roles":
                    one["costs"] = [{"unitId": "spears", "cost": 0}]
                for gain in one["gains"]:
                    gain["name"] = {"Axe": "Axe (long)"}.get(gain["name"], gain["name"])
    source = read_any(as_bytes(told)).books[0]
    for edition in EDITIONS:
        found = read_any(as_bytes(export_list()), books=[source], edition=edition)
        assert found.army is not None
        text = list_text(found.army, books_of(found.army, [source]))
        again = read_any(text.encode(), books=[source], edition=edition).army
        assert again is not None
        assert [(one.unit, one.name, {pick.option for pick in one.picks}) for one in again.entries] == [
            (one.unit, one.name, {pick.option for pick in one.picks}) for one in found.army.entries
        ]


PASTED_LIST = "++ {name} [AOFR 100pts] ++\n\n{name}s [5] Q4+ D4+ | 100pts\n5x Claw (A2)\n"


def test_lists_pasted_one_after_the_other_keep_their_own_units(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHIELDWALL_ARMIES", str(tmp_path))
    for name in ("Alpha", "Beta", "Gamma"):
        found = read_any(PASTED_LIST.format(name=name).encode(), books=saved_books())
        assert found.army is not None
        assert [source.name for source in found.books] == [f"units of {name}"]
        for source in found.books:
            save_book(source)
        save_list(found.army)
    for _, army in saved_lists():
        loadout = loadout_of(army, army.entries[0], books_of(army, saved_books()))
        assert loadout is not None
        assert loadout.unit.name == f"{army.name}s"


def test_a_missing_book_named_by_a_pasted_list_is_reported() -> None:
    text = PASTED_LIST.format(name="Alpha").replace("Alpha [AOFR", "Alpha - Wasps (v3.5.3) [AOFR")
    assert any(
        "the book Wasps 3.5.3 is missing" in told for told in kinds(read_any(text.encode()), "missing")
    )


@pytest.mark.parametrize(("version", "age"), [(1, "older"), (2, ""), (3, ""), (4, "newer")])
def test_an_unknown_format_is_reported_as_such(version: int, age: str) -> None:
    told = kinds(read_any(as_bytes(export_list() | {"saveVersion": version}), books=[BEES]), "guessed")
    assert any(f"which is {age} than any known" in text for text in told) is bool(age)


def test_a_pair_that_carries_what_only_the_list_explains_is_still_a_pair() -> None:
    """SK32-FORCE-04: Skirmish has no combined units, whatever they carry."""
    told = resolved()
    told["units"][1]["selectedUpgrades"] = told["units"][2]["selectedUpgrades"]
    for half in (1, 2):
        told["units"][half]["loadout"] = [weapon("Scythe", 2, 5)]
    found = read_any(as_bytes(told), edition="skirmish-3.2")
    assert found.army is not None
    pair = found.army.entries[1]
    assert pair.is_combined
    loadout = loadout_of(found.army, pair, books_of(found.army, found.books))
    assert loadout is not None
    assert [one.name for figure in loadout.figures for one in figure.weapons] == ["Scythe"] * 10
    assert "SK32-FORCE-04" in {one.row for one in check_list(found.army, found.books).findings}
