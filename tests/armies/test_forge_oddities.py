"""Odd files: impossible numbers and misplaced rules are replaced by something close and reported."""

from typing import Any

import pytest
from forge_samples import (
    as_bytes,
    book,
    chosen,
    export_list,
    item,
    option,
    resolved,
    rule,
    section,
    unit,
    weapon,
)

from shieldwall.armies.check import check_list
from shieldwall.armies.finding import find_army
from shieldwall.armies.forge.export import export_file
from shieldwall.armies.forge.text_form import list_text
from shieldwall.armies.importing import Imported, read_any
from shieldwall.armies.lists import UpgradePick
from shieldwall.armies.loadout import Loadout
from shieldwall.armies.muster import muster
from shieldwall.armies.recruit import books_of, loadout_of, recruit
from shieldwall.armies.store import save_book, save_list, saved_books
from shieldwall.core.errors import MalformedError
from shieldwall.core.state import Profile, RuleRef, Weapon
from shieldwall.editions import ruleset


def guard(**more: object) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": "guard",
        "name": "Guard",
        "cost": 100,
        "size": 5,
        "quality": 4,
        "defense": 4,
    }
    told |= {"bases": {"round": "25", "square": "25"}, "rules": [], "items": [], "upgrades": ["pack"]}
    return told | {"weapons": [weapon("Sword", 1, 5), weapon("Bow", 1, 5, 24)]} | more


def source(one: dict[str, Any], *sections: dict[str, Any], **more: object) -> dict[str, Any]:
    return book(units=[one], upgradePackages=[{"uid": "pack", "sections": list(sections)}], spells=[], **more)


def listed(
    one: dict[str, Any], *sections: dict[str, Any], picks: tuple[dict[str, Any], ...] = ()
) -> Imported:
    """A list of one unit with its book, and the remarks about both."""
    told = read_any(as_bytes(source(one, *sections)), "the book")
    inner = {"name": "Odd", "gameSystem": "aofr", "units": [unit("guard", "a", *picks)]}
    found = read_any(as_bytes(inner | {"id": "odd"}), books=told.books)
    return Imported(found.army, found.books, (*told.remarks, *found.remarks))


def remarks(found: Imported) -> str:
    return "\n".join(f"{remark.kind}: {remark.text}" for remark in found.remarks)


def outfit_of(found: Imported) -> Loadout:
    assert found.army is not None
    loadout = loadout_of(found.army, found.army.entries[0], books_of(found.army, found.books))
    assert loadout is not None
    return loadout


def mustered(found: Imported, edition: str = "regiments-3.5") -> Profile:
    assert found.army is not None
    return muster(ruleset(edition), [recruit(found.army, found.books)]).profiles[0]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"weapons": [weapon("Sword", 0, 5)]}, "Guard: Sword has 0 attacks; played as A1"),
        ({"weapons": [weapon("Sword", 10**9, 5)]}, "Guard: Sword has 1000000000 attacks; played as A100"),
        (
            {"weapons": [weapon("Sword", 1, 5) | {"attacks": None}]},
            "Guard: Sword gives no attacks; played as A1",
        ),
        ({"weapons": [weapon("Bow", 1, 5, "far")]}, "Bow has the range far; played as a melee weapon"),
        ({"weapons": [weapon("Bow", 1, 5, 9999)]}, 'Bow has the range 9999; played as 120"'),
        ({"weapons": [weapon("Sword", 1, -1)]}, "Guard: Sword has the count -1; played as 1"),
        ({"items": [item("Cart", weapon("Ram", -2))]}, "Guard: Ram has -2 attacks; played as A1"),
        ({"rules": [rule("Tough", -3)]}, "Guard: Tough(-3) is played as Tough(0)"),
        ({"rules": [rule("Tough", 10**6)]}, "Guard: Tough(1000000) is played as Tough(99)"),
        ({"rules": [rule("Tough")]}, "Guard: Tough needs a number, for example Tough(1)"),
        ({"rules": [rule("Fast"), None, {}]}, "left out: Guard: 2 of 3 rules cannot be read"),
        ({"bases": {"round": "32"}}, "Guard: no square base given; uses the usual one for infantry"),
    ],
)
def test_impossible_values_are_replaced_by_near_ones_and_reported(changed: dict[str, Any], said: str) -> None:
    found = listed(guard(**changed))
    assert said in remarks(found)
    assert mustered(found).wounds >= 1


