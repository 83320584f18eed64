"""Games from Python: questions, legal answers, and errors that leave the game as it was."""

import subprocess
import sys
from typing import Any

import pytest

import shieldwall as sw
from shieldwall.api.menu import SLOTS, menu_of
from shieldwall.core.answers import Faces
from shieldwall.core.errors import MalformedError
from shieldwall.core.pending import Decision
from shieldwall.editions import EDITIONS

LISTS = {edition: sw.Army.ready(edition)[:2] for edition in EDITIONS}


class Stubborn:
    """The minimum that a bot needs."""

    def decide(self, view: object, question: Any, numbers: object) -> Any:
        return question.default()


@pytest.mark.parametrize("bot", [Stubborn, Stubborn(), lambda seed: Stubborn()])
def test_a_bot_needs_only_a_decide_method(bot: Any) -> None:
    game = sw.new_game("skirmish-3.2", seed=3)
    assert game.question is not None
    assert game.ask(bot) == game.question.default()
    assert game.play(bot, "random").is_over


def test_an_object_that_is_no_bot_is_refused() -> None:
    game = sw.new_game("skirmish-3.2", seed=3)
    for wrong in (object(), 3, None):
        with pytest.raises(sw.ShieldwallError, match="a bot needs that method"):
            game.play(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("distance", [-1.0, float("nan"), float("inf")])
def test_a_shooting_distance_must_be_0_or_more(distance: float) -> None:
    with pytest.raises(sw.ShieldwallError, match="0 or more"):
        sw.odds('A1 24"', "5x D4", distance=distance)


def test_importing_the_package_loads_nothing_else() -> None:
    code = "import sys, shieldwall; print(*(name for name in sys.modules if name.startswith('shieldwall')))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["shieldwall"]


def test_every_public_name_of_the_package_exists() -> None:
    for name in sw.__all__:
        assert getattr(sw, name) is not None
    with pytest.raises(AttributeError, match="shieldwall has no 'nonsense'; it has: "):
        sw.nonsense  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_slot_of_a_menu_is_legal_and_positions_survive_as_text(edition: str) -> None:
    """Text -> position -> the same question, the same legal answers, the same text."""
    game = sw.new_game(edition, LISTS[edition], seed=11)
    source, step = sw.numbers(11), 0
    while not game.is_over:
        assert game.question is not None
        step += 1
        if step % 11 == 0:
            again = sw.Game.from_text(game.text(), seed=game.seed)
            assert again.text() == game.text()
            assert again.state == game.state
            assert again.question is not None
            assert (again.question.kind, again.question.prompt) == (game.question.kind, game.question.prompt)
            legal = game.legal()
            assert again.legal() == legal
            assert 1 <= len(legal) <= SLOTS
            assert [game.why_not(answer) for answer in legal] == [[]] * len(legal)
        menu = menu_of(game.state, game.question)
        game.answer(menu.answer(menu.slots[source.below(len(menu.slots))]))
    assert sw.Game.from_text(game.text()).is_over


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "expected 6 fields"),
        ("sw3 a b c d e", "expected 6 fields"),
        ("sw2 regiments-9 0 0 0123456789abcdef AAAA", "there is no edition 'regiments-9'"),
        ("sw2 aof-2 0 0 0123456789abcdef !!!", "cannot be read"),
        ("sw2 aof-2 0 0 0123456789abcdef AAAA", "cannot be read"),
    ],
)
def test_a_malformed_position_is_refused_with_a_reason(text: str, says: str) -> None:
    with pytest.raises(sw.ShieldwallError, match=says):
        sw.Game.from_text(text)


def test_a_changed_position_fails_its_fingerprint() -> None:
    fields = sw.new_game("aof-1.6", seed=2).text().split()
    other = sw.new_game("aof-1.6", seed=3).text().split()
    with pytest.raises(MalformedError, match="does not match its fingerprint"):
        sw.Game.from_text(" ".join([*fields[:5], other[5]]))


def test_a_copy_is_independent_and_undo_takes_back() -> None:
    game = sw.new_game("regiments-3.4", LISTS["regiments-3.4"], seed=1)
    before = game.text()
    twin = game.copy()
    twin.answer()
    assert game.text() == before != twin.text()
    assert twin.undo().text() == before
    with pytest.raises(sw.ShieldwallError, match="no answer to undo"):
        twin.undo()


def test_a_refused_answer_changes_nothing_and_gives_the_reasons() -> None:
    game = sw.new_game("aof-2", LISTS["aof-2"], seed=1)
    before = game.text()
    with pytest.raises(sw.RefusedError):
        game.answer("dance")
    assert game.why_not("dance")
    assert game.text() == before


