"""Checking a list: every problem at once, each with its row; force organisation only warns unless agreed on."""

import pytest
from msgspec.structs import replace

from shieldwall import armies
from shieldwall.armies import ArmyList, Entry, UpgradePick
from shieldwall.core.errors import MalformedError
from shieldwall.editions import EDITIONS
from shieldwall.rulebook import edition_of, has_row


def made(edition: str, points: int, *entries: Entry, faction: str = "lantern-coast") -> ArmyList:
    return ArmyList("test", edition, points, entries, (armies.BookRef(faction),))


def found(army: ArmyList, level: str = "error", **how: object) -> set[str]:
    checked = armies.check_list(army, **how)  # type: ignore[arg-type]
    return {one.row for one in checked.findings if one.level == level}


PIKES = Entry("p", "harbour-pikes")
WARDEN = Entry("w", "harbour-warden")


def test_every_problem_is_found_at_once_with_its_row() -> None:
    army = made(
        "regiments-3.5",
        100,
        replace(WARDEN, joins="p"),
        Entry("s", "wick-singer", joins="p"),
        replace(
            PIKES, picks=(UpgradePick("pikes-1-halberd"), *[UpgradePick("command-1-sergeant")] * 2), second=()
        ),
        Entry("k", "quay-crossbows", joins="p"),
    )
    rows = found(army)
    assert rows == {
        "R35-ARMY-04",  # too many points
        "R35-ARMY-06",  # halberds for one half only
        "R35-CMD-01",  # two sergeants
        "R35-SR-HERO-01",  # crossbows are not a hero
        "R35-SR-HERO-02",  # three in one unit
    }


def test_problems_agree_with_the_name_of_the_unit_they_are_about() -> None:
    pair = made("skirmish-3.2", 1500, replace(PIKES, second=()))
    texts = [one.text for one in armies.check_list(pair).findings if one.level == "error"]
    assert texts == ["Harbour Pikes are combined from two copies; this edition has no such rule"]
    twice = made("regiments-3.5", 1500, replace(PIKES, picks=(UpgradePick("command-1-sergeant"),) * 2))
    told = [one.text for one in armies.check_list(twice).findings if one.row == "R35-CMD-01"]
    assert told == ["Harbour Pikes have 2 models with Sergeant; one is allowed"]


def test_single_models_are_not_combined_in_regiments() -> None:
    army = made("regiments-3.4", 1500, Entry("m", "old-mossback", second=()))
    assert found(army) == {"R34-ARMY-03"}


def test_force_organisation_warns_and_becomes_an_error_when_asked_for() -> None:
    heroes = [replace(WARDEN, id=f"w{number}") for number in range(3)]
    army = made("regiments-3.5", 750, *heroes)
    assert found(army) == set()
    assert found(army, "warning") == {"R35-FORCE-02", "R35-FORCE-03"}
    for strict in (
        armies.check_list(army, strict=True),
        armies.check_list(army, options={"force-organisation": "on"}),
        armies.check_list(replace(army, force_organisation=True)),
    ):
        assert not strict.is_legal
        assert {one.row for one in strict.findings if one.level == "error"} == {
            "R35-FORCE-02",
            "R35-FORCE-03",
        }


def test_skirmish_has_its_own_limits() -> None:
    roles = (UpgradePick("command-1-sergeant"),)
    army = made(
        "skirmish-3.2",
        150,
        Entry("a", "harbour-pikes", picks=roles),
        Entry("b", "quay-crossbows", picks=roles),
        replace(WARDEN, joins="a"),
        Entry("c", "harbour-pikes", second=()),
    )
    assert found(army) == {"SK32-CMD-01", "SK32-SR-HERO-01", "SK32-FORCE-04"}
    assert "SK32-FORCE-07" in found(replace(army, points=60), "warning")


@pytest.mark.skipif("aof-2" not in EDITIONS, reason="Age of Fantasy 2 is not there yet")
def test_age_of_fantasy_2_takes_one_book_and_matching_halves() -> None:
    army = made(
        "aof-2",
        750,
        replace(PIKES, picks=(UpgradePick("pikes-1-halberd"),), second=()),
        Entry("g", "stone-golems", book="kilnfolk"),
    )
    army = replace(army, books=(*army.books, armies.BookRef("kilnfolk")))
    assert found(army) == {"A2-ARMY-03", "A2-ARMY-06"}


@pytest.mark.skipif("aof-1.6" not in EDITIONS, reason="Age of Fantasy 1.6 is not there yet")
def test_age_of_fantasy_1_6_needs_a_hero_and_few_big_units_or_the_table_for_bigger_games() -> None:
    big = [Entry(f"b{number}", "mole-bombard") for number in range(3)]
    army = made("aof-1.6", 500, *big)
    assert found(army) == {"A16-ARMY-02", "A16-ARMY-03"}
    larger = made("aof-1.6", 750, WARDEN, *big)
    assert found(larger) == {"A16-ARMY-03"}
    assert found(larger, options={"size-table": "on"}) == set()
    two = made("aof-1.6", 750, WARDEN, replace(WARDEN, id="w2"), *big)
    assert found(two, options={"size-table": "on"}) == {"A16-BIG-03"}


@pytest.mark.skipif("aof-1.6" not in EDITIONS, reason="Age of Fantasy 1.6 is not there yet")
def test_age_of_fantasy_1_6_lets_one_hero_join_a_unit_of_infantry() -> None:
    joined = made("aof-1.6", 500, replace(WARDEN, joins="p"), PIKES)
    assert found(joined) == set()
    wrong = [
        (replace(WARDEN, joins="m"), Entry("m", "mole-bombard")),
        (WARDEN, Entry("x", "quay-crossbows", joins="p"), PIKES),
        (replace(WARDEN, joins="p"), replace(WARDEN, id="w2", joins="p"), PIKES),
        (replace(WARDEN, joins="w2"), replace(WARDEN, id="w2")),
    ]
    for entries in wrong:
        assert found(made("aof-1.6", 500, *entries)) == {"A16-FORCE-01"}