def test_usual_numbers_in_any_spelling_are_not_remarked_upon() -> None:
    plain = [weapon("Sword", 1, "05"), weapon("Bow", 1, 5.0, '24"'), weapon("Club", 1, 5, None)]
    found = listed(guard(weapons=plain, rules=[rule("Tough", "3"), rule("Split", "Lesser Guard [3]")]))
    told = [remark.kind for remark in found.remarks]
    assert told == [
        "played",
        "kept as text",
        "changed",
        "kept as text",
    ]  # the book in figures; Split in the book; another game; Split in the list


@pytest.mark.parametrize(
    ("offered", "said"),
    [
        ({"costs": []}, "Drum has no price; counted as 0 points"),
        ({"costs": [], "cost": "lots"}, "Drum costs lots; counted as 0"),
    ],
)
def test_a_price_that_is_missing_or_unreadable_is_named(offered: dict[str, Any], said: str) -> None:
    drum = option("Drum", {}, item("Drum", rule("Fear", 1))) | offered
    assert said in remarks(listed(guard(), section("s", "Upgrade with", [drum])))


def test_a_weapon_with_count_zero_is_not_carried() -> None:
    found = listed(guard(weapons=[weapon("Sword", 1, 5), weapon("Bow", 1, 0, 24)]))
    assert [one.name for one in outfit_of(found).figures[0].weapons] == ["Sword"]


def test_a_rule_bought_for_bows_goes_to_the_bows_alone() -> None:
    for_bows = section(
        "s",
        "Upgrade all Bows with one",
        [option("Barbs", {"guard": 10}, rule("Rending") | {"type": "ArmyBookRule"})],
        affects={"type": "all"},
        targets=["Bows"],
    )
    found = listed(guard(), for_bows, picks=(chosen("s", "Barbs"),))
    loadout = outfit_of(found)
    assert loadout.cost == 110
    assert loadout.figures[0].carried == (
        Weapon("Sword", 1),
        Weapon("Bow", 1, 24_000, (RuleRef("Rending"),)),
    )
    assert loadout.figures[0].rules == ()


def test_words_of_a_target_may_each_be_in_the_plural() -> None:
    swap = section(
        "s",
        "Replace all Swords of Salt",
        [option("Axe", {"guard": 5}, weapon("Axe", 2))],
        affects={"type": "all"},
        targets=["Swords of Salt"],
    )
    one = guard(weapons=[weapon("Sword of Salt", 1, 5)])
    assert [w.name for w in outfit_of(listed(one, swap, picks=(chosen("s", "Axe"),))).figures[0].weapons] == [
        "Axe"
    ]


def test_a_rule_of_models_on_a_weapon_belongs_to_its_bearer() -> None:
    found = listed(guard(weapons=[weapon("Lance", 1, 5, 0, rule("Impact", 2))]))
    profile = mustered(found)
    assert profile.rules == (RuleRef("Impact", 2),)
    assert profile.weapons == (Weapon("Lance", 1),)
    assert "Guard: Impact on Lance is a model rule, so it applies to the models with it" in remarks(found)


def test_a_rule_of_weapons_on_a_model_belongs_to_all_its_weapons() -> None:
    found = listed(guard(rules=[rule("AP", 1), rule("Fast")]))
    profile = mustered(found)
    assert profile.rules == (RuleRef("Fast"),)
    assert [one.rules for one in profile.weapons] == [(RuleRef("AP", 1),)] * 2
    assert "Guard: AP is a weapon rule, so it applies to all weapons of its models" in remarks(found)


def test_a_rule_without_its_number_is_a_warning_of_the_check() -> None:
    found = listed(guard(rules=[rule("Tough")]))
    assert found.army is not None
    checked = check_list(found.army, found.books, points=500)
    assert "Guard: Tough needs a number, for example Tough(1)" in [
        one.text for one in checked.findings if one.level == "warning"
    ]


def test_rules_in_the_loadout_of_a_resolved_list_are_kept() -> None:
    told = resolved()
    told["units"][3]["loadout"].append(rule("Furious") | {"type": "ArmyBookRule", "count": 5})
    found = read_any(as_bytes(told))
    assert found.army is not None
    loadout = loadout_of(found.army, found.army.entries[-1], books_of(found.army, found.books))
    assert loadout is not None
    assert all(RuleRef("Furious") in figure.rules for figure in loadout.figures)


def test_whole_units_without_a_loadout_need_no_book() -> None:
    told = resolved()
    for one in told["units"]:
        one["loadout"] = None
        one["selectedUpgrades"] = []
    found = read_any(as_bytes(told))
    assert "missing" not in remarks(found)
    assert found.army is not None
    assert loadout_of(found.army, found.army.entries[0], books_of(found.army, found.books)) is not None


