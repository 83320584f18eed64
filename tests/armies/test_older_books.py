"""Army books of 2021 and 2022, version 2, whose tool cut gear and texts to pieces."""

from __future__ import annotations

import json
from typing import Any

import pytest

from shieldwall.armies.army_rules import standing_of
from shieldwall.armies.book import Book, Item
from shieldwall.armies.coverage import best_edition, is_cast
from shieldwall.armies.importing import read_any
from shieldwall.core.blocks import Modifier, PickedEffect
from shieldwall.core.errors import MalformedError
from shieldwall.core.state import RuleRef, Weapon

MIRE = 'Target enemy unit within 12" takes 4 automatic hits.'


def rule(name: str, rating: str = "") -> dict[str, str]:
    return {"key": name.lower(), "name": name, "rating": rating}


def text(name: str, description: str) -> dict[str, str]:
    return {"name": name, "description": description}


def older_book(
    *, version: str = "v2.6", options: Any = (), rules: Any = (), units: Any = ()
) -> dict[str, Any]:
    captain = {
        "id": "cap", "name": "Marsh Captain", "size": 1, "quality": 3, "defense": 4, "cost": 55,
        "equipment": [{"id": "w", "label": "Hand Weapon", "attacks": 3, "specialRules": []}],
        "specialRules": [rule("Hero"), rule("Tough", "3"), rule("-"), *units], "upgrades": ["A1"],
    }  # fmt: skip
    section = {"label": "Mount on", "type": "upgrade", "select": 1, "options": list(options)}
    return {
        "name": "Marsh Folk", "aberration": "AOF", "versionString": version, "units": [captain],
        "upgradePackages": [{"uid": "A1", "hint": "A1", "sections": [section]}], "specialRules": list(rules),
        "spells": [{"id": "s", "name": "Mire", "threshold": 5, "effect": MIRE}],
    }  # fmt: skip


def option(label: str, *rules: dict[str, str], attacks: int = 1) -> dict[str, Any]:
    gain = {
        "label": label,
        "name": label,
        "attacks": attacks,
        "type": "ArmyBookWeapon",
        "specialRules": list(rules),
    }
    return {"id": "o", "type": "ArmyBookUpgradeOption", "cost": 15, "label": label, "gains": [gain]}


def imported(raw: dict[str, Any], encoding: str = "utf-8") -> Book:
    return read_any(json.dumps(raw, ensure_ascii=False).encode(encoding), "marsh.json").books[0]


def gained(book: Book) -> object:
    return book.packages[0].sections[0].options[0].gains[0].what


def test_a_book_of_version_2_is_for_age_of_fantasy_2() -> None:
    units = [rule("Thrust"), rule("Rending")]  # which Regiments 3.5 has as well
    old, new = (imported(older_book(version=version, units=units)) for version in ("v2.6", "v4.0"))
    assert (old.version, best_edition(old)) == ("2.6", "aof-2")
    assert (new.version, best_edition(new)) == ("4.0", "regiments-3.5")


def test_a_spells_number_is_the_roll_it_needs() -> None:
    book = imported(older_book())
    assert book.spells[0].cost == 5
    assert is_cast(book, "aof-2", book.spells[0])


def test_a_dash_is_not_a_rule() -> None:
    assert [one.name for one in imported(older_book()).units[0].rules] == ["Hero", "Tough"]


@pytest.mark.parametrize("dash", ["–", "-", "\ufffd"])
def test_a_mount_that_was_cut_at_its_commas_is_whole_again(dash: str) -> None:
    label = f"Marsh Toad {dash} Defense +1, Tongue (A2, AP(1)), Fast, Impact(1), Tough(+3)"
    cut = option(label, rule("AP(1))"), rule("Fast"), rule("Impact(1"), rule("Tough(+3"), attacks=2)
    tongue = Weapon("Tongue", 2, 0, (RuleRef("AP", 1),))
    rules = (RuleRef("Defense", 1, True), RuleRef("Fast"), RuleRef("Impact", 1), RuleRef("Tough", 3, True))
    found = gained(imported(older_book(options=[cut])))
    assert isinstance(found, Item)
    assert (found.name, found.rules, found.weapons) == ("Marsh Toad", rules, (tongue,))


def test_two_weapons_in_one_label_are_two() -> None:
    cut = option('Sling (12", A2), Knife (A1)', rule("Knife (A1"), attacks=2)
    found = gained(imported(older_book(options=[cut])))
    assert isinstance(found, Item)
    assert found.weapons == (Weapon("Sling", 2, 12_000), Weapon("Knife", 1, 0))


def test_a_weapon_that_was_not_cut_stays_as_it_is() -> None:
    whole = option("Spear (A3, Phalanx)", rule("Phalanx"), attacks=3)
    whole["gains"][0]["name"] = "Spear"
    assert gained(imported(older_book(options=[whole]))) == Weapon("Spear", 3, 0, (RuleRef("Phalanx"),))


def test_gear_that_adds_to_defense_helps_to_block() -> None:
    pavise = option("Pavise (Defense +2)", {**rule("Defense", "2"), "label": "Defense +2"})
    pavise["gains"][0] |= {"type": "ArmyBookItem", "name": "Pavise"}
    found = standing_of(imported(older_book(options=[pavise])), "aof-2", "Defense")
    assert found.is_played
    assert isinstance(found.blocks, tuple)
    assert isinstance(found.blocks[0], Modifier)
    assert found.blocks[0].roll == "block"


def test_effects_listed_as_separate_entries_belong_to_their_rule() -> None:
    told = [
        text("Orders", "When this unit activates choose one of the following orders, and they gain one of these"
             " until the end of the round: • March: +3” when moving."),
        text("• Aim", "+1 to shooting rolls."),
        text("� Hew", "+1 to melee rolls."),
        text("Bog Step(X+)", "This model gets Strider."),
    ]  # fmt: skip
    book = imported(older_book(rules=told, units=[rule("Orders")]))
    assert [one.name for one in book.rules] == ["Orders", "Bog Step"]
    (block,) = standing_of(book, "aof-2", "Orders").blocks or ()
    assert isinstance(block, PickedEffect)
    assert len(block.effects) == 3


def test_a_text_that_runs_into_the_next_rule_is_cut_off_there() -> None:
    told = [text("Bog Step", "This model gets Strider. Reed Eye: This model gets +1 to hit when shooting.")]
    book = imported(older_book(rules=told, units=[rule("Bog Step"), rule("Reed Eye")]))
    assert {one.name: one.text for one in book.rules} == {
        "Bog Step": "This model gets Strider.",
        "Reed Eye": "This model gets +1 to hit when shooting.",
    }


def test_a_rules_name_may_be_its_text() -> None:
    book = imported(older_book(units=[rule("AP(1) in melee"), rule("Reed Eye")]))
    assert standing_of(book, "aof-2", "AP(1) in melee").is_played
    assert not standing_of(book, "aof-2", "Reed Eye").is_played


def test_a_book_in_the_encoding_of_windows_is_read() -> None:
    told = [text("Bog Step", "The hero’s unit gets Strider – within 6” of it.")]
    assert imported(older_book(rules=told), "cp1252").rules[0].text.startswith("The hero’s")


def test_other_bytes_are_refused() -> None:
    with pytest.raises(MalformedError, match="not UTF-8"):
        read_any(b'{"units": ["\x81\xfe\xff"]}', "marsh.json")