def test_all_lists_of_a_game_must_be_made_for_one_size() -> None:
    small, large = (armies.ready_list("regiments-3.4", f"kilnfolk-{size}") for size in (750, 1500))
    first, second = armies.check_game([small, large])
    assert [one.row for one in first.findings] == ["R34-ARMY-01"]
    assert second.is_legal
    agreed = armies.check_game([small, small], points=750)
    assert all(checked.is_legal for checked in agreed)
    # a list may stay below the size that was agreed on
    assert all(checked.is_legal for checked in armies.check_game([small, large], points=1500))


def test_what_headings_do_not_allow_cites_the_row_about_picking() -> None:
    army = made(
        "regiments-3.5",
        750,
        replace(WARDEN, picks=(UpgradePick("warden-2-great-lantern"), UpgradePick("warden-2-heron"))),
    )
    assert found(army) == {"R35-ARMY-03"}


def test_units_and_options_no_book_has_are_named() -> None:
    army = made("regiments-3.5", 750, Entry("x", "dragon"), replace(WARDEN, picks=(UpgradePick("wings"),)))
    texts = [one.text for one in armies.check_list(army).findings]
    assert any("dragon" in text for text in texts)
    assert any("wings" in text for text in texts)
    assert not armies.check_list(army).is_legal


def test_a_smaller_game_is_chosen_by_its_points() -> None:
    army = armies.ready_list("regiments-3.5", "kilnfolk-1500")
    assert armies.check_list(army).is_legal
    assert found(army, points=750) == {"R35-ARMY-04"}
    assert armies.check_list(army, points=750).points == 750


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_row_a_check_cites_is_a_row_of_its_edition(edition: str) -> None:
    names = [ready.id for ready in armies.ready_lists(edition)]
    crowd = armies.ready_list(edition, names[-1])
    army = replace(
        crowd,
        entries=tuple(
            replace(entry, id=f"{entry.id}-{copy}", joins="", second=(*entry.picks, *entry.picks))
            for copy in range(6)
            for entry in crowd.entries
        ),
    )
    rows = {one.row for one in armies.check_list(army, strict=True).findings if one.row}
    assert rows
    assert all(has_row(row) and edition_of(row) == edition for row in rows)


@pytest.mark.parametrize(("edition", "row"), [("aof-2", "A2-ARMY-01"), ("skirmish-3.2", "SK32-ARMY-01")])
def test_a_list_without_an_agreed_size_is_refused_until_there_is_one(edition: str, row: str) -> None:
    """A2-ARMY-01, SK32-ARMY-01; A2-ARMY-02: a game without a chosen size has the one the book advises."""
    army = armies.ready_list(edition, armies.ready_lists(edition)[0].id)
    size, unsized = army.points, replace(army, points=0)
    refused = armies.check_list(unsized)
    assert [(one.level, one.row) for one in refused.findings if one.level == "error"] == [("error", row)]
    assert refused.points == 0
    assert armies.check_list(unsized, points=size).is_legal
    assert armies.check_list(army).is_legal
    (game,) = armies.check_game([unsized])
    assert game.is_legal
    assert game.points == {"aof-2": 750, "skirmish-3.2": 250}[edition]


def test_a_big_game_of_aof_1_6_is_legal_but_warns_about_its_length() -> None:
    """A16-BIG-13"""
    army = armies.ready_list("aof-1.6", armies.ready_lists("aof-1.6")[0].id)
    assert "A16-BIG-13" not in found(army, "note")
    assert found(army, "note", points=501) >= {"A16-BIG-13"}
    assert armies.check_list(army, points=501).is_legal


def test_allies_of_one_side_share_its_points_and_its_limits() -> None:
    """A16-MULTI-02, A16-MULTI-03"""
    army = armies.ready_list("aof-1.6", "kilnfolk-500")
    half = replace(army, entries=army.entries[:1])
    over = armies.check_side([army, half], points=500)
    assert "A16-MULTI-02" in {one.row for one in over.findings if one.level == "error"}
    assert armies.check_side([half, half], points=1000).cost == 2 * armies.cost_of(
        half, armies.books_of(half)
    )
    made_for = replace(half, points=1000)
    assert armies.check_side([half, made_for]).points == 1000, "the most that any of the lists was made for"
    both = {one.row for one in armies.check_side([army] * 3, points=1500).findings if one.level == "error"}
    assert both == {"A16-MULTI-03"}
    with pytest.raises(MalformedError, match="no rules for allies"):
        armies.check_side([armies.ready_list("aof-2", "kilnfolk-750")] * 2)


def test_a_missing_book_is_named_once_for_all_its_units() -> None:
    stranger = armies.BookRef("x-1", "Bee Keepers", "9.9")
    entries = (PIKES, Entry("a", "u1", book="x-1"), Entry("b", "u2", book="x-1"), Entry("c", "no-such-unit"))
    army = replace(made("regiments-3.5", 750, *entries), books=(armies.BookRef("lantern-coast"), stranger))
    assert [one.text for one in armies.check_list(army).findings if one.level == "error"] == [
        "the army book Bee Keepers, version 9.9 is missing; import it (`shieldwall army import BOOK`, or "
        "`--book BOOK` for once): 2 units of the list come from it",
        "no-such-unit: Lantern Coast 1 has no unit 'no-such-unit'; import the book it comes from",
    ]