def test_traits_in_any_shape_are_named_when_left_out() -> None:
    told = export_list()
    told["list"]["units"][0]["traits"] = [{"name": "Quick"}]
    assert "experience and traits are not kept" in remarks(read_any(as_bytes(told)))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"listPoints": "many"}, 'left out: the total of the list is "many", which is not a number'),
        ({"listPoints": -1}, ""),
        ({"listPoints": None}, ""),
    ],
)
def test_a_total_that_is_not_a_number_is_reported(changed: dict[str, Any], said: str) -> None:
    told = {"id": "x", "gameSystem": "aofr", "list": {"name": "Odd", "units": [unit("guard", "a")]}}
    found = remarks(read_any(as_bytes(told | changed)))
    assert said in found
    assert ("not a number" in found) == bool(said)


def test_upgrades_that_are_no_list_are_reported() -> None:
    told = {"id": "x", "gameSystem": "aofr", "units": [unit("guard", "a") | {"selectedUpgrades": None}]}
    found = read_any(as_bytes(told))
    assert "upgrades of guard are null instead of a list; none of them are kept" in remarks(found)


def test_a_book_given_for_another_army_is_named_as_unused(tmp_path: Any) -> None:
    list_file, right, wrong = (tmp_path / name for name in ("list.json", "right.json", "wrong.json"))
    list_file.write_bytes(as_bytes(export_list()))
    right.write_bytes(as_bytes(book()))
    wrong.write_bytes(as_bytes(book(uid="wasps", name="Wasp Nest", units=[guard(id="drones")])))
    said = "the given book is not used: it is for Wasp Nest 9.9.1 (aofr); the list was made with Bee Keepers 9.9.1"
    assert said in remarks(find_army(str(list_file), books=[str(wrong)]))
    both = remarks(find_army(str(list_file), books=[str(wrong), str(right)]))
    assert said in both
    assert "for Bee Keepers" not in both


def test_a_list_that_names_no_book_is_read_with_the_one_that_has_its_units() -> None:
    bees = read_any(as_bytes(book())).books
    told = {"id": "x", "name": "Nameless", "gameSystem": "aofr", "units": [unit("spears", "a")]}
    del told["units"][0]["armyId"]  # type: ignore[attr-defined]
    found = read_any(as_bytes(told), books=bees)
    assert "read with Bee Keepers" in remarks(found)
    assert outfit_of(found).cost == 80
    assert "give it with --book" in remarks(read_any(as_bytes(told)))


def test_a_community_list_may_name_its_book_only_on_top() -> None:
    bees = read_any(as_bytes(book())).books
    one = unit("spears", "a")
    del one["armyId"]
    told = {"id": "x", "army_uid": "book-of-bees", "game_system": "aofr", "details": {}}
    found = read_any(as_bytes(told | {"list": {"name": "Top", "units": [one]}}), books=bees)
    assert outfit_of(found).cost == 80
    assert "does not say" not in remarks(found)