def test_a_game_that_asks_for_dice_takes_faces() -> None:
    game = sw.new_game("regiments-3.4", LISTS["regiments-3.4"], seed=1, dice="ask")
    while game.roll is None:
        game.answer()
    roll = game.roll
    with pytest.raises(sw.ShieldwallError, match="dice are asked for"):
        game.answer()
    assert game.why_not([7])
    game.answer([3] * roll.dice)
    assert Faces((3,) * roll.dice) is not None


def test_bots_advise_and_play_on_from_any_point() -> None:
    game = sw.new_game("skirmish-3.2", LISTS["skirmish-3.2"], seed=4)
    for _ in range(30):
        game.answer(game.ask("solo"))
    assert isinstance(game.question, Decision)
    ended = game.copy().play("random", "solo")
    assert ended.is_over
    assert not game.is_over
    with pytest.raises(sw.ShieldwallError, match="2 seats need 2 bots"):
        game.play("random", "random", "random")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"edition": "chess"}, "there is no edition 'chess'"),
        ({"armies": ["kilnfolk-750"]}, "two armies"),
        ({"armies": "kilnfolk-750"}, "two armies"),
        ({"dice": "loaded"}, "'seeded' or 'ask'"),
        ({"mission": "picnic"}, "picnic"),
        ({"seed": "seven"}, "a seed is a whole number, not 'seven'"),
        (
            {"table": "forest"},
            "a table is a sequence of pieces or the seed of a generated table, not 'forest'",
        ),
        ({"house_rules": {"control-last": True}}, "control-last"),
    ],
)
def test_an_impossible_game_is_refused(wrong: dict[str, object], says: str) -> None:
    with pytest.raises(sw.ShieldwallError, match=says):
        sw.new_game(**wrong)  # type: ignore[arg-type]


def test_house_rules_are_set() -> None:
    game = sw.new_game("aof-1.6", house_rules={"control-lasts": True})
    assert ("control-lasts", "on") in game.state.options


def test_questions_and_rolls_describe_themselves() -> None:
    game = sw.new_game("aof-2", seed=3, dice="ask")
    while game.roll is None:
        game.answer()
    assert repr(game.roll) == f"<Roll of {game.roll.dice} for {game.roll.purpose}, seat {game.seat}>"
    question = sw.new_game("aof-2", seed=3).question
    assert question is not None
    assert repr(question) == f"<LastingPick lasting_pick, seat {question.seat}: {question.prompt}>"


def test_a_series_refuses_an_unknown_bot_before_it_begins() -> None:
    with pytest.raises(
        sw.ShieldwallError, match=r"there is no bot called 'sole'.*did you mean solo"
    ) as refused:
        sw.run_games("aof-2", ["solo", "sole"], games=2)
    assert "repeat it with" not in str(refused.value)


def test_armies_can_be_changed_and_saved(tmp_path: "object") -> None:
    from pathlib import Path

    army = sw.Army.load("kilnfolk-750", edition="regiments-3.5")
    fewer = army.without(army.units[0])
    assert fewer.points < army.points
    path = Path(str(tmp_path)) / "mine.yaml"
    fewer.save(path)
    assert sw.Army.load(path).points == fewer.points
    assert army.check().is_legal
    with pytest.raises(sw.ShieldwallError, match="has no unit dragon"):
        army.without("dragon")
    with pytest.raises(sw.ShieldwallError, match="is a list for regiments"):
        sw.new_game("aof-2", [army, army])


def test_games_become_a_frame_with_the_documented_columns() -> None:
    class Mine:
        def decide(self, view, question, numbers):  # type: ignore[no-untyped-def]
            return question.default()

    army = sw.Army.load("kilnfolk-750", edition="regiments-3.4")
    frame = sw.run_games(
        "regiments-3.4", [Mine, "random"], games=3, armies=[army, "lantern-coast-750"], seed=3
    )
    assert frame.height == 3
    assert frame["bot_a"].unique().to_list() == ["Mine"]
    assert frame["seat_a"].to_list() == [0, 1, 0]
    documented = sw.run_games.__doc__ or ""
    for column in frame.columns:
        name = column[:-1] + "a" if column.endswith("_b") else column
        assert f"`{name}`" in documented or f"`{column}`" in documented, column
    from shieldwall.bots.registry import REGISTERED
    from shieldwall.lab.games import HANDED_IN

    REGISTERED.clear()
    HANDED_IN.clear()


def test_the_package_lists_its_public_names_only() -> None:
    assert {"new_game", "odds", "Army"} <= set(dir(sw))
    assert {"import_module", "Any"}.isdisjoint(dir(sw))