def test_a_book_of_another_game_is_reported_unless_the_right_one_is_there_too(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHIELDWALL_ARMIES", str(tmp_path))
    ranked = read_any(as_bytes(book())).books[0]
    loose = read_any(as_bytes(book(gameSystemKey="AOFS", units=[guard(id="spears", cost=33)]))).books[0]
    told = as_bytes({"id": "x", "name": "S", "gameSystem": "aofs", "units": [unit("spears", "a")]})
    alone = read_any(told, books=[ranked])
    assert "the list is for AOFS, the book Bee Keepers for AOFR: units and prices may differ" in remarks(
        alone
    )
    for kept in (ranked, loose):
        save_book(kept)
    found = read_any(told, books=saved_books())
    assert outfit_of(found).cost == 33
    assert "may differ" not in remarks(found)


@pytest.mark.parametrize("edition", ["", "regiments-3.5", "aof-1.6", "skirmish-3.2"])
def test_of_the_books_of_one_army_the_one_for_the_list_s_own_game_reads_it(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, edition: str
) -> None:
    monkeypatch.setenv("SHIELDWALL_ARMIES", str(tmp_path))
    loose = book(gameSystemKey="AOF", versionString="3.5.2", units=[guard(id="spears", cost=90)])
    lone = book(gameSystemKey="AOFS", versionString="3.5.2", units=[guard(id="spears", cost=33, size=1)])
    both = [read_any(as_bytes(one)).books[0] for one in (loose, lone)]
    for kept in both:
        save_book(kept)
    told = {"id": "x", "name": "Both", "gameSystem": "aof", "units": [unit("spears", "a")]}
    for known in (saved_books(), both, both[::-1]):
        found = read_any(as_bytes(told), books=known, edition=edition)
        assert (outfit_of(found).cost, outfit_of(found).size) == (90, 5)
        assert [one.system for one in found.books] == ["aof"]
        assert "may differ" not in remarks(found)
        assert found.army is not None
        save_list(found.army)
        again = find_army("Both", edition=edition)
        assert (outfit_of(again).cost, outfit_of(again).size) == (90, 5)
        for text in (export_file, list_text):
            forms = text(found.army, books_of(found.army, found.books)).encode()
            assert outfit_of(read_any(forms, books=known)).cost == 90


@pytest.mark.parametrize(
    ("pasted", "says"),
    [
        (
            "https://example.org/share?id=abcd1234&name=Hive",
            "is a URL, and Shieldwall does not download anything; save the list",
        ),
        (
            "https://army-forge.example.org/share?id=abcd1234&name=Hive",
            "Open https://army-forge.example.org/api/tts?id=abcd1234 in a browser",
        ),
        ("<!DOCTYPE html><html>no</html>", "is a web page, not a list; save the list"),
        ('{"list": {"units": [{"id": "gu', "it seems to be cut off: save or copy it again"),
        ('{"list": {"units": [{"id": "g"}', "it seems to be cut off: save or copy it again"),
        ('{"error": "not found"}', "neither an army book nor a list with units in it"),
        ('{"error": "not found"}', "export the list as a file or copy it as text"),
        ("[1, 2]", "export the list as a file or copy it as text"),
        (
            '{"units": [{"selectionId": "a", "id": "b"}]}',
            "does not name its game system; expected aof, aofs or aofr",
        ),
    ],
)
def test_wrong_input_instead_of_a_list_says_what_to_do(pasted: str, says: str) -> None:
    with pytest.raises(MalformedError) as refused:
        read_any(pasted.encode())
    assert says in str(refused.value)


HEAD = "++ Odd - Bee Keepers (v9.9.1) [AOFR 80pts] ++\n\n"
SPEARS = '- Spears [5] Q4+ D5+ | 80pts | 7XP | Strider, Split("Lesser Spears [3]"), 5x Drum(Fear(1)){more}\n'
ARMS = "* 5x Spear (A1, Counter), 5x Knife (A1)\n"


def pasted(more: str = "", cost: int = 80, arms: str = ARMS) -> Imported:
    text = f"```\n{HEAD}{SPEARS.format(more=more).replace('80pts', f'{cost}pts')}{arms}```\n"
    return read_any(text.encode(), books=read_any(as_bytes(book())).books)


def test_chat_markup_is_dropped_and_experience_is_reported() -> None:
    found = pasted()
    assert found.army is not None
    assert found.army.entries[0].unit == "spears"
    assert "left out: Spears: experience and traits are not kept" in remarks(found)
    assert "guessed" not in remarks(found)


def test_a_rule_of_the_text_that_the_book_does_not_give_is_named() -> None:
    assert "left out: Spears: Zeal is in the text, but none of its upgrades gives it" in remarks(
        pasted(", Zeal")
    )


def test_a_role_without_a_number_is_one_model_unless_the_book_says_otherwise() -> None:
    found = pasted(", Banner", 85)
    assert found.army is not None
    assert found.army.entries[0].picks == (UpgradePick("Banner"),)
    text = "Spears [5] Q4+ D5+ | 85pts | Strider, Banner | 5x Spear (A1)\n"
    printed = outfit_of(read_any(text.encode(), edition="regiments-3.5"))
    assert sum(RuleRef("Banner") in figure.rules for figure in printed.figures) == 1
    assert [len(figure.weapons) for figure in printed.figures] == [1] * 5


def test_a_combined_unit_with_one_copy_armed_differently_is_found() -> None:
    text = (
        f'{HEAD}Spears [10] Q4+ D5+ | 180pts | Strider, Split("Lesser Spears [3]"), 10x Drum(Fear(1))\n'
        "5x Spear (A1, Counter), 5x Halberd (A1, Rending), 10x Knife (A1)\n"
    )
    found = read_any(text.encode(), books=read_any(as_bytes(book())).books)
    assert found.army is not None
    assert (found.army.entries[0].picks, found.army.entries[0].second) == ((UpgradePick("halberds"),), ())
